"""Settings of the consoles: layout, guards, light. Plain numbers; 0 switches off."""

from enum import StrEnum
from typing import Final, NamedTuple

# Seconds: defaults and configurable ranges.
DEBOUNCE: Final = 0.008
DEBOUNCE_RANGE: Final = (0.002, 0.030)
RELEASE: Final = 0.060  # no finger leaves a button and is back sooner
RELEASE_RANGE: Final = (0.0, 0.090)  # below the debounce time: as that
HOLD: Final = 0.7
HOLD_RANGE: Final = (0.4, 3.0)  # shorter holds could be slow presses
CHORD: Final = 0.3
CHORD_RANGE: Final = (0.05, 1.0)
# The next hand cannot be dealt and won sooner, and a late TANTOS for the last one comes by then.
PAID: Final = 7.0
PAID_RANGE: Final = (0.0, 20.0)  # longer, hands would be lost that were played


class Layout(StrEnum):
    """Which buttons a console has."""

    FULL = "full"
    COMPACT = "compact"


class Brightness(StrEnum):
    """Brightness of panels that are not dimmed."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class LampColour(StrEnum):
    """Colour of a team's lamp, after which an unnamed team is called."""

    YELLOW = "yellow"
    SKY_BLUE = "sky_blue"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    WHITE = "white"
    ORANGE = "orange"
    BLACK = "black"


LAMPS: Final = (LampColour.YELLOW, LampColour.SKY_BLUE)  # of teams A and B
Hours = tuple[int, int]  # minutes of the day, from and until; past midnight if until is less


def parse_hours(text: str) -> Hours | None:
    """ "23:00-08:00" as minutes of the day; None if malformed."""
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
    """True if the minute falls into these hours; False if either is unknown."""
    if hours is None or minute is None:
        return False
    start, end = hours
    return start <= minute < end if start <= end else minute >= start or minute < end


class Settings(NamedTuple):
    """Times are seconds; a guard or a light of 0 is switched off."""

    layout: Layout = Layout.FULL
    consoles: int = 2  # a third one is used by three single players
    debounce_s: float = DEBOUNCE  # a button is pressed once it has been closed for this long
    release_s: float = RELEASE  # a contact that opens for less is still pressed
    hold_s: float = HOLD
    chord_s: float = CHORD  # both TANTOS within this time form one gesture
    slap_s: float = 3.0  # G1: a button is ignored after a press of it was accepted
    slap_call_s: float = 0.35  # G1 for ENVIDO and FLOR: a second tap after this long is no raise
    echo_s: float = 0.8  # G2: the other console's same call is an echo
    hand_closed_s: float = PAID  # G3: TANTOS of the same team is ignored after TANTOS has closed
    # a hand, until a press of the next one is accepted; that of the other team asks
    offer_s: float = 1.0  # answers of a console are ignored after a press dropped its offer
    forgotten_s: float = 20.0  # after this long, a refusal in an accepted truco asks for its winner
    forgotten_lamps_s: float = 120.0  # after this long, the lamps ask for it too
    paid_hand_s: float = PAID  # the same after a payment that ended a hand
    paid_bet_s: float = PAID  # TANTOS asks for the hand after an envido or flor was settled
    trick_by_trick: bool = False  # TANTOS enters the winner of a trick
    dim_after_s: float = 120.0
    dark_after_s: float = 1200.0
    dark_pending_after_s: float = 7200.0  # while a call is pending
    shift_every_s: float = 60.0  # period of the one-pixel shift of a dimmed picture
    brightness: Brightness = Brightness.MEDIUM
    large_digits: bool = False  # in play, instead of the tally
    pairs_page: bool = True  # MENU has the page of the night by pair
    lamps: tuple[LampColour, ...] = LAMPS
    quiet_hours: Hours | None = None  # the buzzer is silent then
    offers_rematch: bool = False  # the next game continues a series: revancha, bueno
    has_printer: bool = False
    stale_after_s: float = 21600.0  # after this, ask whether it is still the same game
    notice_s: float = 2.0
    page_s: float = 20.0
    next_game_s: float = 30.0  # within which QUIERO of every team starts the next game
    setup_s: float = 30.0  # set-up closes after this long without a press
    tally_s: float = 3.0  # duration of the large tally when a half is reached or a game ends
    gains_s: float = 3.0  # minimum time that gains are shown
    hand_over_s: float = 8.0  # the end of a hand is shown, then the next hand
    blink_s: float = 0.5
    flash_s: float = 0.15  # of a lamp
