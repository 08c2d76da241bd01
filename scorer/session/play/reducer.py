"""The reducer of the table: a session, a gesture and a time to a reaction.

Nothing changes here and nothing is stored here: the caller stores ``Reaction.steps`` and only then
adopts ``Reaction.session``. It knows no device, no clock, no file and no language.
"""

from __future__ import annotations

from typing import Final

from scorer.rules import phase_of
from scorer.session.input import keymap
from scorer.session.input.gestures import Gesture, Kind
from scorer.session.input.guards import guarded
from scorer.session.input.keymap import Meaning
from scorer.session.play import feedback, interpret, speaker
from scorer.session.play.external_steps import back_to, enter, redeal
from scorer.session.play.next_game import after_the_game, begin, next_game, open_game
from scorer.session.play.reactions import accepted, ask, book, flashed, noticed, refuse
from scorer.session.play.timers import ask_day, deadline, tick
from scorer.session.play.undo_redo import move, redo, take_back, undo
from scorer.session.setup.reducer import STEERS, nudge, open_setup, steer
from scorer.session.state import (
    Answer,
    Deed,
    Hint,
    Moves,
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
    "ask_day",
    "back_to",
    "begin",
    "deadline",
    "enter",
    "holds",
    "next_game",
    "open_game",
    "press",
    "redeal",
    "tick",
]

_TANTOS = (Meaning.TANTOS, Meaning.BOTH)
_KEY_TO_THE_LOCK: Final = "undo"
UNLOCK_TIME: Final = 3.0  # seconds


def press(session: Session, gesture: Gesture, now: float, time: str = "") -> Reaction:
    """What ``gesture`` does at ``now`` (seconds); ``time`` is the hour as the history shows it."""
    session = tick(session, now)
    if gesture.since <= session.woken_at:
        return Reaction(session)
    if light_of(session) is Light.DARK:
        return _wake(session)
    session = session._replace(touched_at=now)
    match gesture.kind:
        case Kind.HOLD_STARTED:
            return _show_hold(session, gesture)
        case Kind.HOLD_ENDED:
            return Reaction(_without_hint(session))
        case Kind.TOUCHED:
            return _touched(session, gesture)
        case Kind.SAFE:
            return Reaction(session)
        case _:
            return _pressed(session, gesture, time)


def holds(session: Session, button: str) -> bool:
    """Has ``button`` a hold just now, so that a press of it acts only on release?"""
    return _hold_meaning(session, button) is not None


def hold_time(session: Session, button: str) -> float:
    """Seconds after which a hold of ``button`` fires."""
    locked = session.locked and button == _KEY_TO_THE_LOCK
    return UNLOCK_TIME if locked else session.settings.hold_s


def _wake(session: Session) -> Reaction:
    session = session._replace(touched_at=session.now, woken_at=session.now)
    return Reaction(noticed(session, Notice("woke")), Verdict.WOKE, Sound.KEY)


def _hold_meaning(session: Session, button: str) -> Meaning | None:
    game = interpret.standing(session.game)
    asked = session.question is not None
    layout = session.settings.layout
    if session.locked:
        return Meaning.UNLOCK if button == _KEY_TO_THE_LOCK else None
    if session.setup is not None:
        return keymap.hold_in_setup(layout, button, game.rules, phase_of(game))
    return keymap.hold(layout, button, game.rules, phase_of(game), question_open=asked)


def _show_hold(session: Session, gesture: Gesture) -> Reaction:
    meaning = _hold_meaning(session, gesture.button)
    if meaning is None:
        return Reaction(session)
    steers = session.setup is not None and meaning in STEERS
    if not steers and guarded(session, meaning, gesture) is not None:
        return Reaction(session)
    notice = feedback.hold_notice(session, meaning)
    # It stays as long as the finger does; a release that is lost must not leave it for ever.
    session = noticed(session, notice)._replace(hint=Hint(gesture.button, meaning))
    return Reaction(session)


def _without_hint(session: Session) -> Session:
    return session if session.hint is None else session._replace(hint=None, notice=None)


def _touched(session: Session, gesture: Gesture) -> Reaction:
    """TANTOS went down: heard at once if it will count, booked when it is known to be alone."""
    if session.setup is not None:
        return nudge(session, session.setup, gesture, keymap.console_of(gesture.button))
    sound = _pressed(session, gesture, "")
    if sound.verdict not in (Verdict.ACCEPTED, Verdict.QUESTION):
        return Reaction(session)
    session = flashed(session, gesture)._replace(sound_on_touch=sound.sound)
    return Reaction(session, sound=sound.sound)


def _pressed(session: Session, gesture: Gesture, time: str) -> Reaction:
    meaning, hint, sounded = _meaning(session, gesture), session.hint, session.sound_on_touch
    session = _without_hint(session)._replace(sound_on_touch=Sound.NONE)
    if meaning is None:
        return Reaction(session)
    if session.locked:
        return _while_locked(session, meaning, gesture, hint)
    if meaning in _TANTOS and gesture.since == session.setup_touched_at:
        return _steered(session, gesture)
    if session.setup is not None and meaning in STEERS:
        if _unannounced(gesture, meaning, hint):
            return Reaction(session)
        return steer(session, session.setup, meaning, gesture, time)
    session = session._replace(setup=None)
    if meaning is not Meaning.PAGE:
        session = session._replace(page=None)
    notice = guarded(session, meaning, gesture)
    if notice is not None:
        return Reaction(noticed(session, notice), Verdict.GUARDED, Sound.REFUSED)
    if _unannounced(gesture, meaning, hint):
        return Reaction(session)
    reaction = _meant(session, meaning, gesture, time)
    heard = sounded is not Sound.NONE and reaction.sound is sounded
    return reaction._replace(sound=Sound.NONE) if heard else reaction


def _while_locked(
    session: Session, meaning: Meaning, gesture: Gesture, hint: Hint | None
) -> Reaction:
    """Pages may be read; nothing else counts but the hold that opens the lock."""
    if meaning is Meaning.UNLOCK and not _unannounced(gesture, meaning, hint):
        session = accepted(session, meaning, gesture)._replace(locked=False)
        return Reaction(noticed(session, Notice("unlocked")), Verdict.ACCEPTED, Sound.KEY)
    if meaning is Meaning.PAGE:
        return _turn_page(session, gesture)
    return refuse(session, Notice("locked", urgent=True))


def _unannounced(gesture: Gesture, meaning: Meaning, hint: Hint | None) -> bool:
    """A hold does what the panel said it would do, or nothing."""
    return gesture.kind is Kind.HOLD and hint != (gesture.button, meaning)


def _steered(session: Session, gesture: Gesture) -> Reaction:
    """The TANTOS that set-up has taken already; of both at once the second one is still new."""
    if gesture.kind is not Kind.CHORD or session.setup is None:
        return Reaction(session)
    other = "A" if keymap.console_of(gesture.button) == "B" else "B"
    return nudge(session, session.setup, gesture, other)


def _meaning(session: Session, gesture: Gesture) -> Meaning | None:
    if gesture.kind is Kind.CHORD:
        return Meaning.BOTH
    if gesture.kind is not Kind.HOLD:
        return keymap.tap(session.settings.layout, gesture.button, session.rules)
    return _hold_meaning(session, gesture.button)


def _meant(session: Session, meaning: Meaning, gesture: Gesture, time: str) -> Reaction:
    if session.question is not None:
        return _answered(session, session.question, meaning, gesture, time)
    match meaning:
        case Meaning.UNDO:
            return undo(session, gesture)
        case Meaning.REDO:
            return redo(session, gesture)
        case Meaning.PAGE:
            return _turn_page(session, gesture)
        case Meaning.SETUP:
            return open_setup(session, gesture)
    sides = speaker.speakers(session, gesture.button)
    if sides and session.game.winner is not None:
        return after_the_game(session, meaning, sides, gesture, time)
    plan = speaker.plan(session, meaning, gesture.button)
    return Reaction(session) if plan is None else _carry_out(session, plan, meaning, gesture, time)


def _carry_out(
    session: Session, plan: interpret.Plan, meaning: Meaning, gesture: Gesture, time: str
) -> Reaction:
    match plan:
        case Notice():
            return refuse(session, plan)
        case Question():
            return ask(session, plan)
        case interpret.Say(steps, whole):
            first = () if whole else interpret.opening(session.game)
            return book(session, (*first, *steps), meaning, gesture, time)


def _answered(
    session: Session, question: Question, meaning: Meaning, gesture: Gesture, time: str
) -> Reaction:
    if meaning is Meaning.UNDO:
        goes_back = question.yes.effect in (Deed.UNDO, Deed.UNDO_GAME)
        answer = question.yes if goes_back else Answer("dropped")
    elif meaning in (Meaning.QUIERO, Meaning.NO_QUIERO):
        answer = question.yes if meaning is Meaning.QUIERO else question.no
    else:
        return refuse(session, Notice("question", urgent=True))
    return _do(session._replace(question=None), answer, meaning, gesture, time)


def _do(
    session: Session, answer: Answer, meaning: Meaning, gesture: Gesture, time: str
) -> Reaction:
    match answer.effect:
        case Deed.RECORD:
            steps = (*interpret.opening(session.game), *answer.steps)
            return book(session, steps, meaning, gesture, time)
        case Deed.UNDO:
            return take_back(session, gesture)
        case Deed.UNDO_GAME:
            return move(session, Moves.BACK, gesture)
        case Deed.ASK_NEXT:
            assert answer.next_question is not None
            return ask(session, answer.next_question)
        case Deed.OPEN_GAME:
            return open_game(session, next_game(session), gesture.time)
        case Deed.DISMISS:
            session = accepted(session, meaning, gesture)
            if answer.key in ("dropped", "dispute"):
                session = noticed(session, Notice(answer.key))
            undone = answer.key == "dropped"
            return Reaction(session, Verdict.ACCEPTED, Sound.UNDO if undone else Sound.KEY)


def _turn_page(session: Session, gesture: Gesture) -> Reaction:
    page = next_page(session)
    if page is Screen.SETUP:
        return open_setup(session, gesture)
    session = accepted(session, Meaning.PAGE, gesture)
    session = session._replace(page=page, page_until=session.now + session.settings.page_s)
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY)
