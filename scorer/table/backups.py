"""The copies of all games on a USB stick: made, listed and put back.

Set-up asks for all of it, and an owner's page for the list and for a copy to put back.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

from scorer.api.backup_protocol import BackupReport, BackupRequest, BackupResult, Do
from scorer.api.paired_phones import OWNERS_KEY
from scorer.session.play.timers import show_notice
from scorer.session.setup.copies_menu import show_copies
from scorer.session.values.effects import Effect, RestoreCopy, Task
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import Notice
from scorer.session.values.state import Session
from scorer.store.journal import Journal, StoreError
from scorer.store.open_or_salvage import BESIDE
from scorer.table.access_log import Log
from scorer.table.guest import Guest, ServiceReport
from scorer.table.loop_commands import LoopCommand
from scorer.table.owner_settings import WAITING_KEY

RequestBackup = Callable[[BackupRequest], BackupReport]


class Backups(Guest):
    """Shows that the stick is in use, and then the result.

    A copy that is put back waits beside the store: the table ends, and the next one opens it. The
    phones with the right to the settings stay those of now: an old copy gives no right again.

    ``page_report``: what an owner's page shows; None: nothing was requested there since the start.
    """

    handles = frozenset((Task.BACKUP, Task.LIST_COPIES, RestoreCopy, BackupReport))

    def __init__(
        self,
        journal: Journal,
        request: RequestBackup,
        on_command: Callable[[LoopCommand], object],
        log: Log,
    ) -> None:
        """``request`` returns at once."""
        self._journal, self._request, self._on_command = journal, request, on_command
        self._log = log
        folder = journal.directory
        self._folder = folder.parent if folder.name == BESIDE else folder
        self.page_report: BackupReport | None = None
        self._kept: Mapping[str, str] = {}  # the settings that the newest copy to put back has

    def list_for_page(self) -> bool:
        """Have the stick read for an owner's page; False while it is in use."""
        return self._request_for_page(BackupRequest(Do.LIST, is_of_page=True))

    def restore_for_page(self, name: str, source: str) -> bool:
        """Put back a copy for an owner's page; False while the stick is in use.

        ``source``: who asked. Raises StoreError.
        """
        asked = self._fetch(name, is_of_page=True)
        self._log(f"restore: {name} is put back by {source}")
        return self._request_for_page(asked)

    def _request_for_page(self, asked: BackupRequest) -> bool:
        report = self._start(asked)
        if report.result is BackupResult.WAIT:
            return False
        self.page_report = report
        return True

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        if not isinstance(effect, BackupReport):
            return _noticed(self._send(effect), session, now)
        report = effect
        if report.result is BackupResult.RESTORED:
            report = self._withdrawn_if_late(report, session)
        if report.is_of_page:
            self.page_report = report
            if report.result is not BackupResult.RESTORED:
                return session
        if report.result is BackupResult.LISTED:
            return show_copies(session, report.copies)
        if report.result is BackupResult.RESTORED:
            self._on_command(LoopCommand.STORE_RESTORED)
        return _noticed(report, session, now)

    def _send(self, effect: Effect | ServiceReport) -> BackupReport:
        if not isinstance(effect, RestoreCopy):
            return self._request(BackupRequest(Do.LIST if effect is Task.LIST_COPIES else Do.COPY))
        try:
            asked = self._fetch(effect.name)
        except StoreError:
            return BackupReport(BackupResult.FAILED)
        return self._start(asked)

    def _start(self, asked: BackupRequest) -> BackupReport:
        report = self._request(asked)
        if asked.do is Do.FETCH and report.result is not BackupResult.WAIT:
            self._kept = asked.kept
        return report

    def _fetch(self, name: str, *, is_of_page: bool = False) -> BackupRequest:
        """The request for a copy, with the settings that stay. Raises StoreError."""
        kept = {OWNERS_KEY: self._owners(), WAITING_KEY: "[]"}
        return BackupRequest(Do.FETCH, name, kept, is_of_page)

    def _owners(self) -> str:
        return self._journal.settings().get(OWNERS_KEY, "[]")

    def _withdrawn_if_late(self, report: BackupReport, session: Session) -> BackupReport:
        """Delete a copy that waits if a game has begun, or a right was taken, meanwhile."""
        if report.is_of_page and not session.is_between_games:
            return report._replace(result=self._withdraw(BackupResult.GAME))
        with suppress(StoreError):
            if self._kept and self._kept[OWNERS_KEY] != self._owners():
                return report._replace(result=self._withdraw(BackupResult.FAILED))
        return report

    def _withdraw(self, reason: BackupResult) -> BackupResult:
        """Delete the copy that waits; return ``reason``."""
        # Imported lazily: most evenings end without a copy that is put back.
        from scorer.store.restore import withdraw_copy

        try:
            withdraw_copy(self._folder)
        except OSError as error:
            sys.stderr.write(f"scorer run: the copy that waits cannot be deleted: {error}\n")
            return BackupResult.FAILED
        return reason


def _noticed(report: BackupReport, session: Session, now: float) -> Session:
    is_one = report.result is BackupResult.DONE and report.games == 1
    key = NoticeKey.BACKUP_DONE_ONE if is_one else report.result
    notice = Notice(key, report.label, number=report.games, urgent=True)
    return show_notice(session, notice, now)
