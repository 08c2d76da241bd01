"""Reducer of presses in play: calls, answers, questions, undo, redo, pages."""

from __future__ import annotations

from typing import Final

from scorer.rules import Refusal
from scorer.session.input.keymap import console_of, sides_of
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
from scorer.session.play.undo_redo import move_to_game, redo, undo, undo_press
from scorer.session.values.info_pages import next_page
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, ButtonPress
from scorer.session.values.question import Answer, AnswerEffect, AnswerKey, Question
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
    question = session.question_at(console_of(press.gesture.button))
    if question is not None:
        reaction = _answer_question(session, question, press)
    else:
        reaction = _ask_for_winner(session, press, _press_unasked(session, press, page))
    return _with_dropped_offer(session, press, reaction)


def _press_unasked(session: Session, press: ButtonPress, page: Screen | None) -> Reaction:
    """The reaction to a press of a console that is asked nothing."""
    match press.meaning:
        case ButtonMeaning.UNDO:
            return undo(session, press)
        case ButtonMeaning.REDO:
            return redo(session, press)
        case ButtonMeaning.PAGE:
            return turn_page(session, press)
    sides = sides_of(press.gesture.button, session.rules, session.settings.consoles)
    if page is Screen.HALL and press.meaning is ButtonMeaning.QUIERO and not session.is_asked:
        return ask_director(session)
    if sides and (session.offer is not None or session.game.winner is not None):
        return press_between_games(session, sides, press)
    plan = plan_press(session, press, sides)
    return Reaction(session) if plan is None else _carry_out(session, plan, press)


def _ask_for_winner(session: Session, press: ButtonPress, reaction: Reaction) -> Reaction:
    """``reaction``, or the question who won if the press belongs to the next hand."""
    since, after = session.awaits_winner_since, session.settings.forgotten_s
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


def _with_dropped_offer(session: Session, press: ButtonPress, reaction: Reaction) -> Reaction:
    """``reaction`` with the offer that a press of another console has dropped."""
    offer, console = session.question, console_of(press.gesture.button)
    if offer is None or offer.console in ("", console) or reaction.session.question == offer:
        return reaction
    side = accepted_press(session, press).side
    dropped = DroppedOffer(offer.console, press.gesture.time, side)
    return reaction._replace(session=reaction.session._replace(dropped_offer=dropped))


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


def _answer_question(session: Session, question: Question, press: ButtonPress) -> Reaction:
    match press.meaning:
        case _ if press.gesture.button == question.button:
            answer = question.yes
        case ButtonMeaning.UNDO:
            goes_back = question.yes.effect in (AnswerEffect.UNDO, AnswerEffect.UNDO_GAME)
            if not goes_back:
                dropped = accept_press(session, press).with_notice(Notice(NoticeKey.DROPPED))
                return Reaction(dropped, Verdict.ACCEPTED, Sound.UNDO)
            answer = question.yes
        case ButtonMeaning.QUIERO:
            answer = question.yes
        case ButtonMeaning.NO_QUIERO:
            answer = question.no
        case _:
            return refuse(session, Notice(NoticeKey.QUESTION, urgent=True))
    return _apply_answer(session._replace(question=None), answer, press)


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
        case AnswerEffect.DISMISS:
            session = accept_press(session, press)
            if answer.key is AnswerKey.DISPUTE:
                session = session.with_notice(Notice(NoticeKey.DISPUTE))
            return Reaction(session, Verdict.ACCEPTED, Sound.KEY)
