"""Truco uruguayo, by rules.md#uruguayan."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def test_forty_points_half_of_them_bad() -> None:  # rules.md#uruguayan
    game = deal("uruguayan", "20-21")
    assert (game.rules.target, document_value(game, "half")) == (40, 20)
    assert document_value(game, "spoken") == {"A": (20, "malas"), "B": (1, "buenas")}
    assert deal("uruguayan", target=30).rules.half == 15


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [("A truco", 2, 1), ("A truco; B retruco", 3, 2), ("A truco; B retruco; A vale_cuatro", 4, 3)],
)
def test_uy1_truco_retruco_and_vale_cuatro(calls: str, wanted: int, refused: int) -> None:
    assert pays(play("uruguayan", calls)) == (wanted, refused)


@pytest.mark.parametrize(
    ("calls", "wanted", "refused"),
    [
        ("A envido", 2, 1),
        ("A real_envido", 3, 1),
        ("A envido; B envido", 4, 2),
        ("A envido; B real_envido", 5, 2),
        ("A envido; B falta_envido", 15, 2),
        ("A falta_envido", 15, 1),
        ("A envido; B envido; A real_envido", 7, 4),
        ("A real_envido; B falta_envido", 15, 3),
        ("A envido; B envido; A falta_envido", 15, 4),
        ("A envido; B real_envido; A falta_envido", 15, 5),
        ("A envido; B envido; A real_envido; B falta_envido", 15, 7),
    ],
)
def test_uy1_toques_are_summed(calls: str, wanted: int, refused: int) -> None:
    """The falta is what the leader lacks."""
    assert pays(play("uruguayan", calls, start="12-25")) == (wanted, refused)


@pytest.mark.parametrize(
    ("falta", "start", "to_a"),
    [
        ("leader_to_target", "12-15", 25),
        ("malas_match", "12-15", 28),
        ("malas_match", "12-25", 15),
        ("loser_to_target", "12-15", 25),
        ("leader_half", "12-15", 5),
        ("leader_half", "12-20", 20),
        ("loser_half", "12-15", 5),
        ("winner_half", "12-15", 8),
        ("match", "12-15", 28),
        ("fixed", "12-15", 6),
    ],
)
def test_every_falta_at_this_table(falta: str, start: str, to_a: int) -> None:  # rules.md#falta
    game = play("uruguayan", "A falta_envido; B quiero; A envido_won", start, falta=falta)
    assert game.score[0] == 12 + to_a


@pytest.mark.parametrize(
    ("falta", "half_inclusive", "start", "to_a"),
    [
        ("malas_match", "malas", "12-20", 28),
        ("malas_match", "buenas", "12-20", 20),
        ("winner_half", "malas", "12-20", 8),
        ("winner_half", "buenas", "12-20", 20),
        ("winner_half", "malas", "20-12", 20),
        ("winner_half", "malas", "20-20", 20),
        ("loser_half", "malas", "12-20", 20),
        ("loser_half", "malas", "20-12", 8),
        ("loser_half", "buenas", "30-12", 8),
        ("leader_half", "malas", "20-12", 20),
        ("leader_half", "buenas", "19-12", 1),
        ("leader_to_target", "malas", "39-39", 1),
        ("leader_to_target", "malas", "39-12", 1),
        ("match", "malas", "39-12", 1),
    ],
)
def test_the_falta_around_the_half_and_before_the_end(
    falta: str, half_inclusive: str, start: str, to_a: int
) -> None:  # rules.md#falta
    steps = "A falta_envido; B quiero; A envido_won"
    game = play("uruguayan", steps, start, falta=falta, half_inclusive=half_inclusive)
    assert game.score[0] == int(start.split("-")[0]) + to_a


def test_uy1_only_who_accepted_owns_the_next_raise() -> None:
    game = play("uruguayan", "A truco; B quiero")
    assert (document_value(game, "may_raise"), why_not(game, "A retruco")) == (
        ["B"],
        Refusal.NOT_YOUR_RAISE,
    )
    assert why_not(game, "B vale_cuatro") is Refusal.OUT_OF_ORDER
    game = play_on(game, "B retruco; A vale_cuatro; B quiero")
    assert values(game, "may_raise", "stake") == ([], 4)
    assert points(play_on(game, "B fold")) == "4-0"


def test_uy5_a_named_envido_is_raised_by_more_or_by_the_falta() -> None:
    game = play("uruguayan", "A envido 5", "12-25", free_envido=True)
    assert why_not(game, "B envido") is Refusal.OUT_OF_ORDER
    assert pays(play_on(game, "B real_envido")) == (8, 5)
    assert pays(play_on(game, "B envido_mas 1; A envido_mas 3")) == (9, 6)
    assert pays(play_on(game, "B falta_envido")) == (15, 5)
    assert points(play_on(game, "B no_quiero")) == "13-25"
    assert why_not(play_on(game, "B envido_mas 1"), "A real_envido") is Refusal.OUT_OF_ORDER


def test_uy5_any_amount_may_be_named_on_the_border() -> None:
    """Option ``free_envido``: "three of envido", "five more"."""
    assert why_not(deal("uruguayan"), "A envido 5") is Refusal.NOT_IN_THIS_VARIANT
    assert why_not(play("uruguayan", "A envido"), "B envido_mas 3") is Refusal.NOT_IN_THIS_VARIANT
    game = play("uruguayan", "A envido 5; B envido_mas 3", free_envido=True)
    assert pays(game) == (8, 5)
    assert why_not(deal("uruguayan", free_envido=True), "A envido 41") is Refusal.TOO_MUCH
    assert why_not(deal("uruguayan", free_envido=True), "A envido 1") is Refusal.TOO_LITTLE


def test_other_ways_with_the_envido() -> None:  # rules.md#envido
    """Options ``envido_refused`` and ``real_envido_again``."""
    steps = "A envido; B real_envido; A no_quiero"
    assert points(play("uruguayan", steps, envido_refused="plus_one")) == "0-3"
    game = play("uruguayan", "A real_envido; B real_envido", real_envido_again=True)
    assert pays(game) == (6, 3)
    assert why_not(play("uruguayan", "A real_envido"), "B real_envido") is Refusal.OUT_OF_ORDER


def test_uy1_with_a_flor_the_envido_is_not_played() -> None:
    game = play("uruguayan", "A envido; B quiero; B flor; A no_flor")
    assert points(game) == "0-3"
    assert why_not(game, "A envido") is Refusal.ENVIDO_CLOSED


def test_uy2_a_side_has_three_for_each_of_its_flores() -> None:
    assert points(play("uruguayan", "A flor; A flor; B no_flor")) == "6-0"
    assert points(play("uruguayan", "A flor; A flor; B flor; A flor_won")) == "6-0"
    assert points(play("uruguayan", "A flor; A flor; B flor; B flor_won")) == "0-3"


@pytest.mark.parametrize(
    ("pays_what", "plain", "with_envido"),
    [("own", 3, 5), ("per_flor", 6, 8), ("four", 4, 6), ("six", 6, 8)],
)
def test_flor_against_flor_and_con_flor_envido(
    pays_what: str, plain: int, with_envido: int
) -> None:  # rules.md#uruguayan
    """Option ``flor_vs_flor``: UY1 pays the own flor, UY2 all flores in play."""
    game = play("uruguayan", "A flor; B flor; B flor_won", flor_vs_flor=pays_what)
    assert points(game) == f"0-{plain}"
    steps = "A flor; B con_flor_envido; A quiero; B flor_won"
    assert points(play("uruguayan", steps, flor_vs_flor=pays_what)) == f"0-{with_envido}"


def test_con_flor_envido_pays_three_for_each_own_flor_and_two() -> None:  # rules.md#uruguayan
    game = play("uruguayan", "A flor; A flor; B con_flor_envido")
    assert pays(game) == ({"A": 8, "B": 5}, 3)
    assert points(play_on(game, "A quiero; A flor_won")) == "8-0"
    assert points(play_on(game, "A quiero; B flor_won")) == "0-5"
    game = play("uruguayan", "A flor; A flor; B con_flor_envido", flor_vs_flor="per_flor")
    assert pays(game)[0] == 11


@pytest.mark.parametrize("raised", ["con_flor_envido", "contraflor", "contraflor_resto"])
def test_uy1_a_refused_raise_pays_the_challengers_three(raised: str) -> None:
    game = play("uruguayan", f"A flor; B {raised}", start="8-30")
    for answer in ("no_quiero", "me_achico"):
        assert points(play_on(game, f"A {answer}")) == "8-33"


def test_uy5_contraflor_is_worth_six() -> None:
    game = play("uruguayan", "A flor; B contraflor", start="8-30")
    assert pays(game) == (6, 3)
    assert points(play_on(game, "A quiero; A flor_won")) == "14-30"


@pytest.mark.parametrize(
    ("resto", "to_a"),
    [
        ("match", 32),
        ("leader_to_target", 10),
        ("leader_plus_flor", 16),
        ("leader_plus_contraflor", 16),
    ],
)
def test_uy1_contraflor_al_resto_is_the_match(resto: str, to_a: int) -> None:
    """Option ``resto``: UY4 counts what the leader needs, plus flores."""
    steps = "A flor; B contraflor_resto; A quiero; A flor_won"
    assert play("uruguayan", steps, "8-30", resto=resto).score[0] == 8 + to_a


@pytest.mark.parametrize(
    ("steps", "score"),
    [
        ("A flor; B con_flor_envido; A contraflor_resto; B no_quiero", "5-0"),
        ("A flor; A flor; B con_flor_envido; A contraflor_resto; B no_quiero", "8-0"),
        ("A flor; B contraflor; A contraflor_resto; B no_quiero", "6-0"),
    ],
)
# rules.md#uruguayan
def test_a_raise_over_a_raise_pays_what_was_accepted(steps: str, score: str) -> None:
    assert points(play("uruguayan", steps)) == score


def test_ga18_either_side_bets_once_both_announced() -> None:  # rules.md#uruguayan-contest
    game = play("uruguayan", "A flor; B flor; B flor")
    for side in "AB":
        for word in ("con_flor_envido", "contraflor", "contraflor_resto"):
            assert why_not(game, f"{side} {word}") is None
    game = play_on(game, "A con_flor_envido")
    assert pays(game) == ({"A": 5, "B": 8}, 3)
    assert why_not(game, "A contraflor_resto") is Refusal.OWN_CALL
    assert why_not(game, "B flor") is Refusal.ANSWER_FIRST
    assert points(play_on(game, "B no_quiero")) == "3-0"
    assert points(play_on(game, "B quiero; B flor_won")) == "0-8"


def test_a_further_flor_is_announced_as_long_as_a_bet_is() -> None:  # rules.md#uruguayan-contest
    game = play("uruguayan", "A flor; B flor")
    assert why_not(game, "A flor") is None
    assert why_not(play("uruguayan", "A flor; A flor"), "A flor") is Refusal.NO_MORE_FLORES
    for steps in ("- first_trick_done", "- tricks A"):
        late = play_on(game, steps)
        assert why_not(late, "A flor") is Refusal.FLOR_CLOSED
        assert why_not(late, "A con_flor_envido") is Refusal.FLOR_CLOSED
        assert document_value(late, "phase") == "awaiting_flor"
    told = play_on(game, "A flor_won")
    assert why_not(told, "A flor") is Refusal.FLOR_CLOSED
    assert why_not(told, "B contraflor") is Refusal.NOTHING_TO_ANSWER
    entered = play_on(game, "A hand_won")
    for word in ("flor", "con_flor_envido", "truco", "fold", "hand_won"):
        assert why_not(entered, f"B {word}") is Refusal.WINNER_FIRST
    assert why_not(entered, "- new_hand") is Refusal.WINNER_FIRST


def test_older_rule_an_answering_flor_compares() -> None:  # rules.md#uruguayan-contest
    """Option ``flor_announced=compares``: only the winner is entered."""
    game = play("uruguayan", "A flor; B flor", flor_announced="compares")
    for word in ("con_flor_envido", "contraflor", "contraflor_resto", "truco", "fold", "hand_won"):
        assert why_not(game, f"A {word}") is Refusal.WINNER_FIRST
    assert why_not(game, "A flor") is None
    # And the resto over a bet pays the resto alone, without the floor of rules.md#resto-floor.
    steps = "A flor; B con_flor_envido; A contraflor_resto; B quiero; B flor_won"
    for floor, score in ((False, "38-32"), (True, "38-35")):
        options = {"resto": "leader_to_target", "flor_announced": "compares"}
        assert points(play("uruguayan", steps, "38-30", **options, resto_floor=floor)) == score


@pytest.mark.parametrize(
    ("steps", "phase", "score"),
    [
        ("A truco", "pending_truco", "0-0"),
        ("A truco; B quiero", "awaiting_flor", "0-0"),
        ("A truco; B quiero; B retruco; A quiero; A hand_won", "awaiting_flor", "0-0"),
        ("A truco; B quiero; B retruco; A quiero; A hand_won; B flor_won", "hand_over", "3-3"),
        ("A truco; B no_quiero; B flor_won", "hand_over", "1-3"),
        ("A truco; B flor_won", "pending_truco", "0-3"),
        ("A fold; A flor_won", "hand_over", "3-1"),
        ("- all_tied; A flor_won", "hand_over", "4-0"),
        ("- tricks A,A; A flor_won", "hand_over", "4-0"),
        ("- first_trick_done; B truco; A quiero; B hand_won; B flor_won", "hand_over", "0-5"),
    ],
)
def test_wp_a_plain_contest_waits_while_truco_is_played(
    steps: str, phase: str, score: str
) -> None:  # rules.md#uruguayan-contest
    game = play("uruguayan", f"A flor; B flor; {steps}")
    assert values(game, "phase", "points") == (phase, score)
    assert document_value(game, "suspended") is None


def test_flores_that_wait_can_win_the_game_before_the_hand() -> None:
    game = play("uruguayan", "A flor; B flor; A truco; B quiero; A hand_won", "38-37")
    assert (game.winner, points(game)) == (None, "38-37")
    assert play_on(game, "B flor_won").winner == "B"
    # A false flor gives the game back to the hand that was played.
    assert play_on(game, "B flor_won; B flor_reversed").winner == "A"


def test_a_bet_suspends_the_truco_and_is_wanted_at_once() -> None:  # rules.md#uruguayan-contest
    game = play("uruguayan", "A flor; B flor; A truco; B con_flor_envido")
    assert (document_value(game, "phase"), document_value(game, "suspended")["call"]) == (
        "pending_flor",
        "truco",
    )
    assert why_not(game, "A retruco") is Refusal.ANSWER_FIRST
    game = play_on(game, "A quiero")
    assert document_value(game, "phase") == "awaiting_flor"
    assert why_not(game, "B quiero") is Refusal.WINNER_FIRST
    assert pays(play_on(game, "B flor_won")) == (2, 1)
    game = play("uruguayan", "A flor; B flor; A truco; B quiero; B contraflor; A fold")
    assert points(game) == "0-5"


def test_ga23_the_bets_with_flor_add_up() -> None:  # rules.md#uruguayan-bids
    """Option ``flor_bids``."""
    game = play("uruguayan", "A flor; B con_flor_real_envido", flor_bids="all")
    assert pays(game) == (6, 3)
    assert why_not(game, "A con_flor_envido") is Refusal.OUT_OF_ORDER
    assert why_not(game, "A con_flor_real_envido") is Refusal.OUT_OF_ORDER
    assert why_not(game, "A contraflor") is Refusal.OUT_OF_ORDER
    assert pays(play_on(game, "A con_flor_falta_envido")) == (43, 6)
    game = play("uruguayan", "A flor; A flor; B con_flor_envido", flor_bids="all")
    game = play_on(game, "A con_flor_real_envido")
    assert pays(game) == ({"A": 11, "B": 8}, 8)
    assert why_not(game, "B contraflor") is Refusal.OUT_OF_ORDER
    assert pays(play_on(game, "B contraflor_resto")) == (40, 8)
    game = play_on(game, "B con_flor_falta_envido; A contraflor_resto")
    assert pays(game)[1] == 46
    assert why_not(play("uruguayan", "A flor"), "B con_flor_real_envido") is (
        Refusal.NOT_IN_THIS_VARIANT
    )


def test_con_flor_falta_envido_is_the_falta_and_the_flores() -> None:  # rules.md#uruguayan-bids
    steps = "A flor; A flor; B flor; B con_flor_falta_envido; A quiero; A flor_won"
    assert points(play("uruguayan", steps, "12-25", flor_bids="all")) == "33-25"
    steps = steps.replace("A flor_won", "B flor_won")
    game = play("uruguayan", steps, "12-25", flor_bids="all", falta="loser_half")
    assert points(game) == "12-36"


def test_an_accepted_resto_pays_at_least_the_bet_below_it() -> None:  # rules.md#uruguayan-bids
    steps = "A flor; B con_flor_envido; A contraflor_resto; B quiero; B flor_won"
    assert points(play("uruguayan", steps, "38-30", resto="leader_to_target")) == "38-35"
    steps = "A flor; B contraflor; A contraflor_resto; B quiero; B flor_won"
    assert points(play("uruguayan", steps, "38-30", resto="leader_to_target")) == "38-36"


def test_ga31_a_contraflor_takes_all_flores() -> None:  # rules.md#uruguayan-bids
    """Option ``contraflor_pays``, whatever ``flor_vs_flor`` says; UY5 has 6."""
    for pays_what in ("own", "per_flor"):
        game = play("uruguayan", "A flor; A flor; B contraflor", flor_vs_flor=pays_what)
        assert pays(game) == (9, 3)
    game = play("uruguayan", "A flor; A flor; B flor; B flor; A contraflor; B contraflor_resto")
    assert pays(game)[1] == 12
    assert pays(play("uruguayan", "A flor; A flor; B contraflor", contraflor_pays="six")) == (6, 3)


@pytest.mark.parametrize(
    ("steps", "start", "worth"),
    [
        ("A envido 12", "38-30", (2, 1)),
        ("A envido 10", "30-20", (10, 1)),
        ("A real_envido", "38-30", (2, 1)),
        ("A envido", "39-30", (2, 1)),
        ("A envido 2; B envido_mas 20", "38-30", (4, 2)),
        ("A envido 4; B envido_mas 3", "34-30", (8, 4)),
        ("A envido 4; B envido_mas 2", "34-30", (6, 4)),
        ("A envido; B envido_mas 9", "39-30", (3, 2)),
        ("A envido 4; B envido_mas 9; A envido_mas 9", "34-30", (12, 8)),
        ("A envido 12; B falta_envido", "38-30", (2, 2)),
    ],
)
def test_ga36_a_bid_above_the_falta_counts_less(
    steps: str, start: str, worth: tuple[int, int]
) -> None:  # rules.md#falta-cap
    """Option ``falta_cap``, with ``free_envido`` alone."""
    assert pays(play("uruguayan", steps, start, free_envido=True)) == worth


def test_without_the_cap_a_bid_above_the_falta_stands() -> None:  # rules.md#falta-cap
    game = play("uruguayan", "A envido 12", "38-30", free_envido=True, falta_cap=False)
    assert pays(game) == (12, 1)
    assert pays(play("uruguayan", "A real_envido", "38-30")) == (3, 1)
    # What the leader lacks, whatever the falta pays.
    assert pays(
        play("uruguayan", "A envido 12", "12-10", free_envido=True, falta="leader_half")
    ) == (12, 1)


# rules.md#precedence
def test_the_truco_waits_for_the_flor_and_is_void_if_it_ends_the_match() -> None:
    game = play("uruguayan", "A truco; B flor; A con_flor_envido; B quiero", "12-36")
    assert (document_value(game, "phase"), document_value(game, "suspended")["call"]) == (
        "awaiting_flor",
        "truco",
    )
    assert pays(play_on(game, "A flor_won")) == (2, 1)
    won = play_on(game, "B flor_won")
    assert (won.winner, document_value(won, "spoken")["B"]) == ("B", (20, "buenas"))
    assert values(won, "pending", "suspended") == (None, None)


def test_folding_on_a_flor_pays_the_flor_and_the_hand() -> None:  # rules.md#fold
    assert points(play("uruguayan", "A flor; B fold", fold_first=2)) == "4-0"
    assert points(play("uruguayan", "A truco; B flor; A fold")) == "0-4"
    assert points(play("uruguayan", "A truco; B envido; A fold")) == "0-2"
    assert points(play("uruguayan", "A flor; B contraflor; A contraflor_resto; B fold")) == "7-0"
    assert points(play("uruguayan", "A flor; B flor; A fold; A flor_won", fold_first=2)) == "3-1"


def test_raises_go_upwards_only() -> None:  # rules.md#uruguayan
    game = play("uruguayan", "A flor; B contraflor")
    assert why_not(game, "A con_flor_envido") is Refusal.OUT_OF_ORDER
    assert why_not(game, "A no_flor") is not None
    assert why_not(play("uruguayan", "A flor"), "B quiero") is Refusal.FLOR_OR_NO


def test_uy1_echar_los_perros_is_three_calls_in_a_row() -> None:
    """Contraflor al resto, falta and truco, each refused: 3, 1 and 1."""
    game = play("uruguayan", "A flor; B contraflor_resto; A no_quiero; A truco; B no_quiero")
    assert points(game) == "1-3"
    game = play("uruguayan", "A falta_envido; B no_quiero; A truco; B no_quiero")
    assert points(game) == "2-0"


def test_folding_costs_one_or_two() -> None:  # rules.md#uruguayan
    """Option ``fold_first``: UY4 says 1."""
    assert points(play("uruguayan", "B fold", "6-4")) == "7-4"
    assert points(play("uruguayan", "B fold", "6-4", fold_first=2)) == "8-4"
    assert points(play("uruguayan", "- first_trick_done; B fold", "6-4", fold_first=2)) == "7-4"


@pytest.mark.parametrize(
    ("told", "score"),
    [("A,A", "1-0"), ("A,B,B", "0-1"), ("A,B,tie", "1-0"), ("B,tie", "0-1"), ("tie,A", "1-0"),
     ("tie,tie,B", "0-1"), ("tie,tie,tie", "0-1")],
)  # fmt: skip
def test_the_tricks(told: str, score: str) -> None:  # rules.md#tricks
    assert points(play("uruguayan", f"- tricks {told}", mano="B")) == score


def test_three_ties_go_to_the_mano() -> None:  # rules.md#uruguayan
    assert points(play("uruguayan", "- all_tied", mano="B")) == "0-1"
    assert points(play("uruguayan", "- all_tied", mano="B", tied="none")) == "0-0"


def test_a_false_flor_goes_to_the_rival() -> None:  # rules.md#reversed
    steps = "A flor; B con_flor_envido; A quiero; B flor_won; B flor_reversed"
    assert points(play("uruguayan", steps)) == "5-0"
    # Also if it had won the match, and the payment of a refused raise.
    steps = "A flor; B contraflor_resto; A quiero; B flor_won; B flor_reversed"
    game = play("uruguayan", steps, "8-30")
    assert (points(game), game.winner) == ("18-30", None)
    steps = "A flor; B contraflor; A no_quiero; A truco; B quiero; A hand_won; B flor_reversed"
    assert points(play("uruguayan", steps)) == "5-0"


def test_half_inclusive_touches_the_falta_alone() -> None:  # rules.md#half
    """Option ``half_inclusive``: exactly on the half."""
    steps = "A falta_envido; B quiero; A envido_won"
    assert play("uruguayan", steps, "20-20", falta="malas_match").winner == "A"
    game = play("uruguayan", steps, "12-20", falta="malas_match", half_inclusive="buenas")
    assert points(game) == "32-20"
    assert document_value(deal("uruguayan", "20-0", half_inclusive="buenas"), "spoken")["A"] == (
        20,
        "malas",
    )
    assert deal("uruguayan", buenas=False).rules.half is None


def test_playing_on_to_the_end_of_the_hand() -> None:  # rules.md#settlement
    """Option ``finish``, and ``best_of``."""
    game = play("uruguayan", "A envido; B quiero; A envido_won", "38-39", finish="end_of_hand")
    assert game.winner is None
    assert play_on(game, "B truco; A quiero; B hand_won").winner == "B"
    assert (
        document_value(play("uruguayan", "A hand_won", "39-0", best_of=3), "phase") == "game_over"
    )


def test_in_a_series_the_mano_goes_on_rotating() -> None:  # rules.md#series
    game = play("uruguayan", "A hand_won; - new_hand", "39-20", best_of=3)
    assert values(game, "points", "games", "mano") == ("0-0", {"A": 1, "B": 0}, "B")
    assert why_not(play("uruguayan", "A hand_won", "39-20"), "- new_hand") is Refusal.GAME_OVER


def test_a_contraflor_does_not_raise_con_flor_envido() -> None:  # rules.md#uruguayan
    """Accepted it would pay 6, less than the 8 of two flores and the envido."""
    game = play("uruguayan", "A flor; A flor; B con_flor_envido")
    assert why_not(game, "A contraflor") is Refusal.OUT_OF_ORDER
    assert why_not(game, "A contraflor_resto") is None
