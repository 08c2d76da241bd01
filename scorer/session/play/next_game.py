"""From one game to the next: who has agreed to it, and the game that is opened then."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.rules import Game, Phase, Side, new_game
from scorer.session import seating
from scorer.session.box_settings import BoxSettings
from scorer.session.input.gestures import Gesture
from scorer.session.input.keymap import ButtonMeaning
from scorer.session.play import interpret
from scorer.session.play.reactions import accept_press, record_steps, refuse, with_notice
from scorer.session.record import Record, new_record
from scorer.session.settings import Settings
from scorer.session.state import Reaction, Session, Sound, Verdict
from scorer.session.view.view import Notice


def new_session(
    record: Record | Game,
    settings: Settings | None = None,
    *,
    now: float = 0.0,
    names: Sequence[str] = (),
    has_earlier_game: bool = False,
    has_later_game: bool = False,
    box: BoxSettings | None = None,
) -> Session:
    """A table at power-on, on a fresh game or on what the journal brought back."""
    record = record if isinstance(record, Record) else new_record(record)
    return Session(
        settings or Settings(),
        record,
        tuple(names),
        has_earlier_game=has_earlier_game,
        has_later_game=has_later_game,
        box=box or BoxSettings(),
        now=now,
        touched_at=now,
    )


def press_after_game(
    session: Session, meaning: ButtonMeaning, sides: tuple[Side, ...], gesture: Gesture, time: str
) -> Reaction:
    """QUIERO of every console starts the next game, in any order; ``sides`` speak at this one."""
    if meaning is not ButtonMeaning.QUIERO:
        return refuse(session, Notice("press_quiero", urgent=True))
    if sides[0] in session.confirmed:
        return refuse(session, _missing_notice(session))
    confirmed = (*session.confirmed, *sides)
    if len(confirmed) < len(session.rules.speaking_sides):
        until = session.confirmed_until if session.confirmed else _confirmation_deadline(session)
        session = accept_press(session, meaning, gesture)
        session = session._replace(confirmed=confirmed, confirmed_until=until)
        return Reaction(
            with_notice(session, _missing_notice(session)), Verdict.ACCEPTED, Sound.ACCEPT
        )
    if session.phase is Phase.MATCH_OVER:
        return open_game(accept_press(session, meaning, gesture), next_game(session), gesture.time)
    return record_steps(session, (interpret.NEW_HAND,), meaning, gesture, time)


def next_game(session: Session) -> Game:
    """A game under the rules of the house; who is mano goes on rotating."""
    game = session.game
    rules, sides = session.box.rules or game.rules, game.rules.scoring_sides
    mano = sides[(sides.index(game.mano) + 1) % len(sides)]
    if rules.scoring_sides != sides or rules.seats is not game.rules.seats:
        return new_game(rules)
    return new_game(rules, None, mano, gallo=seating.next_gallo(game))


def open_game(session: Session, game: Game, now: float) -> Reaction:
    """Opens ``game`` on this table; the one that was going on is kept as it stands."""
    fresh = new_session(
        game,
        session.settings,
        now=max(now, session.now),
        names=session.names,
        has_earlier_game=True,
        box=session.box,
    )._replace(marks=session.marks)
    return Reaction(fresh, Verdict.ACCEPTED, Sound.ACCEPT, new_game=game)


def _confirmation_deadline(session: Session) -> float:
    return session.now + session.settings.next_game_s


def _missing_notice(session: Session) -> Notice:
    actors = session.rules.speaking_sides
    missing = next(side for side in actors if side not in session.confirmed)
    return Notice("next_game", side=seating.view_index(session.game, missing))
