"""What is entered without a button of the table: by set-up, a phone, the hub.

The rules judge it as they judge a press; guards and questions have no say in it.
"""

from __future__ import annotations

from scorer.rules import Action, Refusal, Step, attempt
from scorer.session.input.gestures import Gesture, Kind
from scorer.session.input.keymap import Meaning
from scorer.session.play import interpret
from scorer.session.play.reactions import book, noticed, refuse
from scorer.session.play.timers import tick
from scorer.session.play.undo_redo import redo, take_back, walk
from scorer.session.record import UNDO, Done, HandId, hand_id
from scorer.session.state import Reaction, Session
from scorer.session.view.view import Notice


def enter(session: Session, step: Step, now: float, time: str = "") -> Reaction:
    """A step that no button made: from set-up, a phone, the hub. ``- undo`` and ``- redo`` too.

    A step that belongs to the next hand deals it. A question and set-up are dropped. Nobody is
    asked before an undo that reaches into an earlier hand, and none of it leaves this game.
    """
    session, gesture = _unasked(session, now)
    if step.action is Action.UNDO:
        if not session.record.past:
            return refuse(session, interpret.refused(Refusal.NOTHING_TO_UNDO))
        return take_back(session, gesture)
    if step.action is Action.REDO:
        if not session.record.future:
            return refuse(session, interpret.refused(Refusal.NOTHING_TO_REDO))
        return redo(session, gesture)
    late = attempt(session.game, step) is Refusal.HAND_OVER
    first = interpret.opening(session.game) if late else ()
    return book(session, (*first, step), Meaning.PAGE, gesture, time)


def redeal(session: Session, now: float) -> Reaction:
    """The hand is dealt again: everything entered in it is taken back."""
    return deal_again(*_unasked(session, now))


def back_to(session: Session, steps: int, now: float) -> Reaction:
    """Back to the point of the game where only ``steps`` steps had been entered."""
    session, gesture = _unasked(session, now)
    return go_back(session, steps, gesture)


def deal_again(session: Session, gesture: Gesture, time: str = "") -> Reaction:
    """``redeal``, by whoever made ``gesture``."""
    entered = entered_in_hand(session)
    if not entered:
        return book(session, (interpret.NEW_HAND,), Meaning.PAGE, gesture, time)
    return walk(session, (UNDO,) * entered, Meaning.UNDO, gesture)


def go_back(session: Session, steps: int, gesture: Gesture) -> Reaction:
    """``back_to``, by whoever made ``gesture``."""
    count = len(session.record.past) - steps
    if count <= 0 or steps < 0:
        return refuse(session, interpret.refused(Refusal.NOTHING_TO_UNDO))
    reaction = walk(session, (UNDO,) * count, Meaning.UNDO, gesture)
    return reaction._replace(session=noticed(reaction.session, Notice("went_back")))


def entered_in_hand(session: Session) -> int:
    """How many steps were entered in the hand that people are at."""
    hand = hand_id(session.game)
    others = (at for at, done in enumerate(reversed(session.record.past)) if _elsewhere(done, hand))
    return next(others, len(session.record.past))


def _elsewhere(done: Done, hand: HandId) -> bool:
    return hand_id(done.before) != hand


def _unasked(session: Session, now: float) -> tuple[Session, Gesture]:
    """The table as nobody at it has pressed anything: no question, no page, no set-up."""
    session = tick(session, now)._replace(touched_at=now, question=None, page=None, setup=None)
    return session, Gesture(Kind.PRESS, "", now, now)
