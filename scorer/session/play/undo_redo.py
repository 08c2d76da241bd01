"""Back and forth along what was entered: inside the game, and from one of the night to the next.

It takes presses back whole and names them; what they meant it does not know.
"""

from __future__ import annotations

from scorer.rules import Refusal, Step
from scorer.session.input.gestures import Gesture
from scorer.session.input.keymap import ButtonMeaning
from scorer.session.play import feedback, interpret, questions
from scorer.session.play.reactions import accept_press, ask, refuse, with_notice
from scorer.session.record import REDO, UNDO, Record, append_press, hand_id
from scorer.session.state import NEVER, GameMove, Reaction, Session, Sound, Verdict
from scorer.session.view.view import Notice


def undo(session: Session, gesture: Gesture) -> Reaction:
    """UNDO: inside the hand at once; what reaches further back is asked about first."""
    record = session.record
    if session.confirmed:
        session = accept_press(session, ButtonMeaning.UNDO, gesture)._replace(confirmed=())
        return Reaction(with_notice(session, Notice("dropped")), Verdict.ACCEPTED, Sound.UNDO)
    if not record.past:
        if session.has_earlier_game:
            return ask(session, questions.undo_game())
        return refuse(session, interpret.refusal_notice(Refusal.NOTHING_TO_UNDO))
    if hand_id(record.game) != record.undo_home:
        return ask(session, questions.undo_far(record))
    return undo_press(session, gesture)


def redo(session: Session, gesture: Gesture) -> Reaction:
    """Puts the press that was taken back last again, or the game that was."""
    again = session.record.redo_steps
    if again:
        return apply_history_steps(session, (REDO,) * len(again), ButtonMeaning.REDO, gesture)
    if session.has_later_game:
        return move_to_game(session, GameMove.FORWARD, gesture)
    return refuse(session, interpret.refusal_notice(Refusal.NOTHING_TO_REDO))


def undo_press(session: Session, gesture: Gesture) -> Reaction:
    """Takes back the newest press that stands, with every step it made."""
    newest = session.record.newest_steps
    return apply_history_steps(session, (UNDO,) * len(newest), ButtonMeaning.UNDO, gesture)


def apply_history_steps(
    session: Session, steps: tuple[Step, ...], meaning: ButtonMeaning, gesture: Gesture
) -> Reaction:
    """Back or forth along what was entered; the panel names what came off or on."""
    record = append_press(session.record, steps)
    assert isinstance(record, Record)
    notice = feedback.undo_notice(session.record, meaning)
    session = accept_press(session, meaning, gesture)._replace(
        record=record, hand_closed_at=NEVER, paid_at=NEVER, confirmed=()
    )
    return Reaction(with_notice(session, notice), Verdict.ACCEPTED, Sound.UNDO, steps)


def move_to_game(session: Session, move_to: GameMove, gesture: Gesture) -> Reaction:
    """To the game before this one, or to the one after it that had been taken back."""
    back = move_to is GameMove.BACK
    session = accept_press(session, ButtonMeaning.UNDO if back else ButtonMeaning.REDO, gesture)
    steps = (UNDO,) if back else (REDO,)
    session = with_notice(session, Notice("restored"))
    return Reaction(session, Verdict.ACCEPTED, Sound.UNDO, steps, move=move_to)
