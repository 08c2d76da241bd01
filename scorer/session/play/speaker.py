"""Whose press it was, where three players share two consoles, or where two owe an answer.

A console that speaks for one side needs none of this. It asks only where two could have meant it;
what the press comes to is found elsewhere.
"""

from __future__ import annotations

from scorer.rules import Refusal, Side
from scorer.rules.destantado import asked
from scorer.rules.variant import Seats
from scorer.session import seats
from scorer.session.input import keymap
from scorer.session.input.keymap import Meaning
from scorer.session.play import interpret, questions
from scorer.session.play.interpret import Plan, Say, Wants
from scorer.session.record import write
from scorer.session.state import Answer, Deed, Question, Session

_ANSWERS = (Meaning.QUIERO, Meaning.NO_QUIERO)


def speakers(session: Session, button: str) -> tuple[Side, ...]:
    """Everybody who may have pressed ``button``; nobody where it is no console's."""
    wired = session.settings.consoles
    return seats.sides_at(keymap.console_of(button), session.rules, wired)


def plan(session: Session, meaning: Meaning, button: str) -> Plan | None:
    """What ``button`` comes to as ``meaning``; None where it is nobody's."""
    sides = _narrowed(session, meaning, speakers(session, button))
    plans = tuple(_plan(session, meaning, side) for side in sides)
    if len(plans) < 2:
        return plans[0] if plans else None
    possible = [plan for plan in plans if _is_possible(session, plan)]
    if len(possible) < 2 or meaning is Meaning.BOTH:
        return (possible or plans)[0]
    return questions.whose(*(_answer(key, each) for key, each in _named(plans)))


def _named(plans: tuple[Plan, ...]) -> tuple[tuple[str, Plan], ...]:
    second, third = plans
    return (("second", second), ("third", third))


def _plan(session: Session, meaning: Meaning, side: Side) -> Plan:
    game = interpret.standing(session.game)
    wants = Wants(session.record, game, side, session.settings.trick_by_trick)
    return interpret.plan(meaning, wants)


def _narrowed(session: Session, meaning: Meaning, sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """Where two are asked one of them is named, and any console may answer for that one."""
    game = interpret.standing(session.game)
    if not sides or game.rules.seats is not Seats.ALONE or meaning not in _ANSWERS:
        return sides
    owing = asked(game)
    own = tuple(side for side in sides if side in owing)
    return (own or owing)[:1] or sides


def _is_possible(session: Session, plan: Plan) -> bool:
    match plan:
        case Question():
            return True
        case Say(steps, whole):
            first = () if whole else interpret.opening(session.game)
            return not isinstance(write(session.record, (*first, *steps)), Refusal)
        case _:
            return False


def _answer(key: str, plan: Plan) -> Answer:
    if isinstance(plan, Question):
        return Answer(key, Deed.ASK_NEXT, next_question=plan)
    assert isinstance(plan, Say)
    return Answer(key, Deed.RECORD, plan.steps)
