"""The first round of a bracket without rematches, as far as it can be.

The better seed of each pair keeps its place. The others are exchanged, as few of them as possible.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from scorer.tournament.model import EMPTY
from scorer.tournament.places import Entrant

Met = AbstractSet[frozenset[int | None]]  # the pairs of teams that have met before


def without_rematches(
    sections: Sequence[Sequence[int]], entrants: Sequence[Entrant], met: Met
) -> list[list[int]]:
    """The first places of a bracket, with the fewest rematches in the first round.

    ``sections``: the first places before; EMPTY: a bye. ``entrants``: in seed order. No two teams
    of one origin meet by an exchange.
    """
    places = [team for section in sections for team in section]
    seeds = {entrant.team: at for at, entrant in enumerate(entrants)}
    origins = {entrant.team: entrant.origins for entrant in entrants}
    # The places of the better and of the other team of each pair.
    pairs = [
        (at, at + 1) if seeds[places[at]] < seeds[places[at + 1]] else (at + 1, at)
        for at in range(0, len(places) - 1, 2)
        if EMPTY not in places[at : at + 2]
    ]
    stays = [places[better] for better, _ in pairs]
    moves = [places[other] for _, other in pairs]

    def opponents(at: int) -> list[int]:
        """Those that a team may have instead, of a near seed first."""
        own = stays[at]
        found = (
            other
            for other, team in enumerate(moves)
            if frozenset((own, team)) not in met and origins[own].isdisjoint(origins[team])
        )
        seed = seeds[moves[at]]
        return sorted(found, key=lambda other: (abs(seeds[moves[other]] - seed), other))

    # The place in ``moves`` of each opponent; None as long as it would be a rematch.
    known = [
        None if frozenset(pair) in met else at
        for at, pair in enumerate(zip(stays, moves, strict=True))
    ]
    near = [*map(opponents, range(len(stays)))]
    for at, other in enumerate(known[:]):
        if other is None:
            _augment(known, near, at)
    left = [other for other in range(len(moves)) if other not in known]
    for at, other in enumerate(known):
        if other is None:
            known[at] = left.pop(left.index(at) if at in left else 0)
    for (_, place), other in zip(pairs, known, strict=True):
        assert other is not None
        places[place] = moves[other]
    size = len(sections[0]) if sections else 0
    return [places[first : first + size] for first in range(0, len(places), size)]


def _augment(known: list[int | None], near: Sequence[Sequence[int]], start: int) -> None:
    """Find an opponent for ``start`` by the fewest exchanges, if there is one."""
    owners = {other: at for at, other in enumerate(known) if other is not None}
    came_from: dict[int, int] = {}  # the team that each opponent was reached from
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for other in near[at]:
            if other in came_from:
                continue
            came_from[other] = at
            if other in owners:
                queue.append(owners[other])
                continue
            taken: int | None = other
            while taken is not None:
                at = came_from[taken]
                known[at], taken = taken, known[at]
            return
