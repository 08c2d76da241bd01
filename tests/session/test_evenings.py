"""Typical evenings: presses at a table and the resulting journal."""

from __future__ import annotations

import pytest

from scorer.rules import Action, Phase, Side, Step
from scorer.session.play.external_steps import enter_step
from scorer.session.values.state import Verdict
from tests.session.rig import SessionRig


def enter(
    desk: SessionRig, side: Side | None, action: Action, amount: int | None = None
) -> Verdict:
    step = Step(side, action, amount)
    return desk.store_and_adopt(enter_step(desk.session, step, desk.time)).verdict


def evening(script: str, variant: str = "argentine", **options: str | int | bool) -> SessionRig:
    desk = SessionRig(variant, options)
    desk.do(*script.split(", "))
    return desk


def test_both_teams_say_truco_at_once_and_there_is_one_truco() -> None:
    desk = SessionRig()
    desk.press_together(["A.truco", "B.truco"], gap=0.2)
    desk.pass_time(1.0)
    assert desk.lines == ["A truco"]


def test_two_switches_that_close_within_one_debounce_time_count_in_their_order() -> None:
    desk = SessionRig()
    for button in ("A.truco", "B.no_quiero"):
        desk._edge(button, True)
        desk.pass_time(0.003)
    desk.pass_time(0.1)
    assert desk.lines == ["A truco", "B no_quiero"]


def test_a_truco_on_the_wrong_console_is_undone_and_pressed_again() -> None:
    desk = evening("A truco, undo, B truco")
    assert desk.game.hand.truco.caller is Side.B


def test_the_own_team_does_not_answer_its_call() -> None:
    desk = evening("A truco, A quiero, B quiero, A tantos")
    assert desk.score == (2, 0)


def test_envido_goes_before_truco_and_the_same_truco_still_waits() -> None:
    desk = evening("A truco, B envido, A quiero, B tantos")
    assert (desk.session.phase, desk.score) == (Phase.PENDING_TRUCO, (0, 2))
    desk.do("B quiero", "A tantos")
    assert desk.score == (2, 2)


@pytest.mark.parametrize(
    ("script", "score"),
    [
        ("A no_quiero hold, A quiero",                        (0, 2)),  # in the first trick
        ("A no_quiero hold, A no_quiero",                     (0, 1)),  # later
        ("A envido, B no_quiero, A no_quiero hold",           (1, 1)),  # the envido is settled
        ("B envido, A no_quiero, wait 3, A no_quiero hold, A quiero", (0, 2)),
        ("B truco, A no_quiero hold",                         (0, 1)),  # a no like any other
        ("B truco, A quiero, A no_quiero hold",               (0, 2)),
    ],
)  # fmt: skip
def test_al_mazo(script: str, score: tuple[int, int]) -> None:
    desk = evening(script)
    assert (desk.score, desk.game.hand.over) == (score, True)


@pytest.mark.parametrize("variant", ["paulista", "gaucho"])
def test_where_a_fold_is_worth_the_same_in_every_trick_the_hold_is_enough(variant: str) -> None:
    desk = evening("A no_quiero hold", variant)
    assert desk.lines == ["A fold"]


def test_the_winner_of_the_envido_was_forgotten_and_truco_is_said() -> None:
    desk = evening("A envido, B quiero")
    assert desk.do("A truco").verdict is Verdict.REFUSED
    desk.do("B tantos", "A truco", "B no_quiero")
    assert desk.score == (1, 2)


def test_a_liar_is_found_after_the_next_press_and_undo_goes_first() -> None:
    desk = evening("A envido, B quiero, A tantos, wait 7, B tantos, B truco")
    assert enter(desk, Side.A, Action.ENVIDO_REVERSED) is Verdict.REFUSED
    desk.do("undo")
    assert enter(desk, Side.A, Action.ENVIDO_REVERSED) is Verdict.ACCEPTED
    assert desk.score == (0, 3)


@pytest.mark.parametrize(
    ("variant", "options", "score"),
    [("argentine", {}, (1, 0)), ("argentine", {"tied": "none"}, (0, 0)), ("paulista", {}, (0, 0))],
)
def test_three_tied_tricks(variant: str, options: dict[str, str], score: tuple[int, int]) -> None:
    desk = evening("both tantos, B quiero", variant, **options)
    assert (desk.score, desk.game.hand.over) == (score, True)


def test_the_same_chord_as_a_dispute_changes_nothing() -> None:
    desk = evening("both tantos, A no_quiero")
    assert desk.lines == []
    assert desk.view.notice is not None and desk.view.notice.key == "dispute"


def test_a_start_at_twelve_to_nine() -> None:
    desk = SessionRig(score={Side.A: 12, Side.B: 9})
    desk.do("B tantos")
    assert desk.score == (12, 10)


def test_time_is_up_at_a_tie_and_then_not() -> None:
    desk = SessionRig()
    assert enter(desk, None, Action.TIME) is Verdict.REFUSED
    assert desk.view.notice is not None and desk.view.notice.key == "TIED"
    desk.do("B tantos")
    assert enter(desk, None, Action.TIME) is Verdict.ACCEPTED
    assert desk.game.winner is Side.B


def test_a_surrender_ends_the_game_and_can_be_undone() -> None:
    desk = SessionRig()
    enter(desk, Side.A, Action.CONCEDE)
    won = desk.game.winner
    desk.do("undo")
    assert (won, desk.game.winner) == (Side.B, None)


def test_a_plain_hand_is_one_press() -> None:
    desk = SessionRig()
    desk.do("A tantos", "wait 7", "B tantos", "wait 7", "A tantos")
    assert desk.lines == ["A hand_won", "- new_hand", "B hand_won", "- new_hand", "A hand_won"]


def test_undo_to_the_start_of_the_night_over_two_games_and_redo_all() -> None:
    desk = evening("A tantos, wait 7, A tantos, A quiero, B quiero, B truco, A quiero", target=2)
    end = (desk.current, desk.game)
    while desk.current or desk.session.record.past:
        desk.do("undo")
    assert (desk.current, desk.score, desk.game.hand_number) == (0, (0, 0), 1)
    while desk.do("undo hold").verdict is Verdict.ACCEPTED:
        pass
    assert (desk.current, desk.game) == end


def test_the_guards_of_one_hand_do_not_outlive_it() -> None:
    """A whole evening at the speed of experienced players."""
    desk = SessionRig()
    for _ in range(8):
        verdicts = [
            desk.do(line).verdict
            for line in ("A envido", "B quiero", "A tantos", "B truco", "A quiero", "B tantos")
        ]
        assert verdicts == [Verdict.ACCEPTED] * 6
        desk.do("wait 4")
    assert desk.score == (16, 16)
