"""Expire timed state and compute the next deadline."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import Phase
from scorer.session.play import questions
from scorer.session.values.dimming import (
    Light,
    forgotten_winner_time,
    is_pending,
    light_of,
    light_timeouts,
    touched,
)
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import Notice, Screen
from scorer.session.values.state import Reaction, Session, Sound, Verdict


def expire(session: Session, now: float) -> Session:
    """``session`` at ``now``, without expired notices, pages and other timed state."""
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
    if now >= session.question_until and not session.remaining_steps:
        session = session._replace(question=None)
    stale = session.settings.stale_after_s
    if stale and now - session.touched_at >= stale and session.question is None:
        return ask_same_game(session)
    return session


def show_notice(
    session: Session, notice: Notice, now: float, duration_s: float | None = None
) -> Session:
    """``session`` at ``now`` with a notice that no press caused.

    It lasts for ``duration_s`` seconds, by default as long as a page, or until dismissed.
    """
    session = expire(session, now)
    until = now + (session.settings.page_s if duration_s is None else duration_s)
    return session._replace(notice=notice, notice_until=until)


def wake_panel(session: Session) -> Reaction | None:
    """The reaction that only lights a dark panel; None if it is not dark."""
    if light_of(session) is not Light.DARK:
        return None
    session = touched(session, session.now)._replace(woken_at=session.now)
    return Reaction(session.with_notice(Notice(NoticeKey.WOKE)), Verdict.WOKE, Sound.KEY)


def next_deadline(session: Session) -> float | None:
    """When ``expire`` is due next if nothing happens, or None."""
    times = [time for time in _change_times(session) if time > session.now]
    return min(times, default=None)


def ask_same_game(session: Session) -> Session:
    """Asks whether a running game goes on, after hours or on another day.

    The next game is no rematch of it.
    """
    session = session._replace(ends_series=True)
    running = session.record.past and session.game.winner is None and not session.is_match_locked
    return session.with_question(questions.same_game()) if running else session


def _minute_ends(session: Session) -> Iterator[float]:
    """The ends of the minutes that are shown of a match."""
    time = session.match_time
    if time is not None and time.over_at is not None and (minutes := session.minutes_left):
        yield time.over_at - 60 * (minutes - 1)
    if session.offer_until is not None and (minutes := session.tolerance_left):
        yield session.offer_until - 60 * (minutes - 1)
    if time is not None and session.page is Screen.HALL:
        yield time.began_at + 60 * ((session.now - time.began_at) // 60 + 1)


def _change_times(session: Session) -> Iterator[float]:
    """The times at which the display changes without a press; some may be past."""
    settings = session.settings
    if session.question is not None:
        yield session.question_until
    if session.notice is not None:
        yield session.notice_until
    if session.page is not None:
        yield session.page_until
    if session.setup is not None:
        yield session.setup.until
    if session.confirmed:
        yield session.confirmed_until
    if session.flashing_console is not None:
        yield session.flash_until
    yield session.milestone_at
    yield session.milestone_at + settings.tally_s
    yield session.paid_at + settings.gains_s
    if session.phase is Phase.HAND_OVER:
        yield session.touched_at + settings.hand_over_s
    if (forgotten := forgotten_winner_time(session)) is not None:
        yield forgotten
    alone = (*light_timeouts(session), settings.stale_after_s or None)
    yield from (session.touched_at + after for after in alone if after is not None)
    yield from _minute_ends(session)
    if settings.blink_s and is_pending(session) and light_of(session) is Light.ON:
        passed = int((session.now - session.touched_at) / settings.blink_s)
        yield session.touched_at + (passed + 1) * settings.blink_s
