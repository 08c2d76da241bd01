"""What is entered without a button of the table: by set-up, a phone, the hub.

The rules judge it as they judge a press; guards and questions have no say in it.
"""

from __future__ import annotations

from scorer.rules import Action, Refusal, Step, attempt
from scorer.session import meanings
from scorer.session.adopting import book, refuse
from scorer.session.gestures import Gesture, Kind
from scorer.session.keymap import Meaning
from scorer.session.passing import tick
from scorer.session.record import UNDO, hand_id
from scorer.session.state import Reaction, Session
from scorer.session.walking import redo, take_back, walk


def enter(session: Session, step: Step, now: float, time: str = "") -> Reaction:
    """A step that no button made: from set-up, a phone, the hub. ``- undo`` and ``- redo`` too.

    A step that belongs to the next hand deals it. A question on the panel is dropped. Nobody is
    asked before an undo that reaches into an earlier hand, and none of it leaves this game.
    """
    session = tick(session, now)._replace(touched=now, question=None, page=None)
    gesture = Gesture(Kind.PRESS, "", now, now)
    if step.action is Action.UNDO:
        if not session.record.past:
            return refuse(session, meanings.refused(Refusal.NOTHING_TO_UNDO))
        return take_back(session, gesture)
    if step.action is Action.REDO:
        if not session.record.future:
            return refuse(session, meanings.refused(Refusal.NOTHING_TO_REDO))
        return redo(session, gesture)
    late = attempt(session.game, step) is Refusal.HAND_OVER
    first = meanings.opening(session.game) if late else ()
    return book(session, (*first, step), Meaning.PAGE, gesture, time)


def redeal(session: Session, now: float) -> Reaction:
    """The hand is dealt again: everything entered in it is taken back."""
    session = tick(session, now)._replace(touched=now, question=None, page=None)
    gesture = Gesture(Kind.PRESS, "", now, now)
    hand = hand_id(session.game)
    entered = 0
    for done in reversed(session.record.past):
        if hand_id(done.before) != hand:
            break
        entered += 1
    if not entered:
        return book(session, (meanings.NEW_HAND,), Meaning.PAGE, gesture, "")
    return walk(session, (UNDO,) * entered, Meaning.UNDO, gesture)


def back_to(session: Session, steps: int, now: float) -> Reaction:
    """Back to the point of the game where only ``steps`` steps had been entered."""
    session = tick(session, now)._replace(touched=now, question=None, page=None)
    count = len(session.record.past) - steps
    if count <= 0 or steps < 0:
        return refuse(session, meanings.refused(Refusal.NOTHING_TO_UNDO))
    gesture = Gesture(Kind.PRESS, "", now, now)
    return walk(session, (UNDO,) * count, Meaning.UNDO, gesture)
