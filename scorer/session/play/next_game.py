"""Between two games: an offered match, the result of a match, and the next game."""

from __future__ import annotations

from typing import Final

from scorer.rules import Action, Phase, Side, Step
from scorer.rules.agreement import is_settled
from scorer.session.play.reactions import accept_press, open_game, record_steps, refuse
from scorer.session.values import seating
from scorer.session.values.game_queries import NEW_HAND, current_hand
from scorer.session.values.hall import CallReason, Wish, WishKind
from scorer.session.values.keys import NoticeKey
from scorer.session.values.press import ButtonMeaning, ButtonPress
from scorer.session.values.shown import Notice
from scorer.session.values.state import NEVER, Reaction, Session, Sound, Verdict

CAP_REASON: Final = "time limit"  # stored with the points at which a game begins


def press_between_games(session: Session, sides: tuple[Side, ...], press: ButtonPress) -> Reaction:
    """Handles a press of ``sides`` while a match is offered or a game is over."""
    if session.offer is not None:
        return _press_at_offer(session, press)
    if session.asks_result and (session.is_match_locked or not is_settled(session.game)):
        return _press_at_result(session, sides, press)
    return _press_after_game(session, sides, press)


def _press_at_offer(session: Session, press: ButtonPress) -> Reaction:
    """QUIERO of any console opens the offered match; NO QUIERO leaves it and says how."""
    match press.meaning:
        case ButtonMeaning.QUIERO:
            assert session.offer is not None
            named = accept_press(session, press)._replace(names=session.offer.names)
            return open_game(named, session.offered_game, press)
        case ButtonMeaning.NO_QUIERO:
            return refuse(session, Notice(NoticeKey.OFFER_NO, urgent=True))
        case _:
            return refuse(session, Notice(NoticeKey.OFFER, urgent=True))


def _press_at_result(session: Session, sides: tuple[Side, ...], press: ButtonPress) -> Reaction:
    """QUIERO of a team agrees; NO QUIERO contests and calls the director."""
    played = session.game.match
    assert played is not None
    if is_settled(session.game):
        key = NoticeKey.MATCH_CONTESTED if played.contested else NoticeKey.MATCH_AGREED
        return refuse(session, Notice(key, urgent=True))
    match press.meaning:
        case ButtonMeaning.QUIERO if sides[0] in played.agreed:
            return refuse(session, missing_notice(session, played.agreed, key=NoticeKey.MATCH_WAIT))
        case ButtonMeaning.QUIERO:
            return record_steps(session, tuple(Step(side, Action.AGREE) for side in sides), press)
        case ButtonMeaning.NO_QUIERO:
            called = record_steps(session, tuple(Step(s, Action.CONTEST) for s in sides), press)
            return called._replace(effects=(Wish(WishKind.CALL, why=CallReason.CONTEST),))
        case _:
            return refuse(session, Notice(NoticeKey.MATCH_RESULT, urgent=True))


def _press_after_game(session: Session, sides: tuple[Side, ...], press: ButtonPress) -> Reaction:
    """Handles QUIERO after a game: that of every console starts the next one."""
    if press.meaning is not ButtonMeaning.QUIERO:
        return refuse(session, Notice(NoticeKey.PRESS_QUIERO, urgent=True))
    if sides[0] in session.confirmed:
        return refuse(session, missing_notice(session, session.confirmed))
    confirmed = (*session.confirmed, *sides)
    if len(confirmed) < len(session.rules.speaking_sides):
        until = (
            session.confirmed_until
            if session.confirmed
            else session.now + session.settings.next_game_s
        )
        session = accept_press(session, press)
        session = session._replace(confirmed=confirmed, confirmed_until=until)
        return Reaction(
            session.with_notice(missing_notice(session, confirmed)), Verdict.ACCEPTED, Sound.ACCEPT
        )
    if session.phase is not Phase.MATCH_OVER:
        return deal_next_game(session, press)
    opened = open_next_game(accept_press(session, press), press)
    return opened._replace(session=_announced(opened.session, session.cap_start))


def deal_next_game(session: Session, press: ButtonPress) -> Reaction:
    """Deals the next game of a series, at ``cap_start`` once time is over."""
    start = session.cap_start
    if start is None:
        dealt = record_steps(session, (NEW_HAND,), press)
        return dealt._replace(session=_announced(dealt.session, None))
    scores = (Step(side, Action.CORRECT, start) for side in session.rules.scoring_sides)
    dealt = record_steps(session, (NEW_HAND, *scores), press)
    # A start is no gain.
    begun = _announced(dealt.session._replace(paid_at=NEVER, milestone_at=NEVER), start)
    return dealt._replace(session=begun, sound=Sound.ACCEPT, reason=CAP_REASON)


def _announced(session: Session, cap_start: int | None) -> Session:
    """``session`` with what is special in its game: la revancha, the start by time."""
    if session.game.match is not None and cap_start is not None:
        return session.with_notice(Notice(NoticeKey.CAP_START, number=cap_start))
    key = session.series_game
    return session if key is None else session.with_notice(Notice(key))


def open_next_game(session: Session, press: ButtonPress) -> Reaction:
    """Opens the game that follows under the house rules."""
    return open_game(session, session.next_game, press)


def missing_notice(
    session: Session,
    confirmed: tuple[Side, ...],
    urgent: bool = False,
    key: NoticeKey = NoticeKey.NEXT_GAME,
) -> Notice:
    """A notice naming the next side that has not agreed."""
    missing = next(side for side in session.rules.speaking_sides if side not in confirmed)
    at = seating.view_index(current_hand(session.game), missing)
    return Notice(key, side=at, urgent=urgent)
