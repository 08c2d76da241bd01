"""Truco venezolano at the end of a game: cantando and privar (rules.md#cantando)."""

from __future__ import annotations

import pytest

from scorer.rules import Refusal
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def test_a_side_on_23_sings() -> None:  # rules.md#cantando
    game = deal("venezuelan", "23-20")
    assert document_value(game, "phase") == "cantando"
    for step in ("A envido", "B truco", "A hand_won", "B fold"):
        assert why_not(game, step) is not None, step
    assert play_on(game, "- new_hand") == game  # a redeal: rules.md#new-hand
    assert why_not(game, "A no_privo") is Refusal.OWN_CALL
    assert why_not(game, "A privo") is Refusal.OWN_CALL
    assert play_on(game, "B no_privo").winner == "A"


def test_privo_y_truco() -> None:  # rules.md#cantando
    game = play("venezuelan", "B privo", "23-20")
    assert (document_value(game, "phase"), pays(game)) == (
        "pending_privo",
        ({"A": "game", "B": 4}, 2),
    )
    refused = play_on(game, "A no_quiero")
    assert values(refused, "points", "phase") == ("23-22", "hand_over")
    assert why_not(game, "B quiero") is Refusal.OWN_CALL
    game = play_on(game, "A quiero")
    assert values(game, "stake", "may_raise") == (3, ["A"])
    assert why_not(game, "A envido") is Refusal.ENVIDO_CLOSED
    assert play_on(game, "A hand_won").winner == "A"
    assert play_on(game, "B hand_won").winner == "B"
    assert points(play("venezuelan", "B privo; A quiero; B hand_won", "23-10")) == "23-14"


def test_the_23_side_owns_the_next_raise() -> None:  # rules.md#cantando
    game = play("venezuelan", "B privo; A quiero; A retruco; B no_quiero", "23-10")
    assert game.winner == "A"
    assert points(
        play("venezuelan", "B privo; A quiero; A retruco; B quiero; B hand_won", "23-10")
    ) == ("23-17")


def test_an_award_in_cantando_ends_the_hand() -> None:  # rules.md#award
    """The flor cases 85 to 89 are entered as points."""
    for before in ("", "B privo; "):
        game = play("venezuelan", f"{before}B award 3", "23-10")
        assert values(game, "points", "phase") == ("23-13", "hand_over")


def test_both_on_23_the_better_envite_ends_the_game() -> None:  # rules.md#cantando
    game = deal("venezuelan", "23-23")
    assert document_value(game, "phase") == "awaiting_envido"
    for step in ("A truco", "A envido", "A fold", "A flor", "- first_trick_done", "A hand_won"):
        assert why_not(game, step) is not None, step
    won = play_on(game, "B envido_won")
    assert (points(won), won.winner) == ("23-24", "B")


def test_cantando_is_one_short_of_the_target_and_may_be_off() -> None:  # rules.md#cantando
    """Option ``cantando``."""
    assert document_value(deal("venezuelan", "11-3", target=12), "phase") == "cantando"
    assert document_value(deal("venezuelan", "23-3", target=30), "phase") == "playing"
    assert document_value(deal("venezuelan", "23-3", cantando=False), "phase") == "playing"
    assert why_not(deal("venezuelan", cantando=False), "A privo") is Refusal.NOT_IN_THIS_VARIANT


def test_reaching_23_makes_the_next_hand_cantando() -> None:  # rules.md#cantando
    game = play("venezuelan", "A truco; B quiero; A hand_won; - new_hand", "20-5")
    assert values(game, "points", "phase", "mano") == ("23-5", "cantando", "B")
    game = play("venezuelan", "B privo; A no_quiero; - new_hand", "23-18")
    assert values(game, "points", "phase", "hand") == ("23-20", "cantando", 2)


def test_nothing_is_said_before_the_rivals_answer() -> None:  # rules.md#cantando
    game = deal("venezuelan", "5-23")
    assert values(game, "pending", "may_raise", "stake") == (None, [], 1)
    legal = {tuple(pair) for pair in document_value(game, "legal")}
    redeal = ("-", "new_hand")
    assert legal == {("A", "privo"), ("A", "no_privo"), ("A", "award"), ("B", "award"), redeal}
    assert why_not(game, "B quiero") is Refusal.DECIDE_FIRST
    assert why_not(game, "A real_envido") is Refusal.NOT_IN_THIS_VARIANT


def test_a_privo_that_was_answered_waits_for_nothing() -> None:  # rules.md#cantando
    game = play("venezuelan", "B privo; A no_quiero", "23-10")
    assert values(game, "points", "phase", "pending") == ("23-12", "hand_over", None)


def test_in_pending_privo_only_the_side_on_23_speaks() -> None:  # rules.md#phases
    game = play("venezuelan", "A privo", "5-23")
    legal = {tuple(pair) for pair in document_value(game, "legal")}
    assert legal == {("B", "quiero"), ("B", "no_quiero"), ("A", "award"), ("B", "award")}
    for step in ("A privo", "A no_privo", "B truco", "A hand_won", "B fold", "- new_hand"):
        assert why_not(game, step) is not None, step


def test_vep_86_with_the_priver_on_22_the_truco_must_be_played() -> None:
    game = play("venezuelan", "B privo", "23-22")
    assert why_not(game, "A no_quiero") is Refusal.MUST_PLAY
    assert ("A", "no_quiero") not in {tuple(pair) for pair in document_value(game, "legal")}
    assert points(play_on(game, "A quiero; B hand_won")) == "23-26"
    assert why_not(play("venezuelan", "B privo", "23-21"), "A no_quiero") is None


@pytest.mark.parametrize(
    ("played", "score"),
    [
        ("B hand_won", "24-10"),
        ("A retruco; B quiero; A fold", "24-10"),
        ("B award 2; B hand_won", "24-12"),
        ("B hand_won; A concede", "24-10"),
    ],
)
def test_a_priver_without_a_better_envite_loses_the_game(
    played: str, score: str
) -> None:  # rules.md#cantando
    game = play("venezuelan", f"B privo; A quiero; {played}; B envido_reversed", "23-10")
    assert (points(game), game.winner) == (score, "A")
    assert why_not(game, "B envido_reversed") is Refusal.NOTHING_TO_REVERSE


def test_the_priver_that_won_the_game_loses_it_too() -> None:  # rules.md#cantando
    game = play("venezuelan", "A privo; B quiero; A hand_won", "20-23")
    assert game.winner == "A"
    game = play_on(game, "A envido_reversed")
    assert (points(game), game.winner) == ("20-24", "B")
    assert [tuple(credit) for credit in game.last_credits] == [
        ("A", -4, "envido_reversed"),
        ("B", 1, "envido_reversed"),
    ]


def test_a_prive_is_not_reversed_while_it_is_played_or_once_refused() -> None:  # rules.md#cantando
    reversal, nothing = "B envido_reversed", Refusal.NOTHING_TO_REVERSE
    assert why_not(play("venezuelan", "B privo; A quiero", "23-10"), reversal) is nothing
    assert why_not(play("venezuelan", "B privo; A no_quiero", "23-10"), reversal) is nothing
    tied = play("venezuelan", "B privo; A quiero; - all_tied", "23-10", tied="none")
    assert play_on(tied, reversal).winner == "A"


@pytest.mark.parametrize(
    ("played", "score", "winner"),
    [
        ("B fold", "26-10", "A"),
        ("A fold", "23-14", None),
        ("- tricks A,B,B", "23-14", None),
        ("- tricks tie,A", "26-10", "A"),
        ("A retruco; B fold", "26-10", "A"),
        ("A retruco; B quiero; B vale_nueve; A no_quiero", "23-17", None),
        ("A retruco; B vale_nueve; A vale_juego; B no_quiero", "32-10", "A"),
    ],
)
def test_the_truco_of_the_prive_is_played_as_any_other(
    played: str, score: str, winner: str | None
) -> None:  # rules.md#cantando
    """The priver is paid the prive stone on top of what it wins with the tricks."""
    game = play("venezuelan", f"B privo; A quiero; {played}", "23-10")
    assert (points(game), game.winner) == (score, winner)


def test_three_ties_in_the_truco_of_the_prive_go_to_the_mano() -> None:  # rules.md#cantando
    steps = "B privo; A quiero; - all_tied"
    assert play("venezuelan", steps, "23-10", mano="A").winner == "A"
    assert points(play("venezuelan", steps, "23-10", mano="B")) == "23-14"
    assert points(play("venezuelan", steps, "23-10", tied="none")) == "23-10"


def test_its_first_trick_is_entered_once_and_allows_no_envite() -> None:  # rules.md#phases
    game = play("venezuelan", "B privo; A quiero", "23-10")
    assert why_not(game, "A flor") is Refusal.FLOR_CLOSED
    game = play_on(game, "- first_trick_done")
    assert why_not(game, "- first_trick_done") is Refusal.TOO_LATE
    assert points(play_on(game, "B hand_won")) == "23-14"


def test_vale_juego_after_the_prive() -> None:  # rules.md#cantando
    steps = "B privo; A quiero; A retruco; B vale_nueve; A vale_juego; B quiero; B hand_won"
    game = play("venezuelan", steps, "23-10")
    assert (game.winner, document_value(game, "spoken")["B"]) == ("B", (12, "buenas"))


def test_a_priver_that_cannot_show_its_envite_gives_the_game_away() -> None:  # rules.md#cantando
    """The stone of the declared envite is entered as a point, whatever the tricks say."""
    steps = "B privo; A quiero; B hand_won"
    assert play("venezuelan", f"{steps}; A award 1", "23-10").winner == "A"
    assert play("venezuelan", steps, "23-20").winner == "B"
    assert play("venezuelan", f"{steps}; - undo; A award 1", "23-20").winner == "A"


def test_a_declared_envite_that_is_not_shown_goes_to_the_rival() -> None:  # rules.md#reversed
    game = play("venezuelan", "B no_privo; A envido_reversed", "23-10")
    assert (points(game), game.winner, document_value(game, "phase")) == (
        "23-11",
        None,
        "hand_over",
    )


@pytest.mark.parametrize(
    ("step", "score", "winner"),
    [("B award 5", "23-15", None), ("A award 1", "24-10", "A"), ("B award 14", "23-24", "B")],
)
def test_vep_85_to_89_are_entered_as_points(step: str, score: str, winner: str | None) -> None:
    for before in ("", "B privo; "):
        game = play("venezuelan", f"{before}{step}", "23-10")
        assert (points(game), game.winner) == (score, winner)
        assert document_value(game, "phase") == ("match_over" if winner else "hand_over")


def test_contract_1_a_correction_changes_nothing_else_there() -> None:
    game = play("venezuelan", "B correct 12", "23-10")
    assert values(game, "points", "phase") == ("23-12", "cantando")
    assert play("venezuelan", "- time", "23-10").winner == "A"
    assert play("venezuelan", "A concede", "23-10").winner == "B"


@pytest.mark.parametrize("finish", ["immediate", "end_of_hand"])
@pytest.mark.parametrize("mano", ["A", "B"])
# rules.md#cantando
def test_both_on_23_and_the_better_envite_wins_the_game(finish: str, mano: str) -> None:
    """Worth one for any mano; equal envites are entered as the mano's."""
    game = deal("venezuelan", "23-23", mano=mano, finish=finish)
    assert values(game, "stake", "may_raise") == (1, [])
    for side, score in (("A", "24-23"), ("B", "23-24")):
        won = play_on(game, f"{side} envido_won")
        assert (points(won), won.winner, document_value(won, "phase")) == (
            score,
            side,
            "match_over",
        )
        rival = "B" if side == "A" else "A"
        assert play_on(won, f"{side} envido_reversed").winner == rival


def test_both_on_23_after_a_refused_prive() -> None:  # rules.md#cantando
    game = play("venezuelan", "B privo; A no_quiero; - new_hand", "23-21")
    assert values(game, "points", "phase") == ("23-23", "awaiting_envido")
    assert play_on(game, "- new_hand")._replace(last_credits=()) == game._replace(last_credits=())
    assert why_not(game, "A quiero") is Refusal.WINNER_FIRST


def test_without_cantando_the_last_points_are_played_as_all_others() -> None:  # rules.md#cantando
    """Option ``cantando``."""
    game = play(
        "venezuelan", "A envido; B falta_envido; A quiero; B envido_won", "23-23", cantando=False
    )
    assert (points(game), game.winner) == ("23-25", "B")
    assert points(play("venezuelan", "A fold", "23-22", cantando=False)) == "23-24"
