"""The copies of all games on a USB stick, requested in set-up."""

from __future__ import annotations

from collections.abc import Callable

from scorer.api.backup_protocol import BackupReport, BackupResult
from scorer.session.play.timers import show_notice
from scorer.session.values.effects import Effect, Task
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import Notice
from scorer.session.values.state import Session
from scorer.table.guest import Guest, ServiceReport


class Backups(Guest):
    """Shows that a copy is being made, and then its result."""

    handles = frozenset((Task.BACKUP, BackupReport))

    def __init__(self, request: Callable[[], BackupReport]) -> None:
        """``request`` returns at once."""
        self._request = request

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        report = effect if isinstance(effect, BackupReport) else self._request()
        is_one = report.result is BackupResult.DONE and report.games == 1
        key = NoticeKey.BACKUP_DONE_ONE if is_one else report.result
        notice = Notice(key, report.label, number=report.games, urgent=True)
        return show_notice(session, notice, now)
