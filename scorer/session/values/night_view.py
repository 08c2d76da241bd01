"""The games of the evening by pair, as the pages of MENU show them.

A pair is a side by its name; names that differ by case or accents are one pair. Imported when the
pages are opened.
"""

from __future__ import annotations

from typing import NamedTuple


class NightStanding(NamedTuple):
    """One pair of the night's ranking; without a name ``key`` identifies it."""

    name: str
    key: str
    won: int
    played: int
    streak: int  # current winning streak in games
    id: str = ""  # the name without case and accents, or ``key``
    best_streak: int = 0
    called: int = 0  # calls of the truco ladder
    refused: int = 0  # of these, refused by the rivals
    envidos: int = 0  # accepted envidos that it won
    comeback: int = 0  # largest deficit, in points, in a game that it won
    longest: int = 0  # minutes of its longest game; 0 without a clock
    hands: int = 0  # of its game with the most hands


class NightView(NamedTuple):
    """Statistics of the finished games of tonight."""

    rows: tuple[NightStanding, ...] = ()  # best first
    games: int = 0
    longest: int = 0  # minutes of the longest game; 0 without a clock
