"""What an owner may choose about the consoles: layout, guards, light. Plain numbers, 0 is off.

It knows nothing of files: somebody else reads these from a configuration.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

# Seconds: the defaults, and the ranges that may be configured.
DEBOUNCE: Final = 0.008
DEBOUNCE_RANGE: Final = (0.002, 0.030)
HOLD: Final = 0.7
HOLD_RANGE: Final = (0.4, 3.0)  # shorter ones are slow presses
CHORD: Final = 0.3
CHORD_RANGE: Final = (0.05, 1.0)


class Layout(StrEnum):
    """Which buttons a console has."""

    FULL = "full"
    COMPACT = "compact"


class Brightness(StrEnum):
    """Of panels that are not dim."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


Hours = tuple[int, int]  # minutes of the day, from and until; past midnight where until is less


def parse_hours(text: str) -> Hours | None:
    """ "23:00-08:00" as minutes of the day; None where it is not written like that."""
    parts = [part.split(":") for part in text.split("-")]
    if [len(part) for part in parts] != [2, 2] or not all(_is_number(n) for p in parts for n in p):
        return None
    (h1, m1), (h2, m2) = [(int(hour), int(minute)) for hour, minute in parts]
    if max(h1, h2) > 23 or max(m1, m2) > 59:
        return None
    return h1 * 60 + m1, h2 * 60 + m2


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 2


def is_within(hours: Hours | None, minute: int | None) -> bool:
    """Does the minute of the day fall into these hours? Never where either is not known."""
    if hours is None or minute is None:
        return False
    start, end = hours
    return start <= minute < end if start <= end else minute >= start or minute < end


class Settings(NamedTuple):
    """Times are seconds; a guard or a light of 0 is switched off."""

    layout: Layout = Layout.FULL
    consoles: int = 2  # a third one is for three players, each alone
    debounce_s: float = DEBOUNCE  # a level counts once it has been stable so long
    hold_s: float = HOLD
    chord_s: float = CHORD  # both TANTOS within it are one
    slap_s: float = 3.0  # G1: the same button is deaf after a press of it was accepted
    slap_call_s: float = 0.8  # G1 of ENVIDO and FLOR, which are tapped several times on purpose
    echo_s: float = 0.5  # G2: the other console's same call is an echo
    hand_closed_s: float = 4.0  # G3: TANTOS after TANTOS has closed a hand
    trick_by_trick: bool = False  # TANTOS tells who won a trick
    dim_after_s: float = 120.0
    dark_after_s: float = 1200.0
    dark_pending_after_s: float = 7200.0  # while a call waits for its answer
    shift_every_s: float = 60.0  # a dim picture moves by a pixel so often
    brightness: Brightness = Brightness.MEDIUM
    large_digits: bool = False  # in play, instead of the tally
    quiet_hours: Hours | None = None  # the buzzer keeps quiet then
    has_printer: bool = False  # there is a printer
    stale_after_s: float = (
        21600.0  # after so long nobody may know any more what the score belongs to
    )
    notice_s: float = 2.0
    page_s: float = 20.0
    next_game_s: float = 30.0  # within which QUIERO of every team starts it
    setup_s: float = 30.0  # set-up closes after so long without a press
    tally_s: float = 3.0  # the large tally, when a half is reached or a game ends
    gains_s: float = 3.0  # what was won stays at least so long
    blink_s: float = 0.5
    flash_s: float = 0.15  # of a lamp
