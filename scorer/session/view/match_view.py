"""The match of a tournament on a panel: offered, played, ended."""

from __future__ import annotations

from scorer.rules import Game, Phase
from scorer.rules.agreement import is_settled
from scorer.rules.deal import is_match_over
from scorer.rules.options import value_text
from scorer.session.values import seating
from scorer.session.values.record import new_record
from scorer.session.values.shown import Screen
from scorer.session.values.state import Session
from scorer.session.view.view import MatchPhase, MatchView, View

_IN_WORDS = ("target", "best_of")  # options with words of their own


def match_phase(session: Session) -> MatchPhase:
    """The phase of the match in play (state.md#match)."""
    match = session.game.match
    assert match is not None
    if not session.record.past:
        # A later leg, or a match that another box has begun, is accepted as a whole.
        return MatchPhase.ACCEPTED if match.leg == 1 else MatchPhase.PLAYING
    if session.phase is not Phase.MATCH_OVER or not match.is_last_leg:
        return MatchPhase.PLAYING
    if match.contested:
        return MatchPhase.CONTESTED
    return MatchPhase.AGREED if is_settled(session.game) else MatchPhase.ENDED


def match_view(session: Session) -> MatchView | None:
    """The match in play; None outside a tournament.

    The page of the hall shows the offered one.
    """
    if session.page is Screen.HALL and session.offer is not None:
        left = session.tolerance_left
        return MatchView(session.offer.match.id, MatchPhase.OFFERED, tolerance_left=left)
    match, rules, time = session.game.match, session.rules, session.match_time
    if match is None:
        return None
    minutes = None
    if time is not None and session.page is Screen.HALL:
        minutes = int(session.now - time.began_at) // 60
    return MatchView(
        id=match.id,
        phase=match_phase(session),
        agreed=tuple(seating.view_index(session.game, side) for side in match.agreed),
        is_result=session.asks_result and (session.is_match_locked or not is_settled(session.game)),
        variant=rules.variant.title,
        leg=match.leg,
        legs=match.legs,
        minutes_left=session.minutes_left,
        cap_start=session.cap_start,
        has_next_game=_has_next_game(session.game),
        span="" if time is None else time.span,
        minutes_played=minutes,
        options=tuple((k, value_text(v)) for k, v in rules.chosen if k not in _IN_WORDS),
    )


def _has_next_game(game: Game) -> bool:
    """True if another game of the match may follow."""
    assert game.match is not None
    if is_match_over(game):
        return not game.match.is_last_leg
    return game.match.leg < game.match.legs or sum(game.games) + 1 < game.rules.best_of


def offered_session(session: Session) -> Session:
    """The session as it would be with the offered match accepted."""
    offer = session.offer
    assert offer is not None
    record = new_record(session.offered_game)
    return session._replace(record=record, names=offer.names, assignments=(), match_time=None)


def view_as_offer(view: View, tolerance_left: int | None) -> View:
    """The view of a match as its offer."""
    assert view.match is not None
    match = view.match._replace(phase=MatchPhase.OFFERED, tolerance_left=tolerance_left)
    return view._replace(screen=Screen.MATCH_OFFER, match=match)
