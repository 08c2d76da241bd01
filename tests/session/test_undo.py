"""Undo and redo: press by press, across hands and games, and after power cuts."""

from __future__ import annotations

import random

import pytest

from scorer.rules import Action, Game, Side, Step, variant_ids
from scorer.session.input.holds import has_hold
from scorer.session.input.keymap import buttons
from scorer.session.play.external_steps import enter_step
from scorer.session.play.timers import next_deadline
from scorer.session.play.undo_redo import go_back_to, redeal
from scorer.session.values.press import GestureKind
from scorer.session.values.record import JournalLine, append_press, new_record, replay_lines
from scorer.session.values.settings import Layout, Settings
from scorer.session.values.state import Session, Verdict
from scorer.session.view.build_view import view_of
from tests.sampling import amount
from tests.session.rig import SessionRig, menu_press
from tests.support.settings import settings_with

GUARDLESS = settings_with(slap=0, slap_call=0, echo=0, closed=0, paid_hand=0, paid_bet=0)


def notice(desk: SessionRig) -> tuple[object, ...]:
    told = desk.session.notice
    return () if told is None else (told.key, told.word, told.side, told.points)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("A truco",                   ("undone", "truco", 0, 0)),
        ("A truco, B truco",          ("undone", "retruco", 1, 0)),
        ("A truco, B quiero",         ("undone", "quiero", 1, 0)),
        ("A envido x2",               ("undone", "real envido", 0, 0)),
        ("A truco, B no_quiero",      ("undone_points", "no quiero", 0, 1)),
        ("A truco, B quiero, A tantos", ("undone_points", "hand_won", 0, 2)),
        ("A truco, B tantos",         ("undone_points", "hand_won", 1, 2)),
        ("A no_quiero hold, A quiero", ("undone_points", "al mazo", 1, 2)),
    ],
)  # fmt: skip
def test_undo_names_what_it_took_back(script: str, expected: tuple[object, ...]) -> None:
    desk = SessionRig()
    desk.do(*script.split(", "), "undo")
    assert notice(desk) == expected


def test_redo_names_what_it_put_again() -> None:
    desk = SessionRig()
    desk.do("A truco", "B no_quiero", "undo", "undo hold")
    assert notice(desk) == ("redone_points", "no quiero", 0, 1)
    assert desk.newest_lines == ["- redo"]


def test_undo_takes_back_a_press_with_every_step_it_made() -> None:
    desk = SessionRig()
    desk.do("A truco", "B tantos", "undo")
    assert desk.lines == ["A truco", "B quiero", "B hand_won", "- undo", "- undo"]
    desk.do("undo hold")
    assert desk.newest_lines == ["- redo", "- redo"]
    assert desk.score == (0, 2)


def test_a_new_press_forgets_what_could_have_been_redone() -> None:
    desk = SessionRig()
    desk.do("A truco", "undo", "B truco")
    assert desk.do("undo hold").verdict is Verdict.REFUSED


def test_the_first_undo_into_an_earlier_hand_asks_and_the_second_does_it() -> None:
    desk = SessionRig()
    desk.do("A tantos", "wait 7", "B tantos", "wait 4", "A truco")
    assert desk.do("undo").verdict is Verdict.ACCEPTED
    assert desk.score == (1, 1)
    assert desk.do("undo").verdict is Verdict.QUESTION
    asked = desk.session.question
    assert asked is not None
    assert (asked.key, asked.number, asked.yes.points) == ("undo_far", 2, (1, 1))
    assert desk.do("undo").verdict is Verdict.ACCEPTED
    assert desk.score == (1, 0)


@pytest.mark.parametrize(("answer", "score"), [("A quiero", (0, 0)), ("B no_quiero", (1, 0))])
def test_the_question_before_a_far_undo_has_two_answers(
    answer: str, score: tuple[int, int]
) -> None:
    desk = SessionRig()
    desk.do("A tantos", "B truco", "undo", "undo", answer)
    assert desk.score == score


def test_the_hand_that_was_just_closed_is_taken_back_without_a_question() -> None:
    desk = SessionRig()
    desk.do("A tantos", "wait 60")
    assert desk.do("undo").verdict is Verdict.ACCEPTED
    assert desk.score == (0, 0)


def test_every_hand_further_back_is_asked_about() -> None:
    desk = SessionRig()
    desk.do("A tantos", "wait 7", "A tantos", "wait 7", "A tantos", "wait 4")
    verdicts = [desk.do("undo").verdict for _ in range(5)]
    taken, question = Verdict.ACCEPTED, Verdict.QUESTION
    assert verdicts == [taken, question, taken, question, taken]
    assert desk.session.record.past == ()


def test_the_call_that_envido_went_round_to_is_one_call() -> None:
    desk = SessionRig()
    desk.do("A envido x3", "undo hold")
    assert desk.game.hand.envido.chain == (Action.FALTA_ENVIDO,)


def test_one_undo_leads_back_from_a_raise_to_the_call_that_it_replaced() -> None:
    desk = SessionRig()
    desk.do("A envido x3", "undo")
    assert desk.game.hand.envido.chain == (Action.REAL_ENVIDO,)
    desk.do("undo")
    assert desk.session.record.past == ()


def won(variant: str = "argentine", **options: str | int | bool) -> SessionRig:
    desk = SessionRig(variant, options, score={Side.A: 29, Side.B: 3})
    desk.do("A tantos")
    return desk


def test_what_was_said_since_leaves_the_other_game_taken_back() -> None:
    desk = won()
    desk.do("A quiero", "B quiero", "undo", "undo", "undo", "wait 4", "B tantos")
    assert desk.do("undo hold").verdict is Verdict.REFUSED
    desk.restart()
    assert (desk.current, desk.score) == (0, (29, 4))
    assert desk.do("undo hold").verdict is Verdict.REFUSED


def test_a_game_under_way_comes_back_with_everything_in_it() -> None:
    desk = won()
    desk.do("A quiero", "B quiero", "A truco", "B quiero")
    desk.do("undo", "undo", "undo", "undo")
    assert desk.current == 0
    desk.do("undo hold", "undo hold", "undo hold")
    assert desk.current == 1
    assert desk.game.hand.truco.rung == 1


def test_the_next_game_of_a_series_is_taken_back_into_the_one_before() -> None:
    desk = won(best_of=3)
    desk.do("A quiero", "B quiero")
    assert desk.newest_lines == ["- new_hand"]
    assert (desk.game.games, desk.score) == ((1, 0), (0, 0))
    desk.do("undo")
    assert (desk.game.games, desk.score) == ((0, 0), (30, 3))


def test_undo_takes_back_one_teams_yes_to_the_next_game() -> None:
    desk = won()
    desk.do("A quiero", "undo")
    assert desk.session.confirmed == ()
    assert desk.game.winner is Side.A


def test_a_redeal_takes_the_hand_back_in_one_press() -> None:
    desk = SessionRig()
    desk.do("A tantos", "B truco", "A quiero", "A no_quiero")
    desk.store_and_adopt(redeal(desk.session, menu_press(desk.time)))
    assert desk.newest_lines == ["- undo", "- undo"]
    assert (desk.score, desk.game.hand_number, desk.game.hand.truco.rung) == ((1, 0), 2, 0)
    desk.store_and_adopt(redeal(desk.session, menu_press(desk.time)))
    assert desk.newest_lines == ["- new_hand"]
    assert desk.game.hand_number == 2


@pytest.mark.parametrize("steps", [-1, 1, 5])
def test_there_is_no_point_ahead_to_go_back_to(steps: int) -> None:
    desk = SessionRig()
    desk.do("A truco")
    reaction = go_back_to(desk.session, steps, menu_press(desk.time))
    assert reaction.verdict is Verdict.REFUSED


@pytest.mark.parametrize(
    ("step", "score"),
    [
        (Step(Side.A, Action.CORRECT, 12), (12, 0)),
        (Step(Side.B, Action.AWARD, 2),    (0, 2)),
        (Step(Side.A, Action.TRUCO),       (0, 0)),
    ],
)  # fmt: skip
def test_a_step_that_no_button_made_is_undone_like_any_other(
    step: Step, score: tuple[int, int]
) -> None:
    desk = SessionRig()
    desk.store_and_adopt(enter_step(desk.session, step, desk.time))
    assert desk.score == score
    desk.do("undo")
    assert desk.session.record.past == ()


def test_a_call_from_a_phone_deals_the_hand_that_it_belongs_to() -> None:
    desk = SessionRig()
    desk.do("A tantos")
    desk.store_and_adopt(enter_step(desk.session, Step(Side.B, Action.TRUCO), desk.time))
    assert desk.newest_lines == ["- new_hand", "B truco"]


def test_a_phone_undoes_and_redoes_by_whole_presses() -> None:
    desk = SessionRig()
    desk.do("A truco", "B tantos")
    desk.store_and_adopt(enter_step(desk.session, Step(None, Action.UNDO), desk.time))
    assert desk.newest_lines == ["- undo", "- undo"]
    desk.store_and_adopt(enter_step(desk.session, Step(None, Action.REDO), desk.time))
    assert desk.score == (0, 2)


def test_a_journal_that_holds_what_the_rules_refuse_is_not_believed() -> None:
    start = SessionRig().game
    with pytest.raises(ValueError, match="refused"):
        replay_lines(start, [JournalLine(1, "A quiero")])


def test_a_refused_press_writes_nothing() -> None:
    record = new_record(SessionRig().game)
    steps = (Step(Side.A, Action.TRUCO), Step(Side.A, Action.QUIERO))
    assert not isinstance(append_press(record, steps), type(record))
    assert record.past == ()


# ---- laws over random games ---------------------------------------------------------------------


def random_desk(dice: random.Random, variant: str, layout: Layout) -> SessionRig:
    guards = GUARDLESS if dice.random() < 0.7 else Settings()
    tricks = dice.random() < 0.2
    settings = settings_with(guards, layout=layout, trick_by_trick=tricks, stale_after_s=0)
    options: dict[str, str | int | bool] = {"best_of": dice.choice((1, 3))}
    if dice.random() < 0.5:
        options["target"] = dice.choice((6, 12, 15))
    return SessionRig(variant, options, settings=settings)


def random_press(desk: SessionRig, dice: random.Random, names: tuple[str, ...]) -> None:
    """Some gesture of some button; UNDO and MENU less often than the rest."""
    button = dice.choice(names)
    if button in ("undo", "menu") and dice.random() < 0.7:
        button = dice.choice(names[:-2])
    desk.time += dice.choice((0.1, 0.4, 1.0, 3.5, 5.0))
    if button.endswith("tantos") and dice.random() < 0.2:
        desk.send_gesture(button, GestureKind.CHORD)
    elif has_hold(desk.session, button) and dice.random() < 0.4:
        desk.send_gesture(button, GestureKind.HOLD_STARTED)
        desk.send_gesture(button, GestureKind.HOLD)
    else:
        desk.send_gesture(button)


def durable(state: Session) -> tuple[object, ...]:
    return (state.record, state.has_earlier_game, state.has_later_game)


CASES = [(variant, layout) for variant in variant_ids() for layout in Layout]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("variant", "layout"), CASES)
def test_any_presses_raise_nothing_and_a_restart_after_each_changes_nothing(
    variant: str, layout: Layout
) -> None:
    dice = random.Random(f"{variant} {layout} restart")
    for _ in range(amount(1, 4)):
        desk = random_desk(dice, variant, layout)
        names = buttons(layout)
        for _ in range(60):
            random_press(desk, dice, names)
            assert durable(desk.replay_journal()) == durable(desk.session)
            view_of(desk.session)
            due = next_deadline(desk.session)
            assert due is None or due > desk.session.now


@pytest.mark.sampled(9)
@pytest.mark.parametrize(("variant", "layout"), CASES)
def test_undoing_everything_returns_to_the_start_bit_for_bit_and_redo_to_the_end(
    variant: str, layout: Layout
) -> None:
    dice = random.Random(f"{variant} {layout} undo")
    for _ in range(amount(1, 6)):
        desk = random_desk(dice, variant, layout)
        names = [name for name in buttons(layout) if name not in ("undo", "menu")]
        for _ in range(60):
            random_press(desk, dice, (*names, "undo", "undo"))
        # UNDO would take back a change of rules first.
        desk.session = desk.session._replace(question=None, confirmed=()).with_change(None)
        start, end = desk.session.record.start, desk.game
        before, future = desk.session.record.past, desk.session.record.future
        if any(done.corrects for done in (*before, *future)):
            continue  # UNDO of a correction restores steps, and REDO does not correct again
        reached = _back_to_the_start(desk)
        assert reached == start
        states = _forth_again(desk, len(before) + len(future))
        assert end in states
        assert [done.step for done in desk.session.record.past[: len(before)]] == [
            done.step for done in before
        ]


def _back_to_the_start(desk: SessionRig) -> Game:
    while desk.session.record.past:
        steps = len(desk.session.record.past)
        for _ in range(2):
            if len(desk.session.record.past) == steps:
                desk.time += 0.1
                desk.send_gesture("undo")
        assert len(desk.session.record.past) < steps
    return desk.game


def _forth_again(desk: SessionRig, steps: int) -> list[Game]:
    states = [desk.game]
    while len(desk.session.record.past) < steps:
        done = len(desk.session.record.past)
        desk.store_and_adopt(enter_step(desk.session, Step(None, Action.REDO), desk.time))
        assert len(desk.session.record.past) > done
        states.append(desk.game)
    return states
