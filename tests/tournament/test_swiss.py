"""Pairing of rounds: as an exhaustive search, no worse than FIDE Dutch."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence, Set
from functools import cache
from itertools import combinations

import caissify_pairings
import pytest

from scorer.tournament.draw import drawn_number
from scorer.tournament.model import Pair
from scorer.tournament.swiss import (
    LOOK_AHEAD,
    Contestant,
    Drawn,
    PairedRound,
    bye_cost,
    cost,
    pair_round,
)
from tests.sampling import amount, sample

SHIFT = 256 - 40


def drawing(seed: object) -> Drawn:
    return lambda one, other: drawn_number(str(seed), "test", f"{one}-{other}")


def pairings(teams: Sequence[int], excluded: Set[Pair]) -> Iterator[list[Pair]]:
    """Every allowed pairing; of an odd number with each bye, (0, team)."""
    if not teams:
        yield []
        return
    first, rest = teams[0], teams[1:]
    for other in rest:
        if (first, other) not in excluded:
            left = [team for team in rest if team != other]
            yield from ([(first, other), *pairs] for pairs in pairings(left, excluded))


def total(contestants: Sequence[Contestant], pairs: Sequence[Pair], drawn: Drawn) -> list[int]:
    """The cost of a pairing, part by part."""
    by_team = {each.team: each for each in contestants}
    parts = [
        cost(by_team[a], by_team[b], drawn(a, b) >> SHIFT)
        if a
        else bye_cost(by_team[b], drawn(0, b) >> SHIFT)
        for a, b in pairs
    ]
    return [sum(part) for part in zip(*parts, strict=True)]


def all_pairs(paired: PairedRound) -> list[Pair]:
    pairs = [(min(pair), max(pair)) for pair in paired.pairs]
    return sorted([*pairs, *([(0, paired.bye)] if paired.bye else [])])


def exhaustive(
    contestants: Sequence[Contestant], excluded: Set[Pair], drawn: Drawn, left: int
) -> list[Pair] | None:
    """The cheapest pairing after which ``left`` rounds can be paired, or else of all."""
    teams = sorted(each.team for each in contestants)
    teams = [*([0] if len(teams) % 2 else []), *teams]

    @cache
    def has_future(excluded: frozenset[Pair], left: int) -> bool:
        return left == 0 or any(
            has_future(excluded.union(pair for pair in pairs if pair[0]), left - 1)
            for pairs in pairings(teams, excluded)
        )

    def order(pairs: list[Pair]) -> tuple[bool, list[int]]:
        after = frozenset(excluded).union(pair for pair in pairs if pair[0])
        return not has_future(after, left), total(contestants, pairs, drawn)

    best = min(pairings(teams, excluded), key=order, default=None)
    return None if best is None else sorted(best)


class History:
    """A tournament of rounds with random results and absences."""

    def __init__(self, rng: random.Random, number: int) -> None:
        self.rng = rng
        self.score = dict.fromkeys(range(1, number + 1), 0)
        self.byes = dict.fromkeys(self.score, 0)
        self.floats = dict.fromkeys(self.score, (0, 0))
        self.met: set[Pair] = set()

    def contestants(self, absent: float = 0.0) -> list[Contestant]:
        there = [team for team in self.score if self.rng.random() >= absent]
        self.rng.shuffle(there)
        return [Contestant(t, self.score[t], self.byes[t], self.floats[t]) for t in there]

    def play(self, paired: PairedRound) -> None:
        before = dict(self.score)
        for one, other in paired.pairs:
            gap = before[one] - before[other]
            for team, above in ((one, gap), (other, -gap)):
                down, up = self.floats[team]
                self.floats[team] = (down + (above > 0), up + (above < 0))
            self.score[self.rng.choice((one, other))] += 2
            self.met.add((min(one, other), max(one, other)))
        if paired.bye:
            self.score[paired.bye] += 2
            self.byes[paired.bye] += 1


@pytest.mark.sampled(0)
def test_the_pairing_is_the_best_of_all() -> None:
    impossible = rounds = 0
    for at in sample(range(400), 24):
        rng = random.Random(at)
        number = rng.randrange(2, 11)
        history, drawn = History(rng, number), drawing(at)
        planned = rng.randrange(1, number + 1)
        for played in range(number):
            contestants = history.contestants(absent=0.08)
            forbidden = {pair for pair in combinations(history.score, 2) if rng.random() < 0.05}
            excluded = history.met | forbidden
            # The oracle walks every order of the rounds that are left.
            left = min(max(0, planned - played - 1), 2)
            paired = pair_round(contestants, excluded, drawn, rounds_left=left)
            expected = exhaustive(contestants, excluded, drawn, left)
            assert (all_pairs(paired) if paired else None) == expected
            if paired is None:
                impossible += 1
                break
            rounds += 1
            history.play(paired)
    assert rounds > 60
    assert impossible > 2


TOURNAMENTS = [
    (number, rounds)
    for number in range(2, LOOK_AHEAD + 1)
    for rounds in range(1, number + number % 2)
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("number", "rounds"), sample(TOURNAMENTS, 12))
def test_no_round_of_a_small_tournament_is_a_dead_end(number: int, rounds: int) -> None:
    for seed in range(amount(10, 200)):
        history, drawn = History(random.Random(seed), number), drawing(seed)
        for played in range(rounds):
            left = rounds - played - 1
            paired = pair_round(history.contestants(), history.met, drawn, rounds_left=left)
            assert paired is not None, (seed, played)
            history.play(paired)


def test_an_avoided_pair_meets_where_every_other_pairing_leads_into_a_corner() -> None:
    contestants = [Contestant(team, 0) for team in range(1, 5)]
    met = {(1, 2), (3, 4)}
    # Two rounds are left, and each of them has one pairing.
    paired = pair_round(contestants, met, drawing(1), avoided={(1, 3), (1, 4)}, rounds_left=1)
    assert paired is not None
    assert all_pairs(paired) in ([(1, 3), (2, 4)], [(1, 4), (2, 3)])
    paired = pair_round(contestants, met, drawing(1), avoided={(1, 3)}, rounds_left=1)
    assert paired is not None
    assert all_pairs(paired) == [(1, 4), (2, 3)]


@pytest.mark.sampled
def test_the_pairing_does_not_depend_on_the_order_of_input() -> None:
    for at in range(amount(2, 50)):
        history, drawn = History(random.Random(at), 21), drawing(at)
        for _ in range(5):
            contestants = history.contestants()
            paired = pair_round(contestants, history.met, drawn)
            assert paired is not None
            assert paired == pair_round(contestants[::-1], history.met, drawn)
            assert all(history.score[a] >= history.score[b] for a, b in paired.pairs)
            history.play(paired)


@pytest.mark.sampled(0)
@pytest.mark.parametrize("number", sample(range(65, 131, 5), 1))
def test_the_nearest_opponents_give_the_best_byes_and_gaps(number: int) -> None:
    history, drawn = History(random.Random(number), number), drawing(number)
    for at in range(6):
        contestants = history.contestants()
        near = pair_round(contestants, history.met, drawn)
        assert near is not None
        assert len(near.pairs) == number // 2
        if at == 5:
            whole = pair_round(contestants, history.met, drawn, nearest=number)
            assert whole is not None
            costs = [total(contestants, all_pairs(each), drawn)[:3] for each in (near, whole)]
            assert costs[0] == costs[1]
        history.play(near)


@pytest.mark.sampled(0)
def test_a_club_of_more_than_half_of_the_teams_meets_itself() -> None:
    contestants = [Contestant(team, 0) for team in range(1, 81)]
    club = set(combinations(range(1, 51), 2))
    paired = pair_round(contestants, set(), drawing(1), avoided=club)
    assert paired is not None
    assert len(paired.pairs) == 40
    # A club of half of the teams need not.
    half = set(combinations(range(1, 41), 2))
    paired = pair_round(contestants, set(), drawing(1), avoided=half)
    assert paired is not None
    assert half.isdisjoint(all_pairs(paired))


def test_a_graph_without_a_pairing_is_widened() -> None:
    # Each of 66 teams has met its nearest ones: only opponents far away are left.
    contestants = [Contestant(team, team // 33) for team in range(1, 67)]
    met = {
        (a, b) for a, b in combinations(range(1, 67), 2) if (a <= 33) == (b <= 33)
    }  # fmt: skip
    paired = pair_round(contestants, met, drawing(1))
    assert paired is not None
    assert all(min(pair) <= 33 < max(pair) for pair in paired.pairs)


def test_the_bye_goes_to_the_fewest_byes_then_to_the_lowest_score() -> None:
    contestants = [Contestant(1, 4), Contestant(2, 0, byes=1), Contestant(3, 2)]
    paired = pair_round(contestants, set(), drawing(1))
    assert paired == PairedRound(((1, 2),), bye=3)


def test_two_small_gaps_are_better_than_a_large_one() -> None:
    contestants = [Contestant(1, 4), Contestant(2, 2), Contestant(3, 2), Contestant(4, 0)]
    for seed in range(8):
        paired = pair_round(contestants, set(), drawing(seed))
        assert paired is not None
        assert (1, 4) not in paired.pairs


def test_a_team_is_not_floated_twice() -> None:
    contestants = [
        Contestant(1, 2, floats=(1, 0)), Contestant(2, 2), Contestant(3, 2, floats=(1, 0)),
        Contestant(4, 0),
    ]  # fmt: skip
    for seed in range(8):
        paired = pair_round(contestants, set(), drawing(seed))
        assert paired is not None
        assert (2, 4) in paired.pairs


# ---- a second opinion ---------------------------------------------------------------------------


@pytest.mark.sampled
def test_the_cost_is_never_above_that_of_the_dutch_system() -> None:
    compared = 0
    for at in sample(range(60), 5):
        rng = random.Random(at)
        history, drawn = History(rng, rng.randrange(6, 15)), drawing(at)
        dutch = Dutch(list(history.score))
        for number in range(1, 6):
            contestants = history.contestants()
            paired = pair_round(contestants, history.met, drawn)
            theirs = dutch.pair(history, number)
            if paired is None or theirs is None:
                break
            ours = total(contestants, all_pairs(paired), drawn)[:3]
            assert ours <= total(contestants, theirs, drawn)[:3]
            compared += 1
            dutch.remember(history, paired)
            history.play(paired)
    assert compared > 15


class Dutch:
    """The engine of caissify-pairings with the history that it asks for."""

    def __init__(self, teams: list[int]) -> None:
        self.floats: dict[int, list[str]] = {team: [] for team in teams}
        self.colors: dict[int, list[str]] = {team: [] for team in teams}

    def pair(self, history: History, number: int) -> list[Pair] | None:
        players = [
            {
                "id": team,
                "score": score / 2,
                "rating": 2000 - team,
                "starting_number": team,
                "bye_count": history.byes[team],
                "float_history": self.floats[team],
                "color_hist": [],
                "active": True,
            }
            for team, score in history.score.items()
        ]
        both_ways = history.met | {(b, a) for a, b in history.met}
        found = caissify_pairings.generate_pairings(
            "dutch", players, both_ways, number, total_rounds=9
        )
        pairs = [(each.get("white_id") or 0, each.get("black_id") or 0) for each in found]
        if any((min(pair), max(pair)) in history.met for pair in pairs):
            return None
        return sorted((min(pair), max(pair)) for pair in pairs)

    def remember(self, history: History, paired: PairedRound) -> None:
        for one, other in paired.pairs:
            gap = history.score[one] - history.score[other]
            self.floats[one].append("down" if gap else "none")
            self.floats[other].append("up" if gap else "none")
        if paired.bye:
            self.floats[paired.bye].append("down")
