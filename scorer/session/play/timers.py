"""Time goes by: what was shown for a while is over, and when that happens next."""

from __future__ import annotations

from scorer.session.play import feedback, questions
from scorer.session.state import Session


def expire(session: Session, now: float) -> Session:
    """``session`` at ``now``: what was shown for a while is over."""
    now = max(now, session.now)
    session = session._replace(now=now)
    if session.notice is not None and now >= session.notice_until:
        session = session._replace(notice=None)
    if session.page is not None and now >= session.page_until:
        session = session._replace(page=None)
    if session.setup is not None and now >= session.setup.until:
        session = session._replace(setup=None)
    if session.confirmed and now >= session.confirmed_until:
        session = session._replace(confirmed=())
    if session.flashing_console is not None and now >= session.flash_until:
        session = session._replace(flashing_console=None)
    stale = session.settings.stale_after_s
    if stale and now - session.touched_at >= stale and session.question is None:
        return ask_same_game(session)
    return session


def next_deadline(session: Session) -> float | None:
    """When ``tick`` is needed next if nothing happens, or None."""
    times = [time for time in feedback.change_times(session) if time > session.now]
    return min(times, default=None)


def ask_same_game(session: Session) -> Session:
    """Asks whether the game goes on, after hours or on another day, if one is under way."""
    running = session.record.past and session.game.winner is None
    return session._replace(question=questions.same_game()) if running else session
