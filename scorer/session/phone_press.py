"""Presses from phones; buttons at the box take precedence.

A phone sends a button of the full layout and whether it is held. Its press is refused during a
gesture, set-up or just after an undo at the box, answers only the question that the phone has
shown, and never reaches into an earlier hand; ``correct`` corrects one of the last hands.
Authorisation is checked elsewhere.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from scorer.rules import Refusal
from scorer.session.input import keymap
from scorer.session.input.holds import hold_meaning
from scorer.session.play.reactions import refuse
from scorer.session.play.timers import expire
from scorer.session.reducer import press as pressed_here
from scorer.session.setup.last_hands_menu import correct_by_key, is_correction_asked
from scorer.session.values.dimming import touched
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, Gesture, GestureKind, Hint
from scorer.session.values.question import Dismissal, Question
from scorer.session.values.seating import CONSOLES, consoles_in_use
from scorer.session.values.settings import Layout
from scorer.session.values.shown import Notice
from scorer.session.values.state import Reaction, Session, Verdict

KEYS: Final = ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
HOLD_KEYS: Final = ("envido", "flor", "no_quiero")  # the bids; one more flor; the fold
SHARED_KEYS: Final = ("undo", "tied")  # "tied": TANTOS of both teams at once
PAUSE_AFTER_UNDO: Final = 5.0  # seconds after an UNDO at the box: leaves time to undo further


class PhonePress(NamedTuple):
    """One press of a phone. ``question``: the key of the question it showed, or ""."""

    key: str
    console: str = ""  # "" for a shared button
    held: bool = False
    question: str = ""


class PhoneCorrection(NamedTuple):
    """A correction of a hand, 0 for the last one, by its key."""

    hand: int
    correction: str


def press(session: Session, request: PhonePress, now: float, time: str = "") -> Reaction:
    """The reaction to ``request`` at ``now``; a refusal only carries its notice."""
    session = expire(session, now)
    notice = _reject_reason(session, request)
    if notice is not None:
        return refuse(session, notice)
    gesture = _gesture(session, request, now)
    if gesture is None:
        return refuse(session, Notice(Refusal.NOT_IN_THIS_VARIANT, urgent=True))
    # The phone shows the score, so its press need not wake a dark panel first.
    reaction = pressed_here(_prepared_session(session, gesture, now), gesture, now, time)
    kept = reaction.session._replace(settings=session.settings)
    if gesture.button == "undo":
        # This must not count as an undo at the box.
        kept = kept._replace(newest_press=None)
    return reaction._replace(session=kept)


def correct(session: Session, wish: PhoneCorrection, now: float) -> Reaction:
    """The reaction to a correction of a hand; its sides confirm it as at the box."""
    session = expire(session, now)
    if session.question is not None:
        return refuse(session, Notice(NoticeKey.PHONE_QUESTION, urgent=True))
    notice = _reject_reason(session, PhonePress(""))
    if notice is not None:
        return refuse(session, notice)
    gesture = Gesture(GestureKind.PRESS, "", now, now)
    return correct_by_key(touched(session, now), gesture, wish.hand, wish.correction)


def judge_buttons(session: Session, now: float) -> dict[str, dict[str, Notice | None]]:
    """Why each button does not count, by console; "" has the shared ones.

    None: it counts now.
    """
    question = "" if session.question is None else session.question.key
    judged: dict[str, dict[str, Notice | None]] = {}
    for place in ("", *consoles_in_use(session.rules, len(CONSOLES))):
        keys = KEYS if place else SHARED_KEYS
        taps = [PhonePress(key, place, question=question) for key in keys]
        holds = [wish._replace(held=True) for wish in taps if wish.key in HOLD_KEYS]
        judged[place] = {}
        for wish in (*taps, *holds):
            reaction = press(session, wish, now)
            counts = reaction.verdict in (Verdict.ACCEPTED, Verdict.QUESTION)
            why = reaction.session.notice or Notice(NoticeKey.NOT_NOW, urgent=True)
            key = f"{wish.key}.held" if wish.held else wish.key
            judged[place][key] = None if counts else why
    return judged


def _reject_reason(session: Session, request: PhonePress) -> Notice | None:
    """The reason to refuse presses of phones now, or None."""
    if session.locked:
        return Notice(NoticeKey.LOCKED, urgent=True)
    # True for an answer to the correction of a hand that waits for one.
    if session.setup is not None and not (
        is_correction_asked(session) and request.key in keymap.ANSWERS and not request.held
    ):
        return Notice(NoticeKey.PHONE_SETUP, urgent=True)
    if session.offer is not None or session.asks_result:
        return Notice(NoticeKey.PHONE_MATCH, urgent=True)
    newest = session.newest_press
    undone = newest is not None and newest.meaning is ButtonMeaning.UNDO
    if newest is not None and undone and session.now < newest.time + PAUSE_AFTER_UNDO:
        return Notice(NoticeKey.PHONE_UNDONE, urgent=True)
    if session.question is not None and _is_unseen(session, session.question, request):
        return Notice(NoticeKey.PHONE_QUESTION, urgent=True)
    return Notice(NoticeKey.PHONE_UNDO_FAR, urgent=True) if _leaves_hand(session, request) else None


def _is_unseen(session: Session, question: Question, request: PhonePress) -> bool:
    """True for an answer to a question that the phone has not shown or may not answer."""
    is_shown = question.phones_may_answer and request.question == question.key
    if question.row.dismissed_by is not Dismissal.PLAY:
        return not is_shown
    is_answer = request.key in keymap.ANSWERS and not request.held
    return is_answer and session.question_at(request.console) is not None and not is_shown


def _leaves_hand(session: Session, request: PhonePress) -> bool:
    """True if the request is an undo that would leave the current hand."""
    if request.key != "undo" or session.question is not None or session.confirmed:
        return False
    record = session.record
    return record.undo_leaves_hand or not record.past


def _prepared_session(session: Session, gesture: Gesture, now: float) -> Session:
    """The session awake, with a console for each single player and the hold announced."""
    consoles = max(session.settings.consoles.count, session.rules.seating.max_consoles)
    settings = session.settings.with_consoles(consoles)
    session = touched(session, now)._replace(settings=settings)
    if gesture.kind is not GestureKind.HOLD:
        return session
    meaning = hold_meaning(session, gesture.button, session.settings.table.layout)
    return session if meaning is None else session._replace(hint=Hint(gesture.button, meaning))


def _gesture(session: Session, request: PhonePress, now: float) -> Gesture | None:
    """The equivalent gesture at the box; None if its buttons have none."""
    if request.key in SHARED_KEYS:
        if request.console or request.held:
            return None
        if request.key == "undo":
            return Gesture(GestureKind.PRESS, "undo", now, now)
        return Gesture(GestureKind.CHORD, f"{CONSOLES[0]}.tantos", now, now)
    if request.key not in KEYS or request.console not in consoles_in_use(
        session.rules, len(CONSOLES)
    ):
        return None
    wanted = _full_layout_meaning(session, request)
    if wanted is None:
        return None
    gesture = _gesture_for_meaning(session, request.console, wanted, now)
    if gesture is None and wanted is ButtonMeaning.NO_QUIERO and session.question is not None:
        # On a box whose hold folds, UNDO says no to a question.
        return Gesture(GestureKind.PRESS, "undo", now, now)
    return gesture


def _full_layout_meaning(session: Session, request: PhonePress) -> ButtonMeaning | None:
    """The meaning of the button in the full layout."""
    # The third console has few buttons on any box; a phone has all of them.
    button = f"{CONSOLES[0]}.{request.key}"
    if request.held:
        return hold_meaning(session, button, Layout.FULL) if request.key in HOLD_KEYS else None
    return keymap.tap_meaning(Layout.FULL, button, session.rules)


def _gesture_for_meaning(
    session: Session, console: str, meaning: ButtonMeaning, now: float
) -> Gesture | None:
    """The tap or hold of this box's own buttons with the wanted ``meaning``."""
    layout, rules = session.settings.table.layout, session.rules
    names = [
        name for name in keymap.buttons(layout, len(CONSOLES)) if keymap.console_of(name) == console
    ]
    for name in names:
        if keymap.tap_meaning(layout, name, rules) is meaning:
            return Gesture(GestureKind.PRESS, name, now, now)
    for name in names:
        if hold_meaning(session, name, layout) is meaning:
            return Gesture(GestureKind.HOLD, name, now, now)
    return None
