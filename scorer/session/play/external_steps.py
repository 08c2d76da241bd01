"""Steps without a button: by a phone, the hub or the end of a question.

The rules apply as for a press; guards and questions do not.
"""

from __future__ import annotations

from scorer.rules import Action, Phase, Refusal, Start, Step, attempt, new_game
from scorer.rules.deal import changed_deal
from scorer.session.play.next_game import deal_next_game
from scorer.session.play.reactions import open_game, record_in_hand, record_steps, refuse
from scorer.session.play.timers import expire
from scorer.session.play.undo_redo import redo, redo_change, undo_change, undo_press
from scorer.session.values.game_queries import CONFIRMED_IN_MATCH, NEW_HAND
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, ButtonPress, Gesture, GestureKind
from scorer.session.values.shown import Notice
from scorer.session.values.state import Reaction, Session


def leave_match(session: Session, now: float) -> Reaction:
    """Opens a game of the house in place of a released match without a step."""
    session = expire(session, now)
    press = ButtonPress(ButtonMeaning.PAGE, Gesture(GestureKind.PRESS, "", now, now))
    return open_game(session, new_game(Start(session.next_rules)), press)


def enter_step(session: Session, step: Step, now: float, time: str = "") -> Reaction:
    """Enters a step from a phone or the hub, including ``- undo`` and ``- redo``.

    A step that belongs to the next hand deals it. An open question or set-up is closed. An undo
    reaches into earlier hands without confirmation but never leaves this game.
    """
    session = expire(session, now)._replace(touched_at=now, question=None, page=None, setup=None)
    press = ButtonPress(ButtonMeaning.PAGE, Gesture(GestureKind.PRESS, "", now, now), time)
    if step.action is Action.UNDO:
        taken_back = undo_change(session, press)
        if taken_back is not None:
            return taken_back
        if not session.record.past:
            return refuse(session, Refusal.NOTHING_TO_UNDO)
        return undo_press(session, press)
    if step.action is Action.REDO:
        chosen_again = redo_change(session, press)
        if chosen_again is not None:
            return chosen_again
        if not session.record.future:
            return refuse(session, Refusal.NOTHING_TO_REDO)
        return redo(session, press)
    if session.is_match_locked and step.action in CONFIRMED_IN_MATCH:
        return refuse(session, Notice(NoticeKey.MATCH_LOCKED, urgent=True))
    if step == NEW_HAND and session.phase is Phase.GAME_OVER:
        return deal_next_game(session, press)
    why_not = attempt(session.game, step)
    is_late = why_not is Refusal.HAND_OVER
    if why_not is Refusal.NOT_IN_THIS_VARIANT and session.game.winner is None:
        # The next hand may have this call, by rules that come into force with it.
        is_late = changed_deal(session.game) is not None
    return (record_in_hand if is_late else record_steps)(session, (step,), press)


def settle_question(session: Session, now: float) -> Reaction | None:
    """The reaction to a question that is over and leaves something; None without one."""
    steps = session.remaining_steps
    if not steps or now < session.question_until:
        return None
    press = ButtonPress(ButtonMeaning.NO_QUIERO, Gesture(GestureKind.PRESS, "", now, now))
    return record_in_hand(expire(session, now), steps, press)
