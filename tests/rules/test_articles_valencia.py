"""Truc valencià, by rules.md#valencian."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def test_slv_a_cama_is_eighteen() -> None:
    game = deal("valencian", "9-10")
    assert (game.rules.target, document_value(game, "half")) == (18, 9)
    assert document_value(game, "spoken") == {"A": (9, "malas"), "B": (1, "buenas")}
    assert deal("valencian", target=24).rules.half == 12
    assert deal("valencian", buenas=False).rules.half is None


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("A truc", 2, 1),
        ("A truc; B retruc", 3, 2),
        ("A truc; B retruc; A quatre_val", 4, 3),
        ("A truc; B retruc; A quatre_val; B joc_fora", "game", 4),
    ],
)
def test_fjd_the_ladder(calls: str, wanted: object, refused: int) -> None:
    assert pays(play("valencian", calls)) == (wanted, refused)


def test_fjd_only_who_accepted_owns_the_next_raise() -> None:
    game = play("valencian", "A truc; B quiero")
    assert (document_value(game, "may_raise"), why_not(game, "A retruc")) == (
        ["B"],
        Refusal.NOT_YOUR_RAISE,
    )
    assert why_not(game, "B quatre_val") is Refusal.OUT_OF_ORDER
    game = play_on(game, "B retruc; A quatre_val; B joc_fora; A quiero")
    assert values(game, "stake", "may_raise") == ("game", [])


@pytest.mark.parametrize(
    ("steps", "score", "winner"),
    [
        ("A no_quiero", "3-16", None),
        ("A fold", "3-16", None),
        ("A quiero; A fold", "3-18", "B"),
        ("A quiero; - tricks A,tie", "18-12", "A"),
        ("A quiero; - all_tied", "18-12", "A"),
    ],
)
def test_fjd_joc_fora_wanted_and_not(steps: str, score: str, winner: str | None) -> None:
    game = play("valencian", f"A truc; B retruc; A quatre_val; B joc_fora; {steps}", "3-12")
    assert (points(game), game.winner) == (score, winner)


def test_a_score_past_the_cama_is_spoken_as_the_cama() -> None:  # rules.md#overshoot
    game = play("valencian", "A truc; B retruc; A quatre_val; B joc_fora; A no_quiero", "3-16")
    assert (points(game), document_value(game, "spoken")["B"]) == ("3-20", (9, "buenas"))


def test_fjd_joc_fora_completes_the_cama() -> None:
    steps = "A truc; B retruc; A quatre_val; B joc_fora; A quiero; A hand_won"
    game = play("valencian", steps, "3-12")
    assert (points(game), game.winner) == ("18-12", "A")


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("A envit", 2, 1),
        ("A envit; B torne", 4, 2),
        ("A falta", 6, 1),
        ("A envit; B falta", 6, 2),
        ("A envit; B torne; A falta", 6, 4),
    ],
)
def test_vpu_envit_torne_and_la_falta(calls: str, wanted: int, refused: int) -> None:
    assert pays(play("valencian", calls, "3-12")) == (wanted, refused)


def test_vpu_only_la_falta_answers_a_torne() -> None:
    assert why_not(deal("valencian"), "A torne") is Refusal.OUT_OF_ORDER
    game = play("valencian", "A envit; B torne")
    assert why_not(game, "A envit") is Refusal.OUT_OF_ORDER
    assert why_not(game, "A torne") is Refusal.OUT_OF_ORDER
    assert why_not(play("valencian", "A envit"), "B envit") is Refusal.OUT_OF_ORDER
    assert why_not(play("valencian", "A falta"), "B torne") is Refusal.OUT_OF_ORDER


@pytest.mark.parametrize(
    ("falta", "start", "to_a"),
    [
        ("malas_match", "3-5", 15),
        ("malas_match", "3-12", 6),
        ("leader_to_target", "3-5", 13),
        ("loser_to_target", "3-5", 13),
        ("leader_half", "3-5", 4),
        ("loser_half", "3-5", 4),
        ("winner_half", "3-5", 6),
        ("match", "3-12", 15),
        ("fixed", "3-5", 6),
    ],
)
def test_vpu_la_falta_and_other_ways(falta: str, start: str, to_a: int) -> None:
    """Both in males: the cama."""
    game = play("valencian", "A falta; B quiero; A envido_won", start, falta=falta)
    assert game.score[0] == 3 + to_a


@pytest.mark.parametrize(
    ("start", "to_a", "to_b"),
    [
        ("0-0", 18, 18),
        ("9-9", 9, 9),
        ("8-9", 10, 9),
        ("9-10", 8, 8),
        ("10-10", 8, 8),
        ("17-0", 1, 1),
        ("17-17", 1, 1),
    ],
)
def test_vpu_la_falta_at_every_height(start: str, to_a: int, to_b: int) -> None:
    """Nine is the last of the males; the winner of the cama is paid what it lacks."""
    expected = to_a if to_a == to_b else {"A": to_a, "B": to_b}
    assert pays(play("valencian", "A envit; B torne; A falta", start)) == (expected, 4)


def test_slv_other_targets_and_no_halves() -> None:
    """Options ``target`` and ``buenas``."""
    steps = "A falta; B quiero; A envido_won"
    assert play("valencian", steps, "11-12", target=24).winner == "A"
    assert points(play("valencian", steps, "11-13", target=24)) == "22-13"
    assert points(play("valencian", steps, "3-5", buenas=False)) == "16-5"
    assert points(play("valencian", steps, "3-5", target=12)) == "10-5"
    assert play("valencian", steps, "3-5", target=12, buenas=True).winner == "A"


def test_half_inclusive() -> None:  # rules.md#half
    steps = "A falta; B quiero; A envido_won"
    assert play("valencian", steps, "3-9").winner == "A"
    assert points(play("valencian", steps, "3-9", half_inclusive="buenas")) == "12-9"


def test_there_is_no_flor_and_no_castilian_word() -> None:  # rules.md#valencian
    for step in ("A flor", "A truco", "A envido", "A vale_cuatro"):
        assert why_not(deal("valencian"), step) is Refusal.NOT_IN_THIS_VARIANT


def test_the_envit_goes_before_the_truc() -> None:  # rules.md#precedence
    game = play("valencian", "A truc; B envit")
    assert document_value(game, "suspended") == {"by": "A", "call": "truc"}
    assert points(play_on(game, "A no_quiero; B no_quiero")) == "1-1"
    assert points(play_on(game, "A torne; B falta; A no_quiero; B no_quiero")) == "1-4"
    assert points(play_on(game, "A fold")) == "0-2"
    for steps in ("A truc; B quiero", "- first_trick_done", "A envit; B no_quiero"):
        assert why_not(play("valencian", steps), "B envit") is Refusal.ENVIDO_CLOSED
    assert why_not(play("valencian", "A truc"), "A envit") is Refusal.OWN_CALL


def test_an_envit_that_completes_the_cama_leaves_the_truc_void() -> None:  # rules.md#settlement
    game = play("valencian", "A truc; B envit; A quiero; B envido_won", "17-16")
    assert (points(game), game.winner, document_value(game, "suspended")) == ("17-18", "B", None)
    assert why_not(game, "B quiero") is Refusal.GAME_OVER


def test_ties_go_to_the_mano_and_folding_costs_one() -> None:  # rules.md#valencian
    """Options ``tied``, ``fold_first`` and ``envido_refused``."""
    assert points(play("valencian", "- all_tied", mano="B")) == "0-1"
    assert points(play("valencian", "- all_tied", tied="none")) == "0-0"
    assert points(play("valencian", "A fold")) == "0-1"
    assert points(play("valencian", "A fold", fold_first=2)) == "0-2"
    steps = "A envit; B torne; A no_quiero"
    assert points(play("valencian", steps, envido_refused="plus_one")) == "0-3"


def test_a_false_envit_goes_to_the_rival() -> None:  # rules.md#reversed
    assert points(
        play("valencian", "A envit; B torne; A quiero; A envido_won; A envido_reversed")
    ) == ("0-4")


def test_a_partida_and_playing_on() -> None:  # rules.md#series
    """Options ``best_of`` and ``finish``."""
    game = play("valencian", "A hand_won; - new_hand", "17-3", best_of=3)
    assert values(game, "points", "games") == ("0-0", {"A": 1, "B": 0})
    steps = "A envit; B quiero; A envido_won"
    assert play("valencian", steps, "16-3", finish="end_of_hand").winner is None
