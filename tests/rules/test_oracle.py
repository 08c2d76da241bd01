"""The engine and the oracle agree on the number of lines of a hand and their pay."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from scorer.rules import apply
from scorer.rules.model import HandKind
from scorer.rules.options import Value
from scorer.rules.perft import Perft, perft
from scorer.rules.perft_pins import LAST_DUEL
from tests.rules import oracle
from tests.rules.notation import deal
from tests.rules.oracle import Score
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


@pytest.mark.sampled(1)
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


@pytest.mark.sampled(1)
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


# ---- six players: hands of all, and the last of three duels --------------------------------------

TARGETS = {"gaucho_six": 24, "uruguayan_six": 40, "amostra_six": 30}
OF_SIX = [
    (name, kind, behind)
    for name in TARGETS
    for kind in HandKind
    if kind is not HandKind.NORMAL
    for behind in ((1, 1), (2, 1), (4, 2))
]
# What a mistake in the variant would change, each as the option that has it.
SEEDED = {
    "gaucho_six": (
        ("redonda", "players", 4),
        ("redonda", "flor_vs_flor", "own"),
        ("redonda", "contraflor_refused", 4),
        ("redonda", "resto_refused_after_contra", 3),
        ("redonda", "resto_floor", False),
        ("redonda", "falta", "leader_to_target"),
        ("redonda", "tied", "mano"),
        ("redonda", "fold_first", 2),
        ("pica", "pica_cap", 6),
        ("pica", "flor_value", 4),
        ("pica", "envido_refused", "plus_one"),
    ),
    **dict.fromkeys(
        ("uruguayan_six", "amostra_six"),
        (
            ("redonda", "players", 4),
            ("redonda", "flor_vs_flor", "per_flor"),
            ("redonda", "flor_announced", "compares"),
            ("redonda", "contraflor_pays", "six"),
            ("redonda", "con_flor_envido_pays", "six"),
            ("redonda", "resto", "leader_to_target"),
            ("redonda", "tied", "none"),
            ("redonda", "fold_first", 2),
            ("pica", "pica_cap", 6),
            ("pica", "pica_resto_cap", "none"),
            ("pica", "pica_add", "live"),
            ("pica", "flor_value", 4),
        ),
    ),
}


def counted_of_six(name: str, kind: str, behind: Score, **fault: Value) -> Counter[Score]:
    """What the engine counts from that many points before the target."""
    score = "-".join(str(TARGETS[name] - points) for points in behind)
    game = deal(name, score, "A", hand_kind=kind, **fault)
    if kind == HandKind.PICA:
        for step in LAST_DUEL:
            game = apply(game, step)
    return Counter({(one, other): lines for (one, other), lines in perft(game).payoffs})


def expected_of_six(name: str, kind: str, behind: Score) -> Counter[Score]:
    """What the oracle counts; before the last duel each side has won one."""
    target = TARGETS[name]
    board = (target - behind[0], target - behind[1])
    after = (board[0] + 1, board[1] + 1)
    if name == "gaucho_six" and kind == HandKind.PICA:
        return oracle.payoffs(oracle.gaucho_testa().hand(after), after)
    if name == "gaucho_six":
        return oracle.payoffs(oracle.gaucho_volta().hand(board), board)
    if kind == HandKind.PICA:
        return oracle.payoffs(oracle.pico(target, board).hand(after), board)
    return oracle.payoffs(oracle.uruguayan_general(target).hand(board), board)


@pytest.mark.sampled(0)
@pytest.mark.parametrize(("name", "kind", "behind"), OF_SIX)
def test_the_hands_and_duels_of_six_are_counted_too(name: str, kind: str, behind: Score) -> None:
    if name == "gaucho_six" and kind == HandKind.PICA:
        behind = (behind[0] + 1, behind[1] + 1)  # the points of its duels count at once
    assert counted_of_six(name, kind, behind) == expected_of_six(name, kind, behind)


@pytest.mark.sampled(0)
@pytest.mark.parametrize(
    ("name", "kind", "key", "value"),
    [(name, *fault) for name, faults in SEEDED.items() for fault in faults],
)
def test_each_oracle_finds_the_seeded_faults_of_its_variant(
    name: str, kind: str, key: str, value: Value
) -> None:
    behind = (9, 3) if kind == HandKind.PICA else (1, 4)
    if key == "pica_resto_cap":
        behind = (14, 12)
    assert counted_of_six(name, kind, behind, **{key: value}) != expected_of_six(name, kind, behind)


def foreign_imports(source: str) -> set[str]:
    """The packages of this project that a module imports."""
    named = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            named |= {alias.name.split(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            named.add("tests" if node.level else (node.module or "").split(".")[0])
    return named & {"scorer", "tests", "tools"}


def test_the_oracle_imports_nothing_of_the_program() -> None:
    source = Path(oracle.__file__).read_text(encoding="utf-8")
    assert not foreign_imports(source)
    for broken in ("from scorer.rules import flor", "import scorer.rules", "from . import laws"):
        assert foreign_imports(f"{source}\n{broken}\n")
