"""What an accepted falta envido pays, by convention, in every variant that has it.

Source: rules.md#falta.

The points are worked out by hand from the section: T the target, H the half, L the leader's score,
W the winner's and X the loser's; a side is in the malas up to H.
"""

from __future__ import annotations

from itertools import product

import pytest

from scorer.rules import Side, Step, apply, find_variant, variant_ids
from scorer.rules.actions import Action
from scorer.rules.options import Value
from tests.rules.notation import deal, document_value, pays, play, play_on, points

CONVENTIONS = (
    "malas_match", "leader_to_target", "leader_half", "loser_half", "loser_to_target",
    "winner_half", "match", "fixed",
)  # fmt: skip

# score    winner   mm  T-L  H-L  H-X  T-X  H-W  T-W  six      to 30: fifteen and fifteen
TO_30 = (
    ("0-0",   "A", (30, 30,  15,  15,  30,  15,  30,   6)),
    ("5-9",   "A", (25, 21,   6,   6,  21,  10,  25,   6)),
    ("5-9",   "B", (21, 21,   6,  10,  25,   6,  21,   6)),
    ("14-0",  "B", (30, 16,   1,   1,  16,  15,  30,   6)),
    ("20-10", "A", (10, 10,  10,   5,  20,  10,  10,   6)),
    ("20-10", "B", (10, 10,  10,  10,  10,  10,  20,   6)),
    ("21-18", "A", ( 9,  9,   9,  12,  12,   9,   9,   6)),
    ("21-18", "B", ( 9,  9,   9,   9,   9,   9,  12,   6)),
    ("29-28", "A", ( 1,  1,   1,   2,   2,   1,   1,   6)),
    ("29-28", "B", ( 1,  1,   1,   1,   1,   1,   2,   6)),
    # Exactly on the half (rules.md#half): the side whose half is counted is in the buenas there.
    ("15-9",  "A", (15, 15,  15,   6,  21,  15,  15,   6)),
    ("15-9",  "B", (21, 15,  15,  15,  15,   6,  21,   6)),
    ("15-15", "A", (15, 15,  15,  15,  15,  15,  15,   6)),
    ("16-15", "A", (14, 14,  14,  15,  15,  14,  14,   6)),
    ("16-15", "B", (14, 14,  14,  14,  14,  14,  15,   6)),
)  # fmt: skip

# The same if a side on the half is in the buenas already: two conventions differ.
ON_THE_HALF_IN_BUENAS = (
    ("15-9",  "A", (15, 15,  15,   6,  21,  15,  15,   6)),
    ("15-9",  "B", (15, 15,  15,  15,  15,  15,  21,   6)),
    ("15-15", "A", (15, 15,  15,  15,  15,  15,  15,   6)),
    ("14-9",  "B", (21, 16,   1,   1,  16,   6,  21,   6)),
)  # fmt: skip

# Without halves, conventions about a half pay what the leader needs.
WITHOUT_BUENAS = (
    ("5-9",   "A", (21, 21,  21,  21,  21,  21,  25,   6)),
    ("5-9",   "B", (21, 21,  21,  21,  25,  21,  21,   6)),
    ("15-9",  "B", (15, 15,  15,  15,  15,  15,  21,   6)),
)  # fmt: skip

OTHER_TARGETS = (
    (18, "4-7",   "A", (14, 11,   2,   2,  11,   5,  14,   6)),
    (18, "12-8",  "B", ( 6,  6,   6,   6,   6,   6,  10,   6)),
    (24, "12-3",  "B", (21, 12,  12,  12,  12,   9,  21,   6)),
    (40, "25-12", "B", (15, 15,  15,  15,  15,  15,  28,   6)),
    (40, "19-3",  "A", (21, 21,   1,  17,  37,   1,  21,   6)),
    (20, "8-10",  "A", (12, 10,  10,  10,  10,   2,  12,   6)),
    (15, "6-4",   "A", ( 9,  9,   9,   9,  11,   9,   9,   6)),
    (15, "6-4",   "B", ( 9,  9,   9,   9,   9,   9,  11,   6)),
    (12, "0-0",   "A", (12, 12,  12,  12,  12,  12,  12,   6)),
    ( 9, "8-2",   "B", ( 1,  1,   1,   1,   1,   1,   7,   6)),
    (25, "11-3",  "B", (14, 14,  14,  14,  14,  14,  22,   6)),
)  # fmt: skip

TWO_SIDED = tuple(
    name
    for name in variant_ids()
    if (option := find_variant(name).option("falta")) is not None and len(option.choices) == 8
)


def paid(name: str, score: str, winner: str, **options: Value) -> int:
    """What ``winner`` is paid for an accepted falta, from the score."""
    if name == "venezuelan":
        options["cantando"] = False
    call = "falta" if name == "valencian" else "falta_envido"
    before = deal(name, score, "A", **options)
    after = play_on(before, f"A {call}; B quiero; {winner} envido_won")
    at = before.rules.scoring_sides.index(Side(winner))
    moved = [now - then for now, then in zip(after.score, before.score, strict=True)]
    assert sum(moved) == moved[at]
    return moved[at]


def expected(name: str, points_told: int) -> int:
    """VEP 18: a bet of one stone counts two."""
    return max(2, points_told) if name == "venezuelan" else points_told


def test_every_variant_with_a_falta_is_in_this_table() -> None:
    with_falta = {name for name in variant_ids() if find_variant(name).option("falta") is not None}
    assert with_falta == {*TWO_SIDED, "pata_gallo"}
    for name in TWO_SIDED:
        option = find_variant(name).option("falta")
        assert option is not None
        assert set(option.choices) == set(CONVENTIONS)


@pytest.mark.parametrize("name", TWO_SIDED)
def test_the_conventions_at_thirty(name: str) -> None:
    for score, winner, told in TO_30:
        for falta, worth in zip(CONVENTIONS, told, strict=True):
            got = paid(name, score, winner, falta=falta, target=30)
            assert got == expected(name, worth), (falta, score, winner)


@pytest.mark.parametrize("name", TWO_SIDED)
def test_on_the_half_in_the_buenas(name: str) -> None:
    for score, winner, told in ON_THE_HALF_IN_BUENAS:
        for falta, worth in zip(CONVENTIONS, told, strict=True):
            got = paid(name, score, winner, falta=falta, target=30, half_inclusive="buenas")
            assert got == expected(name, worth), (falta, score, winner)


@pytest.mark.parametrize("name", TWO_SIDED)
def test_without_buenas(name: str) -> None:
    for score, winner, told in WITHOUT_BUENAS:
        for falta, worth in zip(CONVENTIONS, told, strict=True):
            got = paid(name, score, winner, falta=falta, target=30, buenas=False)
            assert got == worth, (falta, score, winner)


@pytest.mark.parametrize("name", TWO_SIDED)
def test_at_other_targets(name: str) -> None:
    for target, score, winner, told in OTHER_TARGETS:
        for falta, worth in zip(CONVENTIONS, told, strict=True):
            got = paid(name, score, winner, falta=falta, target=target)
            assert got == expected(name, worth), (target, falta, score, winner)


@pytest.mark.parametrize("name", TWO_SIDED)
def test_every_convention_differs_from_the_default(name: str) -> None:
    option = find_variant(name).option("falta")
    assert option is not None
    default = CONVENTIONS.index(str(option.default))
    for at, _ in enumerate(CONVENTIONS):
        if at != default:
            assert any(told[at] != told[default] for _, _, told in TO_30)


def test_what_the_leader_needs_and_what_the_loser_leaves_end_alike() -> None:
    """Scores capped at the target end the same: rules.md#falta."""
    for a, b, winner in product(range(0, 30, 3), range(1, 30, 4), "AB"):
        ends = set()
        for falta in ("leader_to_target", "loser_to_target"):
            game = deal("gaucho", f"{a}-{b}", "A", falta=falta, target=30)
            game = play_on(game, f"B falta_envido; A quiero; {winner} envido_won")
            ends.add((tuple(min(30, n) for n in game.score), game.winner))
        assert len(ends) == 1, (a, b, winner)


@pytest.mark.parametrize(
    ("falta", "winner", "score"),
    [
        # The leader of the three has 12 and lacks 18.
        ("leader_to_target", "gallo", "23-9-12"),
        ("leader_to_target", "pair", "5-27-30"),
        ("match", "gallo", "30-9-12"),
        ("match", "pair", "5-27-30"),
        ("fixed", "gallo", "11-9-12"),
        ("fixed", "pair", "5-15-18"),
    ],
)
def test_the_three_conventions_of_pata_de_gallo(falta: str, winner: str, score: str) -> None:
    """Only these apply with three scores: rules.md#pata_gallo."""
    steps = f"gallo falta_envido; pair quiero; {winner} envido_won"
    assert points(play("pata_gallo", steps, "5-9-12", falta=falta)) == score


@pytest.mark.parametrize("name", TWO_SIDED)
def test_a_falta_is_worth_something_when_the_game_is_won_already(name: str) -> None:
    """With ``finish=end_of_hand`` at least one: rules.md#finish."""
    for falta in CONVENTIONS:
        options: dict[str, Value] = {"falta": falta, "target": 30, "finish": "end_of_hand"}
        won = apply(deal(name, "28-3", "A", **options), Step(Side.A, Action.AWARD, 4))
        call = "falta" if name == "valencian" else "falta_envido"
        game = play_on(won, f"B {call}; A quiero; A envido_won")
        assert game.winner is None
        assert game.score[0] > 32, falta


@pytest.mark.parametrize("name", TWO_SIDED)
def test_the_document_says_what_either_winner_would_take(name: str) -> None:
    call = "falta" if name == "valencian" else "falta_envido"
    game = play(name, f"A {call}", "5-9", "A", falta="malas_match", target=30)
    assert pays(game) == ({"A": 25, "B": 21}, 1)
    game = play(name, f"A {call}", "5-9", "A", falta="leader_to_target", target=30)
    assert pays(game) == (21, 1)
    assert document_value(game, "phase") == "pending_envido"
