"""Meaning of holds in the current session, and their announcement on the panel."""

from __future__ import annotations

from typing import Final

from scorer.rules import Action, phase_of
from scorer.session.input import keymap
from scorer.session.input.gestures import HOLD_SHOWN
from scorer.session.input.guards import blocking_notice
from scorer.session.values.game_queries import current_hand, word_of
from scorer.session.values.info_pages import next_page
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, Gesture, GestureKind, Hint
from scorer.session.values.question import AnswerEffect, Answering
from scorer.session.values.settings import Layout
from scorer.session.values.shown import Notice, Screen
from scorer.session.values.state import Session

UNLOCK_HOLD_S: Final = 3.0  # seconds
_UNLOCK_BUTTON: Final = "undo"
# Tap and hold of one button that differ in extent only.
_SAME_MATTER: Final = (
    (ButtonMeaning.ENVIDO, ButtonMeaning.BIDS),
    (ButtonMeaning.FLOR, ButtonMeaning.FLORES),
    (ButtonMeaning.NO_QUIERO, ButtonMeaning.FOLD),
    (ButtonMeaning.PAGE, ButtonMeaning.SETUP),
)


def has_hold(session: Session, button: str) -> bool:
    """True if ``button`` has a hold now, so that a press of it acts on release."""
    return hold_meaning(session, button, session.settings.table.layout) is not None


def repeats(session: Session, button: str) -> bool:
    """True if ``button`` repeats while it is held: TANTOS in set-up."""
    return session.setup is not None and button.endswith(".tantos")


def hold_time(session: Session, button: str) -> float:
    """Seconds after which a hold of ``button`` fires."""
    locked = session.locked and button == _UNLOCK_BUTTON
    return UNLOCK_HOLD_S if locked else session.settings.consoles.hold


def hold_meaning(session: Session, button: str, layout: Layout) -> ButtonMeaning | None:
    """The meaning of holding ``button`` under ``layout`` now; None if it has no hold."""
    game = current_hand(session.game)
    if session.locked:
        return ButtonMeaning.UNLOCK if button == _UNLOCK_BUTTON else None
    if session.setup is not None:
        return keymap.setup_hold_meaning(layout, button, game.rules, phase_of(game))
    meaning = keymap.hold_meaning(
        layout,
        button,
        game.rules,
        phase_of(game),
        answers_question=_answers_own_question(session, button),
        asks_match=session.offer is not None or session.asks_result,
    )
    if meaning is None and session.question_at(keymap.console_of(button)) is not None:
        return keymap.held_no(layout, button, game.rules)
    return meaning


def _answers_own_question(session: Session, button: str) -> bool:
    """True if NO QUIERO held is a slow no to a question of this console."""
    console = keymap.console_of(button)
    question = session.question_at(console)
    if question is None:
        return False
    is_scrolled = question.no.effect is AnswerEffect.ASK_NEXT and console == question.console
    return is_scrolled or question.row.yes in (Answering.ASKING, Answering.ANY)


def show_hold(session: Session, gesture: Gesture) -> Session:
    """Announces the effect of the hold that has begun, if it will count."""
    meaning = hold_meaning(session, gesture.button, session.settings.table.layout)
    # The questions of a new box take answers alone.
    asks_first = session.setup is not None and session.setup.is_first_run
    if meaning is None or (asks_first and meaning not in keymap.ANSWERS):
        return session
    navigates = session.setup is not None and meaning in keymap.NAVIGATION
    if not navigates and blocking_notice(session, meaning, gesture) is not None:
        return session
    # The hint lasts as long as the hold; the limit covers a lost release.
    shown = session.with_notice(_hold_notice(session, meaning))
    return shown._replace(hint=Hint(gesture.button, meaning))


def end_hold(session: Session) -> Session:
    """``session`` after an announced hold was released before it fired."""
    return without_hint(session)._replace(ended_hint=session.hint)


def without_hint(session: Session) -> Session:
    """``session`` without an announced hold."""
    session = session._replace(ended_hint=None)
    return session if session.hint is None else session._replace(hint=None, notice=None)


def is_released_early(gesture: Gesture, meaning: ButtonMeaning, ended: Hint | None) -> bool:
    """True for the tap that is left of a hold if the hold meant something else.

    A slow tap still counts where the hold only offers more of the same.
    """
    if ended is None or gesture.kind is not GestureKind.PRESS or ended.button != gesture.button:
        return False
    if gesture.time < gesture.since + HOLD_SHOWN:
        return False  # a later tap: the end of the hold was no release
    return (meaning, ended.meaning) not in _SAME_MATTER


def is_unannounced(gesture: Gesture, meaning: ButtonMeaning, hint: Hint | None) -> bool:
    """True if the hold does not match its announcement; such a hold does nothing."""
    return gesture.kind is GestureKind.HOLD and hint != (gesture.button, meaning)


def _hold_notice(session: Session, meaning: ButtonMeaning) -> Notice:
    match meaning:
        case ButtonMeaning.REDO:
            return Notice(NoticeKey.HOLD_REDO)
        case ButtonMeaning.UNLOCK:
            return Notice(NoticeKey.HOLD_UNLOCK)
        case ButtonMeaning.PAGE if next_page(session) is not Screen.SETUP:
            return Notice(NoticeKey.HOLD_MENU)
        case ButtonMeaning.PAGE | ButtonMeaning.SETUP:
            return Notice(NoticeKey.HOLD_SETUP)
        case ButtonMeaning.BIDS:
            word = f"{word_of(session.rules, session.rules.bids[0].action)}..."
        case ButtonMeaning.FLORES:
            word = f"{word_of(session.rules, Action.FLOR)}..."
        case _:
            word = word_of(session.rules, Action(meaning.value))
    return Notice(NoticeKey.HOLD, word=word)
