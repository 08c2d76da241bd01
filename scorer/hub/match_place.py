"""Where a hall plays the matches of its tournament, and how far they are."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from scorer.tournament import Reader
from scorer.tournament.model import Names, Pair

_MINUTE = 60  # seconds
AT_END = ("ended", "agreed", "contested")  # states of a match that is over at its table


class MatchKey(NamedTuple):
    """A match of a hall: the id of its tournament, and its id there."""

    tournament: int
    match: str


class PlayingTime(NamedTuple):
    """When a match began at its table, when its time is over, and now.

    Monotonic seconds of this process; ``ends`` None: it may take any time. What it has used at
    other tables is taken off.
    """

    began: float
    ends: float | None = None
    now: float = 0.0

    @property
    def left(self) -> int | None:
        """The minutes that are left, rounded up; 0: none; None: there is no limit."""
        return None if self.ends is None else max(0, ceil((self.ends - self.now) / _MINUTE))

    @property
    def over(self) -> int:
        """The whole minutes since its time was over."""
        return 0 if self.ends is None else max(0, int((self.now - self.ends) // _MINUTE))


class MatchPlace(NamedTuple):
    """Where a match is played, and how far it is; ``table`` 0: at none.

    ``state``: ``planned``, ``later``, ``ready``, ``offered``, ``accepted``, ``playing``, ``ended``,
    ``agreed``, ``contested`` or ``official``. ``games`` and ``points``: over all games;
    ``running``: the points of the game in play. ``by_time``: the time of the match was over before
    it was decided. ``misses_leg``: a leg before the newest one is not known here.
    ``time``: None before its first step. ``queue``: its place among the matches that wait for a
    table, from 1; 0: it does not. ``waits_at``: the numbers of the tables at which it is called
    alone; none: at all.
    """

    table: int
    state: str
    games: Pair = (0, 0)
    points: Pair = (0, 0)
    by_time: bool = False
    misses_leg: bool = False
    running: Pair = (0, 0)
    time: PlayingTime | None = None
    queue: int = 0
    waits_at: frozenset[int] = frozenset()


MatchPlaces = Mapping[str, MatchPlace]  # of matches


class ListedTournament(NamedTuple):
    """A tournament as lists have it; ``champion``: the name of the team, or ""."""

    id: int
    names: Names
    format: str  # its id
    format_title: str
    teams: int
    champion: str
    is_open: bool = True


class HallTournament(NamedTuple):
    """A tournament of the hall as its pages show it.

    In the archive no match is at a table.
    """

    id: int
    reader: Reader
    places: MatchPlaces
    is_open: bool = True
