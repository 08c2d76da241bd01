"""Destantado: the rulebook's section 9, and what 22.4 decides about it."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.playing import deal, go_on, play, points, shown, why_not


def test_s1_everybody_begins_with_ten_and_the_pot_with_nothing() -> None:
    game = deal("destantado")
    assert (points(game), shown(game, "pot"), shown(game, "half")) == ("10-10-10", 0, None)
    assert points(deal("destantado", target=15)) == "15-15-15"


def test_s1_of_an_envido_the_winner_passes_two_to_each_who_agreed() -> None:
    game = play("destantado", "A envido; B quiero; C no_quiero")
    assert points(go_on(game, "A envido_won")) == "8-12-10"
    assert points(go_on(game, "B envido_won")) == "12-8-10"
    assert why_not(game, "C envido_won") is Refusal.NO_WINNER_WANTED
    game = play("destantado", "A envido; B quiero; C quiero; C envido_won")
    assert (points(game), shown(game, "phase")) == ("12-12-6", "playing")


@pytest.mark.parametrize("call", ["envido", "real_envido", "falta_envido"])
def test_s1_an_envido_nobody_wants_costs_its_caller_a_point(call: str) -> None:
    game = play("destantado", f"A {call}; B no_quiero; C no_quiero")
    assert (points(game), shown(game, "pot"), shown(game, "phase")) == ("9-10-10", 1, "playing")


def test_22_4_the_others_answer_in_any_order() -> None:
    game = play("destantado", "A envido; C quiero")
    assert shown(game, "phase") == "pending_envido"
    assert why_not(game, "C no_quiero") is Refusal.TOO_LATE
    assert why_not(game, "A quiero") is Refusal.OWN_CALL
    assert why_not(game, "A envido_won") is Refusal.NO_WINNER_WANTED
    assert points(go_on(game, "B no_quiero; C envido_won")) == "12-10-8"


@pytest.mark.parametrize(
    ("calls", "to_b"),
    [
        ("A envido; B quiero", 2),
        ("A real_envido; B quiero", 3),
        ("A falta_envido; B quiero", 6),
        ("A envido; B envido; A quiero", 4),
        ("A envido; B real_envido; A quiero", 5),
        ("A envido; B envido; A real_envido; B quiero", 7),
        ("A envido; B falta_envido; A quiero", 6),
    ],
)
def test_s1_stakes_of_the_envido(calls: str, to_b: int) -> None:
    game = play("destantado", f"{calls}; C no_quiero; A envido_won")
    assert points(game) == f"{10 - to_b}-{10 + to_b}-10"


def test_22_4_everybody_owes_what_he_last_agreed_to() -> None:
    """C agreed to the envido of two and left before the raise was answered."""
    game = play("destantado", "A envido; C quiero; B envido; A quiero; C no_quiero; A envido_won")
    assert points(game) == "4-14-12"


def test_22_4_a_raise_nobody_wants() -> None:
    """The raiser wins and passes each what that one had agreed to."""
    game = play("destantado", "A envido; B real_envido; A no_quiero; C no_quiero")
    assert (points(game), shown(game, "phase")) == ("12-8-10", "playing")
    game = play("destantado", "A truco; C quiero; B retruco; A no_quiero; C no_quiero")
    assert (points(game), shown(game, "phase")) == ("12-6-12", "hand_over")


@pytest.mark.parametrize(
    ("calls", "each"),
    [
        ("A truco", 2),
        ("A truco; B retruco", 3),
        ("A truco; B retruco; A vale_cuatro", 4),
    ],
)
def test_s1_stakes_of_the_truco(calls: str, each: int) -> None:
    rivals = [side for side in "ABC" if side != calls.split("; ")[-1][0]]
    game = play("destantado", "; ".join([calls, *(f"{side} quiero" for side in rivals)]))
    assert shown(game, "stake") == each
    won = go_on(game, "C hand_won")
    assert shown(won, "score") == {"A": 10 + each, "B": 10 + each, "C": 10 - 2 * each}


def test_s1_a_truco_nobody_wants_ends_the_hand() -> None:
    game = play("destantado", "B truco; A no_quiero; C no_quiero")
    assert (points(game), shown(game, "pot"), shown(game, "phase")) == ("10-9-10", 1, "hand_over")


def test_s1_who_refuses_a_truco_drops_out() -> None:
    game = play("destantado", "B truco; A quiero; C no_quiero")
    for step in ("C hand_won", "C retruco", "C fold"):
        assert why_not(game, step) is Refusal.TOO_LATE, step
    assert points(go_on(game, "A hand_won")) == "8-12-10"


def test_22_4_both_who_accepted_may_call_next() -> None:
    game = play("destantado", "A truco; B quiero; C quiero")
    assert shown(game, "may_raise") == ["B", "C"]
    assert why_not(game, "A retruco") is Refusal.NOT_YOUR_RAISE
    game = go_on(game, "C retruco")
    assert shown(game, "may_raise") == ["A", "B"]


def test_9_a_hand_without_truco_gives_one_to_the_pot() -> None:
    """Option ``destantado_plain_hand``: or one to each rival."""
    game = play("destantado", "A hand_won")
    assert (points(game), shown(game, "pot")) == ("9-10-10", 1)
    game = play("destantado", "A hand_won", destantado_plain_hand="rivals")
    assert (points(game), shown(game, "pot")) == ("8-11-11", 0)


def test_s1_who_won_the_hand_leads_the_next_one() -> None:
    assert shown(play("destantado", "C hand_won; - new_hand"), "mano") == "C"
    assert shown(play("destantado", "A truco; B no_quiero; C no_quiero; - new_hand"), "mano") == "A"
    assert shown(play("destantado", "A fold; B fold; - new_hand"), "mano") == "C"


def test_22_4_all_tied_is_the_manos() -> None:
    assert points(play("destantado", "- all_tied", mano="B")) == "10-9-10"
    game = play("destantado", "A truco; C quiero; B no_quiero; - all_tied", mano="B")
    assert points(game) == "12-10-8"


def test_22_4_folding_leaves_the_hand_and_owes_what_was_agreed() -> None:
    game = play("destantado", "A fold")
    assert (points(game), shown(game, "phase")) == ("10-10-10", "playing")
    assert why_not(game, "A fold") is Refusal.TOO_LATE
    over = go_on(game, "B fold")
    assert (points(over), shown(over, "pot"), shown(over, "phase")) == ("10-10-9", 1, "hand_over")
    game = play("destantado", "A truco; B quiero; C quiero; B fold; C hand_won")
    assert points(game) == "12-12-6"
    game = play("destantado", "A truco; B quiero; C quiero; B fold; C fold")
    assert points(game) == "6-12-12"


def test_22_4_who_has_left_is_asked_no_more() -> None:
    game = play("destantado", "A fold; B envido; C no_quiero")
    assert (points(game), shown(game, "phase")) == ("10-9-10", "playing")
    game = play("destantado", "A fold; B truco; C quiero; C hand_won")
    assert points(game) == "10-12-8"
    assert play("destantado", "A fold; B envido; C fold").hand.over


def test_2_7_the_envido_goes_before_the_truco() -> None:
    game = play("destantado", "A truco; B envido")
    assert shown(game, "suspended") == {"by": "A", "call": "truco"}
    game = go_on(game, "A quiero; C no_quiero")
    assert why_not(game, "B quiero") is Refusal.WINNER_FIRST
    game = go_on(game, "A envido_won")
    assert shown(game, "phase") == "pending_truco"
    assert points(go_on(game, "B quiero; C no_quiero; B hand_won")) == "10-10-10"
    assert why_not(play("destantado", "A truco"), "A envido") is Refusal.OWN_CALL
    assert why_not(play("destantado", "- first_trick_done"), "A envido") is Refusal.ENVIDO_CLOSED


def test_9_nobody_passes_more_than_he_has() -> None:
    """In play order from the winner, until the pile is empty."""
    for pile, end in ((3, "0-14-16"), (2, "0-14-15"), (1, "0-13-15")):
        game = play("destantado", "A envido; B quiero; C quiero; A envido_won", f"{pile}-12-15")
        assert (points(game), game.winner) == (end, "A")
    game = play("destantado", "C truco; A quiero; B quiero; C hand_won", "12-14-3")
    assert (points(game), game.winner) == ("14-15-0", "C")


def test_9_the_envido_comes_first_and_may_end_it() -> None:
    game = play("destantado", "B truco; A envido; B quiero; C no_quiero; A envido_won", "2-12-16")
    assert (game.winner, shown(game, "phase")) == ("A", "match_over")


def test_s1_the_last_point_may_go_to_the_pot() -> None:
    assert play("destantado", "A envido; B no_quiero; C no_quiero", "1-12-16").winner == "A"


def test_22_4_an_award_goes_from_the_pile_to_the_pot() -> None:
    game = play("destantado", "B award 3")
    assert (points(game), shown(game, "pot"), shown(game, "phase")) == ("10-7-10", 3, "playing")
    assert play("destantado", "B award 3", "14-2-14").winner == "B"


def test_22_4_no_flor_and_no_tricks() -> None:
    for step in ("A flor", "- tricks A,A", "A envido_reversed", "A envido 5"):
        assert why_not(deal("destantado"), step) is Refusal.NOT_IN_THIS_VARIANT, step


def test_2_10_a_series() -> None:
    """Option ``best_of``."""
    game = play("destantado", "A hand_won; - new_hand", "1-12-16", best_of=3)
    assert (points(game), shown(game, "games")) == ("10-10-10", {"A": 1, "B": 0, "C": 0})


def test_9_piles_and_pot_hold_thirty_whatever_stands_at_the_start() -> None:
    assert shown(deal("destantado", "2-12-10"), "pot") == 6
    with pytest.raises(ValueError, match="31"):
        deal("destantado", "10-10-11")
