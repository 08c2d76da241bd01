"""The format of a tournament: its phases, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class PhaseKind(StrEnum):
    """The formats of a phase."""

    ZONES = "zones"
    BRACKET = "bracket"
    ROUNDS = "rounds"
    DOUBLE = "double"


class Pairing(StrEnum):
    """How the rounds of ROUNDS are paired."""

    DRAWN = "drawn"
    SWISS = "swiss"


class CapEnding(StrEnum):
    """What happens when the time of a match is over, after the hand in play."""

    LEADER = "leader"  # the leader wins
    START = "start"  # missing games begin at ``cap_start``
    DIRECTOR = "director"  # the director decides


class Criterion(StrEnum):
    """What ranks teams, in the order that a phase gives."""

    SCORE = "score"
    WINS = "wins"
    MET = "met"
    GAMES = "games"
    GAMES_DIFFERENCE = "games_difference"
    POINTS_DIFFERENCE = "points_difference"
    POINTS_FOR = "points_for"
    BUCHHOLZ_CUT = "buchholz_cut"
    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    WALKOVERS = "walkovers"
    PLAYOFF = "playoff"  # matches of their own
    DRAW = "draw"


class Source(NamedTuple):
    """Which teams enter a phase.

    ``phase`` "": the entries. Places ``first`` to ``last`` (0: the rest) of that phase, in zones of
    each zone; ``best``: only so many of them over all zones. ``losers_of``: the losers of a round
    of a bracket instead, ``by_entry`` those alone that enter again.
    """

    phase: str = ""
    first: int = 1
    last: int = 0
    best: int = 0
    losers_of: int = 0
    by_entry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseFormat:
    """One phase: its format, its matches and its tie-breaks. Times are minutes."""

    id: str
    kind: PhaseKind
    variant: str
    target: int
    title: str = ""
    options: tuple[tuple[str, str | int | bool], ...] = ()  # house rules
    best_of: int = 1
    legs: int = 0  # games that are all played, instead of ``best_of``
    draws: bool = False
    cap: int = 0  # 0: none
    cap_ending: CapEnding = CapEnding.LEADER
    cap_start: int = 0  # points
    tolerance: int = 15
    walkover_points: bool = True  # a walk-over counts the target to 0 in every game
    score: tuple[int, int, int] = (2, 1, 0)  # of a win, a draw and a defeat
    tiebreaks: tuple[Criterion, ...] = ()
    entrants: tuple[Source, ...] = (Source(),)
    drawn: bool = False  # the order of the entrants is drawn anew, without seeds
    apart: bool = True  # teams of one club, and of one zone before, are kept apart
    zones: int = 0
    zone_size: int = 4
    twice: bool = False
    survivors: int = 1
    third_place: bool = False
    redraw: bool = False
    rounds: int = 0
    pairing: Pairing = Pairing.DRAWN
    second_final: bool = False

    @property
    def games_to_win(self) -> int:
        """Games that decide a match; of ``legs``, all."""
        return self.legs or self.best_of // 2 + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A tournament without its teams."""

    id: str
    title: str
    source: str
    teams: tuple[int, int]
    players: int
    reserves: int
    phases: tuple[PhaseFormat, ...]

    def phase(self, phase_id: str) -> PhaseFormat | None:
        return next((phase for phase in self.phases if phase.id == phase_id), None)
