"""Where a hall plays the matches of its tournament, and how far they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scorer.tournament import Reader
from scorer.tournament.model import Pair

AT_END = ("ended", "agreed", "contested")  # states of a match that is over at its table


class MatchPlace(NamedTuple):
    """Where a match is played, and how far it is; ``table`` 0: at none.

    ``state``: ``planned``, ``later``, ``ready``, ``offered``, ``accepted``, ``playing``, ``ended``,
    ``agreed``, ``contested`` or ``official``. ``games`` and ``points``: over all games;
    ``running``: the points of the game in play. ``by_time``: the time of the match was over before
    it was decided. ``misses_leg``: a leg before the newest one is not known here.
    """

    table: int
    state: str
    games: Pair = (0, 0)
    points: Pair = (0, 0)
    by_time: bool = False
    misses_leg: bool = False
    running: Pair = (0, 0)


MatchPlaces = Mapping[str, MatchPlace]  # of matches


class HallTournament(NamedTuple):
    """The tournament of a hall; ``screens``: what the desk has chosen for each code."""

    reader: Reader
    places: MatchPlaces
    screens: Mapping[str, Any]
