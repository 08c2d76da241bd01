"""The reducer of the table: maps a session, a gesture and a time to a reaction.

It composes the reducers of play and set-up. The caller stores ``Reaction.steps`` and only then
adopts ``Reaction.session``.
"""

from __future__ import annotations

from typing import Final

from scorer.session.input import holds, keymap
from scorer.session.input.guards import blocking_notice
from scorer.session.play.reactions import accept_press, refuse, with_lamp_flash
from scorer.session.play.reducer import press_in_play, turn_page
from scorer.session.play.timers import expire, wake_panel
from scorer.session.setup.first_run import with_first_question
from scorer.session.setup.reducer import adjust, navigate, open_setup
from scorer.session.values.dimming import touched
from scorer.session.values.info_pages import next_page
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, ButtonPress, Gesture, GestureKind, Hint
from scorer.session.values.question import Dismissal
from scorer.session.values.settings import Layout
from scorer.session.values.shown import Notice, Screen
from scorer.session.values.state import Reaction, Session, Sound, Verdict

_TANTOS: Final = (ButtonMeaning.TANTOS, ButtonMeaning.BOTH)


def press(session: Session, gesture: Gesture, now: float, time: str = "") -> Reaction:
    """The reaction to ``gesture`` at ``now`` (seconds); ``time`` is for the history."""
    session = expire(session, now)
    if gesture.since <= session.woken_at:
        return Reaction(session)
    woken = wake_panel(session)
    if woken is not None:
        awake = woken.session
        # The questions of a new box are asked while no hand has been scored.
        is_due = awake.asks_first_run and not awake.record.is_scored
        if is_due and awake.setup is None and awake.question is None:
            return woken._replace(session=with_first_question(awake))
        return woken
    session = touched(session, now)
    match gesture.kind:
        case GestureKind.HOLD_STARTED:
            return Reaction(holds.show_hold(session, gesture))
        case GestureKind.HOLD_ENDED:
            return Reaction(holds.end_hold(session))
        case GestureKind.TOUCHED:
            return _handle_touch(session, gesture)
        case GestureKind.REPEATED:
            # TANTOS is held in set-up: it moves on.
            if session.setup is None:
                return Reaction(session)
            console = keymap.console_of(gesture.button)
            moved = adjust(session, session.setup, _tantos(gesture), console)
            return moved._replace(sound=Sound.NONE)
        case GestureKind.SAFE:
            return Reaction(session)
        case _:
            return _handle_press(session, gesture, time)


def _handle_touch(session: Session, gesture: Gesture) -> Reaction:
    """TANTOS went down: sounds now if it will count; recorded once alone."""
    if session.setup is not None:
        return adjust(session, session.setup, _tantos(gesture), keymap.console_of(gesture.button))
    sound = _handle_press(session, gesture, "")
    if sound.verdict not in (Verdict.ACCEPTED, Verdict.QUESTION):
        return Reaction(session)
    session = with_lamp_flash(session, gesture.button)._replace(sound_on_touch=sound.sound)
    return Reaction(session, sound=sound.sound)


def _handle_press(session: Session, gesture: Gesture, time: str) -> Reaction:
    meaning, hint, sounded = _meaning(session, gesture), session.hint, session.sound_on_touch
    ended = session.ended_hint
    session = holds.without_hint(session)._replace(sound_on_touch=Sound.NONE)
    if meaning is None:
        return Reaction(session)
    press = ButtonPress(meaning, gesture, time)
    if session.locked:
        return _press_locked(session, press, hint)
    if holds.is_released_early(gesture, meaning, ended):
        return refuse(session, Notice(NoticeKey.LET_GO, urgent=True))
    if meaning in _TANTOS and gesture.since == session.setup_touched_at:
        return _skip_setup_touch(session, gesture)
    if session.setup is not None and session.setup.is_first_run and meaning not in keymap.ANSWERS:
        return refuse(session, Notice(NoticeKey.FIRST_RUN, urgent=True))
    if session.setup is not None and meaning in keymap.NAVIGATION:
        if holds.is_unannounced(gesture, meaning, hint):
            return Reaction(session)
        if meaning is ButtonMeaning.PAGE and session.settings.table.layout is Layout.COMPACT:
            turned = turn_page(session, press)
            return turned._replace(session=turned.session._replace(setup=None))
        return navigate(session, session.setup, press)
    reaction = _press_guarded(session._replace(setup=None), press, hint)
    played = sounded is not Sound.NONE and reaction.sound is sounded
    return reaction._replace(sound=Sound.NONE) if played else reaction


def _press_guarded(session: Session, press: ButtonPress, hint: Hint | None) -> Reaction:
    """A press in play, unless a guard blocks it."""
    page = session.page
    if press.meaning is not ButtonMeaning.PAGE:
        session = session._replace(page=None)
    notice = blocking_notice(session, press.meaning, press.gesture)
    if notice is not None:
        return Reaction(session.with_notice(notice), Verdict.GUARDED, Sound.REFUSED)
    if holds.is_unannounced(press.gesture, press.meaning, hint):
        return Reaction(session)
    question = session.question
    is_kept = question is not None and question.row.dismissed_by is Dismissal.UNDO
    if not is_kept and _opens_setup(session, press):
        return open_setup(session._replace(question=None), press)
    return press_in_play(session, press, page)


def _press_locked(session: Session, press: ButtonPress, hint: Hint | None) -> Reaction:
    """A press while locked: only pages and the unlocking hold count."""
    announced = not holds.is_unannounced(press.gesture, press.meaning, hint)
    if press.meaning is ButtonMeaning.UNLOCK and announced:
        session = accept_press(session, press)._replace(locked=False)
        return Reaction(
            session.with_notice(Notice(NoticeKey.UNLOCKED)), Verdict.ACCEPTED, Sound.KEY
        )
    if press.meaning is ButtonMeaning.PAGE:
        opens = _opens_setup(session, press)
        return open_setup(session, press) if opens else turn_page(session, press)
    return refuse(session, Notice(NoticeKey.LOCKED, urgent=True))


def _opens_setup(session: Session, press: ButtonPress) -> bool:
    """True for the hold of set-up, and after the last page of a compact layout."""
    is_page = press.meaning is ButtonMeaning.PAGE
    return press.meaning is ButtonMeaning.SETUP or (is_page and next_page(session) is Screen.SETUP)


def _skip_setup_touch(session: Session, gesture: Gesture) -> Reaction:
    """Skips the TANTOS that set-up has handled; the second one of a chord is new."""
    if gesture.kind is not GestureKind.CHORD or session.setup is None:
        return Reaction(session)
    other = "A" if keymap.console_of(gesture.button) == "B" else "B"
    return adjust(session, session.setup, _tantos(gesture), other)


def _meaning(session: Session, gesture: Gesture) -> ButtonMeaning | None:
    layout = session.settings.table.layout
    if gesture.kind is GestureKind.CHORD:
        return ButtonMeaning.BOTH
    if gesture.kind is GestureKind.HOLD:
        return holds.hold_meaning(session, gesture.button, layout)
    return keymap.tap_meaning(layout, gesture.button, session.rules)


def _tantos(gesture: Gesture) -> ButtonPress:
    return ButtonPress(ButtonMeaning.TANTOS, gesture)
