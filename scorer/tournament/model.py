"""The values of a tournament: teams, matches, results, and reasons to refuse."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

EMPTY = 0  # in place of a team: both teams of the match before were absent


class Team(NamedTuple):
    """A team. ``id`` is the number of its entry, from 1; ``seed`` 0: not seeded.

    ``consents``: its players may be named in public.
    """

    id: int
    name: str
    players: tuple[str, ...] = ()
    reserves: tuple[str, ...] = ()
    club: str = ""
    seed: int = 0
    consents: bool = False

    @property
    def listed(self) -> tuple[str, ...]:
        """The players without those whose names were forgotten."""
        return tuple(each for each in self.players if not is_number(each))

    @property
    def is_blank(self) -> bool:
        """Whether its number is in place of its name."""
        return self.name == blank_name(self.id)


_NUMBER = re.compile(r"#\d+(?:\.\d+)?")


def blank_name(team: int, player: int = 0) -> str:
    """What stands for the name of a team that is not named, or of its player, from 1."""
    return f"#{team}.{player}" if player else f"#{team}"


def is_number(name: str) -> bool:
    """Whether a number is in place of a name of a team or a player."""
    return _NUMBER.fullmatch(name) is not None


class Names(NamedTuple):
    """What a tournament is called beside its format; "" is left out.

    ``date``: such as ``2026-11-28``.
    """

    name: str = ""
    date: str = ""
    category: str = ""


# No tuples: the winner and the loser of one match are different places.


@dataclass(frozen=True, slots=True)
class Winner:
    """The place of the winner of a match."""

    match: str


@dataclass(frozen=True, slots=True)
class Loser:
    """The place of the loser of a match."""

    match: str


Slot = int | Winner | Loser  # the id of a team, or who comes from another match
Pair = tuple[int, int]


class Fixture(NamedTuple):
    """One match of a phase.

    ``group``: the zone; in a double elimination 1, 2, 3 for winners, losers and final.
    ``level`` orders the matches of a bracket: a team that leaves at a higher level ranks higher.
    ``is_second_final``: played only if the unbeaten team lost the first.
    ``is_playoff``: decides the order of level teams, nothing else; ``group`` 0: of several zones.
    """

    id: str
    phase: str
    group: int
    round: int
    slots: tuple[Slot, Slot]
    level: int = 0
    is_second_final: bool = False
    is_playoff: bool = False


class Ending(StrEnum):
    """How a match ended."""

    PLAYED = "played"
    CAP = "cap"  # the time was over and the leader won
    WALKOVER = "walkover"  # without a winner: both teams were absent
    DECIDED = "decided"  # by the director
    ANNULLED = "annulled"  # follows when a team leaves: the match counts for no team


class Result(NamedTuple):
    """The result of a match: games and points (tantos) of each side.

    ``winner`` is 0 or 1; None: a draw, both teams were absent, or the match is annulled.
    """

    winner: int | None
    games: Pair
    points: Pair
    ending: Ending = Ending.PLAYED


class Reason(StrEnum):
    """Why an event is refused."""

    NOT_DRAWN = "not_drawn"  # the number of the draw is missing
    ALREADY_DRAWN = "already_drawn"
    NOT_COMMITTED = "not_committed"  # the number is not the one that was committed to
    UNKNOWN_TEAM = "unknown_team"
    UNKNOWN_MATCH = "unknown_match"
    UNKNOWN_PHASE = "unknown_phase"
    NAME = "name"  # empty, or of another team
    DATE = "date"  # no day of the calendar
    PLAYERS = "players"  # too few, too many, or a player of another team
    FULL = "full"
    TOO_LATE = "too_late"
    TOO_FEW = "too_few"
    ALREADY_STARTED = "already_started"
    NOT_STARTED = "not_started"
    NOT_COMPLETE = "not_complete"  # a phase or round before it is not finished
    NO_ROUND_LEFT = "no_round_left"
    NO_PAIRING = "no_pairing"  # every pairing has a rematch or a forbidden pair
    NO_TEAMS = "no_teams"  # the teams of the match are not known yet
    NO_RESULT = "no_result"
    HAS_RESULT = "has_result"
    IMPOSSIBLE = "impossible"  # no match of this phase ends so
    RESTS = "rests"  # results rest on it: ``matches``
    WITHDRAWN = "withdrawn"
    NOT_WITHDRAWN = "not_withdrawn"
    MISSING = "missing"
    NOT_MISSING = "not_missing"
    NOT_ENTITLED = "not_entitled"  # has not lost a match of the named round


class ResultFault(StrEnum):
    """What is wrong with a result that no match of its phase has."""

    NO_GAMES = "no_games"  # the games won are missing
    GAMES = "games"  # too few or too many games
    POINTS = "points"  # more points than the games allow
    LEVEL = "level"  # no team is ahead, and one has to win
    WINNER = "winner"  # the numbers name another winner


class EventRefusal(NamedTuple):
    """Why an event changes nothing.

    ``matches``: those that prevent it; ``fault``: of an impossible result.
    """

    reason: Reason
    matches: tuple[str, ...] = ()
    fault: ResultFault | None = None
