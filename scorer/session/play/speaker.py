"""The speaker of a press if players share a console or two sides owe an answer.

Asks a question only if the press is ambiguous.
"""

from __future__ import annotations

from scorer.rules import Refusal, Side, phase_of
from scorer.rules.destantado import players_to_answer
from scorer.session.input.guards import is_after_bet, is_double_tap, is_simultaneous
from scorer.session.input.keymap import console_of, hold_meaning
from scorer.session.play import interpret, questions
from scorer.session.play.interpret import PressContext, PressPlan, StepPlan
from scorer.session.values.game_queries import current_hand, opening_steps
from scorer.session.values.press import ButtonMeaning, ButtonPress
from scorer.session.values.question import Answer, AnswerEffect, AnswerKey, Question
from scorer.session.values.record import append_press
from scorer.session.values.state import Session

_ANSWERS = (ButtonMeaning.QUIERO, ButtonMeaning.NO_QUIERO)
_OFFERS = (ButtonMeaning.BIDS, ButtonMeaning.FLORES)


def plan_press(session: Session, press: ButtonPress, sides: tuple[Side, ...]) -> PressPlan | None:
    """The plan for a press of a button shared by ``sides``; None without a side."""
    meaning = press.meaning
    sides = _narrow_to_answering(session, meaning, sides)
    plans = tuple(_plan_for_side(session, press, side) for side in sides)
    if len(plans) < 2:
        return plans[0] if plans else None
    possible = [plan for plan in plans if _is_possible(session, plan)]
    if len(possible) < 2 or meaning is ButtonMeaning.BOTH:
        return (possible or plans)[0]
    second, third = plans
    return questions.which_third(
        _answer(AnswerKey.SECOND, second),
        _answer(AnswerKey.THIRD, third),
        console_of(press.gesture.button),
    )


def _plan_for_side(session: Session, press: ButtonPress, side: Side) -> PressPlan:
    button, layout = press.gesture.button, session.settings.table.layout
    game = current_hand(session.game)
    context = PressContext(
        record=session.record,
        game=game,
        side=side,
        trick_by_trick=session.settings.guards.trick_by_trick,
        console=console_of(button),
        is_double_tap=is_double_tap(session, press.meaning, press.gesture),
        has_hold=hold_meaning(layout, button, game.rules, phase_of(game)) in _OFFERS,
        is_simultaneous=is_simultaneous(session, press.gesture),
        is_after_bet=is_after_bet(session, press.gesture),
    )
    return interpret.plan(press.meaning, context)


def _narrow_to_answering(
    session: Session, meaning: ButtonMeaning, sides: tuple[Side, ...]
) -> tuple[Side, ...]:
    """With two sides to answer, one is named and any console may answer for it."""
    game = current_hand(session.game)
    if not sides or not game.rules.seating.each_alone or meaning not in _ANSWERS:
        return sides
    owing = players_to_answer(game)
    own = tuple(side for side in sides if side in owing)
    return (own or owing)[:1] or sides


def _is_possible(session: Session, plan: PressPlan) -> bool:
    match plan:
        case Question():
            return True
        case StepPlan(steps, whole):
            first = () if whole else opening_steps(session.game)
            return not isinstance(append_press(session.record, (*first, *steps)), Refusal)
        case _:
            return False


def _answer(key: AnswerKey, plan: PressPlan) -> Answer:
    if isinstance(plan, Question):
        return Answer(key, AnswerEffect.ASK_NEXT, next_question=plan)
    assert isinstance(plan, StepPlan)
    return Answer(key, AnswerEffect.RECORD, plan.steps)
