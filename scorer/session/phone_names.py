"""Names of the teams from a phone: the one part of set-up that a phone may change."""

from __future__ import annotations

from scorer.plain_values.names import are_different
from scorer.session.play.reactions import refuse
from scorer.session.play.timers import expire
from scorer.session.values.box_settings import NAMES, Choice
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import Notice
from scorer.session.values.state import Reaction, Session, Sound, Verdict


def name_sides(session: Session, names: tuple[str, ...], now: float) -> Reaction:
    """The reaction to new names of all scoring sides; "" takes a name away.

    Like names chosen at the box they are stored and not part of the score. A locked table, a
    locked match and an open set-up refuse them, and so does a name of two sides.
    """
    session = expire(session, now)
    if session.locked:
        return refuse(session, Notice(NoticeKey.LOCKED, urgent=True))
    if session.is_match_locked:
        return refuse(session, Notice(NoticeKey.MATCH_LOCKED, urgent=True))
    if session.setup is not None:
        return refuse(session, Notice(NoticeKey.PHONE_SETUP, urgent=True))
    if not are_different(names):
        return refuse(session, Notice(NoticeKey.NAME_TWICE, urgent=True))
    session = session._replace(touched_at=now)
    return Reaction(session, Verdict.ACCEPTED, Sound.KEY, choices=(Choice(NAMES, names),))
