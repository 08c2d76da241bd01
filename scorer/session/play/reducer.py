"""Reducer of presses in play: calls, answers, questions, undo, redo, pages."""

from __future__ import annotations

from typing import Final

from scorer.rules import Action, Refusal
from scorer.session.input.guards import is_after_hand
from scorer.session.input.keymap import console_of, sides_of
from scorer.session.play import questions
from scorer.session.play.interpret import PressPlan, StepPlan
from scorer.session.play.next_game import open_next_game, press_between_games
from scorer.session.play.reactions import (
    accept_press,
    accepted_press,
    ask,
    ask_director,
    call_director,
    record_in_hand,
    record_steps,
    refuse,
)
from scorer.session.play.speaker import plan_press
from scorer.session.play.undo_redo import (
    move_to_game,
    redo,
    undo,
    undo_and_record,
    undo_press,
)
from scorer.session.values.game_queries import current_hand
from scorer.session.values.info_pages import next_page
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, ButtonPress
from scorer.session.values.question import (
    PLAYED_S,
    Again,
    Answer,
    AnswerEffect,
    Answering,
    AnswerKey,
    Dismissal,
    Question,
)
from scorer.session.values.seating import CONSOLES, sides_at, view_index
from scorer.session.values.shown import Notice, Screen
from scorer.session.values.state import DroppedOffer, GameMove, Reaction, Session, Sound, Verdict

# Refused in a hand long accepted, these say that the next one has begun.
_OF_THE_NEXT_HAND: Final = (
    ButtonMeaning.TRUCO,
    ButtonMeaning.ENVIDO,
    ButtonMeaning.BIDS,
    ButtonMeaning.FLOR,
    ButtonMeaning.FLORES,
    ButtonMeaning.QUIERO,
    ButtonMeaning.NO_QUIERO,
)


def press_in_play(session: Session, press: ButtonPress, page: Screen | None = None) -> Reaction:
    """The reaction to ``press`` while set-up is closed; ``page`` was shown until now."""
    reaction = None
    if session.question is not None:
        reaction = _answer_question(session, session.question, press)
    if reaction is None:
        reaction = _ask_for_winner(session, press, _press_unasked(session, press, page))
        reaction = _with_claim(session, reaction)
    # ``reaction`` with the offer that a press of another console has dropped.
    offer, console = session.question, console_of(press.gesture.button)
    if offer is None or offer.audience in ("", console) or reaction.session.question == offer:
        return reaction
    side = accepted_press(session, press).side
    dropped = DroppedOffer(offer.audience, press.gesture.time, side)
    return reaction._replace(session=reaction.session._replace(dropped_offer=dropped))


def _press_unasked(session: Session, press: ButtonPress, page: Screen | None) -> Reaction:
    """The reaction to a press that answers no question, but may dismiss one."""
    match press.meaning:
        case ButtonMeaning.UNDO:
            return undo(session, press)
        case ButtonMeaning.REDO:
            return redo(session, press)
        case ButtonMeaning.PAGE:
            return turn_page(session, press)
    sides = sides_of(press.gesture.button, session.rules, session.settings.consoles.count)
    if page is Screen.HALL and press.meaning is ButtonMeaning.QUIERO and not session.is_asked:
        return ask_director(session)
    if sides and (session.offer is not None or session.game.winner is not None):
        return press_between_games(session, sides, press)
    if press.meaning is ButtonMeaning.TANTOS and is_after_hand(session, press.gesture):
        # Asks whether the hand just entered was of the side that presses TANTOS now.
        entered = tuple(done.step for done in session.record.newest_steps)
        question = None
        if entered[-1].action is Action.HAND_WON and len(sides) == 1:
            closing = *entered[:-1], entered[-1]._replace(side=sides[0])
            question = questions.hand_before(session.record, closing, press.gesture.button)
        asked = None if question is None else ask(session, question)
        # A team that owes a decision answers that one, and no other team may give the hand away.
        if asked is None or not any(map(asked.session.may_accept, CONSOLES)):
            return refuse(session, Notice(NoticeKey.CLOSED, urgent=True))
        return asked
    plan = plan_press(session, press, sides)
    return Reaction(session) if plan is None else _carry_out(session, plan, press)


def _ask_for_winner(session: Session, press: ButtonPress, reaction: Reaction) -> Reaction:
    """``reaction``, or the question who won if the press belongs to the next hand."""
    since, after = session.awaits_winner_since, session.settings.guards.forgotten
    is_forgotten = since is not None and after and session.now >= since + after
    if not is_forgotten or press.meaning not in _OF_THE_NEXT_HAND:
        return reaction
    # Without a hold for it, ENVIDO itself offers the envido whose time is over.
    is_late_envido = (reaction.verdict, press.meaning) == (Verdict.QUESTION, ButtonMeaning.ENVIDO)
    notice = reaction.session.notice
    is_foreign = notice is not None and notice.key == Refusal.NOT_IN_THIS_VARIANT
    if is_foreign or not (is_late_envido or reaction.verdict is Verdict.REFUSED):
        return reaction
    key = NoticeKey.WHO_WON_FLOR if session.awaits_flor else NoticeKey.WHO_WON
    return refuse(session, Notice(key, urgent=True))


def turn_page(session: Session, press: ButtonPress) -> Reaction:
    """Shows the next page."""
    until = session.now + session.settings.page_s
    page = next_page(session)
    session = accept_press(session, press)._replace(page=page, page_until=until)
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY)


def _carry_out(session: Session, plan: PressPlan, press: ButtonPress) -> Reaction:
    match plan:
        case Question():
            return ask(session, plan)
        case StepPlan(steps, includes_deal, replaced):
            record = record_steps if includes_deal else record_in_hand
            reaction = record(session, steps, press)
            return reaction._replace(session=reaction.session._replace(replaced=replaced))
        case _:
            return refuse(session, plan)


def _answer_question(session: Session, question: Question, press: ButtonPress) -> Reaction | None:
    """The reaction to an answer or a press that is blocked; None for others."""
    console, row = console_of(press.gesture.button), question.row
    is_again = press.gesture.button == question.button and press.meaning is not ButtonMeaning.BOTH
    if is_again and _is_yes_again(session, question):
        return _apply_answer(session._replace(question=None), question.yes, press)
    match press.meaning:
        case ButtonMeaning.UNDO if row.dismissed_by is Dismissal.UNDO_YES:
            return _apply_answer(session._replace(question=None), question.yes, press)
        case ButtonMeaning.UNDO:
            dropped = accept_press(session, press).with_notice(Notice(NoticeKey.DROPPED))
            return Reaction(dropped, Verdict.ACCEPTED, Sound.UNDO)
        case ButtonMeaning.PAGE if row.dismissed_by is not Dismissal.UNDO:
            return None
        case ButtonMeaning.QUIERO if session.may_accept(console):
            return _apply_answer(session._replace(question=None), question.yes, press)
        case ButtonMeaning.QUIERO if session.question_at(console) is not None:
            # Who says yes to the open question.
            may = (console for console in CONSOLES if session.may_accept(console))
            sides = sides_at(next(may, ""), session.rules, session.settings.consoles.count)
            side = view_index(current_hand(session.game), sides[0]) if sides else None
            return refuse(session, Notice(Refusal.OWN_CALL, side=side, urgent=True))
        case ButtonMeaning.NO_QUIERO if session.question_at(console) is not None:
            return _apply_answer(session._replace(question=None), question.no, press)
        case _ if row.dismissed_by is not Dismissal.PLAY:
            return refuse(session, Notice(NoticeKey.QUESTION, urgent=True))
    return None


def _is_yes_again(session: Session, question: Question) -> bool:
    """True if the button that asked says yes when it is pressed again."""
    match question.row.again:
        case Again.YES:
            return True
        case Again.YES_LATE:
            return session.asked_at >= session.bet_paid_at + PLAYED_S
        case Again.PRESS:
            return False


def _with_claim(session: Session, reaction: Reaction) -> Reaction:
    """``reaction``; after an accepted call with the claim that it is won."""
    question = session.question
    if question is None or question.row.yes is not Answering.OWING:
        return reaction
    *accepted, won = question.yes.steps
    recorded = reaction.steps[-len(accepted) :]
    if recorded != tuple(accepted) or won.action is not Action.HAND_WON:
        return reaction
    claim = questions.and_the_hand(reaction.session.game, (won,), question.button)
    asked = reaction.session.with_question(claim)
    until = session.asked_at + session.settings.guards.paid_bet
    return reaction._replace(session=asked._replace(question_until=until))


def _apply_answer(session: Session, answer: Answer, press: ButtonPress) -> Reaction:
    match answer.effect:
        case AnswerEffect.RECORD:
            reaction = record_in_hand(session, answer.steps, press)
            return reaction._replace(reason=answer.reason)
        case AnswerEffect.UNDO:
            return undo_press(session, press)
        case AnswerEffect.UNDO_GAME:
            return move_to_game(session, GameMove.BACK, press)
        case AnswerEffect.ASK_NEXT:
            assert answer.next_question is not None
            return ask(session, answer.next_question)
        case AnswerEffect.OPEN_GAME:
            return open_next_game(session, press)
        case AnswerEffect.CALL_DIRECTOR:
            return call_director(session, press)
        case AnswerEffect.REPLACE:
            replaced = tuple(done.step for done in session.record.newest_steps)
            reaction = undo_and_record(session, answer.steps, press)
            return reaction._replace(session=reaction.session._replace(replaced=replaced))
        case AnswerEffect.DISMISS:
            session = accept_press(session, press)
            if answer.key is AnswerKey.DISPUTE:
                session = session.with_notice(Notice(NoticeKey.DISPUTE))
            return Reaction(session, Verdict.ACCEPTED, Sound.KEY)
