"""Starting the next game: the sides that agreed to it, and the game opened."""

from __future__ import annotations

from scorer.rules import Game, Phase, Side
from scorer.session import seating
from scorer.session.game_queries import NEW_HAND, current_hand
from scorer.session.input.keymap import ButtonMeaning
from scorer.session.play.reactions import accept_press, record_steps, refuse
from scorer.session.state import ButtonPress, Reaction, Session, Sound, Verdict, new_session
from scorer.session.view.view import Notice


def press_after_game(session: Session, sides: tuple[Side, ...], press: ButtonPress) -> Reaction:
    """Handles QUIERO after a game: that of every console starts the next one."""
    if press.meaning is not ButtonMeaning.QUIERO:
        return refuse(session, Notice("press_quiero", urgent=True))
    if sides[0] in session.confirmed:
        return refuse(session, missing_notice(session, session.confirmed))
    confirmed = (*session.confirmed, *sides)
    if len(confirmed) < len(session.rules.speaking_sides):
        until = session.confirmed_until if session.confirmed else _confirmation_deadline(session)
        session = accept_press(session, press)
        session = session._replace(confirmed=confirmed, confirmed_until=until)
        return Reaction(
            session.with_notice(missing_notice(session, confirmed)), Verdict.ACCEPTED, Sound.ACCEPT
        )
    if session.phase is Phase.MATCH_OVER:
        return open_next_game(accept_press(session, press), press)
    return record_steps(session, (NEW_HAND,), press)


def open_next_game(session: Session, press: ButtonPress) -> Reaction:
    """Opens the game that follows under the house rules."""
    return open_game(session, session.next_game, press)


def open_game(session: Session, game: Game, press: ButtonPress) -> Reaction:
    """Opens ``game``; the running one is kept as it stands."""
    fresh = new_session(
        game,
        session.settings,
        now=max(press.gesture.time, session.now),
        names=session.names,
        has_earlier_game=True,
        box=session.box,
    )._replace(marks=session.marks)
    return Reaction(fresh, Verdict.ACCEPTED, Sound.ACCEPT, new_game=game)


def _confirmation_deadline(session: Session) -> float:
    return session.now + session.settings.next_game_s


def missing_notice(session: Session, confirmed: tuple[Side, ...], urgent: bool = False) -> Notice:
    """A notice naming the next side that has not agreed."""
    missing = next(side for side in session.rules.speaking_sides if side not in confirmed)
    at = seating.view_index(current_hand(session.game), missing)
    return Notice("next_game", side=at, urgent=urgent)
