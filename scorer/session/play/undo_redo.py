"""Back and forth along what was entered: inside the game, and from one of the night to the next.

It takes presses back whole and names them; what they meant it does not know.
"""

from __future__ import annotations

from scorer.rules import Refusal, Step
from scorer.session.input.gestures import Gesture
from scorer.session.input.keymap import Meaning
from scorer.session.play import feedback, interpret, questions
from scorer.session.play.reactions import accepted, ask, noticed, refuse
from scorer.session.record import REDO, UNDO, Record, hand_id, write
from scorer.session.state import NEVER, Moves, Reaction, Session, Sound, Verdict
from scorer.session.view.view import Notice


def undo(session: Session, gesture: Gesture) -> Reaction:
    """UNDO: inside the hand at once; what reaches further back is asked about first."""
    record = session.record
    if session.confirmed:
        session = accepted(session, Meaning.UNDO, gesture)._replace(confirmed=())
        return Reaction(noticed(session, Notice("dropped")), Verdict.ACCEPTED, Sound.UNDO)
    if not record.past:
        if session.has_earlier_game:
            return ask(session, questions.undo_game())
        return refuse(session, interpret.refused(Refusal.NOTHING_TO_UNDO))
    if hand_id(record.game) != record.undo_home:
        return ask(session, questions.undo_far(record))
    return take_back(session, gesture)


def redo(session: Session, gesture: Gesture) -> Reaction:
    """Puts the press that was taken back last again, or the game that was."""
    again = session.record.redo_steps
    if again:
        return walk(session, (REDO,) * len(again), Meaning.REDO, gesture)
    if session.has_later_game:
        return move(session, Moves.FORWARD, gesture)
    return refuse(session, interpret.refused(Refusal.NOTHING_TO_REDO))


def take_back(session: Session, gesture: Gesture) -> Reaction:
    """Takes back the newest press that stands, with every step it made."""
    newest = session.record.newest_steps
    return walk(session, (UNDO,) * len(newest), Meaning.UNDO, gesture)


def walk(session: Session, steps: tuple[Step, ...], meaning: Meaning, gesture: Gesture) -> Reaction:
    """Back or forth along what was entered; the panel names what came off or on."""
    record = write(session.record, steps)
    assert isinstance(record, Record)
    notice = feedback.walked(session.record, meaning)
    session = accepted(session, meaning, gesture)._replace(
        record=record, hand_closed_at=NEVER, paid_at=NEVER, confirmed=()
    )
    return Reaction(noticed(session, notice), Verdict.ACCEPTED, Sound.UNDO, steps)


def move(session: Session, move_to: Moves, gesture: Gesture) -> Reaction:
    """To the game before this one, or to the one after it that had been taken back."""
    back = move_to is Moves.BACK
    session = accepted(session, Meaning.UNDO if back else Meaning.REDO, gesture)
    steps = (UNDO,) if back else (REDO,)
    session = noticed(session, Notice("restored"))
    return Reaction(session, Verdict.ACCEPTED, Sound.UNDO, steps, move=move_to)
