"""What an owner may choose about the consoles: layout, guards, light. Plain numbers, 0 is off.

It knows nothing of files: somebody else reads these from a configuration.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Layout(StrEnum):
    """Which buttons a console has."""

    FULL = "full"
    COMPACT = "compact"


class Settings(NamedTuple):
    """Times are seconds; a guard or a light of 0 is switched off."""

    layout: Layout = Layout.FULL
    consoles: int = 2  # a third one is for three players, each alone
    slap: float = 3.0  # G1: the same button is deaf after a press of it was accepted
    slap_call: float = 0.8  # G1 of ENVIDO and FLOR, which are tapped several times on purpose
    echo: float = 0.5  # G2: the other console's same call is an echo
    closed: float = 4.0  # G3: TANTOS after TANTOS has closed a hand
    trick_by_trick: bool = False  # TANTOS tells who won a trick
    dim: float = 120.0
    dark: float = 1200.0
    dark_pending: float = 7200.0  # while a call waits for its answer
    stale: float = 21600.0  # after so long nobody may know any more what the score belongs to
    notice: float = 2.0
    page: float = 20.0
    next_game: float = 30.0  # within which QUIERO of every team starts it
    setup: float = 30.0  # set-up closes after so long without a press
    tally: float = 3.0  # the large tally, when a half is reached or a game ends
    shown: float = 3.0  # what was won stays at least so long
    blink: float = 0.5
    flash: float = 0.15  # of a lamp
