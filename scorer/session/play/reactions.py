"""Constructors of reactions: accepted, refused or with a question.

Used by all modules of ``play`` and ``setup``.
"""

from __future__ import annotations

from typing import Final

from scorer.rules import Action, Game, Phase, Refusal, Side, Status, Step, phase_of
from scorer.rules.deal import changed_deal
from scorer.rules.document import may_raise
from scorer.rules.offer import sides_to_answer
from scorer.rules.truco import next_rung
from scorer.session.input import keymap
from scorer.session.play import questions
from scorer.session.values import late_envido, seating
from scorer.session.values.box_settings import rules_choices
from scorer.session.values.chosen_change import ChosenChange
from scorer.session.values.effects import StoreChange
from scorer.session.values.game_queries import (
    AFTER_BET,
    NEW_HAND,
    current_hand,
    is_same_rules,
    opening_steps,
)
from scorer.session.values.hall import Wish, WishKind
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import AcceptedPress, ButtonPress
from scorer.session.values.question import Question
from scorer.session.values.record import Record, append_press, new_record
from scorer.session.values.rule_changes import change_view
from scorer.session.values.shown import ChangeStart, Notice
from scorer.session.values.state import NEVER, Reaction, Session, Sound, Verdict, new_session

_OF_OTHERS: Final = (Refusal.OWN_CALL, Refusal.NOT_YOUR_RAISE)
_HAND_OUTCOMES: Final = (Action.HAND_WON, Action.ALL_TIED, Action.TRICKS)
_OUTCOMES: Final = (*_HAND_OUTCOMES, Action.ENVIDO_WON, Action.FLOR_WON)
_OPEN: Final = (Status.PENDING, Status.ACCEPTED)
_SOUNDS: Final = {
    Sound.ACCEPT: (
        Action.AGREE,
        Action.QUIERO,
        Action.MAO_PLAY,
        Action.PRIVO,
        Action.NEW_HAND,
        Action.PICA,
        Action.REDONDA,
    ),
    Sound.REFUSE: (
        Action.CONTEST,
        Action.NO_QUIERO,
        Action.ME_ACHICO,
        Action.NO_FLOR,
        Action.NO_PRIVO,
        Action.MAO_RUN,
        Action.FOLD,
    ),
    Sound.POINT: (
        *_OUTCOMES,
        Action.AWARD,
        Action.CORRECT,
        Action.ENVIDO_REVERSED,
        Action.FLOR_REVERSED,
    ),
}
_SOUND_OF: Final = {action: sound for sound, actions in _SOUNDS.items() for action in actions}

_RESULT_SOUNDS: Final = (Action.AGREE, Action.CONTEST)  # said after the game was won


def record_steps(session: Session, steps: tuple[Step, ...], press: ButtonPress) -> Reaction:
    """Records ``steps`` as one press, or returns the refusal of the rules.

    A deal that brings a change of rules into force opens the game that goes on under them.
    """
    changed = changed_deal(session.game) if steps[:1] == (NEW_HAND,) else None
    if changed is not None:
        return _go_on_under(session, changed, steps[1:], press)
    record = append_press(session.record, steps, press.time)
    if isinstance(record, Refusal):
        return refuse(session, record)
    was_over = session.game.hand.over
    session = _with_record(accept_press(session, press), record, steps, press.gesture.time)
    if session.game.hand.over and not was_over and (told := session.change_notice) is not None:
        session = session.with_notice(told)
    return Reaction(session, Verdict.ACCEPTED, _sound_of(steps, record.game), steps)


def _go_on_under(
    session: Session, changed: Game, steps: tuple[Step, ...], press: ButtonPress
) -> Reaction:
    """Opens the game under changed rules, with the first ``steps`` of its hand."""
    record = append_press(new_record(changed), steps, press.time)
    if isinstance(record, Refusal):
        return refuse(session, record)
    opened = open_game(accept_press(session, press), changed, press)
    begun = accept_press(opened.session, press)
    if steps:
        begun = _with_record(begun, record, steps, press.gesture.time)
    if sides_to_answer(begun.game) == ():
        # It would cover the call of a press that calls; the end of the hand before has told it.
        view = change_view(session.rules, changed.rules, ChangeStart.IN_FORCE)
        begun = begun.with_notice(Notice(NoticeKey.CHANGE, change=view))
    sound = _sound_of(steps, record.game) if steps else opened.sound
    return opened._replace(session=begun, sound=sound, steps=steps)


def open_game(session: Session, game: Game, press: ButtonPress) -> Reaction:
    """Opens ``game``; the running one is kept as it stands."""
    fresh = new_session(
        game,
        session.settings,
        now=max(press.gesture.time, session.now),
        names=session.names,
        has_earlier_game=True,
        box=session.box,
    )._replace(
        marks=session.marks,
        hall=session.hall,
        assignments=session.assignments,
        asks_first_run=session.asks_first_run and not session.record.is_scored,
    )
    return Reaction(fresh, Verdict.ACCEPTED, Sound.ACCEPT, new_game=game)


def choose_change(session: Session, chosen: ChosenChange, press: ButtonPress) -> Reaction:
    """Chooses a change of the rules of the running game, or takes it back as undone."""
    is_undone, rules = chosen.is_undone, chosen.change.rules
    changed = accept_press(session, press).with_change(chosen)
    if is_undone:
        changed = changed.with_notice(Notice(NoticeKey.CHANGE_UNDONE))
        # What was chosen for the next game since then stays.
        is_house = is_same_rules(session.next_rules, rules)
        choices = rules_choices(chosen.house_before) if is_house else ()
    else:
        notice = changed.change_notice
        assert notice is not None
        changed = changed.with_notice(notice)
        choices = rules_choices(rules)
    stored = StoreChange(chosen.standing)
    sound = Sound.UNDO if is_undone else Sound.KEY
    return Reaction(changed, Verdict.ACCEPTED, sound, choices=choices, stored_effects=(stored,))


def record_in_hand(session: Session, steps: tuple[Step, ...], press: ButtonPress) -> Reaction:
    """Like ``record_steps``, but deals a hand first that is only announced."""
    return record_steps(session, (*opening_steps(session.game), *steps), press)


def ask(session: Session, question: Question) -> Reaction:
    """Asks ``question``."""
    # The slap guard must not block an answer with the button pressed last.
    session = session.with_question(question)._replace(newest_press=None, notice=None)
    return Reaction(session, Verdict.QUESTION, Sound.KEY)


def ask_director(session: Session) -> Reaction:
    """Asks whether to call the director of the hall."""
    return ask(session, questions.call_director())


def call_director(session: Session, press: ButtonPress) -> Reaction:
    """Calls the director of the hall."""
    called = accept_press(session, press).with_notice(Notice(NoticeKey.DIRECTOR_CALLED))
    return Reaction(called, Verdict.ACCEPTED, Sound.KEY, effects=(Wish(WishKind.CALL),))


def refuse(session: Session, reason: Notice | Refusal) -> Reaction:
    """Refuses a press: nothing changes, and the panel shows the reason."""
    if isinstance(reason, Refusal):
        reason = _refusal_notice(reason, session.game)
    return Reaction(session.with_notice(reason), Verdict.REFUSED, Sound.REFUSED)


def accept_press(session: Session, press: ButtonPress) -> Session:
    """``session`` after an accepted press, before its steps are recorded."""
    session = session._replace(
        newest_press=accepted_press(session, press),
        accepted_at=session.now,
        replaced=(),
        question=None,
        notice=None,
        milestone_at=NEVER,
    )
    return with_lamp_flash(session, press.gesture.button)


def accepted_press(session: Session, press: ButtonPress) -> AcceptedPress:
    """``press`` in the form kept for the guards."""
    button, meaning = press.gesture.button, press.meaning
    side = keymap.side_of(button, session.rules)
    # A press after the end of a hand refers to the next hand, with another gallo.
    at = None if side is None else seating.view_index(current_hand(session.game), side)
    before = session.newest_press
    again = before is not None and (before.button, before.meaning) == (button, meaning)
    taps = before.taps + 1 if before is not None and again else 1
    return AcceptedPress(button, meaning, press.gesture.time, at, taps)


def with_lamp_flash(session: Session, button: str) -> Session:
    """``session`` with the lamp of the pressed console inverted briefly."""
    if keymap.side_of(button, session.rules) is None:
        return session
    at = seating.CONSOLES.index(keymap.console_of(button))
    return session._replace(flashing_console=at, flash_until=session.now + session.settings.flash_s)


def _refusal_notice(reason: Refusal, game: Game) -> Notice:
    # If the time for a call is over, show the way to correct it, not only the reason.
    if reason is Refusal.ENVIDO_CLOSED and late_envido.is_possible(game):
        return Notice(NoticeKey.LATE_ENVIDO, urgent=True)
    # Both teams read it: it names the side whose turn to speak it is.
    speakers = sides_to_answer(game) or may_raise(game) if reason in _OF_OTHERS else ()
    if _nobody_may_raise(reason, game, speakers):
        return Notice(NoticeKey.NO_RAISE, urgent=True)
    side = seating.view_index(game, speakers[0]) if speakers else None
    return Notice(reason, side=side, urgent=True)


def _nobody_may_raise(reason: Refusal, game: Game, speakers: tuple[Side, ...]) -> bool:
    """True if ``reason`` refuses a truco that no side may call in this hand."""
    if reason is Refusal.NOT_YOUR_RAISE:
        return not speakers
    in_play = phase_of(game) in (Phase.PLAYING, Phase.PENDING_TRUCO)
    return reason is Refusal.OUT_OF_ORDER and in_play and next_rung(game) is None


def _sound_of(steps: tuple[Step, ...], game: Game) -> Sound:
    """The sound for ``steps`` that led to ``game``; the last step decides."""
    if game.winner is not None and steps[-1].action not in _RESULT_SOUNDS:
        return Sound.WIN
    return _SOUND_OF.get(steps[-1].action, Sound.CALL)


def _with_record(session: Session, record: Record, steps: tuple[Step, ...], when: float) -> Session:
    """``session`` with the record after a press with new steps."""
    game = record.game
    paid = bool(game.last_credits)
    chosen = session.change
    return _with_tantos_guards(session, record, steps, when)._replace(
        record=record,
        change=None if chosen is None else chosen.standing,
        next_hand_seen=False,
        has_later_game=False,
        confirmed=(),
        paid_at=session.now if paid else NEVER,
        milestone_at=_milestone_time(session, game) if paid else NEVER,
    )


def _with_tantos_guards(
    session: Session, record: Record, steps: tuple[Step, ...], when: float
) -> Session:
    """``session`` with the times from which TANTOS is guarded after ``steps``."""
    before, game = session.game, record.game
    if before.hand.over and NEW_HAND not in steps:
        return session  # a correction of the hand that is over does not begin the next one
    # The end of a duel does not end its hand but counts as closing one.
    duels = len(game.hand.duels) > len(record.past[-1].before.hand.duels)
    ended = duels or game.hand.over or game.winner is not None
    closed = ended and any(step.action in _HAND_OUTCOMES for step in steps)
    paid = ended and any(credit.points for credit in game.last_credits)
    # True if ``steps`` settled a bet, also a late one, and the hand goes on.
    bets = (before.hand.envido, game.hand.envido), (before.hand.flor, game.hand.flor)
    settled = any(old.status in _OPEN and new.status is Status.CLOSED for old, new in bets)
    is_late = any(step.action is Action.AWARD for step in steps)
    return session._replace(
        hand_closed_at=when if closed else NEVER,
        hand_paid_at=when if paid and not closed else NEVER,
        bet_paid_at=when if (settled or is_late) and phase_of(game) in AFTER_BET else NEVER,
    )


def _milestone_time(session: Session, game: Game) -> float:
    """When the large tally is shown: at once, or after the result of the hand."""
    half = game.rules.half
    before = session.game.score
    reached = half is not None and any(
        old <= half < new for old, new in zip(before, game.score, strict=True)
    )
    if game.winner is None and not reached:
        return NEVER
    over = game.winner is not None or game.hand.over
    return session.now + (session.settings.gains_s if over else 0.0)
