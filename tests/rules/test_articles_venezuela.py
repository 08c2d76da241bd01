"""Truco venezolano: the rulebook's section 11, and what 22.7 and 22.11 decide about it."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.playing import deal, go_on, pays, play, points, shown, why_not


def test_vep_7_twenty_four_stones_in_two_halves() -> None:
    game = deal("venezuelan", "12-13")
    assert (game.rules.target, shown(game, "half"), shown(game, "stake")) == (24, 12, 1)
    assert shown(game, "spoken") == {"A": (12, "malas"), "B": (1, "buenas")}
    assert deal("venezuelan", target=12).rules.half is None
    assert deal("venezuelan", buenas=False).rules.half is None


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("A truco", 3, 1),
        ("A truco; B retruco", 6, 3),
        ("A truco; B retruco; A vale_nueve", 9, 6),
        ("A truco; B retruco; A vale_nueve; B vale_juego", "game", 9),
    ],
)
def test_11_2_the_ladder(calls: str, wanted: object, refused: int) -> None:
    assert pays(play("venezuelan", calls)) == (wanted, refused)


def test_11_2_vale_juego_wins_the_game_from_anywhere() -> None:
    steps = "A truco; B retruco; A vale_nueve; B vale_juego; A quiero"
    assert shown(play("venezuelan", steps, "0-14"), "stake") == "game"
    assert play("venezuelan", f"{steps}; A hand_won", "0-14").winner == "A"
    assert play("venezuelan", f"{steps}; A fold", "0-14").winner == "B"


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("A envido", 2, 1),
        ("A envido 5", 5, 1),
        ("A envido 2", 2, 1),
        ("A envido; B envido", 4, 2),
        ("A envido; B envido_mas 5", 7, 2),
        ("A envido 5; B envido_mas 1", 6, 5),
        ("A envido; B envido; A envido_mas 2", 6, 4),
        ("A envido; B envido_mas 2; A envido_mas 3", 7, 4),
        ("A envido; B falta_envido", 4, 2),
        ("A envido 5; B envido_mas 3; A falta_envido", 4, 8),
        ("A falta_envido", 4, 1),
        ("A envido_igualar", 11, 1),
    ],
)
def test_11_3_envites(calls: str, wanted: int, refused: int) -> None:
    """The first one refused is 1 whatever its size; later ones pay what was on."""
    assert pays(play("venezuelan", calls, "9-20")) == (wanted, refused)


def test_vep_18_a_single_stone_is_not_bet() -> None:
    assert why_not(deal("venezuelan"), "A envido 1") is Refusal.TOO_LITTLE
    assert why_not(deal("venezuelan"), "A envido 25") is Refusal.TOO_MUCH
    assert pays(play("venezuelan", "A envido_igualar", "7-7"))[0] == 2
    assert pays(play("venezuelan", "A envido_igualar", "7-8"))[0] == 2
    assert pays(play("venezuelan", "A falta_envido", "7-23", cantando=False))[0] == 2
    assert why_not(play("venezuelan", "A envido"), "B envido_mas 0") is Refusal.TOO_LITTLE
    assert why_not(play("venezuelan", "A envido"), "B envido_mas 25") is Refusal.TOO_MUCH


def test_vep_10_quiero_y_envido_goes_over_a_plain_envido_only() -> None:
    assert why_not(play("venezuelan", "A envido"), "B envido") is None
    assert why_not(play("venezuelan", "A envido 5"), "B envido") is Refusal.OUT_OF_ORDER
    assert why_not(play("venezuelan", "A envido; B envido"), "A envido") is Refusal.OUT_OF_ORDER
    game = play("venezuelan", "A envido; B envido_mas 3")
    assert why_not(game, "A envido") is Refusal.OUT_OF_ORDER


def test_22_11_igualar_is_a_first_bid_and_falta_the_last() -> None:
    assert why_not(play("venezuelan", "A envido"), "B envido_igualar") is Refusal.OUT_OF_ORDER
    assert why_not(play("venezuelan", "A falta_envido"), "B envido_mas 2") is Refusal.OUT_OF_ORDER
    assert why_not(deal("venezuelan"), "A envido_mas 2") is Refusal.OUT_OF_ORDER
    assert why_not(deal("venezuelan"), "A real_envido") is Refusal.NOT_IN_THIS_VARIANT


def test_vep_27_an_accepted_number_stands_even_above_the_falta() -> None:
    game = play("venezuelan", "A envido 15; B quiero; A envido_won", "9-20")
    assert (points(game), game.winner) == ("24-20", "A")


@pytest.mark.parametrize(
    ("falta", "to_a"),
    [
        ("leader_to_target", 13),
        ("malas_match", 15),
        ("loser_to_target", 13),
        ("leader_half", 2),
        ("loser_half", 2),
        ("winner_half", 3),
        ("match", 15),
        ("fixed", 6),
    ],
)
def test_3_every_falta_at_this_table(falta: str, to_a: int) -> None:
    """A computed 1 counts 2."""
    game = play("venezuelan", "A falta_envido; B quiero; A envido_won", "9-11", falta=falta)
    assert game.score[0] == 9 + to_a


def test_22_3_half_inclusive() -> None:
    steps = "A falta_envido; B quiero; A envido_won"
    game = play("venezuelan", steps, "2-12", falta="malas_match", half_inclusive="buenas")
    assert points(game) == "14-12"
    assert play("venezuelan", steps, "2-12", falta="malas_match").winner == "A"


# --- comparing late (22.7) ---


def test_22_7_truco_goes_on_while_the_envite_waits() -> None:
    game = play("venezuelan", "A envido; B quiero")
    assert shown(game, "phase") == "awaiting_envido"
    game = go_on(game, "A truco")
    assert (shown(game, "phase"), shown(game, "suspended")) == ("pending_truco", None)
    game = go_on(game, "B retruco; A quiero; - first_trick_done")
    assert shown(game, "phase") == "awaiting_envido"
    game = go_on(game, "B hand_won")
    assert (points(game), shown(game, "phase")) == ("0-0", "awaiting_envido")
    assert points(go_on(game, "A envido_won")) == "2-6"


def test_22_7_the_suspended_truco_and_the_envite_in_either_order() -> None:
    game = play("venezuelan", "A truco; B envido; A quiero")
    assert why_not(game, "A quiero") is Refusal.OWN_CALL
    assert points(go_on(game, "B quiero; B envido_won; A hand_won")) == "3-2"
    assert points(go_on(game, "B envido_won; B quiero; A hand_won")) == "3-2"
    assert points(go_on(game, "B no_quiero; B envido_won")) == "1-2"


def test_22_7_the_envite_is_scored_first_and_may_end_the_game() -> None:
    game = play("venezuelan", "A envido; B quiero; A truco; B quiero; B hand_won", "22-21")
    assert game.winner is None
    won = go_on(game, "A envido_won")
    assert (points(won), won.winner) == ("24-21", "A")
    assert go_on(game, "B envido_won").winner == "B"


def test_22_7_folding_while_the_envite_waits() -> None:
    game = play("venezuelan", "A envido; B quiero; A truco; B quiero; A fold")
    assert shown(game, "phase") == "awaiting_envido"
    assert points(go_on(game, "A envido_won")) == "2-3"


def test_22_7_a_refused_truco_waits_for_the_envite_too() -> None:
    game = play("venezuelan", "A envido; B quiero; A truco; B no_quiero")
    assert points(game) == "0-0"
    assert why_not(game, "- new_hand") is Refusal.WINNER_FIRST
    assert why_not(game, "A truco") is Refusal.WINNER_FIRST
    assert points(go_on(game, "B envido_won")) == "1-2"


# --- flor ---


def test_vep_52_three_for_a_flor_and_six_for_two() -> None:
    assert points(play("venezuelan", "A flor; B no_flor")) == "3-0"
    assert points(play("venezuelan", "A flor; A flor; B no_flor")) == "6-0"
    assert points(play("venezuelan", "A envido; B quiero; B flor; A no_flor")) == "0-3"


def test_case_11_of_two_flores_only_the_better_are_paid() -> None:
    game = play("venezuelan", "A flor; A flor; B flor")
    assert points(go_on(game, "A flor_won")) == "6-0"
    assert points(go_on(game, "A flor_won 2")) == "6-0"
    assert points(go_on(game, "A flor_won 1")) == "3-0"
    assert why_not(game, "A flor_won 3") is Refusal.TOO_MUCH
    assert why_not(game, "B flor_won 2") is Refusal.TOO_MUCH
    assert why_not(game, "A flor_won 0") is Refusal.TOO_LITTLE


@pytest.mark.parametrize(
    ("bets", "wanted", "refused"),
    [
        ("A flor_envida", 5, 4),
        ("A flor_envida 7", 10, 4),
        ("A flor_envida; B flor_envida_mas 4", 9, 5),
        ("A flor_envida 3; B flor_envida_mas 1; A flor_envida_mas 2", 9, 7),
    ],
)
def test_vep_54_flores_bet(bets: str, wanted: int, refused: int) -> None:
    assert pays(play("venezuelan", f"A flor; B flor; {bets}")) == (wanted, refused)


def test_11_4_a_bet_of_flores_counts_the_own_ones() -> None:
    game = play("venezuelan", "A flor; A flor; B flor; B flor_envida")
    assert pays(game) == ({"A": 8, "B": 5}, 4)
    game = play("venezuelan", "A flor; A flor; B flor; A flor_envida; B no_quiero")
    assert points(game) == "7-0"


def test_22_11_flores_bet_only_once_both_are_sung() -> None:
    assert why_not(play("venezuelan", "A flor"), "B flor_envida") is Refusal.ANSWER_FIRST
    game = play("venezuelan", "A flor; B flor")
    assert why_not(game, "A flor_envida_mas 2") is Refusal.OUT_OF_ORDER
    assert why_not(game, "A flor_envida 1") is Refusal.TOO_LITTLE
    assert why_not(game, "A flor_envida 25") is Refusal.TOO_MUCH
    assert why_not(game, "A contraflor") is Refusal.NOT_IN_THIS_VARIANT
    game = go_on(game, "A flor_envida")
    assert why_not(game, "A flor_envida_mas 2") is Refusal.OWN_CALL
    assert why_not(game, "B flor_envida") is Refusal.OUT_OF_ORDER


@pytest.mark.parametrize(
    ("pays_what", "score"), [("own", "0-3"), ("per_flor", "0-6"), ("four", "0-4"), ("six", "0-6")]
)
def test_17_other_ways_to_pay_flor_against_flor(pays_what: str, score: str) -> None:
    """Option ``flor_vs_flor``."""
    assert points(play("venezuelan", "A flor; B flor; B flor_won", flor_vs_flor=pays_what)) == score


def test_22_6_in_venezuela_a_false_flor_is_only_taken_back() -> None:
    game = play("venezuelan", "A flor; B no_flor; B hand_won; A flor_reversed")
    assert points(game) == "0-1"
    game = play("venezuelan", "A flor; B no_flor; A flor_reversed", "21-10")
    assert (points(game), game.winner) == ("21-10", None)


def test_2_8_a_false_envite_goes_to_the_rival() -> None:
    game = play("venezuelan", "A envido; B quiero; A envido_won; B hand_won; A envido_reversed")
    assert points(game) == "0-3"


def test_11_8_ties_and_folds() -> None:
    """Options ``tied`` and ``fold_first``."""
    assert points(play("venezuelan", "- all_tied", mano="B")) == "0-1"
    assert points(play("venezuelan", "- all_tied", mano="B", tied="none")) == "0-0"
    assert points(play("venezuelan", "A fold")) == "0-2"
    assert points(play("venezuelan", "A fold", fold_first=1)) == "0-1"
    assert points(play("venezuelan", "A truco; B no_quiero")) == "1-0"


# --- cantando ---


def test_11_6_a_side_on_23_sings() -> None:
    game = deal("venezuelan", "23-20")
    assert shown(game, "phase") == "cantando"
    for step in ("A envido", "B truco", "A hand_won", "B fold", "- new_hand"):
        assert why_not(game, step) is not None, step
    assert why_not(game, "A no_privo") is Refusal.OWN_CALL
    assert why_not(game, "A privo") is Refusal.OWN_CALL
    assert go_on(game, "B no_privo").winner == "A"


def test_11_6_privo_y_truco() -> None:
    game = play("venezuelan", "B privo", "23-20")
    assert (shown(game, "phase"), pays(game)) == ("pending_privo", ({"A": "game", "B": 4}, 2))
    refused = go_on(game, "A no_quiero")
    assert (points(refused), shown(refused, "phase")) == ("23-22", "hand_over")
    assert why_not(game, "B quiero") is Refusal.OWN_CALL
    game = go_on(game, "A quiero")
    assert (shown(game, "stake"), shown(game, "may_raise")) == (3, ["A"])
    assert why_not(game, "A envido") is Refusal.ENVIDO_CLOSED
    assert go_on(game, "A hand_won").winner == "A"
    assert go_on(game, "B hand_won").winner == "B"
    assert points(play("venezuelan", "B privo; A quiero; B hand_won", "23-10")) == "23-14"


def test_20_1_the_23_side_owns_the_next_raise() -> None:
    game = play("venezuelan", "B privo; A quiero; A retruco; B no_quiero", "23-10")
    assert game.winner == "A"
    assert points(
        play("venezuelan", "B privo; A quiero; A retruco; B quiero; B hand_won", "23-10")
    ) == ("23-17")


def test_22_7_an_award_in_cantando_ends_the_hand() -> None:
    """The flor cases 85 to 89 are entered as points."""
    for before in ("", "B privo; "):
        game = play("venezuelan", f"{before}B award 3", "23-10")
        assert (points(game), shown(game, "phase")) == ("23-13", "hand_over")


def test_22_7_both_on_23_the_better_envite_ends_the_game() -> None:
    game = deal("venezuelan", "23-23")
    assert shown(game, "phase") == "awaiting_envido"
    for step in ("A truco", "A envido", "A fold", "A flor", "- first_trick_done", "A hand_won"):
        assert why_not(game, step) is not None, step
    won = go_on(game, "B envido_won")
    assert (points(won), won.winner) == ("23-24", "B")


def test_22_7_cantando_is_one_short_of_the_target_and_may_be_off() -> None:
    """Option ``cantando``."""
    assert shown(deal("venezuelan", "11-3", target=12), "phase") == "cantando"
    assert shown(deal("venezuelan", "23-3", target=30), "phase") == "playing"
    assert shown(deal("venezuelan", "23-3", cantando=False), "phase") == "playing"
    assert why_not(deal("venezuelan", cantando=False), "A privo") is Refusal.NOT_IN_THIS_VARIANT


def test_2_10_el_bonito_and_playing_on() -> None:
    """Options ``best_of`` and ``finish``."""
    assert shown(play("venezuelan", "B no_privo", "23-3", best_of=3), "phase") == "game_over"
    steps = "A envido; B quiero; A envido_won"
    game = play("venezuelan", steps, "22-21", finish="end_of_hand")
    assert game.winner is None
    assert go_on(game, "B truco; A quiero; B hand_won").winner is None
