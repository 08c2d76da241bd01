"""Guards against unintended presses: slaps, echoes, late answers, late TANTOS.

Each guard returns the key of the notice that explains why, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from scorer.rules import Refusal
from scorer.session.input.keymap import console_of, sides_of
from scorer.session.values.game_queries import AFTER_BET
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, Gesture
from scorer.session.values.shown import Notice
from scorer.session.values.state import Session

_UNGUARDED: Final = (
    ButtonMeaning.UNDO,
    ButtonMeaning.REDO,
    ButtonMeaning.PAGE,
    ButtonMeaning.SETUP,
)
# Repeated, these raise, are held or ask: never deaf.
_CYCLING: Final = (
    ButtonMeaning.ENVIDO,
    ButtonMeaning.BIDS,
    ButtonMeaning.FLOR,
    ButtonMeaning.FLORES,
)
_CALLS: Final = (ButtonMeaning.TRUCO, ButtonMeaning.ENVIDO, ButtonMeaning.FLOR)

_ANSWERS: Final = (ButtonMeaning.QUIERO, ButtonMeaning.NO_QUIERO)
# What the buttons that answer an offer mean once it is gone.
_LATE_ANSWERS: Final = (*_ANSWERS, ButtonMeaning.FOLD)
_TANTOS: Final = (ButtonMeaning.TANTOS, ButtonMeaning.BOTH)
LATER_S: Final = 0.6  # seconds after which the same button again may mean more than a slap


def blocking_notice(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """The notice of the guard that blocks this press, or None."""
    for guard in _GUARDS:
        notice = guard(session, meaning, gesture)
        if notice is not None:
            return notice
    return None


def _slap(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """G1: the partner slaps the same button again. A hold started then is ignored too."""
    newest, question = session.newest_press, session.question
    if question is not None and question.button == gesture.button:
        # A slap of the partner is no yes to what the button has just asked.
        is_slap = gesture.since < session.asked_at + min(LATER_S, session.settings.guards.slap)
        return Notice(NoticeKey.SLAP, urgent=True) if is_slap else None
    if newest is None or {meaning, newest.meaning} & {*_UNGUARDED, *_CYCLING}:
        return None
    # Both TANTOS at once are a slap if either was just pressed, and vice versa.
    pair = (meaning, newest.meaning)
    both = ButtonMeaning.BOTH in pair and all(each in _TANTOS for each in pair)
    if newest.button != gesture.button and not both:
        return None
    late = gesture.since >= newest.time + session.settings.guards.slap
    asks = meaning is ButtonMeaning.TANTOS and is_after_bet(session, gesture)
    later = round(gesture.since - newest.time, 3) >= LATER_S
    return None if late or (asks and later) else Notice(NoticeKey.SLAP, urgent=True)


def is_double_tap(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> bool:
    """True if a tap follows the same call so closely that it raises."""
    newest, window = session.newest_press, session.settings.guards.slap_call
    if not window:
        return True
    if newest is None or (newest.button, newest.meaning) != (gesture.button, meaning):
        return False
    return gesture.since < newest.time + window


def is_after_bet(session: Session, gesture: Gesture) -> bool:
    """True if an envido or flor has just been settled and the hand goes on.

    TANTOS may mean the hand, or still the bet: by the partner, the rivals, or out of habit.
    """
    late = gesture.since >= session.bet_paid_at + session.settings.guards.paid_bet
    return not late and session.phase in AFTER_BET


def _echo(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """G2: both teams make the same call at once; the second is not a raise."""
    newest = session.newest_press
    if newest is None or meaning not in _CALLS or newest.meaning is not meaning:
        return None
    if console_of(newest.button) == console_of(gesture.button):
        return None
    late = gesture.since >= newest.time + session.settings.guards.echo
    return None if late else Notice(NoticeKey.ECHO, side=newest.side, urgent=True)


def is_simultaneous(session: Session, gesture: Gesture) -> bool:
    """True if another console's press was accepted as closely before as an echo is."""
    newest = session.newest_press
    if newest is None or console_of(newest.button) == console_of(gesture.button):
        return False
    return gesture.since < newest.time + session.settings.guards.echo


def _dropped_offer(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """An answer to an offer that another press has just dropped."""
    dropped = session.dropped_offer
    if dropped is None or dropped.console != console_of(gesture.button):
        return None
    late = gesture.since >= dropped.time + session.settings.guards.offer
    if late or meaning not in _LATE_ANSWERS:
        return None
    # UNDO, which dropped it too, is of no side.
    key = NoticeKey.DROPPED if dropped.by is None else NoticeKey.OFFER_DROPPED
    return Notice(key, side=dropped.by, urgent=True)


def _early(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """An answer pressed before the call it would answer, but released after it."""
    newest = session.newest_press
    if newest is None or meaning not in _ANSWERS or newest.button == gesture.button:
        return None
    early = gesture.since < newest.time and newest.meaning in _CALLS
    return Notice(Refusal.NOTHING_TO_ANSWER, urgent=True) if early else None


def _closed(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Notice | None:
    """G3: a hand has just ended, and TANTOS of either team would enter the next one."""
    if meaning not in _TANTOS:
        return None
    if gesture.since < session.hand_paid_at + session.settings.guards.paid_hand:
        return Notice(NoticeKey.PAID, urgent=True)
    if not is_after_hand(session, gesture):
        return None
    # TANTOS of the other team corrects that of the first: it is asked about.
    claims = meaning is ButtonMeaning.TANTOS and not _has_closed(session, gesture.button)
    return None if claims else Notice(NoticeKey.CLOSED, urgent=True)


def is_after_hand(session: Session, gesture: Gesture) -> bool:
    """True if TANTOS has just entered a hand: the next one cannot be over."""
    return gesture.since < session.hand_closed_at + session.settings.guards.closed


def _has_closed(session: Session, button: str) -> bool:
    """True if the newest TANTOS was of this console, or of both."""
    closed = next((done.step.side for done in session.record.newest_steps[-1:]), None)
    sides = sides_of(button, session.rules, session.settings.consoles.count)
    return closed is None or closed in sides


_GUARDS: Final[tuple[Callable[[Session, ButtonMeaning, Gesture], Notice | None], ...]] = (
    _closed,
    _dropped_offer,
    _slap,
    _echo,
    _early,
)
