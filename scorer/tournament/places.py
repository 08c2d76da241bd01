"""Distribution of teams over zones and brackets, with clubs and zones kept apart.

Teams stand in seed order. Teams of one tier are equals: they may be exchanged, so that teams of one
club, or of one zone before, are in different zones or meet as late as possible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
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
    mates = _mates(entrants)
    if any(mates.values()):
        penalties = {one: {other: penalty(one, other) for other in places} for one in places}

    def cost(entrant: Entrant, place: int, at: Mapping[int, int], other: int) -> int:
        row, total = penalties[place], 0
        for mate in mates[entrant.team]:
            if mate != other:
                total += row[at[mate]]
        return total

    if any(mates.values()):
        at = {entrant.team: place for entrant, place in zip(entrants, places, strict=True)}
        while _improve(entrants, at, cost, byes):
            pass
        return {at[entrant.team]: entrant for entrant in entrants}
    return dict(zip(places, entrants, strict=True))


def snake(number: int, groups: int) -> list[int]:
    """The group (from 0) of each of ``number`` seeds: 0, 1, 2, 2, 1, 0, 0, ..."""
    needed = -(-number // groups)
    rows = (range(groups) if row % 2 == 0 else range(groups)[::-1] for row in range(needed))
    return [group for row in rows for group in row][:number]


def _mates(entrants: Sequence[Entrant]) -> dict[int, list[int]]:
    """For each team those that share an origin with it, once for each."""
    by_origin: dict[Hashable, list[int]] = defaultdict(list)
    for entrant in entrants:
        for origin in entrant.origins:
            by_origin[origin].append(entrant.team)
    mates: dict[int, list[int]] = {entrant.team: [] for entrant in entrants}
    for teams in by_origin.values():
        for team in teams:
            mates[team] += (other for other in teams if other != team)
    return mates


def _improve(
    entrants: Sequence[Entrant],
    at: dict[int, int],
    cost: Callable[[Entrant, int, Mapping[int, int], int], int],
    byes: frozenset[int],
) -> bool:
    """Make every exchange of two teams that reduces the penalties; False without one."""
    improved = False
    for first, one in enumerate(entrants):
        for other in entrants[first + 1 :]:
            here, there = at[one.team], at[other.team]
            if one.tier != other.tier or (here in byes) != (there in byes):
                continue
            now = cost(one, here, at, other.team) + cost(other, there, at, one.team)
            if now == 0:
                continue
            then = cost(one, there, at, other.team) + cost(other, here, at, one.team)
            if then < now:
                at[one.team], at[other.team] = there, here
                improved = True
    return improved
