"""How a press ends: taken, refused, or with a question; and the session that would follow.

Every other module of the reducer makes its reactions here. Which steps are right it does not know.
"""

from __future__ import annotations

from scorer.rules import Action, Refusal, Step
from scorer.session import seating
from scorer.session.input import keymap
from scorer.session.input.gestures import Gesture
from scorer.session.input.keymap import ButtonMeaning
from scorer.session.play import feedback, interpret
from scorer.session.record import Record, append_press
from scorer.session.state import NEVER, Press, Question, Reaction, Session, Sound, Verdict
from scorer.session.view.view import Notice

_OUTCOMES = (
    Action.HAND_WON,
    Action.ALL_TIED,
    Action.TRICKS,
    Action.ENVIDO_WON,
    Action.FLOR_WON,
)


def record_steps(
    session: Session, steps: tuple[Step, ...], meaning: ButtonMeaning, gesture: Gesture, time: str
) -> Reaction:
    """Writes ``steps`` as one press, or says why the rules refuse them."""
    record = append_press(session.record, steps, time)
    if isinstance(record, Refusal):
        return refuse(session, interpret.refusal_notice(record, session.rules))
    session = _with_record(accept_press(session, meaning, gesture), record, steps, gesture.time)
    return Reaction(session, Verdict.ACCEPTED, feedback.sound_of(steps, record.game), steps)


def ask(session: Session, question: Question) -> Reaction:
    """Puts ``question`` to the table."""
    # Whoever is asked may answer with the button that was pressed last.
    session = session._replace(question=question, newest_press=None, notice=None)
    return Reaction(session, Verdict.QUESTION, Sound.KEY)


def refuse(session: Session, notice: Notice) -> Reaction:
    """Nothing happens, and the panel says why."""
    return Reaction(with_notice(session, notice), Verdict.REFUSED, Sound.REFUSED)


def with_notice(session: Session, notice: Notice) -> Session:
    """``session`` with a notice, which stays for as long as notices do."""
    return session._replace(notice=notice, notice_until=session.now + session.settings.notice_s)


def accept_press(session: Session, meaning: ButtonMeaning, gesture: Gesture) -> Session:
    """``session`` after a press that counts, before what it says is written."""
    side = keymap.side_of(gesture.button, session.rules)
    # A press after the end of a hand speaks in the one that comes, where another is the gallo.
    at = None if side is None else seating.view_index(interpret.current_hand(session.game), side)
    before = session.newest_press
    again = before is not None and (before.button, before.meaning) == (gesture.button, meaning)
    taps = before.taps + 1 if before is not None and again else 1
    newest = Press(gesture.button, meaning, gesture.time, at, taps)
    session = session._replace(newest_press=newest, question=None, notice=None, milestone_at=NEVER)
    return with_lamp_flash(session, gesture)


def with_lamp_flash(session: Session, gesture: Gesture) -> Session:
    """``session`` with the lamp of the pressed console turned over for a moment."""
    console = keymap.console_of(gesture.button)
    if keymap.side_of(gesture.button, session.rules) is None:
        return session
    at = seating.CONSOLES.index(console)
    return session._replace(flashing_console=at, flash_until=session.now + session.settings.flash_s)


def _with_record(session: Session, record: Record, steps: tuple[Step, ...], when: float) -> Session:
    """``session`` with a press written that says something new."""
    game = record.game
    ended = game.hand.over or game.winner is not None
    # The end of a duel is not the end of its hand, and closes as much.
    duels = len(game.hand.duels) > len(record.past[-1].before.hand.duels)
    closed = (ended or duels) and any(step.action in _OUTCOMES for step in steps)
    paid = bool(game.last_credits)
    return session._replace(
        record=record,
        has_later_game=False,
        confirmed=(),
        hand_closed_at=when if closed else session.hand_closed_at,
        paid_at=session.now if paid else NEVER,
        milestone_at=feedback.milestone_time(session, game) if paid else NEVER,
    )
