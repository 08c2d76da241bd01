"""Teams that are level at places of different worth, for a play-off.

docs/reference/tournament.md#play-offs defines where the order matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from scorer.tournament.format import Criterion, Format, PhaseFormat, PhaseKind, Source
from scorer.tournament.model import Pair
from scorer.tournament.zones import circle


class Tie(NamedTuple):
    """Teams that are level, in the order of the draw.

    ``zone`` 0: they are of several zones, or the phase has none.
    """

    zone: int
    teams: tuple[int, ...]

    def pairs(self) -> Iterator[Pair]:
        return combinations(sorted(self.teams), 2)


class UnpairedMatch(NamedTuple):
    """A match of a play-off that is not made yet; ``round`` counts from 1 in its tie."""

    zone: int
    round: int
    pair: Pair


def has_playoff(phase: PhaseFormat) -> bool:
    return Criterion.PLAYOFF in phase.tiebreaks


def before_playoff(phase: PhaseFormat) -> tuple[Criterion, ...]:
    """The criteria that leave the teams of a play-off level."""
    return phase.tiebreaks[: phase.tiebreaks.index(Criterion.PLAYOFF)]


def parted_groups(
    format_: Format, phase: PhaseFormat, groups: Iterable[Sequence[int]]
) -> Iterator[Sequence[int]]:
    """The groups that stand at places of different worth.

    ``groups``: all of the phase or zone, from the first place on.
    """
    place = 1
    for group in groups:
        worth = {_worth(format_, phase, place + at) for at in range(len(group))}
        if len(worth) > 1:
            yield group
        place += len(group)


def cut_groups(groups: Iterable[Sequence[int]], best: int) -> Iterator[Sequence[int]]:
    """The group of which some are among the ``best``, and some are not."""
    place = 0
    for group in groups:
        if place < best < place + len(group):
            yield group
        place += len(group)


def unpaired(ties: Iterable[Tie], paired: set[Pair]) -> list[UnpairedMatch]:
    """The matches of ``ties`` that are not paired; a round has each team once."""
    return [
        UnpairedMatch(tie.zone, number, pair)
        for tie in ties
        for number, pairs in enumerate(circle(tie.teams), 1)
        for pair in pairs
        if (min(pair), max(pair)) not in paired
    ]


def taken_from(format_: Format, phase: PhaseFormat) -> Iterator[tuple[PhaseFormat, int, Source]]:
    """The tables of ``from`` that take teams of a phase.

    Each with the phase that has it, and its place there.
    """
    for each in format_.phases:
        for number, source in enumerate(each.entrants):
            if source.phase == phase.id:
                yield each, number, source


def _worth(format_: Format, phase: PhaseFormat, place: int) -> object:
    """Places of equal worth lead to the same table of ``from``, or to none.

    Zones are seeded by place, unless the order is drawn anew. At the end each place counts.
    """
    tables = list(taken_from(format_, phase))
    if not tables:
        return place
    is_seeded = phase.kind is PhaseKind.ZONES
    return tuple(
        (each.id, number, place if is_seeded and not each.drawn else 0)
        for each, number, source in tables
        if source.first <= place and (not source.last or place <= source.last)
    )
