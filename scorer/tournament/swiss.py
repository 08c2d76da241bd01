"""Pairing of a round: the best one without a rematch or a forbidden pair.

Up to ``LOOK_AHEAD`` teams it is the best of those after which the rounds that are left can be
paired too: the cheapest pairings of six teams lead into a corner in one of three tournaments of
five rounds. Of more teams the first half of all rounds always has a pairing (``sure_rounds``).

The best one, in this order: gives the bye to a team with the fewest byes, of these to one with the
lowest score; has the smallest sum of squared gaps in score; floats the teams that were floated
least; has the smallest sum of drawn numbers. A matching of minimum weight finds it; the weights are
exact integers. Up to 64 teams the graph is whole; of more each team has its nearest opponents, and
more of them while no pairing exists. With equal scores this is a drawn round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from heapq import nsmallest
from itertools import combinations
from typing import NamedTuple

from scorer.tournament.draw import drawn_number
from scorer.tournament.model import Pair

LOOK_AHEAD = 10  # teams; they have 945 pairings
WHOLE_GRAPH = 64  # teams
NEAREST = 16  # opponents of each team in a larger graph, and half as many of other scores

_BYE = 0  # in place of a team
_DRAWN_BITS = 40  # of a drawn number; with these equal sums do not occur in practice


class Contestant(NamedTuple):
    """A team before a round.

    ``floats``: its matches so far against lower, and against higher scores.
    """

    team: int
    score: int
    byes: int = 0
    floats: Pair = (0, 0)


class PairedRound(NamedTuple):
    """The pairs of a round, best scores first; ``bye`` 0: none."""

    pairs: tuple[Pair, ...]
    bye: int = 0


Drawn = Callable[[int, int], int]  # the drawn number of a pair, the smaller id first


class PairingTask(NamedTuple):
    """Everything on which the pairs of a round depend, as ``pair_round`` has it.

    ``seed``, ``purpose``: of the drawn numbers.
    """

    contestants: tuple[Contestant, ...]
    excluded: frozenset[Pair]
    avoided: frozenset[Pair]
    rounds_left: int
    seed: str
    purpose: str

    def solve(self) -> PairedRound | None:
        """The best pairing, or None if there is none."""

        def drawn(one: int, other: int) -> int:
            return drawn_number(self.seed, self.purpose, f"{one}-{other}")

        return pair_round(
            self.contestants,
            self.excluded,
            drawn,
            avoided=self.avoided,
            rounds_left=self.rounds_left,
        )


def pair_round(
    contestants: Sequence[Contestant],
    excluded: Set[Pair],
    drawn: Drawn,
    *,
    avoided: Set[Pair] = frozenset(),
    rounds_left: int = 0,
    nearest: int = NEAREST,
) -> PairedRound | None:
    """The best pairing, or None if every one has an excluded pair.

    ``excluded``: pairs that have met or are forbidden, ``avoided``: those that meet where every
    other pairing is excluded, or leads into a corner; the smaller id first. ``rounds_left``: after
    this one. Absences and pairs that are forbidden later can still leave a round without a pairing.
    """
    teams = {each.team: each for each in sorted(contestants)}
    if len(teams) <= LOOK_AHEAD:
        found = _best_with_future(teams, excluded, avoided, drawn, rounds_left)
    else:
        found = _match_nearest(teams, excluded | avoided, drawn, nearest)
        if found is None and avoided:
            found = _match_nearest(teams, excluded, drawn, nearest)
    if found is None:
        return None
    byes = [b for a, b in found if a == _BYE]
    pairs = [(a, b) if teams[a].score >= teams[b].score else (b, a) for a, b in found if a != _BYE]
    pairs.sort(
        key=lambda pair: (-teams[pair[0]].score, -teams[pair[1]].score, drawn(*sorted(pair)))
    )
    return PairedRound(tuple(pairs), byes[0] if byes else 0)


def sure_rounds(teams: int) -> int:
    """How many rounds have a pairing, however those before were paired.

    By Dirac's theorem: each team has as many opponents left as half of the teams, the bye included.
    """
    return (teams + 1) // 2


def cost(one: Contestant, other: Contestant, drawn: int) -> tuple[int, ...]:
    """What a pair costs; costs of a pairing are added, and the first parts count most."""
    gap = one.score - other.score
    above, below = (one, other) if gap > 0 else (other, one)
    repeated = above.floats[0] + below.floats[1] if gap else 0
    return (0, 0, gap * gap, repeated, drawn)


def bye_cost(team: Contestant, drawn: int) -> tuple[int, ...]:
    """What the bye of a team costs."""
    return (team.byes, team.score, 0, 0, drawn)


def _best_with_future(
    teams: dict[int, Contestant],
    excluded: Set[Pair],
    avoided: Set[Pair],
    drawn: Drawn,
    rounds_left: int,
) -> list[Pair] | None:
    """The best pairing after which the later rounds can be paired; else the best."""
    costs = _costs(teams, _free(teams, excluded), drawn)
    everyone = [_BYE, *teams] if len(teams) % 2 else [*teams]

    def order(pairs: list[Pair]) -> tuple[bool, list[int]]:
        summed = [sum(parts) for parts in zip(*(costs[pair] for pair in pairs), strict=True)]
        return not avoided.isdisjoint(pairs), summed

    listed = sorted(_pairings(everyone, costs.keys()), key=order)
    played = (each for each in listed if _has_rounds(everyone, _after(costs, each), rounds_left))
    return next(played, listed[0] if listed else None)


def _pairings(teams: Sequence[int], free: Set[Pair]) -> Iterator[list[Pair]]:
    """Every pairing of all teams, which are in order, by free pairs."""
    if not teams:
        yield []
        return
    first, *others = teams
    for other in others:
        if (first, other) in free:
            left = [team for team in others if team != other]
            yield from ([(first, other), *pairs] for pairs in _pairings(left, free))


def _after(free: Iterable[Pair], pairs: Iterable[Pair]) -> frozenset[Pair]:
    """The free pairs after a round. A team may have more than one bye."""
    return frozenset(free).difference(pair for pair in pairs if pair[0] != _BYE)


def _has_rounds(teams: Sequence[int], free: frozenset[Pair], rounds: int) -> bool:
    """Whether so many rounds can be paired one after the other by free pairs."""
    if rounds == 0:
        return True
    opponents = Counter(team for pair in free if _BYE not in pair for team in pair)
    byes = sum(max(0, rounds - opponents[team]) for team in teams if team != _BYE)
    if byes > (rounds if teams[0] == _BYE else 0):
        return False
    return any(
        _has_rounds(teams, _after(free, pairs), rounds - 1) for pairs in _pairings(teams, free)
    )


def _match_nearest(
    teams: dict[int, Contestant], excluded: Set[Pair], drawn: Drawn, nearest: int
) -> list[Pair] | None:
    """The best pairing; of many teams, among the nearest opponents that have one."""
    free = _free(teams, excluded)
    wanted = len(teams) if len(teams) <= WHOLE_GRAPH else nearest
    by_team = _by_nearness(teams, free, drawn) if wanted < len(teams) else []
    while True:
        pairs = free if wanted >= len(teams) else _nearest(by_team, wanted)
        costs = _costs(teams, pairs, drawn)
        # Without costs a matching takes a tenth of the time.
        if len(_match(dict.fromkeys(costs, 0))) * 2 >= len(teams):
            return sorted(_match(_weights(costs, len(teams))))
        if wanted >= len(teams):
            return None
        wanted *= 2


def _costs(
    teams: dict[int, Contestant], pairs: Iterable[Pair], drawn: Drawn
) -> dict[Pair, tuple[int, ...]]:
    """What each of the pairs costs, and each bye of an odd number of teams."""
    costs = {(a, b): cost(teams[a], teams[b], drawn(a, b) >> (256 - _DRAWN_BITS)) for a, b in pairs}
    if len(teams) % 2:
        for team, each in teams.items():
            costs[_BYE, team] = bye_cost(each, drawn(_BYE, team) >> (256 - _DRAWN_BITS))
    return costs


def _weights(costs: dict[Pair, tuple[int, ...]], teams: int) -> dict[Pair, int]:
    """The costs as one number each."""
    # Every part weighs more than the largest sum of all later parts.
    pairs = (teams + 1) // 2
    factors = [1]
    for part in range(4, 0, -1):
        factors.insert(
            0, factors[0] * (1 + pairs * max((c[part] for c in costs.values()), default=0))
        )
    return {
        pair: sum(each * factor for each, factor in zip(parts, factors, strict=True))
        for pair, parts in costs.items()
    }


def _match(weights: dict[Pair, int]) -> list[Pair]:
    """As many pairs as possible with the smallest sum, the smaller id first."""
    # Imported lazily: it is large, and an extra of pip.
    import networkx

    graph = networkx.Graph()
    for (a, b), weight in weights.items():
        graph.add_edge(a, b, weight=-weight)
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(a, b) if a < b else (b, a) for a, b in matching]


_Near = tuple[int, int, Pair]  # gap in score, drawn number, pair


def _by_nearness(
    teams: dict[int, Contestant], free: Iterable[Pair], drawn: Drawn
) -> list[list[_Near]]:
    """The free pairs of each team."""
    of_team: dict[int, list[_Near]] = {team: [] for team in teams}
    for a, b in free:
        near = (abs(teams[a].score - teams[b].score), drawn(a, b), (a, b))
        of_team[a].append(near)
        of_team[b].append(near)
    return list(of_team.values())


def _nearest(by_team: Iterable[list[_Near]], nearest: int) -> list[Pair]:
    """Of each team the ``nearest`` in score, then in the draw."""
    chosen: set[_Near] = set()
    for each in by_team:
        # Of other scores too: a score with an odd number of teams is left by one of them.
        others = (near for near in each if near[0])
        chosen.update(nsmallest(nearest, each), nsmallest(nearest // 2, others))
    return sorted(near[2] for near in chosen)


def _free(teams: Iterable[int], excluded: Set[Pair]) -> list[Pair]:
    return [pair for pair in combinations(teams, 2) if pair not in excluded]
