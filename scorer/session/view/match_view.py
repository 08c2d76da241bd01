"""The match of a tournament on a panel: offered, played, ended."""

from __future__ import annotations

from scorer.rules import Phase
from scorer.rules.agreement import is_settled
from scorer.rules.options import value_text
from scorer.session import seating
from scorer.session.record import new_record
from scorer.session.state import Session
from scorer.session.view.view import MatchPhase, MatchView, Screen, View

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
    """The match in play; None outside a tournament."""
    match, rules = session.game.match, session.rules
    if match is None:
        return None
    return MatchView(
        id=match.id,
        phase=match_phase(session),
        agreed=tuple(seating.view_index(session.game, side) for side in match.agreed),
        is_result=session.asks_result and (session.is_match_locked or not is_settled(session.game)),
        variant=rules.variant.title,
        leg=match.leg,
        legs=match.legs,
        minutes_left=session.minutes_left,
        span="" if session.match_time is None else session.match_time.span,
        options=tuple((k, value_text(v)) for k, v in rules.chosen if k not in _IN_WORDS),
    )


def offered_session(session: Session) -> Session:
    """The session as it would be with the offered match accepted."""
    offer = session.offer
    assert offer is not None
    record = new_record(offer.game)
    return session._replace(record=record, names=offer.names, assignments=())


def view_as_offer(view: View) -> View:
    """The view of a match as its offer."""
    assert view.match is not None
    match = view.match._replace(phase=MatchPhase.OFFERED)
    return view._replace(screen=Screen.MATCH_OFFER, match=match)
