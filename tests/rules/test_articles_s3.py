"""Truco gaúcho according to S3, with the decisions of rules.md#gaucho."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def test_s3_twenty_four_points_win() -> None:
    game = deal("gaucho")
    assert (game.rules.target, document_value(game, "half"), document_value(game, "stake")) == (
        24,
        12,
        1,
    )
    assert play("gaucho", "A hand_won", start="23-20").winner == "A"


def test_s3_twelve_are_the_bad_ones_and_twelve_the_good() -> None:
    spoken = document_value(deal("gaucho", "12-13"), "spoken")
    assert spoken == {"A": (12, "malas"), "B": (1, "buenas")}


@pytest.mark.parametrize(
    ("tricks", "score"),
    [("A,A", "1-0"), ("A,tie", "1-0"), ("tie,B", "0-1"), ("A,B,tie", "1-0"), ("tie,tie,B", "0-1")],
)
def test_s3_with_a_tie_any_other_round_decides(tricks: str, score: str) -> None:
    assert points(play("gaucho", f"- tricks {tricks}")) == score


def test_s3_three_ties_score_nothing_and_a_new_hand_starts() -> None:
    game = play("gaucho", "A truco; B quiero; - all_tied", start="9-9")
    assert values(game, "points", "phase") == ("9-9", "hand_over")
    assert points(play("gaucho", "- all_tied", start="9-9", tied="mano")) == "10-9"


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [("A truco", 2, 1), ("A truco; B retruco", 3, 2), ("A truco; B retruco; A vale_cuatro", 4, 3)],
)
def test_s3_two_three_and_four(calls: str, wanted: int, refused: int) -> None:
    assert pays(play("gaucho", calls)) == (wanted, refused)


def test_s3_running_from_a_retruco_pays_what_the_hand_is_worth() -> None:
    """S3's example: with a hand worth two, running from the retruco pays two points."""
    assert points(play("gaucho", "A truco; B quiero; B retruco; A no_quiero")) == "0-2"


def test_s3_calls_only_in_order_and_not_twice_in_a_row() -> None:
    assert why_not(deal("gaucho"), "A vale_cuatro") is Refusal.OUT_OF_ORDER
    assert why_not(play("gaucho", "A truco; B quiero"), "B vale_cuatro") is Refusal.OUT_OF_ORDER
    assert why_not(play("gaucho", "A truco; B quiero"), "A retruco") is Refusal.NOT_YOUR_RAISE


def test_s3_leaving_the_hand_gives_it_to_the_rival() -> None:
    """Even in the first trick (as commonly played); option ``fold_first=2``."""
    assert points(play("gaucho", "A fold")) == "0-1"
    assert points(play("gaucho", "A fold", fold_first=2)) == "0-2"
    assert points(play("gaucho", "A truco; B quiero; A fold", fold_first=2)) == "0-2"


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("A envido", 2, 1),
        ("A real_envido", 3, 1),
        ("A envido; B envido", 4, 2),
        ("A envido; B real_envido", 5, 2),
    ],
)
def test_s3_envido_two_and_real_envido_three(calls: str, wanted: int, refused: int) -> None:
    assert pays(play("gaucho", calls)) == (wanted, refused)


def test_s3_falta_envido_is_what_the_other_team_lacks() -> None:
    game = play("gaucho", "B falta_envido", start="20-10")
    assert pays(game) == ({"A": 14, "B": 4}, 1)
    assert points(play_on(game, "A quiero; B envido_won")) == "20-14"
    assert play_on(game, "A quiero; A envido_won").winner == "A"


# --- the flower ---


def test_s3_a_flower_is_three_and_cancels_the_envido() -> None:
    for before in ("", "A envido; ", "A envido; B quiero; "):
        assert points(play("gaucho", f"{before}B flor; A no_flor")) == "0-3"


def test_s3_no_truco_while_the_flower_is_in_play() -> None:
    """Until it is settled; after that truco may be called in the same round."""
    assert why_not(play("gaucho", "A flor"), "B truco") is Refusal.ANSWER_FIRST
    assert why_not(play("gaucho", "A flor; B flor"), "B truco") is Refusal.WINNER_FIRST
    assert why_not(play("gaucho", "A flor; B no_flor"), "B truco") is None


@pytest.mark.parametrize(("sung", "value"), [("A flor", 3), ("A flor; A flor", 6)])
def test_s3_partners_have_three_for_each_flower(sung: str, value: int) -> None:
    assert points(play("gaucho", f"{sung}; B no_flor")) == f"{value}-0"


@pytest.mark.parametrize(
    ("sung", "value"),
    [
        ("A flor; B flor", 6),
        ("A flor; A flor; B flor", 9),
        ("A flor; B flor; B flor", 9),
        ("A flor; A flor; B flor; B flor", 12),
    ],
)
def test_s3_every_flower_in_play_is_three(sung: str, value: int) -> None:
    """S3's nine and twelve, read as three for each flower in play."""
    game = play("gaucho", sung)
    assert points(play_on(game, "A flor_won")) == f"{value}-0"
    assert points(play_on(game, "B flor_won")) == f"0-{value}"


@pytest.mark.parametrize(
    ("pays_what", "score"), [("own", "0-3"), ("per_flor", "0-6"), ("four", "0-4"), ("six", "0-6")]
)
# rules.md#gaucho
def test_other_ways_to_pay_flower_against_flower(pays_what: str, score: str) -> None:
    assert points(play("gaucho", "A flor; B flor; B flor_won", flor_vs_flor=pays_what)) == score


@pytest.mark.parametrize(("sung", "value"), [("A flor", 6), ("A flor; A flor", 12)])
def test_s3_contra_flor_doubles_what_is_in_play(sung: str, value: int) -> None:
    game = play("gaucho", f"{sung}; B contraflor")
    assert pays(game) == (value, value // 2)
    assert points(play_on(game, "A quiero; B flor_won")) == f"0-{value}"


def test_s3_contra_flor_e_o_resto_is_what_is_missing_to_end_the_game() -> None:
    game = play("gaucho", "A flor; B contraflor_resto", start="15-10")
    assert pays(game) == (9, 3)
    assert points(play_on(game, "A quiero; B flor_won")) == "15-19"


@pytest.mark.parametrize(
    ("resto", "to_b"),
    [
        ("leader_to_target", 9),
        ("match", 14),
        ("leader_plus_flor", 15),
        ("leader_plus_contraflor", 15),
    ],
)
def test_other_ways_to_calculate_the_rest(resto: str, to_b: int) -> None:  # rules.md#gaucho
    steps = "A flor; B contraflor_resto; A quiero; B flor_won"
    assert play("gaucho", steps, "15-10", resto=resto).score[1] - 10 == to_b


def test_s3_only_quero_or_me_achico_answer_the_rest() -> None:
    game = play("gaucho", "A flor; B contraflor_resto")
    assert why_not(game, "A contraflor") is Refusal.OUT_OF_ORDER
    assert why_not(game, "A flor") is Refusal.ANSWER_FIRST
    assert why_not(game, "A quiero") is why_not(game, "A me_achico") is None


@pytest.mark.parametrize(
    ("steps", "score"),
    [
        ("A flor; B me_achico", "3-0"),
        ("A flor; A flor; B me_achico", "6-0"),
        ("A flor; B contraflor; A me_achico", "0-3"),
        ("A flor; A flor; B contraflor; A me_achico", "0-6"),
        ("A flor; B contraflor_resto; A me_achico", "0-3"),
        ("A flor; B contraflor; A contraflor_resto; B me_achico", "6-0"),
        ("A flor; A flor; B contraflor; A contraflor_resto; B me_achico", "12-0"),
    ],
)
# rules.md#gaucho-flor
def test_me_achico_pays_what_was_in_play_before_the_last_call(steps: str, score: str) -> None:
    assert points(play("gaucho", steps)) == score
    assert points(play("gaucho", steps.replace("me_achico", "no_quiero"))) == score


@pytest.mark.parametrize(
    ("steps", "score"),
    [
        ("A flor; B contraflor; A me_achico", "0-4"),
        ("A flor; A flor; B contraflor; A me_achico", "0-6"),
        ("A flor; B me_achico", "3-0"),
    ],
)
# rules.md#gaucho-flor
def test_a_refused_contra_flor_of_four_replaces_one_three(steps: str, score: str) -> None:
    """Option ``contraflor_refused=4``."""
    assert points(play("gaucho", steps, contraflor_refused=4)) == score


def test_a_rest_refused_after_a_contra_flor_pays_three_at_some_tables() -> None:  # rules.md#gaucho
    """Option ``resto_refused_after_contra=3``."""
    steps = "A flor; B contraflor; A contraflor_resto; B me_achico"
    assert points(play("gaucho", steps, resto_refused_after_contra=3)) == "3-0"


def test_a_false_flower_goes_to_the_rival() -> None:  # rules.md#reversed
    game = play("gaucho", "A flor; A flor; B no_flor; A flor_reversed; B hand_won")
    assert points(game) == "0-7"
