"""Guards against unintended presses: slaps, echoes, late answers, late TANTOS.

Each guard returns the key of the notice that explains why, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.rules import Refusal
from scorer.session.input.gestures import Gesture
from scorer.session.input.keymap import ButtonMeaning, console_of
from scorer.session.state import Session
from scorer.session.view.view import Notice

_UNGUARDED: Final = (
    ButtonMeaning.UNDO,
    ButtonMeaning.REDO,
    ButtonMeaning.PAGE,
    ButtonMeaning.SETUP,
)
_CYCLING: Final = (ButtonMeaning.ENVIDO, ButtonMeaning.FALTA, ButtonMeaning.FLOR)
_NUMBERED: Final = (ButtonMeaning.ENVIDO, ButtonMeaning.FLOR)
_CALLS: Final = (ButtonMeaning.TRUCO, ButtonMeaning.ENVIDO, ButtonMeaning.FLOR)

_ANSWERS: Final = (ButtonMeaning.QUIERO, ButtonMeaning.NO_QUIERO)
_TANTOS: Final = (ButtonMeaning.TANTOS, ButtonMeaning.BOTH)


def blocking_notice(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """The notice of the guard that blocks this press, or None."""
    for guard in _GUARDS:
        notice = guard(session, meaning, gesture)
        if notice is not None:
            return notice
    return None


def _slap(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """G1: the partner slaps the same button again. A hold started then is ignored too."""
    newest = session.newest_press
    if newest is None or meaning in _UNGUARDED or newest.meaning in _UNGUARDED:
        return None
    # Both TANTOS at once are a slap if either was just pressed, and vice versa.
    pair = (meaning, newest.meaning)
    both = ButtonMeaning.BOTH in pair and all(each in _TANTOS for each in pair)
    if newest.button != gesture.button and not both:
        return None
    if _taps_through_numbers(session, meaning) and newest.taps > 1:
        return None
    settings = session.settings
    deaf = settings.slap_call_s if meaning in _CYCLING else settings.slap_s
    return Notice("slap", urgent=True) if gesture.since < newest.time + deaf else None


def _taps_through_numbers(session: Session, meaning: ButtonMeaning) -> bool:
    """True if the button is tapped through the numbers of an open bid, without pauses."""
    return meaning in _NUMBERED and session.rules.opens_with_numbers


def _echo(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """G2: both teams make the same call at once; the second is not a raise."""
    newest = session.newest_press
    if newest is None or meaning not in _CALLS or newest.meaning is not meaning:
        return None
    if console_of(newest.button) == console_of(gesture.button):
        return None
    late = gesture.since >= newest.time + session.settings.echo_s
    return None if late else Notice("echo", side=newest.side, urgent=True)


def _early(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """An answer pressed before the call it would answer, but released after it."""
    newest = session.newest_press
    if newest is None or meaning not in _ANSWERS or newest.button == gesture.button:
        return None
    early = gesture.since < newest.time and newest.meaning in _CALLS
    return Notice(Refusal.NOTHING_TO_ANSWER, urgent=True) if early else None


def _closed(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """G3: TANTOS has just closed a hand and the rivals press theirs too."""
    if (
        meaning not in _TANTOS
        or gesture.since >= session.hand_closed_at + session.settings.hand_closed_s
    ):
        return None
    return Notice("closed", urgent=True)


_GUARDS: Final[tuple[Callable[[Session, ButtonMeaning, Gesture], Notice | None], ...]] = (
    _slap,
    _echo,
    _early,
    _closed,
)
