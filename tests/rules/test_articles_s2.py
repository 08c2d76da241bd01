"""Truco paulista by S2: the ladder, ties, the mão de onze and the mão de ferro."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def test_s2_twelve_points_win() -> None:
    game = play("paulista", "A truco; B quiero; A hand_won", start="9-4")
    assert (points(game), game.winner, document_value(game, "phase")) == ("12-4", "A", "match_over")


def test_s2_a_regular_round_is_one_point() -> None:
    assert points(play("paulista", "- tricks A,B,B")) == "0-1"


def test_s2_truco_can_be_asked_before_any_trick() -> None:
    for before in ("", "- tricks A", "- tricks A,B"):
        assert why_not(play("paulista", before), "B truco") is None


def test_s2_accepted_the_round_is_worth_three() -> None:
    assert points(play("paulista", "A truco; B quiero; B hand_won")) == "0-3"


def test_s2_rejected_the_proposer_scores_one() -> None:
    game = play("paulista", "A truco; B no_quiero")
    assert values(game, "points", "phase") == ("1-0", "hand_over")


def test_s2_the_answer_may_be_six_then_nine_up_to_twelve() -> None:
    game = play("paulista", "A truco; B seis")
    assert points(play_on(game, "A no_quiero")) == "0-3"
    assert points(play_on(game, "A quiero; A hand_won")) == "6-0"
    game = play_on(game, "A nove; B doze")
    assert pays(game) == (12, 9)
    assert points(play_on(game, "A no_quiero")) == "0-9"
    assert play_on(game, "A quiero; A hand_won").winner == "A"
    assert document_value(play_on(game, "A quiero"), "may_raise") == []


def test_s2_the_same_side_never_raises_twice_running() -> None:
    game = play("paulista", "A truco; B quiero")
    assert why_not(game, "A seis") is Refusal.NOT_YOUR_RAISE
    assert why_not(game, "B seis") is None


@pytest.mark.parametrize(("tricks", "winner"), [("tie,B", "B"), ("A,tie", "A")])
def test_s2_a_tied_trick_is_decided_by_the_other_one(tricks: str, winner: str) -> None:
    game = play("paulista", f"- tricks {tricks}")
    assert points(game) == ("1-0" if winner == "A" else "0-1")


def test_s2_the_side_on_eleven_decides_after_the_deal() -> None:
    game = play("paulista", "B hand_won; - new_hand", start="3-10")
    assert document_value(game, "phase") == "mao_decision"
    assert points(play_on(game, "B mao_play; A hand_won")) == "6-11"
    assert points(play_on(game, "B mao_run")) == "4-11"


def test_s2_after_running_the_cards_are_dealt_again() -> None:
    """The next hand is another mão de onze while only one side is on eleven."""
    game = play("paulista", "A mao_run; - new_hand", start="11-3")
    assert (points(game), document_value(game, "phase"), game.mano) == ("11-4", "mao_decision", "B")


def test_s2_the_iron_hand_decides_the_game() -> None:
    game = play("paulista", "A mao_run; - new_hand", start="11-10")
    assert document_value(game, "phase") == "playing"
    assert why_not(game, "A mao_play") is Refusal.NOTHING_TO_DECIDE
    assert why_not(game, "B truco") is Refusal.NO_RAISING_HERE
    assert play_on(game, "- tricks B,B").winner == "B"


def test_s2_there_is_no_envido_and_no_flor() -> None:
    for word in ("envido", "flor", "envido_won", "envido_reversed", "contraflor", "no_flor"):
        assert why_not(deal("paulista"), f"A {word}") is Refusal.NOT_IN_THIS_VARIANT
