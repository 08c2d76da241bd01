"""The optional flor of S1, and the other ways to pay it (rules.md#flor)."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def test_s1_flor_is_played_only_where_it_was_agreed() -> None:
    assert why_not(deal("argentine"), "A flor") is Refusal.NOT_IN_THIS_VARIANT
    assert why_not(deal("argentine_flor"), "A flor") is None


def test_s1_a_flor_is_worth_three() -> None:
    game = play("argentine_flor", "A flor; B no_flor")
    assert values(game, "points", "phase", "stake") == ("3-0", "playing", 1)


@pytest.mark.parametrize(
    "before",
    ["A envido", "A envido; B real_envido", "A falta_envido", "A envido; B quiero"],
)
@pytest.mark.parametrize("side", ["A", "B"])
def test_s1_a_flor_cancels_the_envido(before: str, side: str) -> None:
    """Pending, or accepted without a winner yet: the envido is not paid."""
    other = "B" if side == "A" else "A"
    game = play("argentine_flor", f"{before}; {side} flor; {other} no_flor")
    assert points(game) == ("3-0" if side == "A" else "0-3")
    assert why_not(game, "A envido") is Refusal.ENVIDO_CLOSED


def test_s1_flor_must_be_sung_in_the_first_trick() -> None:
    for before in ("- first_trick_done", "- tricks A", "A envido; B no_quiero"):
        assert why_not(play("argentine_flor", before), "B flor") is Refusal.FLOR_CLOSED


@pytest.mark.parametrize("before", ["A truco; B quiero", "A truco; B retruco; A quiero"])
def test_an_accepted_truco_does_not_close_the_flor(before: str) -> None:  # rules.md#flor-window
    game = play("argentine_flor", before)
    assert why_not(game, "A envido") is Refusal.ENVIDO_CLOSED
    stake = document_value(game, "stake")
    sung = play_on(game, "B flor; A me_achico")
    assert values(sung, "points", "stake") == ("0-3", stake)
    assert points(play_on(sung, "B hand_won")) == f"0-{3 + stake}"
    assert why_not(play_on(game, "- first_trick_done"), "B flor") is Refusal.FLOR_CLOSED
    assert points(play_on(game, "B flor; A fold")) == f"0-{3 + stake}"


def test_s1_flor_comes_before_truco_and_the_truco_waits() -> None:
    game = play("argentine_flor", "A truco; B flor", start="5-5")
    assert document_value(game, "suspended") == {"by": "A", "call": "truco"}
    game = play_on(game, "A no_flor")
    assert document_value(game, "phase") == "pending_truco"
    assert points(play_on(game, "B quiero; A hand_won")) == "7-8"


def test_over_a_first_truco_only_its_rival_sings_flor() -> None:  # rules.md#flor
    assert why_not(play("argentine_flor", "A truco"), "A flor") is Refusal.OWN_CALL
    assert why_not(play("argentine_flor", "A truco; B envido"), "A flor") is None


@pytest.mark.parametrize(
    ("before", "side", "word"),
    [
        ("A truco; B retruco", "A", "retruco"),
        ("A truco; B retruco; A vale_cuatro", "B", "vale_cuatro"),
    ],
)
def test_over_any_truco_the_side_that_answers_sings(
    before: str, side: str, word: str
) -> None:  # rules.md#flor-window
    game = play("argentine_flor", before)
    rival = "B" if side == "A" else "A"
    assert why_not(game, f"{rival} flor") is Refusal.OWN_CALL
    sung = play_on(game, f"{side} flor")
    assert document_value(sung, "suspended") == {"by": rival, "call": word}
    settled = play_on(sung, f"{rival} no_flor")
    assert document_value(settled, "pending") == document_value(game, "pending")
    assert document_value(settled, "phase") == "pending_truco"


@pytest.mark.parametrize(("players", "most"), [(2, 1), (4, 2), (6, 3)])
def test_a_side_has_one_flor_a_player(players: int, most: int) -> None:  # rules.md#flor-count
    """Option ``players``."""
    flores = "; ".join(["A flor"] * most)
    game = play("argentine_flor", flores, players=players)
    assert why_not(game, "A flor") is Refusal.NO_MORE_FLORES
    assert points(play_on(game, "B no_flor")) == f"{3 * most}-0"


def test_s1_the_better_flor_takes_three() -> None:
    game = play("argentine_flor", "A flor; B flor")
    assert document_value(game, "phase") == "awaiting_flor"
    assert points(play_on(game, "B flor_won; A hand_won")) == "1-3"


@pytest.mark.parametrize(
    ("pays_what", "one", "two_of_b"),
    [
        ("own", "0-3", "0-6"),
        ("per_flor", "0-6", "0-9"),
        ("four", "0-4", None),
        ("six", "0-6", None),
    ],
)
def test_other_payments_of_the_better_flor(
    pays_what: str, one: str, two_of_b: str | None
) -> None:  # rules.md#flor-pays
    """Option ``flor_vs_flor``: own flores (S1), all of them (S0), a flat four or six."""
    game = play("argentine_flor", "A flor; B flor", flor_vs_flor=pays_what)
    assert points(play_on(game, "B flor_won")) == one
    if two_of_b:
        assert points(play_on(game, "B flor; B flor_won")) == two_of_b


def test_each_flor_of_a_side_is_paid() -> None:  # rules.md#flor-count
    assert points(play("argentine_flor", "A flor; A flor; B no_flor")) == "6-0"
    assert points(play("argentine_flor", "A flor; A flor; B flor; A flor_won")) == "6-0"
    assert points(play("argentine_flor", "A flor; A flor; B flor; B flor_won")) == "0-3"


def test_a_side_has_at_most_two_flores() -> None:  # rules.md#flor-count
    game = play("argentine_flor", "A flor; A flor")
    assert why_not(game, "A flor") is Refusal.NO_MORE_FLORES
    game = play_on(game, "B flor; B flor")
    assert why_not(game, "B flor") is Refusal.NO_MORE_FLORES


def test_the_stakes_of_a_pending_flor() -> None:  # rules.md#flor-pays
    """Accepted: the payment if one more flor is shown; refused: the caller's own."""
    assert pays(play("argentine_flor", "A flor")) == (3, 3)
    assert pays(play("argentine_flor", "A flor; A flor")) == ({"A": 6, "B": 3}, 6)
    assert pays(play("argentine_flor", "A flor", flor_vs_flor="per_flor")) == (6, 3)


def test_s1_con_flor_me_achico_leaves_three_to_the_first() -> None:
    for answer in ("me_achico", "no_quiero"):
        game = play("argentine_flor", f"A flor; B {answer}", start="10-12")
        assert points(game) == "13-12"


def test_s24_me_achico_costs_four_at_some_tables() -> None:
    """Option ``me_achico=4``: one more, once, even for two flores; "no flor" stays 3."""
    assert points(play("argentine_flor", "A flor; B me_achico", me_achico=4)) == "4-0"
    assert points(play("argentine_flor", "A flor; A flor; B me_achico", me_achico=4)) == "7-0"
    assert points(play("argentine_flor", "A flor; B no_flor", me_achico=4)) == "3-0"


def test_s1_contraflor_six_wanted_and_three_not() -> None:
    game = play("argentine_flor", "A flor; B contraflor", start="10-12")
    assert pays(game) == (6, 3)
    assert points(play_on(game, "A quiero; B flor_won")) == "10-18"
    assert points(play_on(game, "A quiero; A flor_won")) == "16-12"
    assert points(play_on(game, "A no_quiero")) == points(play_on(game, "A me_achico")) == "10-15"


def test_contraflor_refused_pays_four_at_most_other_tables() -> None:  # rules.md#flor-raises
    """Option ``contraflor_refused=4``."""
    game = play("argentine_flor", "A flor; B contraflor; A no_quiero", contraflor_refused=4)
    assert points(game) == "0-4"


def test_s1_contraflor_al_resto_is_what_the_leader_needs() -> None:
    game = play("argentine_flor", "A flor; B contraflor_resto", start="10-22")
    assert pays(game) == (8, 3)
    assert points(play_on(game, "A quiero; A flor_won")) == "18-22"
    won = play_on(game, "A quiero; B flor_won")
    assert (points(won), won.winner) == ("10-30", "B")
    assert points(play_on(game, "A no_quiero")) == "10-25"


@pytest.mark.parametrize(
    ("resto", "to_a"),
    [
        ("leader_to_target", 8),
        ("match", 20),
        ("leader_plus_flor", 14),
        ("leader_plus_contraflor", 14),
    ],
)
def test_other_values_of_the_resto(resto: str, to_a: int) -> None:  # rules.md#resto
    """Option ``resto``: ACA adds flores, others the contraflor; S24 stakes the match."""
    steps = "A flor; B contraflor_resto; A quiero; A flor_won"
    assert play("argentine_flor", steps, "10-22", resto=resto).score[0] == 10 + to_a


def test_al_resto_after_a_contraflor_accepted_it() -> None:  # rules.md#flor-raises
    game = play("argentine_flor", "A flor; B contraflor; A contraflor_resto", start="10-22")
    assert pays(game) == (8, 6)
    assert points(play_on(game, "B me_achico")) == "16-22"
    assert why_not(game, "B contraflor") is Refusal.OUT_OF_ORDER
    assert why_not(game, "A quiero") is Refusal.OWN_CALL


def test_other_payments_of_a_refused_resto() -> None:  # rules.md#flor-raises
    """Options ``resto_refused_direct=4``, ``resto_refused_after_contra=3`` (S1)."""
    steps = "A flor; B contraflor_resto; A no_quiero"
    assert points(play("argentine_flor", steps, resto_refused_direct=4)) == "0-4"
    steps = "A flor; B contraflor; A contraflor_resto; B no_quiero"
    assert points(play("argentine_flor", steps, resto_refused_after_contra=3)) == "3-0"


def test_a_plain_flor_is_not_answered_by_quiero() -> None:  # rules.md#flor-words
    """Plain "quiero" does not say whether there is a flor; "no flor" answers no raise."""
    assert why_not(play("argentine_flor", "A flor"), "B quiero") is Refusal.FLOR_OR_NO
    assert why_not(play("argentine_flor", "A flor; B contraflor"), "A no_flor") is not None


def test_nothing_is_raised_once_both_flores_are_on_the_table() -> None:  # rules.md#flor-raises
    assert why_not(play("argentine_flor", "A flor; B flor"), "A contraflor") is Refusal.WINNER_FIRST


def test_folding_on_a_flor_pays_it_and_the_hand() -> None:  # rules.md#fold
    assert points(play("argentine_flor", "A flor; B fold")) == "4-0"
    assert points(play("argentine_flor", "A flor; B contraflor; A fold")) == "0-4"
    assert points(play("argentine_flor", "A truco; B flor; A fold")) == "0-4"


def test_s1_a_hidden_flor_gives_three_to_the_rival() -> None:
    """Detected by the players, entered as a penalty."""
    game = play("argentine_flor", "B award 3", start="5-5")
    assert values(game, "points", "phase") == ("5-8", "playing")


def test_a_false_flor_goes_to_the_rival() -> None:  # rules.md#reversed
    game = play("argentine_flor", "A flor; B no_flor; B hand_won; A flor_reversed")
    assert points(game) == "0-4"
    assert why_not(game, "A flor_reversed") is Refusal.NOTHING_TO_REVERSE
    assert why_not(game, "B flor_reversed") is Refusal.NOTHING_TO_REVERSE


def test_a_flor_that_won_the_match_is_taken_back() -> None:  # rules.md#reversed
    game = play("argentine_flor", "A flor; B no_flor", start="28-20")
    assert game.winner == "A"
    game = play_on(game, "A flor_reversed")
    assert (points(game), game.winner, document_value(game, "phase")) == ("28-23", None, "playing")
