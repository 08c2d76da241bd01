"""The format of a tournament: its phases, as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, NamedTuple

from scorer.plain_values import Count, Found, Key, Like, Range, Text


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


class Leaving(StrEnum):
    """What happens to the matches of a team that leaves its zone."""

    HALF = "half"  # all are annulled, unless it has played half of them
    ANNUL = "annul"  # all are annulled
    WALKOVER = "walkover"  # those without a result are lost


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


MAX_TEAMS = 1000
MAX_PHASES = 12
Id = Annotated[
    str,
    Like(
        "[a-z][a-z0-9_]{0,19}", "is no word of small letters, digits and _, at most 20 characters"
    ),
]
_Place = Annotated[int, Range(0, MAX_TEAMS)]
_Points = Annotated[int, Range(0, 9)]
_BestOf = Annotated[int, Range(1, 9)]


class Source(NamedTuple):
    """Which teams enter a phase.

    ``phase`` "": the entries. ``places``: the first and the last (0: the rest) of that phase, in
    zones of each zone, or one ``place``; ``best``: only so many of them over all zones.
    ``losers_of``: the losers of a round of a bracket instead, ``by_entry`` those alone that enter
    again.
    """

    phase: Id
    places: tuple[_Place, _Place] = (1, 0)
    place: _Place = 0
    best: _Place = 0
    losers_of: Annotated[int, Range(0, 10)] = 0
    by_entry: bool = False

    @property
    def first(self) -> int:
        """The first place."""
        return self.place or self.places[0]

    @property
    def last(self) -> int:
        """The last place, 0: the rest."""
        return self.place or self.places[1]

    def find_problems(self) -> Iterator[Found]:
        if self.places[0] < 1:
            yield "places", "are the first and the last place, from 1; last 0: all others"
        if (self.places != (1, 0)) + bool(self.place) + bool(self.losers_of) > 1:
            yield (), "has one of places, place and losers_of"


ENTRIES = Source("")


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseFormat:
    """One phase: its format, its matches and its tie-breaks. Times are minutes."""

    id: Id
    kind: PhaseKind
    variant: Id
    target: Annotated[int, Range(1, 99)]
    title: Annotated[str, Text(40)] = ""
    options: Mapping[str, str | int | bool] = field(default_factory=dict)  # house rules
    rulebook: str = ""  # its options, which ``options`` replace
    best_of: _BestOf = 1
    best_of_last: tuple[_BestOf, ...] = ()  # of the last round, the one before, and so on
    # Games that are all played, instead of ``best_of``.
    legs: Annotated[int, Range(2, 9)] = 0
    draws: bool = False
    cap: Annotated[int, Range(0, 600)] = 0  # 0: none
    cap_ending: CapEnding = CapEnding.LEADER
    cap_start: Annotated[int, Range(1, 98)] = 0  # points
    tolerance: Annotated[int, Range(0, 120)] = 15
    walkover_points: bool = True  # a walk-over counts the target to 0 in every game
    score: tuple[_Points, _Points, _Points] = (2, 1, 0)  # of a win, a draw and a defeat
    bye: _Points | None = None  # points of a bye; None: those of a win
    tiebreaks: tuple[Criterion, ...] = ()
    entrants: Annotated[tuple[Source, ...], Key("from"), Count(1, MAX_TEAMS)] = (ENTRIES,)
    drawn: bool = False  # the order of the entrants is drawn anew, without seeds
    apart: bool = True  # teams of one club, and of one zone before, are kept apart
    zones: Annotated[int, Range(1, 100)] = 0
    zone_size: Annotated[int, Range(2, 40)] = 4
    twice: bool = False
    leaving: Leaving = Leaving.HALF
    survivors: Annotated[int, Range(1, 64)] = 1
    third_place: bool = False
    redraw: bool = False
    rounds: Annotated[int, Range(1, 40)] = 0
    pairing: Pairing = Pairing.DRAWN
    second_final: bool = False

    @property
    def games_to_win(self) -> int:
        """Games that decide a match; of ``legs``, all."""
        return self.legs or self.best_of // 2 + 1

    @property
    def bye_score(self) -> int:
        """Points of a bye."""
        return self.score[0] if self.bye is None else self.bye

    @property
    def is_series(self) -> bool:
        """Whether a match may have more than one game."""
        return (self.legs or self.best_of) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A tournament without its teams."""

    id: str
    title: Annotated[str, Text(60)]
    phases: Annotated[tuple[PhaseFormat, ...], Key("phase"), Count(1, MAX_PHASES)]
    source: Annotated[str, Text(200)] = ""
    teams: tuple[int, int] = (2, MAX_TEAMS)
    players: Annotated[int, Range(1, 3)] = 2
    reserves: Annotated[int, Range(0, 3)] = 0

    def find_problems(self) -> Iterator[Found]:
        if not 2 <= self.teams[0] <= self.teams[1] <= MAX_TEAMS:
            yield "teams", f"is the fewest and the most teams, from 2 to {MAX_TEAMS}"

    def phase(self, phase_id: str) -> PhaseFormat | None:
        return next((phase for phase in self.phases if phase.id == phase_id), None)
