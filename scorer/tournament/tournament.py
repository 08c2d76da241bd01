"""The state of a tournament: its decisions, such as entries and results.

Who plays a match of a bracket, who has won it, and the standings follow: ``reader.Reader``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from scorer.tournament.format import Format, PhaseFormat
from scorer.tournament.model import Fixture, Names, Pair, Result, Team
from scorer.tournament.swiss import Contestant

_NONE: Final[Mapping[Any, Any]] = MappingProxyType({})


class Round(NamedTuple):
    """One paired round: the teams before it, its matches, and the bye (0: none)."""

    contestants: tuple[Contestant, ...]
    matches: tuple[str, ...]
    bye: int


class Stage(NamedTuple):
    """A phase that has begun. ``entrants`` are in seed order.

    ``playoffs``: the matches of each play-off; ``matches`` has them too. ``is_ended``: no round
    follows, though the phase has more.
    """

    entrants: tuple[int, ...]
    zones: tuple[tuple[int, ...], ...] = ()
    matches: Mapping[str, Fixture] = _NONE
    rounds: tuple[Round, ...] = ()
    playoffs: tuple[tuple[str, ...], ...] = ()
    is_ended: bool = False

    def has_all_rounds(self, phase: PhaseFormat) -> bool:
        """Whether no further round of a phase of rounds is paired."""
        return self.is_ended or len(self.rounds) >= phase.rounds


class Tournament(NamedTuple):
    """Everything that was decided so far; ``fold.apply`` makes the next one."""

    format: Format
    commitment: str = ""
    seed: str = ""  # the number of the draw
    teams: Mapping[int, Team] = _NONE
    withdrawn: frozenset[int] = frozenset()
    annulled: frozenset[tuple[str, int]] = frozenset()  # phase, team that has left
    missing: frozenset[int] = frozenset()  # not in the hall
    tables: Mapping[int, int] = _NONE  # the only one at which a team plays
    forbidden: frozenset[Pair] = frozenset()  # the smaller id first
    absences: frozenset[tuple[str, int, int]] = frozenset()  # phase, round, team
    rematches: frozenset[tuple[str, int, int]] = frozenset()  # phase, the smaller id first
    entered_again: frozenset[tuple[str, int]] = frozenset()  # phase, team
    stages: Mapping[str, Stage] = _NONE
    results: Mapping[str, Result] = _NONE
    names: Names = Names()
    of_people: Mapping[int, bool] = _NONE  # whether the name of a team is one of people

    def match(self, match_id: str) -> Fixture | None:
        for stage in self.stages.values():
            if match := stage.matches.get(match_id):
                return match
        return None

    def matches(self) -> Iterator[Fixture]:
        return (match for stage in self.stages.values() for match in stage.matches.values())
