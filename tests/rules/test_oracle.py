"""The engine and the oracle agree on the number of lines of a hand and their pay."""

from __future__ import annotations

import pytest

from scorer.rules.perft import Perft, perft
from tests.rules import oracle
from tests.rules.notation import deal
from tests.sampling import sample

ORACLES: dict[str, oracle.Argentine | oracle.Brazilian] = {
    "argentine": oracle.Argentine(),
    "argentine_flor": oracle.Argentine(flor=True),
    "gaucho": oracle.GAUCHO,
    "uruguayan": oracle.URUGUAYAN,
    "paulista": oracle.PAULISTA,
    "mineiro": oracle.MINEIRO,
    "br_general": oracle.BR_GENERAL,
}
# The beginning; both exactly on the half, one past it; near the end, one point from it.
ARGENTINE = ((0, 0), (15, 15), (15, 16), (13, 28), (22, 27), (28, 29), (29, 29))
GAUCHO = ((0, 0), (12, 12), (12, 13), (7, 20), (22, 23), (23, 23))
URUGUAYAN = ((0, 0), (20, 19), (36, 38), (38, 39), (39, 39))
SPECIAL = ((0, 0), (8, 9), (9, 8), (10, 4), (4, 10), (10, 10), (11, 4), (2, 11), (10, 11), (11, 11))
CASES = [
    *((variant, score) for variant in ("argentine", "argentine_flor") for score in ARGENTINE),
    *(("gaucho", score) for score in GAUCHO),
    *(("uruguayan", score) for score in URUGUAYAN),
    *((variant, score) for variant in ("paulista", "mineiro", "br_general") for score in SPECIAL),
]
# Not the beginning, which takes most of the time.
SAMPLED = sample(CASES, 1, by=lambda case: case[0], turn=3)


@pytest.mark.sampled
@pytest.mark.parametrize(("variant", "score"), SAMPLED)
def test_the_engine_and_the_oracle_count_the_same_lines(
    variant: str, score: tuple[int, int]
) -> None:
    expected = ORACLES[variant].hand(score)
    counted = perft(deal(variant, f"{score[0]}-{score[1]}"))
    assert counted.lines == sum(expected.values())
    assert dict(counted.payoffs) == dict(oracle.payoffs(expected, score))


@pytest.mark.sampled
@pytest.mark.parametrize("score", sample([(0, 0), (15, 16), (28, 29)], 1, turn=1))
def test_a_fold_that_costs_one_is_counted_too(score: tuple[int, int]) -> None:
    expected = oracle.Argentine(fold_first=1).hand(score)
    counted = perft(deal("argentine", f"{score[0]}-{score[1]}", fold_first=1))
    assert dict(counted.payoffs) == dict(oracle.payoffs(expected, score))


@pytest.mark.parametrize("score", [(0, 0), (8, 9), (11, 4), (11, 11)])
def test_three_ties_against_the_raiser_are_counted_too(score: tuple[int, int]) -> None:
    expected = oracle.Brazilian(ties_to_other=True).hand(score)
    counted = perft(deal("paulista", f"{score[0]}-{score[1]}", tied="not_raiser"))
    assert dict(counted.payoffs) == dict(oracle.payoffs(expected, score))


@pytest.mark.parametrize(("target", "half"), [(18, 9), (40, 20)])
@pytest.mark.parametrize("behind", [1, 2, 9])
def test_other_targets_are_counted_too(target: int, half: int, behind: int) -> None:
    score = (target - behind, half)
    expected = oracle.Argentine(flor=True, target=target, half=half).hand(score)
    counted = perft(deal("argentine_flor", f"{score[0]}-{score[1]}", target=target))
    assert dict(counted.payoffs) == dict(oracle.payoffs(expected, score))


def lines(variant: str, score: str = "") -> int:
    return perft(deal(variant, score)).lines


@pytest.mark.parametrize("variant", ["paulista", "mineiro", "br_general"])
def test_a_bare_ladder_has_as_many_lines_as_its_closed_form(variant: str) -> None:
    assert lines(variant) == oracle.bare_ladder(4)


def test_a_longer_ladder_has_as_many_lines_as_its_closed_form() -> None:
    assert perft(deal("paulista", match_rung=True)).lines == oracle.bare_ladder(5)


def test_the_oracle_notices_a_single_point() -> None:
    """Counts alone do not cover points; this comparison does."""
    wrong = oracle.Brazilian((1, 3, 6, 9, 13))
    counted: Perft = perft(deal("paulista"))
    assert counted.lines == sum(wrong.hand((0, 0)).values())
    assert dict(counted.payoffs) != dict(oracle.payoffs(wrong.hand((0, 0)), (0, 0)))
