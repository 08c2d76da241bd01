"""The buttons that may be pressed now, for lit buttons.

A button is lit if a press of it would count at this moment: the reducer says so. A call that would
replace the own newest one is a correction, which is not lit. While a question is open, only the
buttons that answer it, or the call that waits beside it, are lit.
"""

from __future__ import annotations

from typing import Final

from scorer.session.input import keymap
from scorer.session.input.guards import LATER_S
from scorer.session.input.holds import hold_meaning
from scorer.session.reducer import press
from scorer.session.values.dimming import Light, light_of
from scorer.session.values.press import ButtonMeaning, Gesture, GestureKind
from scorer.session.values.question import Dismissal
from scorer.session.values.record import UNDO
from scorer.session.values.state import Session, Verdict
from scorer.session.view.build_view import is_no_undo

# Pressed again, these replace the own call.
_REPEATED: Final = (ButtonMeaning.ENVIDO, ButtonMeaning.FLOR)
_COUNTS: Final = (Verdict.ACCEPTED, Verdict.QUESTION)


def lit_buttons(session: Session) -> frozenset[str]:
    """The names of the lit buttons; none while the panels are dark."""
    if light_of(session) is Light.DARK:
        return frozenset()
    settings = session.settings
    there = keymap.buttons(settings.table.layout, settings.consoles.count)
    return frozenset(button for button in there if _may_be_pressed(session, button))


def next_change(session: Session) -> float | None:
    """When a guard of presses ends next, or None (seconds, monotonic).

    What changes by time besides, such as a question, is in ``timers.next_deadline``.
    """
    guards = session.settings.guards
    ends = [
        session.hand_paid_at + guards.paid_hand,
        session.hand_closed_at + guards.closed,
        session.asked_at + min(LATER_S, guards.slap),
    ]
    if (newest := session.newest_press) is not None:
        ends += [newest.time + wait for wait in (guards.slap, guards.echo, LATER_S)]
    if (dropped := session.dropped_offer) is not None:
        ends.append(dropped.time + guards.offer)
    if (since := session.awaits_winner_since) is not None:
        ends.append(since + guards.forgotten)
    return min((end for end in ends if end > session.now), default=None)


def _may_be_pressed(session: Session, button: str) -> bool:
    layout, now = session.settings.table.layout, session.now
    meaning = keymap.tap_meaning(layout, button, session.rules)
    is_in_setup = session.setup is not None
    if session.question is not None and not is_in_setup:
        if not _may_answer(session, meaning):
            return False
        # Whether the hold of ``button`` says no to the open question.
        held = hold_meaning(session, button, session.settings.table.layout)
        is_asked = session.question_at(keymap.console_of(button)) is not None
        if held is ButtonMeaning.NO_QUIERO and is_asked:
            return True
    # Set-up takes TANTOS when it is touched.
    touches = is_in_setup and meaning is ButtonMeaning.TANTOS
    kind = GestureKind.TOUCHED if touches else GestureKind.PRESS
    reaction = press(session, Gesture(kind, button, now, now), now)
    # The steps of the press, or of a yes to the question that it asks.
    asked = reaction.session.question
    steps = asked.yes.steps if reaction.verdict is Verdict.QUESTION and asked else reaction.steps
    is_correction = meaning in _REPEATED and UNDO in steps
    return reaction.verdict in _COUNTS and not is_correction


def _may_answer(session: Session, meaning: ButtonMeaning | None) -> bool:
    """Whether a button with this meaning can be an answer to the open question."""
    assert session.question is not None
    if meaning is ButtonMeaning.UNDO:
        return session.question.row.dismissed_by is Dismissal.UNDO_YES or is_no_undo(session)
    return meaning in keymap.ANSWERS
