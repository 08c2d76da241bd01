"""The times of the match in play and of the offered one, in the loop's seconds.

The session draws and judges by them; they are computed from the rows of the journal and their
dates, when the match or the offer changes.
"""

from __future__ import annotations

from scorer.records.game_log import GameLog
from scorer.session.values.hall import Assignment, MatchTime
from scorer.session.values.state import Session
from scorer.store.journal import Stamp
from scorer.table.guest import Guest


class MatchClock(Guest):
    """Puts the times into the session; it remembers what they were computed from."""

    def __init__(self, game_log: GameLog) -> None:
        self._game_log = game_log
        self._match_key: tuple[int, int | None] | None = None  # first row and cap
        self._offer_rev: int | None = None

    def refresh(self, session: Session, now: float) -> Session:
        played, began = session.played_assignment, self._game_log.match_began_seq
        key = None if played is None or began is None else (began, played.cap_s)
        if key != self._match_key or (key is not None and session.match_time is None):
            self._match_key = key
            time = None if key is None else self._match_time(key[1], session.now)
            session = session._replace(match_time=time)
        offer = session.offer
        rev = None if offer is None or offer.tolerance_s is None else offer.rev
        if rev != self._offer_rev or (rev is not None and session.offer_until is None):
            self._offer_rev = rev
            until = None if offer is None else self._offer_until(offer, session.now)
            session = session._replace(offer_until=until)
        return session

    def _match_time(self, cap: int | None, now: float) -> MatchTime | None:
        played = self._game_log.played_s(now)
        if played is None:
            return None
        over_at = None if cap is None else now + cap - played
        return MatchTime(now - played, over_at, self._game_log.span(cap))

    def _offer_until(self, offer: Assignment, now: float) -> float | None:
        if offer.tolerance_s is None or offer.arrived is None:
            return None
        waited = self._game_log.seconds_since(Stamp(*offer.arrived), now)
        return None if waited is None else now + offer.tolerance_s - waited
