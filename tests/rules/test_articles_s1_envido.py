"""The envido of S1: table of calls, window, lies, and every falta envido."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


@pytest.mark.parametrize(
    ("chain", "wanted", "refused"),
    [
        ("A envido", 2, 1),
        ("A real_envido", 3, 1),
        ("A falta_envido", 30, 1),
        ("A envido; B envido", 4, 2),
        ("A envido; B real_envido", 5, 2),
        ("A envido; B falta_envido", 30, 2),
        ("A real_envido; B falta_envido", 30, 3),
        ("A envido; B envido; A real_envido", 7, 4),
        ("A envido; B envido; A falta_envido", 30, 4),
        ("A envido; B real_envido; A falta_envido", 30, 5),
        ("A envido; B envido; A real_envido; B falta_envido", 30, 7),
    ],
)
def test_s1_the_table_of_envidos(chain: str, wanted: int, refused: int) -> None:
    """S1's list: accepted pays the sum, refused all but the last call."""
    game = play("argentine", chain)
    assert pays(game) == (wanted, refused)
    caller = document_value(game, "pending")["by"]
    other = "B" if caller == "A" else "A"
    for winner in "AB":
        won = play_on(game, f"{other} quiero; {winner} envido_won")
        assert points(won) == (f"{wanted}-0" if winner == "A" else f"0-{wanted}")
    lost = play_on(game, f"{other} no_quiero")
    assert points(lost) == (f"{refused}-0" if caller == "A" else f"0-{refused}")


def test_s1_envido_not_wanted_pays_one() -> None:
    game = play("argentine", "A envido; B no_quiero")
    assert values(game, "points", "phase", "stake") == ("1-0", "playing", 1)
    assert document_value(game, "last") == [{"to": "A", "points": 1, "why": "envido_refused"}]


@pytest.mark.parametrize(
    "steps",
    [
        "A envido; B envido; A envido",
        "A real_envido; B envido",
        "A real_envido; B real_envido",
        "A envido; B real_envido; A envido",
        "A envido; B real_envido; A real_envido",
        "A falta_envido; B envido",
        "A falta_envido; B real_envido",
        "A falta_envido; B falta_envido",
    ],
)
def test_s1_nothing_lower_and_no_third_envido_answers(steps: str) -> None:
    """A real envido is not raised by an envido or a real envido, a falta by nothing."""
    said, _, last = steps.rpartition("; ")
    assert why_not(play("argentine", said), last) is Refusal.OUT_OF_ORDER


def test_s0_a_real_envido_may_answer_a_real_envido_at_some_tables() -> None:
    """Option ``real_envido_again``: 6 accepted and 3 refused; after an envido 8 and 5."""
    game = play("argentine", "A real_envido; B real_envido", real_envido_again=True)
    assert pays(game) == (6, 3)
    game = play("argentine", "A envido; B real_envido; A real_envido", real_envido_again=True)
    assert pays(game) == (8, 5)
    assert why_not(game, "B real_envido") is Refusal.OUT_OF_ORDER


def test_s1_only_the_side_that_must_answer_may_raise() -> None:
    game = play("argentine", "A envido")
    for raised in ("envido", "real_envido", "falta_envido"):
        assert why_not(game, f"A {raised}") is Refusal.OWN_CALL
        assert why_not(game, f"B {raised}") is None


def test_s1_answering_the_envido_does_not_end_the_hand() -> None:
    for answer in ("B no_quiero", "B quiero; A envido_won"):
        game = play_on(play("argentine", "A envido"), answer)
        assert document_value(game, "phase") == "playing"
        assert why_not(game, "B truco") is None


def test_s1_unless_its_points_win_the_match() -> None:
    game = play("argentine", "A envido; B quiero; A envido_won", start="28-3")
    assert (game.winner, document_value(game, "phase")) == ("A", "match_over")
    game = play("argentine", "A envido; B no_quiero", start="29-3")
    assert (game.winner, document_value(game, "phase")) == ("A", "match_over")
    assert why_not(game, "A truco") is Refusal.GAME_OVER


def test_s1_envido_is_called_once_in_a_hand() -> None:
    for steps in ("A envido; B no_quiero", "A envido; B quiero; B envido_won"):
        assert why_not(play("argentine", steps), "B envido") is Refusal.ENVIDO_CLOSED


def test_s1_envido_belongs_to_the_first_trick() -> None:
    assert why_not(play("argentine", "- first_trick_done"), "A envido") is Refusal.ENVIDO_CLOSED
    assert why_not(play("argentine", "- first_trick_done"), "- first_trick_done") is (
        Refusal.TOO_LATE
    )


def test_s1_the_envido_must_be_settled_before_anything_else() -> None:
    game = play("argentine", "A envido; B quiero")
    for step in ("A truco", "A hand_won", "B fold", "- all_tied", "- tricks A", "- new_hand"):
        assert why_not(game, step) is Refusal.WINNER_FIRST
    assert why_not(play("argentine", "A envido"), "B truco") is Refusal.ANSWER_FIRST
    assert why_not(play("argentine", "A envido"), "A hand_won") is Refusal.ANSWER_FIRST


def test_s1_an_envido_is_won_only_after_it_was_accepted() -> None:
    assert why_not(deal("argentine"), "A envido_won") is Refusal.NO_WINNER_WANTED
    assert why_not(play("argentine", "A envido"), "A envido_won") is Refusal.NO_WINNER_WANTED


def test_s1_a_side_that_lied_about_the_envido_gives_its_points_to_the_rival() -> None:
    """Also if the cards are not shown; from the payment until the next deal."""
    hand = "A envido; B quiero; B envido_won; A hand_won"
    game = play("argentine", f"{hand}; B envido_reversed", start="4-4")
    assert points(game) == "7-4"
    assert document_value(game, "last") == [
        {"to": "B", "points": -2, "why": "envido_reversed"},
        {"to": "A", "points": 2, "why": "envido_reversed"},
    ]
    assert why_not(game, "B envido_reversed") is Refusal.NOTHING_TO_REVERSE
    assert why_not(play("argentine", f"{hand}; - new_hand"), "B envido_reversed") is (
        Refusal.NOTHING_TO_REVERSE
    )


def test_reversing_a_winning_lie_reopens_the_match() -> None:  # rules.md#reversed
    """Score, winner and phase are recomputed, and the hand continues."""
    won = play("argentine", "B truco; A envido; B quiero; A envido_won", start="28-10")
    assert won.winner == "A"
    game = play_on(won, "A envido_reversed")
    assert (points(game), game.winner, document_value(game, "phase")) == (
        "28-12",
        None,
        "pending_truco",
    )
    assert points(play_on(game, "A quiero; A hand_won")) == "30-12"


def test_a_reversal_may_give_the_match_to_the_rival() -> None:  # rules.md#reversed
    game = play("argentine", "A envido; B quiero; A envido_won; A hand_won", start="27-28")
    assert game.winner == "A"
    game = play_on(game, "A envido_reversed")
    assert (points(game), game.winner) == ("28-30", "B")


@pytest.mark.parametrize(
    ("chain", "refused"),
    [
        ("A envido", 1),
        ("A envido; B real_envido", 3),
        ("A envido; B envido; A real_envido", 5),
        ("A falta_envido", 1),
        ("A real_envido; B falta_envido", 4),
    ],
)
# rules.md#envido
def test_some_tables_pay_one_more_than_was_accepted(chain: str, refused: int) -> None:
    """Option ``envido_refused=plus_one``: one more than accepted so far."""
    assert pays(play("argentine", chain, envido_refused="plus_one"))[1] == refused


# --- falta envido ---


def falta(
    convention: str,
    start: str,
    winner: str,
    half_inclusive: str = "malas",
    target: int = 30,
    buenas: str | bool = "auto",
) -> int:
    """What an accepted falta envido pays ``winner`` from ``start``."""
    game = play(
        "argentine",
        "A falta_envido; B quiero",
        start,
        falta=convention,
        half_inclusive=half_inclusive,
        target=target,
        buenas=buenas,
    )
    won = play_on(game, f"{winner} envido_won")
    at = "AB".index(winner)
    return won.score[at] - game.score[at]


def test_s1_falta_envido_with_both_in_the_malas_is_the_match() -> None:
    for winner, loser in (("A", "B"), ("B", "A")):
        game = play("argentine", f"A falta_envido; B quiero; {winner} envido_won", start="5-9")
        assert game.winner == winner != loser
        assert max(game.score) == 30


def test_s1_falta_envido_with_a_side_in_the_buenas_is_what_the_leader_needs() -> None:
    assert pays(play("argentine", "A falta_envido", start="21-18")) == (9, 1)
    assert points(play("argentine", "A falta_envido; B quiero; B envido_won", start="21-18")) == (
        "21-27"
    )
    assert points(play("argentine", "A falta_envido; B quiero; B envido_won", start="16-3")) == (
        "16-17"
    )


@pytest.mark.parametrize(
    ("convention", "start", "to_a", "to_b"),
    [
        ("malas_match", "5-9", 25, 21),
        ("malas_match", "15-15", 15, 15),
        ("malas_match", "16-15", 14, 14),
        ("leader_to_target", "5-9", 21, 21),
        ("leader_to_target", "20-9", 10, 10),
        ("loser_to_target", "5-9", 21, 25),
        ("loser_to_target", "20-9", 21, 10),
        ("leader_half", "5-9", 6, 6),
        ("leader_half", "5-15", 15, 15),
        ("leader_half", "5-20", 10, 10),
        ("loser_half", "10-5", 10, 5),
        ("loser_half", "20-5", 10, 10),
        ("loser_half", "15-20", 10, 15),
        ("winner_half", "5-9", 10, 6),
        ("winner_half", "5-20", 10, 10),
        ("winner_half", "15-9", 15, 6),
        ("match", "21-18", 9, 12),
        ("match", "5-9", 25, 21),
        ("fixed", "5-9", 6, 6),
        ("fixed", "27-9", 6, 6),
    ],
)
# rules.md#falta
def test_every_convention_of_the_falta(convention: str, start: str, to_a: int, to_b: int) -> None:
    """rules.md#falta, with rules.md#half for a side exactly on the half."""
    assert (falta(convention, start, "A"), falta(convention, start, "B")) == (to_a, to_b)


@pytest.mark.parametrize(
    ("convention", "start", "to_a"), [("malas_match", "15-9", 15), ("winner_half", "9-15", 15)]
)
def test_engines_that_count_the_half_itself_as_buenas(
    convention: str, start: str, to_a: int
) -> None:  # rules.md#half
    """Option ``half_inclusive=buenas``: a leader on 15 is in the buenas and lacks 15."""
    assert falta(convention, start, "A", half_inclusive="buenas") == to_a


def test_exactly_on_the_half_matters_for_the_one_who_is_behind() -> None:  # rules.md#half
    assert falta("malas_match", "9-15", "A", half_inclusive="malas") == 21
    assert falta("malas_match", "9-15", "A", half_inclusive="buenas") == 15


@pytest.mark.parametrize("convention", ["malas_match", "leader_half", "loser_half", "winner_half"])
# rules.md#falta
def test_without_halves_the_falta_is_what_the_leader_needs(convention: str) -> None:
    assert falta(convention, "6-4", "B", target=15) == 9
    assert falta(convention, "6-4", "A", buenas=False) == 24


def test_s1_earlier_calls_do_not_add_to_the_falta() -> None:
    assert pays(play("argentine", "A envido; B real_envido; A falta_envido", start="21-18")) == (
        9,
        5,
    )


def test_a_falta_is_never_worth_less_than_one() -> None:  # rules.md#falta
    """With ``finish=end_of_hand`` a side past the target may still play."""
    game = play("argentine", "A award 2; A falta_envido", start="29-3", finish="end_of_hand")
    assert pays(game) == (1, 1)
