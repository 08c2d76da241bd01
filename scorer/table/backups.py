"""The copies of all games on a USB stick, made, listed and put back from set-up."""

from __future__ import annotations

from collections.abc import Callable

from scorer.api.backup_protocol import BackupReport, BackupRequest, BackupResult, Do
from scorer.session.play.timers import show_notice
from scorer.session.setup.copies_menu import show_copies
from scorer.session.values.effects import Effect, RestoreCopy, Task
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import Notice
from scorer.session.values.state import Session
from scorer.table.guest import Guest, ServiceReport
from scorer.table.loop_commands import LoopCommand

RequestBackup = Callable[[BackupRequest], BackupReport]


class Backups(Guest):
    """Shows that the stick is in use, and then the result.

    A copy that is put back waits beside the store: the table ends, and the next one opens it.
    """

    handles = frozenset((Task.BACKUP, Task.LIST_COPIES, RestoreCopy, BackupReport))

    def __init__(self, request: RequestBackup, on_command: Callable[[LoopCommand], object]) -> None:
        """``request`` returns at once."""
        self._request, self._on_command = request, on_command

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        if not isinstance(effect, BackupReport):
            return _noticed(self._request(_request_of(effect)), session, now)
        if effect.result is BackupResult.LISTED:
            return show_copies(session, effect.copies)
        if effect.result is BackupResult.RESTORED:
            self._on_command(LoopCommand.STORE_RESTORED)
        return _noticed(effect, session, now)


def _request_of(effect: Effect | ServiceReport) -> BackupRequest:
    if isinstance(effect, RestoreCopy):
        return BackupRequest(Do.FETCH, effect.name)
    return BackupRequest(Do.LIST if effect is Task.LIST_COPIES else Do.COPY)


def _noticed(report: BackupReport, session: Session, now: float) -> Session:
    is_one = report.result is BackupResult.DONE and report.games == 1
    key = NoticeKey.BACKUP_DONE_ONE if is_one else report.result
    notice = Notice(key, report.label, number=report.games, urgent=True)
    return show_notice(session, notice, now)
