"""What is entered without a button of the table: by a phone, the hub.

The rules judge it as they judge a press; guards and questions have no say in it.
"""

from __future__ import annotations

from scorer.rules import Action, Refusal, Step, attempt
from scorer.session.input.gestures import Gesture, GestureKind
from scorer.session.input.keymap import ButtonMeaning
from scorer.session.play.reactions import record_in_hand, record_steps, refuse
from scorer.session.play.timers import expire
from scorer.session.play.undo_redo import redo, undo_press
from scorer.session.state import ButtonPress, Reaction, Session


def enter_step(session: Session, step: Step, now: float, time: str = "") -> Reaction:
    """A step that no button made: from a phone, the hub. ``- undo`` and ``- redo`` too.

    A step that belongs to the next hand deals it. A question and set-up are dropped. Nobody is
    asked before an undo that reaches into an earlier hand, and none of it leaves this game.
    """
    session = expire(session, now)._replace(touched_at=now, question=None, page=None, setup=None)
    press = ButtonPress(ButtonMeaning.PAGE, Gesture(GestureKind.PRESS, "", now, now), time)
    if step.action is Action.UNDO:
        if not session.record.past:
            return refuse(session, Refusal.NOTHING_TO_UNDO)
        return undo_press(session, press)
    if step.action is Action.REDO:
        if not session.record.future:
            return refuse(session, Refusal.NOTHING_TO_REDO)
        return redo(session, press)
    is_late = attempt(session.game, step) is Refusal.HAND_OVER
    return (record_in_hand if is_late else record_steps)(session, (step,), press)
