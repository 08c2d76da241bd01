"""Destantado, by rules.md#destantado."""

from __future__ import annotations

import pytest

from scorer.rules import Action, Game, History, Refusal, Step, parse_step
from tests.rules.notation import deal, document_value, pays, play, play_on, points, values, why_not


def test_s1_each_pile_starts_at_ten_and_the_pot_at_zero() -> None:
    game = deal("destantado")
    assert values(game, "points", "pot", "half") == ("10-10-10", 0, None)
    assert points(deal("destantado", target=15)) == "15-15-15"


def test_s1_of_an_envido_the_winner_passes_two_to_each_who_agreed() -> None:
    game = play("destantado", "A envido; B quiero; C no_quiero")
    assert points(play_on(game, "A envido_won")) == "8-12-10"
    assert points(play_on(game, "B envido_won")) == "12-8-10"
    assert why_not(game, "C envido_won") is Refusal.NO_WINNER_WANTED
    game = play("destantado", "A envido; B quiero; C quiero; C envido_won")
    assert values(game, "points", "phase") == ("12-12-6", "playing")


@pytest.mark.parametrize("call", ["envido", "real_envido", "falta_envido"])
def test_s1_an_envido_refused_by_both_rivals_costs_its_caller_a_point(call: str) -> None:
    game = play("destantado", f"A {call}; B no_quiero; C no_quiero")
    assert values(game, "points", "pot", "phase") == ("9-10-10", 1, "playing")


def test_the_others_answer_in_any_order() -> None:  # rules.md#destantado
    game = play("destantado", "A envido; C quiero")
    assert document_value(game, "phase") == "pending_envido"
    assert why_not(game, "C no_quiero") is Refusal.TOO_LATE
    assert why_not(game, "A quiero") is Refusal.OWN_CALL
    assert why_not(game, "A envido_won") is Refusal.NO_WINNER_WANTED
    assert points(play_on(game, "B no_quiero; C envido_won")) == "12-10-8"


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


def test_each_player_owes_what_they_last_agreed_to() -> None:  # rules.md#destantado
    """C accepted the envido of two and folded before the raise was answered."""
    game = play("destantado", "A envido; C quiero; B envido; A quiero; C no_quiero; A envido_won")
    assert points(game) == "4-14-12"


def test_a_raise_refused_by_both_rivals() -> None:  # rules.md#destantado
    """The raiser wins and passes to each player what they had agreed to."""
    game = play("destantado", "A envido; B real_envido; A no_quiero; C no_quiero")
    assert values(game, "points", "phase") == ("12-8-10", "playing")
    game = play("destantado", "A truco; C quiero; B retruco; A no_quiero; C no_quiero")
    assert values(game, "points", "phase") == ("12-6-12", "hand_over")


@pytest.mark.parametrize(
    ("calls", "each"),
    [("A truco", 2), ("A truco; B retruco", 3), ("A truco; B retruco; A vale_cuatro", 4)],
)
def test_s1_stakes_of_the_truco(calls: str, each: int) -> None:
    rivals = [side for side in "ABC" if side != calls.split("; ")[-1][0]]
    game = play("destantado", "; ".join([calls, *(f"{side} quiero" for side in rivals)]))
    assert document_value(game, "stake") == each
    won = play_on(game, "C hand_won")
    assert document_value(won, "score") == {"A": 10 + each, "B": 10 + each, "C": 10 - 2 * each}


def test_s1_a_truco_refused_by_both_rivals_ends_the_hand() -> None:
    game = play("destantado", "B truco; A no_quiero; C no_quiero")
    assert values(game, "points", "pot", "phase") == ("10-9-10", 1, "hand_over")


def test_s1_a_player_who_refuses_a_truco_drops_out() -> None:
    game = play("destantado", "B truco; A quiero; C no_quiero")
    for step in ("C hand_won", "C retruco", "C fold"):
        assert why_not(game, step) is Refusal.TOO_LATE, step
    assert points(play_on(game, "A hand_won")) == "8-12-10"


def test_both_who_accepted_may_call_next() -> None:  # rules.md#destantado
    game = play("destantado", "A truco; B quiero; C quiero")
    assert document_value(game, "may_raise") == ["B", "C"]
    assert why_not(game, "A retruco") is Refusal.NOT_YOUR_RAISE
    game = play_on(game, "C retruco")
    assert document_value(game, "may_raise") == ["A", "B"]


def test_a_hand_without_truco_gives_one_to_the_pot() -> None:  # rules.md#destantado
    """Option ``destantado_plain_hand``: or one to each rival."""
    game = play("destantado", "A hand_won")
    assert values(game, "points", "pot") == ("9-10-10", 1)
    game = play("destantado", "A hand_won", destantado_plain_hand="rivals")
    assert values(game, "points", "pot") == ("8-11-11", 0)


def test_s1_the_winner_of_the_hand_leads_the_next_one() -> None:
    assert document_value(play("destantado", "C hand_won; - new_hand"), "mano") == "C"
    assert (
        document_value(play("destantado", "A truco; B no_quiero; C no_quiero; - new_hand"), "mano")
        == "A"
    )
    assert document_value(play("destantado", "A fold; B fold; - new_hand"), "mano") == "C"


def test_three_ties_go_to_the_mano() -> None:  # rules.md#destantado
    assert points(play("destantado", "- all_tied", mano="B")) == "10-9-10"
    game = play("destantado", "A truco; C quiero; B no_quiero; - all_tied", mano="B")
    assert points(game) == "12-10-8"


def test_folding_leaves_the_hand_and_owes_what_was_agreed() -> None:  # rules.md#destantado
    game = play("destantado", "A fold")
    assert values(game, "points", "phase") == ("10-10-10", "playing")
    assert why_not(game, "A fold") is Refusal.TOO_LATE
    over = play_on(game, "B fold")
    assert values(over, "points", "pot", "phase") == ("10-10-9", 1, "hand_over")
    game = play("destantado", "A truco; B quiero; C quiero; B fold; C hand_won")
    assert points(game) == "12-12-6"
    game = play("destantado", "A truco; B quiero; C quiero; B fold; C fold")
    assert points(game) == "6-12-12"


def test_a_player_who_folded_owes_no_answer() -> None:  # rules.md#destantado
    game = play("destantado", "A fold; B envido; C no_quiero")
    assert values(game, "points", "phase") == ("10-9-10", "playing")
    game = play("destantado", "A fold; B truco; C quiero; C hand_won")
    assert points(game) == "10-12-8"
    assert play("destantado", "A fold; B envido; C fold").hand.over


def test_the_envido_goes_before_the_truco() -> None:  # rules.md#precedence
    game = play("destantado", "A truco; B envido")
    assert document_value(game, "suspended") == {"by": "A", "call": "truco"}
    game = play_on(game, "A quiero; C no_quiero")
    assert why_not(game, "B quiero") is Refusal.WINNER_FIRST
    game = play_on(game, "A envido_won")
    assert document_value(game, "phase") == "pending_truco"
    assert points(play_on(game, "B quiero; C no_quiero; B hand_won")) == "10-10-10"
    assert why_not(play("destantado", "A truco"), "A envido") is Refusal.OWN_CALL
    assert why_not(play("destantado", "- first_trick_done"), "A envido") is Refusal.ENVIDO_CLOSED


def test_a_player_passes_at_most_the_whole_pile() -> None:  # rules.md#destantado
    """In play order from the winner, until the pile is empty."""
    for pile, end in ((3, "0-14-16"), (2, "0-14-15"), (1, "0-13-15")):
        game = play("destantado", "A envido; B quiero; C quiero; A envido_won", f"{pile}-12-15")
        assert (points(game), game.winner) == (end, "A")
    game = play("destantado", "C truco; A quiero; B quiero; C hand_won", "12-14-3")
    assert (points(game), game.winner) == ("14-15-0", "C")


def test_the_envido_comes_first_and_may_end_it() -> None:  # rules.md#destantado
    game = play("destantado", "B truco; A envido; B quiero; C no_quiero; A envido_won", "2-12-16")
    assert (game.winner, document_value(game, "phase")) == ("A", "match_over")


def test_s1_the_last_point_may_go_to_the_pot() -> None:
    assert play("destantado", "A envido; B no_quiero; C no_quiero", "1-12-16").winner == "A"


def test_the_next_player_in_play_order_is_passed_to_first() -> None:  # rules.md#destantado
    for winner, start, end in (("B", "12-3-15", "13-0-17"), ("C", "12-15-3", "14-16-0")):
        script = f"A envido; B quiero; C quiero; {winner} envido_won"
        assert points(play("destantado", script, start)) == end


def test_an_award_goes_from_the_pile_to_the_pot() -> None:  # rules.md#award
    game = play("destantado", "B award 3")
    assert values(game, "points", "pot", "phase") == ("10-7-10", 3, "playing")
    assert play("destantado", "B award 3", "14-2-14").winner == "B"


def test_no_flor_and_no_tricks() -> None:  # rules.md#destantado
    for step in ("A flor", "- tricks A,A", "A envido_reversed", "A envido 5"):
        assert why_not(deal("destantado"), step) is Refusal.NOT_IN_THIS_VARIANT, step


def test_a_series() -> None:  # rules.md#series
    """Option ``best_of``."""
    game = play("destantado", "A hand_won; - new_hand", "1-12-16", best_of=3)
    assert values(game, "points", "games") == ("10-10-10", {"A": 1, "B": 0, "C": 0})


def test_piles_and_pot_hold_thirty_whatever_stands_at_the_start() -> None:  # rules.md#destantado
    assert document_value(deal("destantado", "2-12-10"), "pot") == 6
    with pytest.raises(ValueError, match="31"):
        deal("destantado", "10-10-11")


# Three players: several answers to one call, and an envido over a partly answered truco.


@pytest.mark.parametrize("call", ["envido", "truco"])
@pytest.mark.parametrize("a", ["quiero", "no_quiero", "fold"])
@pytest.mark.parametrize("c", ["quiero", "no_quiero", "fold"])
# rules.md#destantado
def test_the_order_of_the_two_answers_does_not_matter(call: str, a: str, c: str) -> None:
    one = play("destantado", f"B {call}; A {a}; C {c}")
    other = play("destantado", f"B {call}; C {c}; A {a}")
    for key in ("score", "pot", "phase", "stake", "mano", "may_raise", "legal"):
        assert document_value(one, key) == document_value(other, key), key


@pytest.mark.parametrize(
    ("steps", "phase"),
    [
        ("A truco; B quiero", "pending_truco"),
        ("A truco; B no_quiero", "pending_truco"),
        ("A truco; B fold", "pending_truco"),
        ("A envido; B fold", "pending_envido"),
        ("A truco; B retruco; C quiero", "pending_truco"),
        ("A truco; B quiero; C envido; B no_quiero", "pending_envido"),
    ],
)
def test_one_answer_is_not_enough(steps: str, phase: str) -> None:  # rules.md#destantado
    game = play("destantado", steps)
    assert document_value(game, "phase") == phase
    answered = steps.rsplit("; ", 1)[1][0]
    for word in ("quiero", "no_quiero", "fold", "real_envido"):
        assert why_not(game, f"{answered} {word}") is not None, word
    for word in ("A hand_won", "C hand_won", "- all_tied", "- first_trick_done", "- new_hand"):
        assert why_not(game, word) is Refusal.ANSWER_FIRST, word


@pytest.mark.parametrize(
    ("calls", "by", "wanted", "refused"),
    [
        ("A envido", "A", 2, 1),
        ("A envido; B quiero; C real_envido", "C", 5, 2),
        ("A real_envido; B falta_envido", "B", 6, 3),
        ("A truco; B quiero", "A", 2, 1),
        ("A truco; B retruco", "B", 3, 2),
        ("A truco; B retruco; C vale_cuatro", "C", 4, 3),
    ],
)
# rules.md#destantado
def test_the_document_shows_the_stakes_of_a_call(
    calls: str, by: str, wanted: int, refused: int
) -> None:
    game = play("destantado", calls)
    assert pays(game) == (wanted, refused)
    assert document_value(game, "pending")["by"] == by


def test_a_suspended_truco_keeps_the_answers_it_has() -> None:  # rules.md#precedence
    game = play("destantado", "C truco; B quiero; A envido; B quiero; C quiero; A envido_won")
    assert document_value(game, "pending") == {
        "by": "C",
        "call": "truco",
        "quiero": 2,
        "no_quiero": 1,
    }
    assert why_not(game, "B quiero") is Refusal.TOO_LATE
    assert points(play_on(game, "A no_quiero; C hand_won")) == "6-14-10"
    assert document_value(play_on(game, "A quiero"), "stake") == 2


def test_the_truco_is_settled_after_the_envido_also_by_a_fold() -> None:  # rules.md#precedence
    """A fold answers both: the truco waits for all answers to the envido."""
    game = play("destantado", "C truco; B quiero; A real_envido; C quiero; B falta_envido; A fold")
    assert document_value(game, "suspended") == {"by": "C", "call": "truco"}
    assert document_value(game, "phase") == "pending_envido"
    refused = play_on(game, "C no_quiero")
    assert points(refused) == "13-4-13"
    wanted = play_on(game, "C quiero")
    assert document_value(wanted, "suspended") == {"by": "C", "call": "truco"}
    wanted = play_on(wanted, "C envido_won")
    assert points(wanted) == "13-16-1"
    for game in (refused, wanted):
        # All have answered by then: two of the three play for it.
        assert values(game, "phase", "stake") == ("playing", 2)
        assert document_value(game, "may_raise") == ["B"]
        assert why_not(game, "A hand_won") is Refusal.TOO_LATE
    assert points(play_on(refused, "B hand_won")) == "13-2-15"


def test_no_hand_ends_before_its_envido_is_answered() -> None:  # rules.md#settlement
    """Both rivals of the truco have folded; its caller still owes the falta an answer."""
    game = play("destantado", "C truco; B no_quiero; A envido; B falta_envido; A fold")
    assert values(game, "phase", "points") == ("pending_envido", "10-10-10")
    over = play_on(game, "C no_quiero")
    assert values(over, "points", "pot", "phase") == ("12-8-9", 1, "hand_over")
    assert document_value(play_on(over, "- new_hand"), "mano") == "C"
    over = play_on(game, "C quiero; C envido_won")
    assert values(over, "points", "pot", "phase") == ("12-16-1", 1, "hand_over")
    assert [credit["why"] for credit in document_value(over, "last")][-1] == "truco_refused"


def test_a_player_who_refused_the_truco_still_answers_an_envido() -> None:  # rules.md#destantado
    """Refusing the truco leaves the tricks, not the hand, unlike a fold.

    The envido precedes the truco, so the answer to the truco does not affect it.
    """
    game = play("destantado", "C truco; B no_quiero; A envido")
    assert why_not(game, "B envido") is None
    over = play_on(game, "B quiero; C no_quiero; B envido_won; A no_quiero")
    assert values(over, "points", "pot") == ("12-8-9", 1)
    # After folding A owes no answer.
    game = play("destantado", "C truco; B fold; A envido")
    assert why_not(game, "B quiero") is Refusal.TOO_LATE
    assert points(play_on(game, "C no_quiero")) == "9-10-10"


def test_a_player_who_refused_the_truco_cannot_open_a_bet() -> None:  # rules.md#destantado
    game = play("destantado", "C truco; B no_quiero")
    assert why_not(game, "B envido") is Refusal.ANSWER_FIRST
    assert why_not(play_on(game, "A quiero"), "B envido") is Refusal.ENVIDO_CLOSED


def test_a_player_who_refused_an_envido_is_out_of_it() -> None:  # rules.md#destantado
    game = play("destantado", "A envido; C no_quiero; B real_envido")
    assert why_not(game, "C quiero") is Refusal.TOO_LATE
    assert points(play_on(game, "A quiero; B envido_won")) == "15-5-10"
    # A is still in the hand.
    assert points(play_on(game, "A no_quiero; C hand_won")) == "12-8-9"


def test_a_caller_who_folds_owes_the_proposed_amount() -> None:  # rules.md#destantado
    """The truco resumes, and the other two answer it."""
    game = play("destantado", "C truco; A envido; C fold; B no_quiero")
    assert points(game) == "9-10-10"
    assert document_value(game, "pending")["by"] == "C"
    both = play_on(game, "A quiero; B quiero")
    assert document_value(both, "may_raise") == ["A", "B"]
    assert points(play_on(both, "B hand_won")) == "11-6-12"
    # The last player left has won the hand.
    for steps, end in (
        ("A quiero; B no_quiero", "7-10-12"),
        ("A no_quiero", "9-8-12"),
        ("B fold", "7-10-12"),
    ):
        over = play_on(game, steps)
        assert values(over, "points", "phase") == (end, "hand_over"), steps
    over = play("destantado", "C truco; A envido; C fold; B fold")
    assert values(over, "points", "phase") == ("7-10-12", "hand_over")


def test_the_last_player_can_fold_only_the_envido() -> None:  # rules.md#destantado
    game = play("destantado", "C truco; A no_quiero; B envido; C fold; A real_envido; B fold")
    # B had proposed two of the envido to A; B had won the tricks since C folded.
    assert values(game, "points", "phase") == ("8-10-12", "hand_over")
    assert document_value(play_on(game, "- new_hand"), "mano") == "B"


def test_one_who_accepted_the_truco_and_folded_owes_it() -> None:  # rules.md#destantado
    game = play("destantado", "C truco; B quiero; A envido; B fold; C no_quiero; A no_quiero")
    assert values(game, "points", "pot") == ("9-12-8", 1)


def test_there_is_no_extra_point_for_folding_in_the_first_trick() -> None:  # rules.md#destantado
    early, late = "B fold; C fold", "- first_trick_done; B fold; C fold"
    assert points(play("destantado", early)) == points(play("destantado", late)) == "9-10-10"


def test_folds_that_are_refused() -> None:  # rules.md#destantado
    for steps, why in (
        ("A truco", Refusal.ANSWER_FIRST),
        ("A envido", Refusal.ANSWER_FIRST),
        ("B envido; A quiero", Refusal.ANSWER_FIRST),
        ("A envido; B quiero; C quiero", Refusal.WINNER_FIRST),
        ("A fold", Refusal.TOO_LATE),
        ("B truco; A no_quiero", Refusal.TOO_LATE),
        ("A hand_won", Refusal.HAND_OVER),
    ):
        assert why_not(play("destantado", steps), "A fold") is why, steps


@pytest.mark.parametrize(
    ("steps", "pot", "rivals"),
    [
        ("B hand_won", "10-9-10", "11-8-11"),
        ("- all_tied", "9-10-10", "8-11-11"),
        ("A fold; C fold", "10-9-10", "11-8-11"),
        # A refused truco does not make a plain hand either.
        ("B truco; A no_quiero; C no_quiero", "10-9-10", "10-9-10"),
        ("B truco; A quiero; C no_quiero; A hand_won", "8-12-10", "8-12-10"),
    ],
)
# rules.md#options
def test_where_the_point_of_a_plain_hand_goes(steps: str, pot: str, rivals: str) -> None:
    """Option ``destantado_plain_hand``."""
    assert points(play("destantado", steps)) == pot
    assert points(play("destantado", steps, destantado_plain_hand="pot")) == pot
    assert points(play("destantado", steps, destantado_plain_hand="rivals")) == rivals


@pytest.mark.parametrize("target", [1, 9, 15, 99])
def test_piles_may_have_any_height(target: int) -> None:  # rules.md#options
    """Option ``target``: an empty pile wins, and the falta is always six."""
    game = deal("destantado", target=target)
    assert values(game, "points", "pot") == (f"{target}-{target}-{target}", 0)
    game = play_on(game, "A falta_envido; B quiero; C no_quiero; A envido_won")
    assert points(game) == f"{max(0, target - 6)}-{target + min(6, target)}-{target}"
    assert game.winner == ("A" if target < 6 else None)


def test_a_series_to_its_end() -> None:  # rules.md#series
    """Option ``best_of``: every game starts with full piles and an empty pot."""
    game = play("destantado", "A award 10; - new_hand; C award 10; - new_hand", best_of=3)
    assert document_value(game, "games") == {"A": 1, "B": 0, "C": 1}
    assert values(game, "points", "pot", "hand") == ("10-10-10", 0, 1)
    game = play_on(game, "C award 10")
    assert (document_value(game, "phase"), game.winner) == ("match_over", "C")
    assert why_not(game, "- new_hand") is Refusal.GAME_OVER


def test_a_correction_is_made_up_by_the_pot() -> None:
    game = play("destantado", "A correct 7")
    assert values(game, "points", "pot") == ("7-10-10", 3)
    assert why_not(game, "B correct 14") is Refusal.TOO_MUCH
    assert why_not(game, "B correct 0") is Refusal.TOO_LITTLE
    game = play_on(game, "B correct 13")
    assert values(game, "points", "pot") == ("7-13-10", 0)


def test_a_conceded_or_timed_out_game_goes_to_the_lowest_pile() -> None:
    assert play("destantado", "A concede", "2-9-8").winner == "C"
    assert play("destantado", "- time", "12-9-8").winner == "C"
    assert why_not(deal("destantado"), "- time") is Refusal.TIED


def test_a_redeal_is_only_possible_before_any_call() -> None:  # rules.md#series
    assert why_not(deal("destantado"), "- new_hand") is None
    assert why_not(play("destantado", "A fold"), "- new_hand") is Refusal.NOT_OVER
    assert why_not(play("destantado", "A truco"), "- new_hand") is Refusal.ANSWER_FIRST


LONG_HANDS = (
    "C truco; B quiero; A real_envido; C quiero; B falta_envido; A fold; C quiero; B envido_won",
    "C truco; A envido; C fold; B quiero; A envido_won; A quiero; B retruco; A quiero; A hand_won",
    "A truco; C quiero; B retruco; A vale_cuatro; B quiero; C no_quiero; B hand_won; - new_hand",
    "A fold; B envido; C real_envido; B quiero; B envido_won; B award 1; C truco; B fold",
)


@pytest.mark.parametrize("steps", LONG_HANDS)
def test_every_step_is_taken_back_exactly(steps: str) -> None:
    history = History(deal("destantado"))
    seen: list[Game] = []
    for text in steps.split("; "):
        seen.append(history.game)
        assert history.play(parse_step(text, history.game.rules)) is None, text
        assert sum(history.game.score) + document_value(history.game, "pot") == 30
    end = history.game
    for game in reversed(seen):
        assert history.play(Step(None, Action.UNDO)) is None
        assert history.game == game
    assert history.play(Step(None, Action.UNDO)) is Refusal.NOTHING_TO_UNDO
    for _ in seen:
        assert history.play(Step(None, Action.REDO)) is None
    assert history.game == end


@pytest.mark.parametrize(("mano", "winner"), [("A", "B"), ("B", "B"), ("C", "C")])
def test_of_two_equal_piles_the_one_nearer_to_the_mano_wins(
    mano: str, winner: str
) -> None:  # rules.md#destantado
    assert play("destantado", "A concede", "2-9-9", mano).winner == winner
