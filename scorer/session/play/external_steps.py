"""What is entered without a button of the table: by set-up, a phone, the hub.

The rules judge it as they judge a press; guards and questions have no say in it.
"""

from __future__ import annotations

from scorer.rules import Action, Refusal, Step, attempt
from scorer.session.input.gestures import Gesture, GestureKind
from scorer.session.input.keymap import ButtonMeaning
from scorer.session.play import interpret
from scorer.session.play.reactions import record_steps, refuse, with_notice
from scorer.session.play.timers import expire
from scorer.session.play.undo_redo import apply_history_steps, redo, undo_press
from scorer.session.record import UNDO, HandId, RecordedStep, hand_id
from scorer.session.state import Reaction, Session
from scorer.session.view.view import Notice


def enter_step(session: Session, step: Step, now: float, time: str = "") -> Reaction:
    """A step that no button made: from set-up, a phone, the hub. ``- undo`` and ``- redo`` too.

    A step that belongs to the next hand deals it. A question and set-up are dropped. Nobody is
    asked before an undo that reaches into an earlier hand, and none of it leaves this game.
    """
    session, gesture = _without_prompts(session, now)
    if step.action is Action.UNDO:
        if not session.record.past:
            return refuse(session, interpret.refusal_notice(Refusal.NOTHING_TO_UNDO))
        return undo_press(session, gesture)
    if step.action is Action.REDO:
        if not session.record.future:
            return refuse(session, interpret.refusal_notice(Refusal.NOTHING_TO_REDO))
        return redo(session, gesture)
    late = attempt(session.game, step) is Refusal.HAND_OVER
    first = interpret.opening_steps(session.game) if late else ()
    return record_steps(session, (*first, step), ButtonMeaning.PAGE, gesture, time)


def redeal(session: Session, now: float) -> Reaction:
    """The hand is dealt again: everything entered in it is taken back."""
    return redeal_by_gesture(*_without_prompts(session, now))


def go_back_to(session: Session, steps: int, now: float) -> Reaction:
    """Back to the point of the game where only ``steps`` steps had been entered."""
    session, gesture = _without_prompts(session, now)
    return go_back_by_gesture(session, steps, gesture)


def redeal_by_gesture(session: Session, gesture: Gesture, time: str = "") -> Reaction:
    """``redeal``, by whoever made ``gesture``."""
    entered = steps_in_hand(session)
    if not entered:
        return record_steps(session, (interpret.NEW_HAND,), ButtonMeaning.PAGE, gesture, time)
    return apply_history_steps(session, (UNDO,) * entered, ButtonMeaning.UNDO, gesture)


def go_back_by_gesture(session: Session, steps: int, gesture: Gesture) -> Reaction:
    """``back_to``, by whoever made ``gesture``."""
    count = len(session.record.past) - steps
    if count <= 0 or steps < 0:
        return refuse(session, interpret.refusal_notice(Refusal.NOTHING_TO_UNDO))
    reaction = apply_history_steps(session, (UNDO,) * count, ButtonMeaning.UNDO, gesture)
    return reaction._replace(session=with_notice(reaction.session, Notice("went_back")))


def steps_in_hand(session: Session) -> int:
    """How many steps were entered in the hand that people are at."""
    hand = hand_id(session.game)
    others = (
        at for at, done in enumerate(reversed(session.record.past)) if _is_other_hand(done, hand)
    )
    return next(others, len(session.record.past))


def _is_other_hand(done: RecordedStep, hand: HandId) -> bool:
    return hand_id(done.before) != hand


def _without_prompts(session: Session, now: float) -> tuple[Session, Gesture]:
    """The table as nobody at it has pressed anything: no question, no page, no set-up."""
    session = expire(session, now)._replace(touched_at=now, question=None, page=None, setup=None)
    return session, Gesture(GestureKind.PRESS, "", now, now)
