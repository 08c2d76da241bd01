"""The reducer of the table: a session, a gesture and a time to a reaction.

Nothing changes here and nothing is stored here: the caller stores ``Reaction.steps`` and only then
adopts ``Reaction.session``. It knows no device, no clock, no file and no language.
"""

from __future__ import annotations

from typing import Final

from scorer.rules import phase_of
from scorer.session.input import keymap
from scorer.session.input.gestures import Gesture, GestureKind
from scorer.session.input.guards import blocking_notice
from scorer.session.input.keymap import ButtonMeaning
from scorer.session.play import feedback, interpret, speaker
from scorer.session.play.external_steps import enter_step, go_back_to, redeal
from scorer.session.play.next_game import new_session, next_game, open_game, press_after_game
from scorer.session.play.reactions import (
    accept_press,
    ask,
    record_steps,
    refuse,
    with_lamp_flash,
    with_notice,
)
from scorer.session.play.timers import ask_same_game, expire, next_deadline
from scorer.session.play.undo_redo import move_to_game, redo, undo, undo_press
from scorer.session.setup.reducer import NAVIGATION, adjust, navigate, open_setup
from scorer.session.state import (
    Answer,
    AnswerEffect,
    GameMove,
    Hint,
    Question,
    Reaction,
    Session,
    Sound,
    Verdict,
)
from scorer.session.view.dimming import Light, light_of
from scorer.session.view.info_pages import next_page
from scorer.session.view.view import Notice, Screen

__all__ = [
    "ask_same_game",
    "enter_step",
    "expire",
    "go_back_to",
    "has_hold",
    "new_session",
    "next_deadline",
    "next_game",
    "open_game",
    "press",
    "redeal",
]

_TANTOS = (ButtonMeaning.TANTOS, ButtonMeaning.BOTH)
_UNLOCK_BUTTON: Final = "undo"
UNLOCK_HOLD_S: Final = 3.0  # seconds


def press(session: Session, gesture: Gesture, now: float, time: str = "") -> Reaction:
    """What ``gesture`` does at ``now`` (seconds); ``time`` is the hour as the history shows it."""
    session = expire(session, now)
    if gesture.since <= session.woken_at:
        return Reaction(session)
    if light_of(session) is Light.DARK:
        return _wake(session)
    session = session._replace(touched_at=now)
    match gesture.kind:
        case GestureKind.HOLD_STARTED:
            return _show_hold(session, gesture)
        case GestureKind.HOLD_ENDED:
            return Reaction(_without_hint(session))
        case GestureKind.TOUCHED:
            return _handle_touch(session, gesture)
        case GestureKind.SAFE:
            return Reaction(session)
        case _:
            return _handle_press(session, gesture, time)


def has_hold(session: Session, button: str) -> bool:
    """Has ``button`` a hold just now, so that a press of it acts only on release?"""
    return _hold_meaning(session, button) is not None


def hold_time(session: Session, button: str) -> float:
    """Seconds after which a hold of ``button`` fires."""
    locked = session.locked and button == _UNLOCK_BUTTON
    return UNLOCK_HOLD_S if locked else session.settings.hold_s


def _wake(session: Session) -> Reaction:
    session = session._replace(touched_at=session.now, woken_at=session.now)
    return Reaction(with_notice(session, Notice("woke")), Verdict.WOKE, Sound.KEY)


def _hold_meaning(session: Session, button: str) -> ButtonMeaning | None:
    game = interpret.current_hand(session.game)
    asked = session.question is not None
    layout = session.settings.layout
    if session.locked:
        return ButtonMeaning.UNLOCK if button == _UNLOCK_BUTTON else None
    if session.setup is not None:
        return keymap.setup_hold_meaning(layout, button, game.rules, phase_of(game))
    return keymap.hold_meaning(layout, button, game.rules, phase_of(game), question_open=asked)


def _show_hold(session: Session, gesture: Gesture) -> Reaction:
    meaning = _hold_meaning(session, gesture.button)
    if meaning is None:
        return Reaction(session)
    steers = session.setup is not None and meaning in NAVIGATION
    if not steers and blocking_notice(session, meaning, gesture) is not None:
        return Reaction(session)
    notice = feedback.hold_notice(session, meaning)
    # It stays as long as the finger does; a release that is lost must not leave it for ever.
    session = with_notice(session, notice)._replace(hint=Hint(gesture.button, meaning))
    return Reaction(session)


def _without_hint(session: Session) -> Session:
    return session if session.hint is None else session._replace(hint=None, notice=None)


def _handle_touch(session: Session, gesture: Gesture) -> Reaction:
    """TANTOS went down: heard at once if it will count, booked when it is known to be alone."""
    if session.setup is not None:
        return adjust(session, session.setup, gesture, keymap.console_of(gesture.button))
    sound = _handle_press(session, gesture, "")
    if sound.verdict not in (Verdict.ACCEPTED, Verdict.QUESTION):
        return Reaction(session)
    session = with_lamp_flash(session, gesture)._replace(sound_on_touch=sound.sound)
    return Reaction(session, sound=sound.sound)


def _handle_press(session: Session, gesture: Gesture, time: str) -> Reaction:
    meaning, hint, sounded = _meaning(session, gesture), session.hint, session.sound_on_touch
    session = _without_hint(session)._replace(sound_on_touch=Sound.NONE)
    if meaning is None:
        return Reaction(session)
    if session.locked:
        return _while_locked(session, meaning, gesture, hint)
    if meaning in _TANTOS and gesture.since == session.setup_touched_at:
        return _skip_setup_touch(session, gesture)
    if session.setup is not None and meaning in NAVIGATION:
        if _is_unannounced(gesture, meaning, hint):
            return Reaction(session)
        return navigate(session, session.setup, meaning, gesture, time)
    session = session._replace(setup=None)
    if meaning is not ButtonMeaning.PAGE:
        session = session._replace(page=None)
    notice = blocking_notice(session, meaning, gesture)
    if notice is not None:
        return Reaction(with_notice(session, notice), Verdict.GUARDED, Sound.REFUSED)
    if _is_unannounced(gesture, meaning, hint):
        return Reaction(session)
    reaction = _apply_meaning(session, meaning, gesture, time)
    heard = sounded is not Sound.NONE and reaction.sound is sounded
    return reaction._replace(sound=Sound.NONE) if heard else reaction


def _while_locked(
    session: Session, meaning: ButtonMeaning, gesture: Gesture, hint: Hint | None
) -> Reaction:
    """Pages may be read; nothing else counts but the hold that opens the lock."""
    if meaning is ButtonMeaning.UNLOCK and not _is_unannounced(gesture, meaning, hint):
        session = accept_press(session, meaning, gesture)._replace(locked=False)
        return Reaction(with_notice(session, Notice("unlocked")), Verdict.ACCEPTED, Sound.KEY)
    if meaning is ButtonMeaning.PAGE:
        return _turn_page(session, gesture)
    return refuse(session, Notice("locked", urgent=True))


def _is_unannounced(gesture: Gesture, meaning: ButtonMeaning, hint: Hint | None) -> bool:
    """A hold does what the panel said it would do, or nothing."""
    return gesture.kind is GestureKind.HOLD and hint != (gesture.button, meaning)


def _skip_setup_touch(session: Session, gesture: Gesture) -> Reaction:
    """The TANTOS that set-up has taken already; of both at once the second one is still new."""
    if gesture.kind is not GestureKind.CHORD or session.setup is None:
        return Reaction(session)
    other = "A" if keymap.console_of(gesture.button) == "B" else "B"
    return adjust(session, session.setup, gesture, other)


def _meaning(session: Session, gesture: Gesture) -> ButtonMeaning | None:
    if gesture.kind is GestureKind.CHORD:
        return ButtonMeaning.BOTH
    if gesture.kind is not GestureKind.HOLD:
        return keymap.tap_meaning(session.settings.layout, gesture.button, session.rules)
    return _hold_meaning(session, gesture.button)


def _apply_meaning(
    session: Session, meaning: ButtonMeaning, gesture: Gesture, time: str
) -> Reaction:
    if session.question is not None:
        return _answer_question(session, session.question, meaning, gesture, time)
    match meaning:
        case ButtonMeaning.UNDO:
            return undo(session, gesture)
        case ButtonMeaning.REDO:
            return redo(session, gesture)
        case ButtonMeaning.PAGE:
            return _turn_page(session, gesture)
        case ButtonMeaning.SETUP:
            return open_setup(session, gesture)
    sides = speaker.sides_of_button(session, gesture.button)
    if sides and session.game.winner is not None:
        return press_after_game(session, meaning, sides, gesture, time)
    plan = speaker.plan_press(session, meaning, gesture.button)
    return Reaction(session) if plan is None else _carry_out(session, plan, meaning, gesture, time)


def _carry_out(
    session: Session, plan: interpret.PressPlan, meaning: ButtonMeaning, gesture: Gesture, time: str
) -> Reaction:
    match plan:
        case Notice():
            return refuse(session, plan)
        case Question():
            return ask(session, plan)
        case interpret.StepPlan(steps, whole):
            first = () if whole else interpret.opening_steps(session.game)
            return record_steps(session, (*first, *steps), meaning, gesture, time)


def _answer_question(
    session: Session, question: Question, meaning: ButtonMeaning, gesture: Gesture, time: str
) -> Reaction:
    if meaning is ButtonMeaning.UNDO:
        goes_back = question.yes.effect in (AnswerEffect.UNDO, AnswerEffect.UNDO_GAME)
        answer = question.yes if goes_back else Answer("dropped")
    elif meaning in (ButtonMeaning.QUIERO, ButtonMeaning.NO_QUIERO):
        answer = question.yes if meaning is ButtonMeaning.QUIERO else question.no
    else:
        return refuse(session, Notice("question", urgent=True))
    return _apply_answer(session._replace(question=None), answer, meaning, gesture, time)


def _apply_answer(
    session: Session, answer: Answer, meaning: ButtonMeaning, gesture: Gesture, time: str
) -> Reaction:
    match answer.effect:
        case AnswerEffect.RECORD:
            steps = (*interpret.opening_steps(session.game), *answer.steps)
            return record_steps(session, steps, meaning, gesture, time)
        case AnswerEffect.UNDO:
            return undo_press(session, gesture)
        case AnswerEffect.UNDO_GAME:
            return move_to_game(session, GameMove.BACK, gesture)
        case AnswerEffect.ASK_NEXT:
            assert answer.next_question is not None
            return ask(session, answer.next_question)
        case AnswerEffect.OPEN_GAME:
            return open_game(session, next_game(session), gesture.time)
        case AnswerEffect.DISMISS:
            session = accept_press(session, meaning, gesture)
            if answer.key in ("dropped", "dispute"):
                session = with_notice(session, Notice(answer.key))
            undone = answer.key == "dropped"
            return Reaction(session, Verdict.ACCEPTED, Sound.UNDO if undone else Sound.KEY)


def _turn_page(session: Session, gesture: Gesture) -> Reaction:
    page = next_page(session)
    if page is Screen.SETUP:
        return open_setup(session, gesture)
    session = accept_press(session, ButtonMeaning.PAGE, gesture)
    session = session._replace(page=page, page_until=session.now + session.settings.page_s)
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY)
