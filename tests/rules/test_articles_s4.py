"""The general Brazilian rules of S4 (in Portuguese): each scoring sentence."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, pays, play, play_on, points, values, why_not


def test_s4_twelve_tentos_win_and_a_hand_is_one() -> None:
    assert points(play("br_general", "A hand_won")) == "1-0"
    assert play("br_general", "A hand_won", start="10-3").winner is None
    assert play("br_general", "A mao_play; A hand_won", start="11-3").winner == "A"


@pytest.mark.parametrize(
    ("tricks", "winner"),
    [("A,tie", "A"), ("tie,B", "B"), ("tie,tie,B", "B"), ("A,B,tie", "A"), ("B,A,A", "A")],
)
def test_s4_a_tied_round_is_decided_by_the_one_before_or_after(tricks: str, winner: str) -> None:
    """One tie: the other trick decides; a tied third leaves the winner of the first."""
    game = play("br_general", f"- tricks {tricks}")
    assert points(game) == ("1-0" if winner == "A" else "0-1")


def test_s4_if_all_three_are_tied_the_hand_is_not_paid() -> None:
    game = play("br_general", "A truco; B quiero; - all_tied", start="3-3")
    assert values(game, "points", "phase") == ("3-3", "hand_over")


def test_s4_desce_makes_the_hand_three_and_correr_gives_one() -> None:
    game = play("br_general", "A truco")
    assert pays(game) == (3, 1)
    assert points(play_on(game, "B quiero; B hand_won")) == "0-3"
    assert points(play_on(game, "B no_quiero")) == "1-0"


def test_s4_six_is_asked_by_the_pair_that_accepted() -> None:
    game = play("br_general", "A truco; B quiero")
    assert why_not(game, "A seis") is Refusal.NOT_YOUR_RAISE
    assert points(play_on(game, "B seis; A no_quiero")) == "0-3"
    assert points(play_on(game, "B seis; A quiero; A hand_won")) == "6-0"


def test_s4_nine_and_twelve_repeat_the_movement() -> None:
    game = play("br_general", "A truco; B seis; A quiero; A nove")
    assert pays(game) == (9, 6)
    assert why_not(play_on(game, "B quiero"), "A doze") is Refusal.NOT_YOUR_RAISE
    game = play_on(game, "B quiero; B doze")
    assert pays(game) == (12, 9)


def test_s4_with_one_pair_on_eleven_the_hand_is_worth_three_without_raises() -> None:
    game = play("br_general", "A mao_play", start="11-8")
    assert values(game, "stake", "may_raise") == (3, [])
    for side in "AB":
        for call in ("truco", "seis"):
            assert why_not(game, f"{side} {call}") is Refusal.NO_RAISING_HERE
    assert points(play_on(game, "B hand_won")) == "11-11"


def test_s4_the_pair_on_eleven_may_refuse_and_loses_one() -> None:
    game = play("br_general", "B mao_run", start="8-11")
    assert values(game, "points", "phase") == ("9-11", "hand_over")


def test_s4_both_on_eleven_is_a_normal_hand_without_truco() -> None:
    game = deal("br_general", "11-11")
    assert values(game, "phase", "stake") == ("playing", 1)
    assert why_not(game, "A truco") is Refusal.NO_RAISING_HERE
    assert play_on(game, "A hand_won").winner == "A"


def test_a_table_may_punish_the_truco_instead() -> None:  # rules.md#special-hand
    """Option ``mao_truco=lose_hand``, as in São Paulo."""
    game = play("br_general", "A mao_play; A truco", start="11-8", mao_truco="lose_hand")
    assert points(game) == "11-11"


def test_s4_the_next_hand_is_opened_by_the_other_pair() -> None:
    assert play("br_general", "A hand_won; - new_hand").mano == "B"
