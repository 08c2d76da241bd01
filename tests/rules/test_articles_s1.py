"""The Argentine scoring rules of S1 (envidoytruco.com), and related decisions.

One test per rule, named after it. Where S1 is silent or contradicts itself, the decision of
rules.md#argentine and the alternatives, which are options, are tested too. Envido and flor have
files of their own.
"""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not

ES = ("argentine", "argentine_flor")


# --- the match and its halves ---


@pytest.mark.parametrize(
    ("target", "half"), [(9, None), (12, None), (15, None), (18, 9), (30, 15), (40, 20), (25, None)]
)
def test_s1_a_match_to_18_or_30_has_two_halves_and_9_or_15_none(
    target: int, half: int | None
) -> None:
    """Short matches are played "sin buenas"; odd targets cannot be halved."""
    assert document_value(deal("argentine", target=target), "half") == half


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (0, (0, "malas")),
        (8, (8, "malas")),
        (15, (15, "malas")),
        (16, (1, "buenas")),
        (21, (6, "buenas")),
        (29, (14, "buenas")),
    ],
)
def test_s1_fifteen_are_the_malas_and_sixteen_is_one_of_the_buenas(
    score: int, said: tuple[int, str]
) -> None:
    """0 to 15 are the first half, 16 to 30 the second, counted from one again."""
    assert document_value(deal("argentine", f"{score}-0"), "spoken")["A"] == said


def test_s1_at_eighteen_the_malas_end_with_nine() -> None:
    spoken = document_value(deal("argentine", "9-10", target=18), "spoken")
    assert spoken == {"A": (9, "malas"), "B": (1, "buenas")}


def test_s1_a_table_can_play_without_buenas_or_force_them() -> None:
    """Option ``buenas``: a match to 30 in one go, a match to 15 in two halves."""
    assert document_value(deal("argentine", "20-0", buenas=False), "spoken")["A"] == (20, None)
    assert document_value(deal("argentine", "8-7", target=15, buenas=True), "half") == 7
    assert document_value(deal("argentine", "8-7", target=15, buenas=True), "spoken")["A"] == (
        1,
        "buenas",
    )


@pytest.mark.parametrize("inclusive", ["malas", "buenas"])
# rules.md#spoken
def test_which_half_fifteen_belongs_to_never_changes_how_it_is_said(inclusive: str) -> None:
    """``half_inclusive`` only affects the falta envido."""
    game = deal("argentine", "15-0", half_inclusive=inclusive)
    assert document_value(game, "spoken")["A"] == (15, "malas")


def test_s1_the_first_to_reach_the_target_wins() -> None:
    game = play("argentine", "A hand_won", start="29-27")
    assert (points(game), game.winner, document_value(game, "phase")) == (
        "30-27",
        "A",
        "match_over",
    )


def test_s1_a_score_past_the_target_is_spoken_as_the_target() -> None:
    game = play("argentine", "A truco; B quiero; A hand_won", start="29-27")
    assert points(game) == "31-27"
    assert document_value(game, "spoken")["A"] == (15, "buenas")


# --- winning the hand ---


@pytest.mark.parametrize(
    ("tricks", "score"),
    [
        ("A,A", "1-0"),
        ("B,B", "0-1"),
        ("A,tie", "1-0"),
        ("tie,B", "0-1"),
        ("A,B,A", "1-0"),
        ("A,B,B", "0-1"),
        ("A,B,tie", "1-0"),
        ("B,A,tie", "0-1"),
        ("tie,tie,B", "0-1"),
        ("tie,tie,tie", "1-0"),
    ],
)
def test_s1_the_first_trick_counts_most(tricks: str, score: str) -> None:
    """Two tricks win; with a tie the first one won decides; three ties go to the mano."""
    game = play("argentine", f"- tricks {tricks}")
    assert values(game, "points", "phase") == (score, "hand_over")


@pytest.mark.parametrize("tricks", ["A", "tie", "A,B", "tie,tie"])
def test_s1_before_the_tricks_decide_the_hand_goes_on(tricks: str) -> None:
    game = play("argentine", f"- tricks {tricks}")
    assert values(game, "points", "phase") == ("0-0", "playing")


def test_s1_no_trick_is_played_after_the_hand_is_decided() -> None:
    assert why_not(deal("argentine"), "- tricks A,A,B") is Refusal.TOO_MUCH
    assert why_not(deal("argentine"), "- tricks A,tie,B") is Refusal.TOO_MUCH


def test_tricks_are_entered_as_one_growing_list() -> None:  # rules.md#tricks
    game = play("argentine", "- tricks A; - tricks A,B; - tricks A,B,B")
    assert points(game) == "0-1"
    assert why_not(play("argentine", "- tricks A"), "- tricks B,B") is Refusal.OUT_OF_ORDER
    assert why_not(play("argentine", "- tricks A"), "- tricks A") is Refusal.OUT_OF_ORDER


def test_entering_the_first_trick_closes_the_envido() -> None:  # rules.md#window
    assert why_not(play("argentine", "- tricks A"), "B envido") is Refusal.ENVIDO_CLOSED


@pytest.mark.parametrize(("mano", "score"), [("A", "11-10"), ("B", "10-11")])
def test_s1_three_ties_are_won_by_the_mano(mano: str, score: str) -> None:
    assert points(play("argentine", "- all_tied", start="10-10", mano=mano)) == score


def test_some_tables_do_not_pay_three_ties() -> None:  # rules.md#tricks
    game = play("argentine", "A truco; B quiero; - all_tied", start="10-10", tied="none")
    assert values(game, "points", "phase", "last") == ("10-10", "hand_over", None)


def test_s1_the_mano_changes_with_every_deal() -> None:
    game = play("argentine", "A hand_won; - new_hand")
    assert (game.mano, game.hand_number) == ("B", 2)
    assert play_on(game, "B hand_won; - new_hand").mano == "A"


# --- truco ---


@pytest.mark.parametrize("variant", ES)
@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("A truco", 2, 1),
        ("A truco; B retruco", 3, 2),
        ("A truco; B retruco; A vale_cuatro", 4, 3),
        ("A truco; B quiero; B retruco", 3, 2),
        ("A truco; B quiero; B retruco; A quiero; A vale_cuatro", 4, 3),
    ],
)
def test_s1_truco_two_retruco_three_vale_cuatro_four(
    variant: str, calls: str, wanted: int, refused: int
) -> None:
    """Accepted: the value of the hand; refused: the previous value, for the caller."""
    game = play(variant, calls)
    assert pays(game) == (wanted, refused)
    caller = document_value(game, "pending")["by"]
    other = "B" if caller == "A" else "A"
    for winner in "AB":
        won = points(play_on(game, f"{other} quiero; {winner} hand_won"))
        assert won == (f"{wanted}-0" if winner == "A" else f"0-{wanted}")
    refusing = points(play_on(game, f"{other} no_quiero"))
    assert refusing == (f"{refused}-0" if caller == "A" else f"0-{refused}")


def test_s1_a_hand_without_truco_is_worth_one() -> None:
    assert points(play("argentine", "B hand_won")) == "0-1"
    assert document_value(deal("argentine"), "stake") == 1


def test_s1_truco_not_wanted_ends_the_hand() -> None:
    game = play("argentine", "A truco; B no_quiero")
    assert document_value(game, "phase") == "hand_over"
    assert document_value(game, "last") == [{"to": "A", "points": 1, "why": "truco_refused"}]
    assert why_not(game, "B truco") is Refusal.HAND_OVER
    assert why_not(game, "B hand_won") is Refusal.HAND_OVER


def test_s1_the_stake_rises_only_when_the_call_is_accepted() -> None:
    assert document_value(play("argentine", "A truco"), "stake") == 1
    assert document_value(play("argentine", "A truco; B retruco"), "stake") == 2
    assert document_value(play("argentine", "A truco; B retruco; A quiero"), "stake") == 3


def test_s1_the_caller_of_truco_cannot_raise_it() -> None:
    """Only the side that accepted may make the next call."""
    game = play("argentine", "A truco; B quiero")
    assert document_value(game, "may_raise") == ["B"]
    assert why_not(game, "A retruco") is Refusal.NOT_YOUR_RAISE
    game = play_on(game, "B retruco; A quiero")
    assert document_value(game, "may_raise") == ["A"]
    assert why_not(game, "B vale_cuatro") is Refusal.NOT_YOUR_RAISE


def test_s1_the_calls_come_in_their_order() -> None:
    assert why_not(deal("argentine"), "A retruco") is Refusal.OUT_OF_ORDER
    assert why_not(deal("argentine"), "A vale_cuatro") is Refusal.OUT_OF_ORDER
    assert why_not(play("argentine", "A truco"), "B vale_cuatro") is Refusal.OUT_OF_ORDER
    assert why_not(play("argentine", "A truco; B quiero"), "B truco") is Refusal.OUT_OF_ORDER


def test_s1_vale_cuatro_is_the_most_a_hand_can_be_worth() -> None:
    game = play("argentine", "A truco; B retruco; A vale_cuatro; B quiero")
    assert values(game, "stake", "may_raise") == (4, [])


def test_s1_truco_may_be_sung_at_any_time_of_the_hand() -> None:
    for before in ("- first_trick_done", "- tricks A,B", "A envido; B no_quiero", ""):
        assert why_not(play("argentine", before), "B truco") is None


def test_s1_only_the_rival_answers() -> None:
    game = play("argentine", "A truco")
    assert why_not(game, "A quiero") is Refusal.OWN_CALL
    assert why_not(game, "A no_quiero") is Refusal.OWN_CALL
    assert why_not(deal("argentine"), "A quiero") is Refusal.NOTHING_TO_ANSWER


def test_s1_envido_comes_before_truco() -> None:
    """In the first trick the rival may call envido first; the truco is suspended.

    The caller of truco gives up the envido.
    """
    game = play("argentine", "A truco")
    assert why_not(game, "A envido") is Refusal.OWN_CALL
    game = play_on(game, "B envido")
    assert document_value(game, "suspended") == {"by": "A", "call": "truco"}
    game = play_on(game, "A quiero; B envido_won")
    assert (points(game), document_value(game, "phase"), pays(game)) == (
        "0-2",
        "pending_truco",
        (2, 1),
    )
    assert points(play_on(game, "B no_quiero")) == "1-2"


def test_s1_while_the_envido_is_open_the_truco_waits() -> None:
    game = play("argentine", "A truco; B envido; A quiero")
    assert document_value(game, "pending") is None
    assert document_value(game, "suspended") == {"by": "A", "call": "truco"}
    assert why_not(game, "B quiero") is Refusal.WINNER_FIRST


def test_an_accepted_truco_closes_the_envido() -> None:  # rules.md#precedence
    for steps in ("A truco; B quiero", "A truco; B retruco"):
        game = play("argentine", steps)
        assert why_not(game, "A envido") is not None
    assert why_not(play("argentine", "A truco; B quiero"), "B envido") is Refusal.ENVIDO_CLOSED


def test_s1_a_match_won_by_the_envido_leaves_the_truco_unplayed() -> None:
    game = play("argentine", "B truco; A envido; B quiero; A envido_won", start="28-27")
    assert (points(game), game.winner, document_value(game, "suspended")) == ("30-27", "A", None)


def test_some_tables_play_the_hand_to_its_end() -> None:  # rules.md#settlement
    """Option ``finish=end_of_hand``: the higher score wins; a tie needs another hand."""
    option = {"finish": "end_of_hand"}
    game = play("argentine", "A truco; B envido; A quiero; B envido_won", "28-28", **option)
    assert (points(game), game.winner, document_value(game, "phase")) == (
        "28-30",
        None,
        "pending_truco",
    )
    assert play_on(game, "B quiero; A hand_won; - new_hand").winner is None
    higher = play_on(game, "B retruco; A quiero; A hand_won")
    assert (points(higher), higher.winner) == ("31-30", "A")
    lower = play_on(game, "B no_quiero")
    assert (points(lower), lower.winner) == ("29-30", "B")


# --- leaving the hand ---


def test_folding_in_the_first_trick_costs_the_envido_too() -> None:  # rules.md#fold
    game = play("argentine", "B fold", start="4-4")
    assert points(game) == "6-4"
    assert [credit["why"] for credit in document_value(game, "last")] == ["fold_envido", "fold"]


@pytest.mark.parametrize(
    ("before", "cost"),
    [
        ("- first_trick_done", 1),
        ("A envido; B no_quiero", 1),
        ("A truco; B quiero", 2),
        ("A truco; B retruco; A quiero", 3),
    ],
)
def test_folding_later_costs_the_hand_alone(before: str, cost: int) -> None:  # rules.md#fold
    game = play("argentine", before)
    assert play_on(game, "B fold").score[0] == game.score[0] + cost


def test_folding_always_costs_one_at_some_tables() -> None:  # rules.md#fold
    """Option ``fold_first=1``."""
    assert points(play("argentine", "B fold", start="4-4", fold_first=1)) == "5-4"


@pytest.mark.parametrize(
    ("before", "score"),
    [
        ("A truco", "1-0"),
        ("A truco; B quiero; B retruco", "0-2"),
        ("A envido", "2-0"),
        ("A envido; B envido; A real_envido", "5-0"),
        ("A truco; B envido", "0-2"),
        ("A truco; B envido; A real_envido", "3-0"),
    ],
)
# rules.md#fold
def test_folding_on_a_call_refuses_it_and_loses_the_hand(before: str, score: str) -> None:
    """A truco refused by folding pays its refusal alone; a suspended one never counts."""
    game = play("argentine", before)
    answerer = "B" if document_value(game, "pending")["by"] == "A" else "A"
    folded = play_on(game, f"{answerer} fold")
    assert values(folded, "points", "phase") == (score, "hand_over")


def test_a_caller_cannot_fold_on_its_own_call() -> None:  # rules.md#fold
    assert why_not(play("argentine", "A truco"), "A fold") is not None
    assert why_not(play("argentine", "A envido"), "A fold") is not None


# --- dealing again, series, penalties ---


def test_a_hand_in_which_nothing_was_entered_may_be_dealt_again() -> None:  # rules.md#new-hand
    """The same mano is dealt again, until something is entered."""
    game = play("argentine", "A hand_won; - new_hand; - new_hand")
    assert (game.mano, game.hand_number, points(game)) == ("B", 2, "1-0")
    for steps in ("- first_trick_done", "A envido; B no_quiero", "A truco; B quiero"):
        assert why_not(play("argentine", steps), "- new_hand") is Refusal.NOT_OVER
    assert why_not(play("argentine", "A truco"), "- new_hand") is Refusal.ANSWER_FIRST


def test_a_series_is_won_by_most_of_its_games() -> None:  # rules.md#series
    """Option ``best_of=3``: two chicos, or the third, el bueno."""
    game = play("argentine", "A hand_won", start="29-28", best_of=3)
    assert document_value(game, "phase") == "game_over"
    assert values(game, "games", "points") == ({"A": 1, "B": 0}, "30-28")
    game = play_on(game, "- new_hand")
    assert (points(game), game.mano, game.hand_number, document_value(game, "phase")) == (
        "0-0",
        "B",
        1,
        "playing",
    )
    game = play_on(game, "A falta_envido; B quiero; B envido_won")
    assert values(game, "phase", "games") == ("game_over", {"A": 1, "B": 1})
    game = play_on(game, "- new_hand; A falta_envido; B quiero; A envido_won")
    assert values(game, "phase", "games") == ("match_over", {"A": 2, "B": 1})
    assert why_not(game, "- new_hand") is Refusal.GAME_OVER


def test_a_penalty_changes_nothing_but_the_score() -> None:  # rules.md#penalties
    """At any time before the game ends, one point or more; it may end the game."""
    game = play("argentine", "A truco; B envido; A award 2")
    assert values(game, "points", "phase") == ("2-0", "pending_envido")
    assert why_not(game, "A award 0") is Refusal.TOO_LITTLE
    game = play("argentine", "A truco; B award 5", start="3-25")
    assert (points(game), game.winner) == ("3-30", "B")
    assert why_not(game, "A award 1") is Refusal.GAME_OVER


def test_a_correction_sets_a_score_below_the_target() -> None:
    game = play("argentine", "A hand_won; A correct 12; B correct 7")
    assert values(game, "points", "phase") == ("12-7", "hand_over")
    assert why_not(game, "A correct 30") is Refusal.TOO_MUCH


def test_surrender_and_time_give_the_game_to_the_other() -> None:
    assert play("argentine", "A concede", start="20-3").winner == "B"
    assert play("argentine", "A truco; - time", start="20-3").winner == "A"
    assert why_not(deal("argentine", "7-7"), "- time") is Refusal.TIED
