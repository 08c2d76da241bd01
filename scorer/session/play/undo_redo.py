"""Undo and redo of a press, a hand, to a point of the game, and across games.

Presses are undone as a whole.
"""

from __future__ import annotations

from typing import Final

from scorer.rules import Action, Refusal, Step
from scorer.session.play import questions
from scorer.session.play.reactions import accept_press, ask, choose_change, record_steps, refuse
from scorer.session.values import seating
from scorer.session.values.game_queries import NEW_HAND, call_text, word_of
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, ButtonPress
from scorer.session.values.record import REDO, UNDO, Record, append_press
from scorer.session.values.shown import Notice
from scorer.session.values.state import NEVER, GameMove, Reaction, Session, Sound, Verdict

_MEANINGS: Final = {UNDO: ButtonMeaning.UNDO, REDO: ButtonMeaning.REDO}


def undo(session: Session, press: ButtonPress) -> Reaction:
    """UNDO: immediate within the hand; asks before reaching further back."""
    record = session.record
    if session.confirmed:
        session = accept_press(session, press)._replace(confirmed=())
        return Reaction(
            session.with_notice(Notice(NoticeKey.DROPPED)), Verdict.ACCEPTED, Sound.UNDO
        )
    taken_back = undo_change(session, press)
    if taken_back is not None:
        return taken_back
    if not record.past:
        if session.has_earlier_game:
            return ask(session, questions.undo_game())
        return refuse(session, Refusal.NOTHING_TO_UNDO)
    if record.undo_leaves_hand:
        return ask(session, questions.undo_far(record))
    if session.replaced:
        # Undoes a raise by double tap: the call before it is pending again.
        return _undo_and_record(session, len(session.record.newest_steps), session.replaced, press)
    return undo_press(session, press)


def undo_change(session: Session, press: ButtonPress) -> Reaction | None:
    """Takes back a change of rules that is newer than every standing step."""
    undoing = press._replace(meaning=ButtonMeaning.UNDO)
    chosen = None if session.change is None else session.change.standing
    if chosen is None or len(session.record.past) > chosen.after:
        return None
    return choose_change(session, chosen._replace(is_undone=True), undoing)


def redo_change(session: Session, press: ButtonPress) -> Reaction | None:
    """Chooses the change of rules again that was taken back last."""
    chosen, redoing = session.change, press._replace(meaning=ButtonMeaning.REDO)
    if chosen is None or not chosen.is_undone or len(session.record.past) != chosen.after:
        return None
    return choose_change(session, chosen._replace(is_undone=False), redoing)


def undo_and_record(session: Session, steps: tuple[Step, ...], press: ButtonPress) -> Reaction:
    """Records ``steps`` in place of the newest press."""
    return record_steps(session, (*(UNDO,) * len(session.record.newest_steps), *steps), press)


def _undo_and_record(
    session: Session, count: int, steps: tuple[Step, ...], press: ButtonPress
) -> Reaction:
    """Undoes ``count`` steps and records ``steps``, with the notice of an undo."""
    undoing = press._replace(meaning=ButtonMeaning.UNDO)
    reaction = record_steps(session, (*(UNDO,) * count, *steps), undoing)
    notice = _undo_notice(session.record, ButtonMeaning.UNDO)
    return reaction._replace(session=reaction.session.with_notice(notice), sound=Sound.UNDO)


def play_anew(session: Session, steps: tuple[Step, ...], press: ButtonPress) -> Reaction:
    """Plays hands anew for a correction; ``steps`` begin with their undo."""
    record = append_press(session.record, steps, press.time)
    if isinstance(record, Refusal):
        return refuse(session, record)
    won = record.game.winner is not None and session.game.winner is None
    reaction = _with_past(session, record, steps, press)
    paid = reaction.session._replace(paid_at=session.now)
    return reaction._replace(session=paid, sound=Sound.WIN if won else Sound.POINT)


def redo(session: Session, press: ButtonPress) -> Reaction:
    """Redoes the press that was undone last, the change of rules, or the game."""
    chosen = redo_change(session, press)
    if chosen is not None:
        return chosen
    again = session.record.redo_steps
    if again:
        return _apply_history_steps(session, (REDO,) * len(again), press)
    if session.has_later_game:
        return move_to_game(session, GameMove.FORWARD, press)
    return refuse(session, Refusal.NOTHING_TO_REDO)


def undo_press(session: Session, press: ButtonPress) -> Reaction:
    """Undoes the newest press; after a correction the older steps stand again."""
    newest = session.record.newest_steps
    before = tuple(done.step for done in newest[0].replaced) if newest[0].corrects else ()
    return _apply_history_steps(session, (*(UNDO,) * len(newest), *before), press)


def redeal(session: Session, press: ButtonPress) -> Reaction:
    """Undoes everything entered in the hand, for a redeal; the mano stays."""
    record, mano = session.record, session.game.mano
    entered = record.steps_in_hand
    if not entered:
        return record_steps(session, (NEW_HAND,), press._replace(meaning=ButtonMeaning.PAGE))
    if record.past[-entered].before.mano is not mano:
        return _undo_and_record(session, entered, (Step(mano, Action.MANO),), press)
    return _apply_history_steps(session, (UNDO,) * entered, press)


def go_back_to(session: Session, kept_steps: int, press: ButtonPress) -> Reaction:
    """Goes back to the point of the game after the first ``kept_steps`` steps."""
    count = len(session.record.past) - kept_steps
    if count <= 0 or kept_steps < 0:
        return refuse(session, Refusal.NOTHING_TO_UNDO)
    reaction = _apply_history_steps(session, (UNDO,) * count, press)
    return reaction._replace(session=reaction.session.with_notice(Notice(NoticeKey.WENT_BACK)))


def move_to_game(session: Session, move: GameMove, press: ButtonPress) -> Reaction:
    """Moves to the previous game, or to the next one that was undone."""
    step = UNDO if move is GameMove.BACK else REDO
    session = accept_press(session, press._replace(meaning=_MEANINGS[step]))
    session = session.with_notice(Notice(NoticeKey.RESTORED))
    return Reaction(session, Verdict.ACCEPTED, Sound.UNDO, (step,), move=move)


def _apply_history_steps(session: Session, steps: tuple[Step, ...], press: ButtonPress) -> Reaction:
    """Applies undo or redo steps, with a notice naming the entry concerned."""
    meaning = _MEANINGS[steps[0]]
    record = append_press(session.record, steps)
    assert isinstance(record, Record)
    notice = _undo_notice(session.record, meaning)
    reaction = _with_past(session, record, steps, press._replace(meaning=meaning))
    return reaction._replace(session=reaction.session.with_notice(notice))


def _with_past(
    session: Session, record: Record, steps: tuple[Step, ...], press: ButtonPress
) -> Reaction:
    """The reaction to a press that changed the past: no guard of a payment applies."""
    session = accept_press(session, press)._replace(
        record=record,
        # The steps that stand again after a correction are undone leave no later game to redo.
        has_later_game=session.has_later_game and all(step in _MEANINGS for step in steps),
        next_hand_seen=False,
        hand_closed_at=NEVER,
        hand_paid_at=NEVER,
        bet_paid_at=NEVER,
        paid_at=NEVER,
        confirmed=(),
    )
    return Reaction(session, Verdict.ACCEPTED, Sound.UNDO, steps)


def _undo_notice(record: Record, meaning: ButtonMeaning) -> Notice:
    """The notice of an undo or redo: the points concerned, else the last call."""
    back = meaning is ButtonMeaning.UNDO
    group = record.newest_steps if back else record.redo_steps
    steps = tuple(done.step for done in group)
    rules, step = record.game.rules, steps[-1]
    word = call_text(rules, step.action, step.amount)
    paid = tuple(credit for done in group for credit in done.paid)
    if back and group[0].corrects:
        word, paid = word_of(rules, Action.CORRECT), record.game.last_credits
    totals = tuple(seating.gain_totals(group[-1].before, paid).items())
    if len(totals) == 1:
        key = NoticeKey.UNDONE_POINTS if back else NoticeKey.REDONE_POINTS
        return Notice(key, word=word, side=totals[0][0], points=totals[0][1])
    if totals:
        key = NoticeKey.UNDONE_GAINS if back else NoticeKey.REDONE_GAINS
        return Notice(key, word=word, gains=totals)
    if step.side is None:
        return Notice(NoticeKey.UNDONE_WORD if back else NoticeKey.REDONE_WORD, word=word)
    key = NoticeKey.UNDONE if back else NoticeKey.REDONE
    return Notice(key, word=word, side=seating.view_index(group[-1].before, step.side))
