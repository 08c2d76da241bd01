"""The state of a tournament: its decisions, such as entries and results.

Who plays a match of a bracket, who has won it, and the standings follow: ``reader.Reader``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from scorer.tournament.format import Format
from scorer.tournament.model import Fixture, Pair, Result, Team
from scorer.tournament.swiss import Contestant


class Round(NamedTuple):
    """One paired round: the teams before it, its matches, and the bye (0: none)."""

    contestants: tuple[Contestant, ...]
    matches: tuple[str, ...]
    bye: int


@dataclass(frozen=True, slots=True)
class Stage:
    """A phase that has begun. ``entrants`` are in seed order."""

    entrants: tuple[int, ...]
    zones: tuple[tuple[int, ...], ...] = ()
    matches: Mapping[str, Fixture] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that was decided so far; ``fold.apply`` makes the next one."""

    format: Format
    commitment: str = ""
    seed: str = ""  # the number of the draw
    teams: Mapping[int, Team] = field(default_factory=dict)
    withdrawn: frozenset[int] = frozenset()
    missing: frozenset[int] = frozenset()  # not in the hall
    forbidden: frozenset[Pair] = frozenset()  # the smaller id first
    absences: frozenset[tuple[str, int, int]] = frozenset()  # phase, round, team
    entered_again: frozenset[tuple[str, int]] = frozenset()  # phase, team
    stages: Mapping[str, Stage] = field(default_factory=dict)
    results: Mapping[str, Result] = field(default_factory=dict)

    def match(self, match_id: str) -> Fixture | None:
        stages = self.stages.values()
        return next(
            (stage.matches[match_id] for stage in stages if match_id in stage.matches), None
        )

    def matches(self) -> Iterator[Fixture]:
        return (match for stage in self.stages.values() for match in stage.matches.values())
