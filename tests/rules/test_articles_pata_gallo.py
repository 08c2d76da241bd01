"""Pata de gallo: the rulebook's section 8, and what 22.8 and 22.11 decide about it."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from scorer.rules.notation import SheetError
from tests.rules.playing import deal, go_on, pays, play, points, shown, why_not


def test_s1_three_scores_one_gallo() -> None:
    game = deal("pata_gallo")
    assert shown(game, "score") == {"A": 0, "B": 0, "C": 0}
    assert (shown(game, "gallo"), shown(game, "mano")) == ("A", "B")
    assert (game.rules.target, shown(game, "half")) == (30, 15)


def test_s1_the_gallo_scores_alone_and_the_pair_each() -> None:
    assert points(play("pata_gallo", "gallo hand_won")) == "1-0-0"
    assert points(play("pata_gallo", "pair hand_won")) == "0-1-1"
    assert points(play("pata_gallo", "pair hand_won", gallo="B")) == "1-0-1"


def test_s1_the_gallo_goes_round() -> None:
    game = deal("pata_gallo", gallo="B")
    seen = []
    for _ in range(4):
        seen.append((shown(game, "gallo"), shown(game, "mano")))
        game = go_on(game, "gallo hand_won; - new_hand")
    assert seen == [("B", "C"), ("C", "A"), ("A", "B"), ("B", "C")]


def test_aca_the_same_gallo_always() -> None:
    """Option ``gallo_fijo``."""
    game = play("pata_gallo", "gallo hand_won; - new_hand", gallo_fijo=True, gallo="C")
    assert (shown(game, "gallo"), shown(game, "mano")) == ("C", "A")


@pytest.mark.parametrize("gallo", ["A", "B", "C"])
def test_22_11_ties_go_to_the_pair(gallo: str) -> None:
    """The mano is the player after the gallo."""
    game = play("pata_gallo", "- all_tied", gallo=gallo)
    assert [n for s, n in shown(game, "score").items() if s == gallo] == [0]
    assert sum(game.score) == 2
    assert points(play("pata_gallo", "- all_tied", gallo=gallo, tied="none")) == "0-0-0"


def test_22_11_tricks_are_the_gallos_and_the_pairs() -> None:
    assert points(play("pata_gallo", "- tricks gallo,tie")) == "1-0-0"
    assert points(play("pata_gallo", "- tricks gallo; - tricks gallo,pair,pair")) == "0-1-1"


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("gallo truco", 2, 1),
        ("gallo truco; pair retruco", 3, 2),
        ("gallo truco; pair retruco; gallo vale_cuatro", 4, 3),
        ("gallo envido", 2, 1),
        ("pair real_envido", 3, 1),
        ("pair envido; gallo envido; pair real_envido", 7, 4),
    ],
)
def test_8_ladder_and_envido_are_the_argentine_ones(calls: str, wanted: int, refused: int) -> None:
    game = play("pata_gallo", calls)
    assert pays(game) == (wanted, refused)
    assert shown(game, "pending")["by"] in ("gallo", "pair")


@pytest.mark.parametrize(
    ("falta", "worth"),
    [("leader_to_target", 5), ("match", {"gallo": 20, "pair": 5}), ("fixed", 6)],
)
def test_8_the_falta_is_what_the_leader_of_the_three_lacks(falta: str, worth: object) -> None:
    """Option ``falta``: the conventions that make sense with three."""
    assert pays(play("pata_gallo", "gallo falta_envido", "10-25-3", falta=falta))[0] == worth


def test_s1_the_first_to_the_target_wins() -> None:
    assert play("pata_gallo", "gallo hand_won", "29-28-3").winner == "A"
    assert play("pata_gallo", "pair hand_won", "29-28-29").winner == "C"


def test_8_both_of_the_pair_arrive_together() -> None:
    """The higher score wins; equal, the one nearer to the mano."""
    assert play("pata_gallo", "pair truco; gallo quiero; pair hand_won", "3-28-29").winner == "C"
    for gallo, winner in (("A", "B"), ("B", "C"), ("C", "A")):
        start = "-".join("3" if side == gallo else "29" for side in "ABC")
        assert play("pata_gallo", "pair hand_won", start, gallo=gallo).winner == winner


def test_8_the_envido_comes_first_and_may_end_the_game() -> None:
    game = play("pata_gallo", "pair truco; gallo envido; pair quiero; gallo envido_won", "28-29-1")
    assert game.winner == "A"


def test_22_11_who_says_what() -> None:
    """Calls are the camps'; penalties and winners are letters'."""
    game = play("pata_gallo", "C award 2")
    assert points(game) == "0-0-2"
    with pytest.raises(SheetError, match="award"):
        why_not(game, "gallo award 2")
    assert shown(game, "last") == [{"to": "C", "points": 2, "why": "award"}]


def test_2_8_a_lie_of_the_pair_is_taken_from_both() -> None:
    game = play("pata_gallo", "pair envido; gallo quiero; pair envido_won; pair envido_reversed")
    assert points(game) == "2-0-0"
    game = play("pata_gallo", "gallo envido; pair quiero; gallo envido_won; gallo envido_reversed")
    assert points(game) == "0-2-2"


def test_2_6_folding() -> None:
    """Option ``fold_first``."""
    assert points(play("pata_gallo", "gallo fold")) == "0-2-2"
    assert points(play("pata_gallo", "pair fold")) == "2-0-0"
    assert points(play("pata_gallo", "pair fold", fold_first=1)) == "1-0-0"


def test_8_flor_as_agreed() -> None:
    """Option ``flor``; two flores a side at most."""
    assert why_not(deal("pata_gallo"), "gallo flor") is Refusal.NOT_IN_THIS_VARIANT
    assert points(play("pata_gallo", "pair flor; pair flor; gallo no_flor", flor=True)) == "0-6-6"


@pytest.mark.parametrize(
    ("key", "value", "steps", "score"),
    [
        ("flor_vs_flor", "own", "gallo flor; pair flor; gallo flor_won", "3-0-0"),
        ("flor_vs_flor", "per_flor", "gallo flor; pair flor; gallo flor_won", "6-0-0"),
        ("flor_vs_flor", "four", "gallo flor; pair flor; pair flor_won", "0-4-4"),
        ("flor_vs_flor", "six", "gallo flor; pair flor; pair flor_won", "0-6-6"),
        ("me_achico", 4, "gallo flor; pair me_achico", "4-0-0"),
        ("contraflor_refused", 4, "gallo flor; pair contraflor; gallo no_quiero", "0-4-4"),
        ("resto_refused_direct", 4, "gallo flor; pair contraflor_resto; gallo no_quiero", "0-4-4"),
        (
            "resto_refused_after_contra",
            3,
            "gallo flor; pair contraflor; gallo contraflor_resto; pair no_quiero",
            "3-0-0",
        ),
        (
            "resto",
            "leader_plus_flor",
            "gallo flor; pair contraflor_resto; gallo quiero; gallo flor_won",
            "36-0-0",
        ),
        (
            "resto",
            "leader_plus_contraflor",
            "gallo flor; pair contraflor_resto; gallo quiero; gallo flor_won",
            "36-0-0",
        ),
        (
            "resto",
            "match",
            "gallo flor; pair contraflor_resto; gallo quiero; gallo flor_won",
            "30-0-0",
        ),
    ],
)
def test_17_the_options_of_the_flor(key: str, value: str | int, steps: str, score: str) -> None:
    assert points(play("pata_gallo", steps, "", "A", flor=True, **{key: value})) == score


def test_17_the_other_options() -> None:
    """``envido_refused``, ``real_envido_again``, ``target``, ``best_of``, ``finish``."""
    steps = "gallo envido; pair real_envido; gallo no_quiero"
    assert points(play("pata_gallo", steps, envido_refused="plus_one")) == "0-3-3"
    game = play("pata_gallo", "gallo real_envido; pair real_envido", real_envido_again=True)
    assert pays(game) == (6, 3)
    assert deal("pata_gallo", target=15).rules.half is None
    assert deal("pata_gallo", buenas=False).rules.half is None
    game = play("pata_gallo", "gallo hand_won; - new_hand", "29-0-0", best_of=3)
    assert (points(game), shown(game, "games"), shown(game, "gallo")) == (
        "0-0-0",
        {"A": 1, "B": 0, "C": 0},
        "B",
    )
    steps = "gallo envido; pair quiero; gallo envido_won"
    assert play("pata_gallo", steps, "28-0-0", finish="end_of_hand").winner is None


def test_22_11_half_inclusive_never_changes_what_is_said() -> None:
    game = deal("pata_gallo", "15-16-0", half_inclusive="buenas")
    assert shown(game, "spoken") == {"A": (15, "malas"), "B": (1, "buenas"), "C": (0, "malas")}
