"""Brackets: single elimination to one or more survivors, and double elimination.

A place that a bye leaves empty is no match: the team, or the slot, goes on to the next round.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.tournament.model import EMPTY, Fixture, Loser, Slot, Winner
from scorer.tournament.places import Entrant, snake, spread

MAIN, LOSERS, FINAL = 1, 2, 3  # groups of matches; the match for third place is in LOSERS
_Place = Slot | None  # None: a bye


def seed_places(size: int) -> list[int]:
    """The place of each seed in a bracket of ``size`` (a power of two), from 0.

    The best two seeds are in different halves, the best four in different quarters, and so on.
    """
    order = [0]
    while len(order) < size:
        double = 2 * len(order)
        order = [each for seed in order for each in (seed, double - 1 - seed)]
    places = [0] * size
    for place, seed in enumerate(order):
        places[seed] = place
    return places


def section_size(teams: int, survivors: int = 1) -> int:
    """The places of each section: a power of two; the sections have one survivor each."""
    size = 1
    while size * survivors < teams:
        size *= 2
    return size


def first_places(entrants: Sequence[Entrant], survivors: int = 1) -> list[list[int]]:
    """The teams before the first round, a list for each section; EMPTY: a bye.

    The best seeds have the byes.
    """
    size = section_size(len(entrants), survivors)
    order = seed_places(size)
    sections = snake(len(entrants), survivors)
    places = [section * size + order[seed // survivors] for seed, section in enumerate(sections)]
    rounds = size.bit_length()

    def penalty(one: int, other: int) -> int:
        if one // size != other // size:
            return 0
        return 1 << 2 * (rounds - meeting_round(one, other))

    byes = frozenset(place for place in places if place ^ 1 not in places)
    placed = spread(entrants, places, penalty, byes)
    teams = [placed[at].team if at in placed else EMPTY for at in range(size * survivors)]
    return [teams[first : first + size] for first in range(0, len(teams), size)]


def single_elimination(
    phase: str, places: Sequence[Sequence[int]], *, third_place: bool = False
) -> list[Fixture]:
    """The matches of a bracket with these first places, a list for each section."""
    built = _Builder(phase)
    sections = [_with_byes(section) for section in places]
    number = 0
    semifinals: list[Fixture] = []
    while len(sections[0]) > 1:
        number += 1
        before = len(built.matches)
        for at, section in enumerate(sections):
            sections[at] = built.round(section, MAIN, number, level=2 * number)[0]
        if len(sections[0]) == 2:
            semifinals = built.matches[before:]
    if third_place and len(sections) == 1 and len(semifinals) == 2:
        losers: list[_Place] = [Loser(match.id) for match in semifinals]
        built.round(losers, LOSERS, number, level=2 * number - 1)
    return built.matches


def double_elimination(
    phase: str, places: Sequence[int], *, second_final: bool = False
) -> list[Fixture]:
    """The matches of a double elimination: a team is out after two defeats.

    The losers of a round enter the lower bracket from the other end, which delays rematches.
    """
    built = _Builder(phase)
    upper, lower = built.round(_with_byes(places), MAIN, 1)
    lower_round = 0
    number = 1
    while len(upper) > 1:
        number += 1
        lower_round += 1
        lower, _ = built.round(lower, LOSERS, lower_round, level=lower_round)
        upper, losers = built.round(upper, MAIN, number)
        losers = losers[::-1] if number % 2 == 0 else losers
        lower_round += 1
        crossed = [place for pair in zip(lower, losers, strict=True) for place in pair]
        lower, _ = built.round(crossed, LOSERS, lower_round, level=lower_round)
    built.round([upper[0], lower[0]], FINAL, 1, level=lower_round + 1)
    if second_final:
        final = built.matches[-1].id
        again: tuple[Slot, Slot] = (Loser(final), Winner(final))
        built.add(again, FINAL, 2, level=lower_round + 2, is_second_final=True)
    return built.matches


def meeting_round(one: int, other: int) -> int:
    """The round in which two places of a bracket meet, from 1."""
    return (one ^ other).bit_length()


def _with_byes(places: Sequence[int]) -> list[_Place]:
    return [team or None for team in places]


class _Builder:
    """Collects the matches of a phase, and numbers them."""

    def __init__(self, phase: str) -> None:
        self.matches: list[Fixture] = []
        self._phase = phase
        self._numbers: dict[tuple[int, int], int] = {}

    def round(
        self, places: Sequence[_Place], group: int, number: int, level: int = 0
    ) -> tuple[list[_Place], list[_Place]]:
        """Pair neighbours; the places of the winners, and those of the losers."""
        winners: list[_Place] = []
        losers: list[_Place] = []
        for one, other in zip(places[::2], places[1::2], strict=True):
            if one is None or other is None:
                winners.append(one if other is None else other)
                losers.append(None)
            else:
                match = self.add((one, other), group, number, level=level)
                winners.append(Winner(match))
                losers.append(Loser(match))
        return winners, losers

    def add(
        self,
        slots: tuple[Slot, Slot],
        group: int,
        number: int,
        *,
        level: int,
        is_second_final: bool = False,
    ) -> str:
        at = self._numbers[group, number] = self._numbers.get((group, number), 0) + 1
        letter = {MAIN: "R", LOSERS: "L", FINAL: "F"}[group]
        match = Fixture(
            f"{self._phase}-{letter}{number}-M{at}",
            self._phase,
            group,
            number,
            slots,
            level=level,
            is_second_final=is_second_final,
        )
        self.matches.append(match)
        return match.id
