"""Truco venezolano, by the articles from rules.md#venezuelan on."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def test_vep_7_twenty_four_stones_in_two_halves() -> None:
    game = deal("venezuelan", "12-13")
    assert (game.rules.target, document_value(game, "half"), document_value(game, "stake")) == (
        24,
        12,
        1,
    )
    assert document_value(game, "spoken") == {"A": (12, "malas"), "B": (1, "buenas")}
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
def test_the_ladder(calls: str, wanted: object, refused: int) -> None:  # rules.md#venezuelan-truco
    assert pays(play("venezuelan", calls)) == (wanted, refused)


def test_vale_juego_wins_the_game_from_anywhere() -> None:  # rules.md#venezuelan-truco
    steps = "A truco; B retruco; A vale_nueve; B vale_juego; A quiero"
    assert document_value(play("venezuelan", steps, "0-14"), "stake") == "game"
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
        ("A envido 7; B falta_envido", 4, 7),
        ("A envido; B envido; A envido_mas 1; B falta_envido", 4, 5),
        ("A envido_igualar", 11, 1),
        ("A envido_igualar; B envido_mas 2", 13, 11),
        ("A envido_igualar; B falta_envido", 4, 11),
    ],
)
def test_envites(calls: str, wanted: int, refused: int) -> None:  # rules.md#venezuelan-envite
    """A refused first bid pays 1 whatever its size; later ones the accepted amount."""
    assert pays(play("venezuelan", calls, "9-20")) == (wanted, refused)


def test_vep_18_a_single_stone_is_not_bet() -> None:
    assert why_not(deal("venezuelan"), "A envido 1") is Refusal.TOO_LITTLE
    assert why_not(deal("venezuelan"), "A envido 25") is Refusal.TOO_MUCH
    assert pays(play("venezuelan", "A envido_igualar", "7-7"))[0] == 2
    assert pays(play("venezuelan", "A envido_igualar", "7-8"))[0] == 2
    assert pays(play("venezuelan", "A falta_envido", "7-23", cantando=False))[0] == 2
    assert why_not(play("venezuelan", "A envido"), "B envido_mas 0") is Refusal.TOO_LITTLE
    assert why_not(play("venezuelan", "A envido"), "B envido_mas 25") is Refusal.TOO_MUCH


def test_every_bid_refused_pays_its_last_caller() -> None:  # rules.md#venezuelan-envite
    """Option ``envido_refused``: the accepted amount, or one more."""
    steps = "A envido 7; B falta_envido; A no_quiero"
    assert points(play("venezuelan", steps)) == "0-7"
    assert points(play("venezuelan", steps, envido_refused="plus_one")) == "0-8"
    assert points(play("venezuelan", "A envido 9; B no_quiero", envido_refused="plus_one")) == "1-0"


def test_the_envite_does_not_end_the_hand_and_is_said_once() -> None:  # rules.md#venezuelan-envite
    game = play("venezuelan", "A envido 5; B no_quiero")
    assert values(game, "points", "phase") == ("1-0", "playing")
    assert why_not(game, "B envido") is Refusal.ENVIDO_CLOSED
    assert why_not(play("venezuelan", "- first_trick_done"), "A envido") is Refusal.ENVIDO_CLOSED
    assert why_not(play("venezuelan", "A truco; B no_quiero"), "A envido") is Refusal.HAND_OVER


@pytest.mark.parametrize("before", ["A truco; B quiero", "A truco; B retruco; A quiero"])
@pytest.mark.parametrize("side", ["A", "B"])
def test_vep_19_an_accepted_truco_closes_neither_envite_nor_flor(before: str, side: str) -> None:
    game = play("venezuelan", before)
    stake, rival = document_value(game, "stake"), "B" if side == "A" else "A"
    for bid in ("envido", "envido 5", "falta_envido", "flor"):
        assert why_not(game, f"{side} {bid}") is None
    after = play_on(game, f"{side} envido; {rival} quiero; {side} envido_won; {side} hand_won")
    assert sorted(after.score) == [0, 2 + stake]


@pytest.mark.parametrize("bid", ["envido; {} no_quiero", "flor; {} no_flor"])
def test_vep_19_the_partner_of_the_side_that_called_truco_speaks_too(bid: str) -> None:
    for before in ("A truco", "B truco; A retruco"):
        game = play("venezuelan", before)
        settled = play_on(game, f"A {bid.format('B')}")
        assert document_value(settled, "pending") == document_value(game, "pending")
        assert settled.score[0] > 0


def test_vep_50_a_flor_a_ley_is_sung_until_the_hand_is_decided() -> None:
    for before in ("- first_trick_done", "- tricks A,B", "A truco; B quiero; - first_trick_done"):
        game = play("venezuelan", before)
        assert why_not(game, "B envido") is Refusal.ENVIDO_CLOSED
        assert points(play_on(game, "B flor; A no_flor")) == "0-3"
    decided = play("venezuelan", "A envido; B quiero; A hand_won")
    assert why_not(decided, "B flor") is Refusal.WINNER_FIRST
    assert why_not(play("venezuelan", "A envido; B no_quiero"), "B flor") is Refusal.FLOR_CLOSED


def test_a_fold_after_a_truco_has_no_extra_point() -> None:  # rules.md#fold
    assert points(play("venezuelan", "A truco; B quiero; B fold")) == "3-0"
    assert points(play("venezuelan", "B fold")) == "2-0"


def test_vep_10_quiero_y_envido_goes_over_a_plain_envido_only() -> None:
    assert why_not(play("venezuelan", "A envido"), "B envido") is None
    assert why_not(play("venezuelan", "A envido 5"), "B envido") is Refusal.OUT_OF_ORDER
    assert why_not(play("venezuelan", "A envido; B envido"), "A envido") is Refusal.OUT_OF_ORDER
    game = play("venezuelan", "A envido; B envido_mas 3")
    assert why_not(game, "A envido") is Refusal.OUT_OF_ORDER


def test_what_equals_the_scores_is_no_plain_envido() -> None:  # rules.md#venezuelan-envite
    game = play("venezuelan", "A envido_igualar", "9-11")
    assert why_not(game, "B envido") is Refusal.OUT_OF_ORDER
    assert why_not(play("venezuelan", "A envido"), "B envido 5") is Refusal.OUT_OF_ORDER


def test_igualar_is_a_first_bid_and_falta_the_last() -> None:  # rules.md#venezuelan-envite
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
def test_every_falta_at_this_table(falta: str, to_a: int) -> None:  # rules.md#falta
    """A result of 1 counts 2."""
    game = play("venezuelan", "A falta_envido; B quiero; A envido_won", "9-11", falta=falta)
    assert game.score[0] == 9 + to_a


def test_half_inclusive() -> None:  # rules.md#half
    steps = "A falta_envido; B quiero; A envido_won"
    game = play("venezuelan", steps, "2-12", falta="malas_match", half_inclusive="buenas")
    assert points(game) == "14-12"
    assert play("venezuelan", steps, "2-12", falta="malas_match").winner == "A"


# --- comparing late (rules.md#venezuelan-late) ---


def test_truco_goes_on_while_the_envite_waits() -> None:  # rules.md#venezuelan-late
    game = play("venezuelan", "A envido; B quiero")
    assert document_value(game, "phase") == "awaiting_envido"
    game = play_on(game, "A truco")
    assert values(game, "phase", "suspended") == ("pending_truco", None)
    game = play_on(game, "B retruco; A quiero; - first_trick_done")
    assert document_value(game, "phase") == "awaiting_envido"
    game = play_on(game, "B hand_won")
    assert values(game, "points", "phase") == ("0-0", "awaiting_envido")
    assert points(play_on(game, "A envido_won")) == "2-6"


def test_the_suspended_truco_and_the_envite_in_either_order() -> None:  # rules.md#venezuelan-late
    game = play("venezuelan", "A truco; B envido; A quiero")
    assert why_not(game, "A quiero") is Refusal.OWN_CALL
    assert points(play_on(game, "B quiero; B envido_won; A hand_won")) == "3-2"
    assert points(play_on(game, "B envido_won; B quiero; A hand_won")) == "3-2"
    assert points(play_on(game, "B no_quiero; B envido_won")) == "1-2"


def test_the_envite_is_scored_first_and_may_end_the_game() -> None:  # rules.md#venezuelan-late
    game = play("venezuelan", "A envido; B quiero; A truco; B quiero; B hand_won", "22-21")
    assert game.winner is None
    won = play_on(game, "A envido_won")
    assert (points(won), won.winner) == ("24-21", "A")
    assert play_on(game, "B envido_won").winner == "B"


def test_folding_while_the_envite_waits() -> None:  # rules.md#venezuelan-late
    game = play("venezuelan", "A envido; B quiero; A truco; B quiero; A fold")
    assert document_value(game, "phase") == "awaiting_envido"
    assert points(play_on(game, "A envido_won")) == "2-3"


def test_a_refused_truco_waits_for_the_envite_too() -> None:  # rules.md#venezuelan-late
    game = play("venezuelan", "A envido; B quiero; A truco; B no_quiero")
    assert points(game) == "0-0"
    assert why_not(game, "- new_hand") is Refusal.WINNER_FIRST
    assert why_not(game, "A truco") is Refusal.WINNER_FIRST
    assert points(play_on(game, "B envido_won")) == "1-2"


# rules.md#venezuelan-late
def test_a_flor_still_cancels_the_envite_before_the_truco_is_answered() -> None:
    game = play("venezuelan", "A envido; B quiero; B truco")
    for side in ("A", "B"):
        assert why_not(game, f"{side} flor") is None
    assert points(play_on(game, "A flor; B no_flor; A no_quiero")) == "3-1"
    accepted = play_on(game, "A quiero")
    assert points(play_on(accepted, "A flor; B no_flor; A hand_won")) == "6-0"
    later = play("venezuelan", "A envido; B quiero; - first_trick_done")
    assert points(play_on(later, "A flor; B no_flor")) == "3-0"


def test_the_raises_of_the_truco_go_on_too() -> None:  # rules.md#venezuelan-late
    game = play("venezuelan", "A envido; B quiero; B truco; A retruco")
    assert (pays(game), document_value(game, "suspended")) == ((6, 3), None)
    assert why_not(game, "B hand_won") is Refusal.ANSWER_FIRST
    assert why_not(game, "- first_trick_done") is Refusal.ANSWER_FIRST
    assert points(play_on(game, "B envido_won; B no_quiero")) == "3-2"
    assert points(play_on(game, "B no_quiero; B envido_won")) == "3-2"


def test_no_call_is_legal_once_the_tricks_are_entered() -> None:  # rules.md#tricks
    game = play("venezuelan", "A envido; B quiero; A hand_won")
    for step in ("A truco", "B fold", "A flor", "- first_trick_done", "B hand_won", "- new_hand"):
        assert why_not(game, step) is Refusal.WINNER_FIRST, step
    tied = play("venezuelan", "A envido; B quiero; - all_tied; A envido_won", tied="none")
    assert values(tied, "points", "phase") == ("2-0", "hand_over")


# rules.md#venezuelan-late
def test_vale_juego_waits_for_the_envite_and_then_counts_what_lacks() -> None:
    steps = "A envido; B quiero; A truco; B retruco; A vale_nueve; B vale_juego; A quiero"
    game = play("venezuelan", f"{steps}; B hand_won", "22-3")
    assert play_on(game, "A envido_won").winner == "A"
    won = play_on(game, "B envido_won")
    assert (points(won), won.winner) == ("22-24", "B")


# rules.md#reversed
def test_reversing_a_winning_lie_keeps_the_entered_tricks() -> None:
    """The hand continues: it was already won, and is now paid."""
    game = play("venezuelan", "A envido; B quiero; B hand_won; A envido_won", "22-10")
    assert (points(game), game.winner) == ("24-10", "A")
    game = play_on(game, "A envido_reversed")
    assert values(game, "points", "phase") == ("22-13", "hand_over")
    game = play("venezuelan", "A flor; B flor; A fold; A flor_won; A flor_reversed", "21-10")
    assert values(game, "points", "phase") == ("21-11", "hand_over")


def test_folding_on_an_envite_refuses_it() -> None:  # rules.md#fold
    """The point of the uncalled envite is paid only while it could be called."""
    assert points(play("venezuelan", "A flor; B flor; B fold; B flor_won")) == "1-3"
    assert points(play("venezuelan", "A envido; B quiero; B fold; B envido_won")) == "1-2"
    assert points(play("venezuelan", "A envido 7; B fold")) == "2-0"
    assert points(play("venezuelan", "A truco; B envido; A fold")) == "0-2"
    assert points(play("venezuelan", "A flor; B fold")) == "4-0"
    assert points(play("venezuelan", "A flor; B flor; A flor_envida; B fold")) == "5-0"


# --- flor ---


def test_vep_52_three_for_a_flor_and_six_for_two() -> None:
    assert points(play("venezuelan", "A flor; B no_flor")) == "3-0"
    assert points(play("venezuelan", "A flor; A flor; B no_flor")) == "6-0"
    assert points(play("venezuelan", "A envido; B quiero; B flor; A no_flor")) == "0-3"


def test_case_11_of_two_flores_only_the_better_are_paid() -> None:
    game = play("venezuelan", "A flor; A flor; B flor")
    assert points(play_on(game, "A flor_won")) == "6-0"
    assert points(play_on(game, "A flor_won 2")) == "6-0"
    assert points(play_on(game, "A flor_won 1")) == "3-0"
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


def test_a_bet_of_flores_pays_the_winners_own_flores() -> None:  # rules.md#venezuelan-flor
    game = play("venezuelan", "A flor; A flor; B flor; B flor_envida")
    assert pays(game) == ({"A": 8, "B": 5}, 4)
    game = play("venezuelan", "A flor; A flor; B flor; A flor_envida; B no_quiero")
    assert points(game) == "7-0"


def test_vep_54_of_two_flores_in_a_bet_those_that_beat_the_rivals_are_paid() -> None:
    game = play(
        "venezuelan", "A flor; A flor; B flor; A flor_envida; B flor_envida_mas 3; A quiero"
    )
    assert points(play_on(game, "A flor_won")) == "11-0"
    assert points(play_on(game, "A flor_won 1")) == "8-0"
    assert points(play_on(game, "B flor_won 1")) == "0-8"


def test_vep_22_flores_are_bet_while_the_truco_waits() -> None:
    game = play("venezuelan", "A truco; B flor")
    assert document_value(game, "suspended") == {"by": "A", "call": "truco"}
    game = play_on(game, "A flor; B flor_envida")
    assert (document_value(game, "suspended"), pays(game)) == ({"by": "A", "call": "truco"}, (5, 4))
    assert why_not(game, "B quiero") is Refusal.OWN_CALL
    assert points(play_on(game, "A no_quiero; B no_quiero")) == "1-4"
    assert points(play_on(game, "A quiero; B quiero; A hand_won; B flor_won")) == "3-5"


def test_vep_55_only_one_side_is_paid_for_flor() -> None:
    game = play("venezuelan", "A flor; B flor; A flor_won")
    for step in ("B flor_won", "B flor", "B flor_envida", "B envido"):
        assert why_not(game, step) is not None, step
    assert points(play_on(game, "B hand_won")) == "3-1"


@pytest.mark.parametrize("answer", ["me_achico", "no_quiero", "no_flor"])
def test_small_words_over_a_plain_flor(answer: str) -> None:  # rules.md#flor-words
    assert points(play("venezuelan", f"A flor; A flor; B {answer}")) == "6-0"


def test_vep_66_la_reservada_is_five_and_is_entered_as_points() -> None:
    """Flor 3, one stone for an uncalled envite, one for the truco."""
    assert points(play("venezuelan", "A flor; B no_flor; A award 1; A hand_won")) == "5-0"
    # With the partner's flor that stone is not paid (case 5).
    assert points(play("venezuelan", "A flor; A flor; B no_flor; A hand_won")) == "7-0"


def test_penalties_are_points_and_payments_are_deducted() -> None:  # rules.md#reversed
    """VEP 62: a false flor is two stones for the rivals; the judge's five, VEP 98."""
    game = play("venezuelan", "A flor; B no_flor; A flor_reversed; B award 2")
    assert values(game, "points", "phase") == ("0-2", "playing")
    assert points(play("venezuelan", "A envido; B quiero; A truco; B award 5")) == "0-5"


def test_an_award_during_a_bet_does_not_change_the_bet() -> None:  # rules.md#award
    before = play("venezuelan", "A envido; B quiero; A truco")
    after = play_on(before, "B award 5")
    assert after.hand == before.hand
    assert play("venezuelan", "A envido; B quiero; B award 2", "3-22").winner == "B"


def test_flores_bet_only_once_both_are_sung() -> None:  # rules.md#venezuelan-flor
    assert why_not(play("venezuelan", "A flor"), "B flor_envida") is Refusal.ANSWER_FIRST
    game = play("venezuelan", "A flor; B flor")
    assert why_not(game, "A flor_envida_mas 2") is Refusal.OUT_OF_ORDER
    assert why_not(game, "A flor_envida 1") is Refusal.TOO_LITTLE
    assert why_not(game, "A flor_envida 25") is Refusal.TOO_MUCH
    assert why_not(game, "A contraflor") is Refusal.NOT_IN_THIS_VARIANT
    game = play_on(game, "A flor_envida")
    assert why_not(game, "A flor_envida_mas 2") is Refusal.OWN_CALL
    assert why_not(game, "B flor_envida") is Refusal.OUT_OF_ORDER


@pytest.mark.parametrize(
    ("pays_what", "score"), [("own", "0-3"), ("per_flor", "0-6"), ("four", "0-4"), ("six", "0-6")]
)
# rules.md#options
def test_other_ways_to_pay_flor_against_flor(pays_what: str, score: str) -> None:
    """Option ``flor_vs_flor``."""
    assert points(play("venezuelan", "A flor; B flor; B flor_won", flor_vs_flor=pays_what)) == score


def test_in_venezuela_a_false_flor_is_only_deducted() -> None:  # rules.md#reversed
    game = play("venezuelan", "A flor; B no_flor; B hand_won; A flor_reversed")
    assert points(game) == "0-1"
    game = play("venezuelan", "A flor; B no_flor; A flor_reversed", "21-10")
    assert (points(game), game.winner) == ("21-10", None)


def test_a_false_envite_goes_to_the_rival() -> None:  # rules.md#reversed
    game = play("venezuelan", "A envido; B quiero; A envido_won; B hand_won; A envido_reversed")
    assert points(game) == "0-3"


def test_ties_and_folds() -> None:  # rules.md#venezuelan
    """Options ``tied`` and ``fold_first``."""
    assert points(play("venezuelan", "- all_tied", mano="B")) == "0-1"
    assert points(play("venezuelan", "- all_tied", mano="B", tied="none")) == "0-0"
    assert points(play("venezuelan", "A fold")) == "0-2"
    assert points(play("venezuelan", "A fold", fold_first=1)) == "0-1"
    assert points(play("venezuelan", "A truco; B no_quiero")) == "1-0"


def test_el_bonito_and_playing_on() -> None:  # rules.md#series
    """Options ``best_of`` and ``finish``."""
    game = play("venezuelan", "B no_privo", "23-3", best_of=3)
    assert values(game, "phase", "games") == ("game_over", {"A": 1, "B": 0})
    game = play_on(game, "- new_hand")
    assert values(game, "points", "phase", "mano") == ("0-0", "playing", "B")
    steps = "A envido; B quiero; A envido_won"
    game = play("venezuelan", steps, "22-21", finish="end_of_hand")
    assert game.winner is None
    assert play_on(game, "B truco; A quiero; B hand_won").winner is None
