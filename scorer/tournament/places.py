"""Distribution of teams over zones and brackets, with clubs and zones kept apart.

Teams stand in seed order. Teams of one tier are equals: they may be exchanged, so that teams of one
club, or of one zone before, are in different zones or meet as late as possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple


class Entrant(NamedTuple):
    """A team in seed order.

    ``tier``: teams of one tier may be exchanged. ``origins``: its club, its zone before.
    """

    team: int
    tier: int
    origins: frozenset[Hashable] = frozenset()


Penalty = Callable[[int, int], int]  # how bad it is that teams of one origin have these two places


def spread(
    entrants: Sequence[Entrant],
    places: Sequence[int],
    penalty: Penalty,
    byes: frozenset[int] = frozenset(),
) -> dict[int, Entrant]:
    """The entrant of each place, after exchanges that reduce the penalties.

    ``places``: that of each entrant before. A place with a bye is exchanged with another one only.
    """
    counted = Counter(origin for entrant in entrants for origin in entrant.origins)
    if any(number > 1 for number in counted.values()):
        placed = _Placed(entrants, places, penalty)
        while _improve(entrants, placed, byes):
            pass
        places = [placed.at[entrant.team] for entrant in entrants]
    return dict(zip(places, entrants, strict=True))


def snake(number: int, groups: int) -> list[int]:
    """The group (from 0) of each of ``number`` seeds: 0, 1, 2, 2, 1, 0, 0, ..."""
    needed = -(-number // groups)
    rows = (range(groups) if row % 2 == 0 else range(groups)[::-1] for row in range(needed))
    return [group for row in rows for group in row][:number]


class _Placed:
    """Entrants at places, and the penalties of each origin at each place."""

    def __init__(
        self, entrants: Sequence[Entrant], places: Sequence[int], penalty: Penalty
    ) -> None:
        self.at = {entrant.team: place for entrant, place in zip(entrants, places, strict=True)}
        self._rows = {one: {other: penalty(one, other) for other in places} for one in places}
        self._sums: dict[Hashable, dict[int, int]] = {}
        for entrant in entrants:
            self._add(entrant, 1)

    def _add(self, entrant: Entrant, times: int) -> None:
        row = self._rows[self.at[entrant.team]]
        for origin in entrant.origins:
            sums = self._sums.setdefault(origin, dict.fromkeys(row, 0))
            for place, penalty in row.items():
                sums[place] += times * penalty

    def cost(self, entrant: Entrant, place: int, other: Entrant) -> int:
        """The penalties of an entrant at a place, without those of ``other``.

        A team counts once for each origin that it shares with the entrant.
        """
        row, total = self._rows[place], 0
        itself, excluded = row[self.at[entrant.team]], row[self.at[other.team]]
        for origin in entrant.origins:
            total += self._sums[origin][place] - itself
            if origin in other.origins:
                total -= excluded
        return total

    def exchange(self, one: Entrant, other: Entrant) -> None:
        for each in (one, other):
            self._add(each, -1)
        self.at[one.team], self.at[other.team] = self.at[other.team], self.at[one.team]
        for each in (one, other):
            self._add(each, 1)


def _improve(entrants: Sequence[Entrant], placed: _Placed, byes: frozenset[int]) -> bool:
    """Make every exchange of two teams that reduces the penalties; False without one."""
    improved = False
    for first, one in enumerate(entrants):
        for other in entrants[first + 1 :]:
            here, there = placed.at[one.team], placed.at[other.team]
            if one.tier != other.tier or (here in byes) != (there in byes):
                continue
            now = placed.cost(one, here, other) + placed.cost(other, there, one)
            if now == 0:
                continue
            then = placed.cost(one, there, other) + placed.cost(other, here, one)
            if then < now:
                placed.exchange(one, other)
                improved = True
    return improved
