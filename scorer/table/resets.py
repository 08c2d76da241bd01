"""A factory reset of set-up: the code, the copy of games that go, the request.

``scorer reset`` carries the request out at the next start.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from scorer.api.backup_protocol import BackupReport, BackupRequest, BackupResult
from scorer.api.reset_request import MENU_REQUEST
from scorer.session.play.timers import show_notice
from scorer.session.values.effects import Effect, FactoryReset
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import Notice
from scorer.session.values.state import Session
from scorer.store.journal import Journal
from scorer.table.access_log import Log
from scorer.table.backups import Backups
from scorer.table.guest import ServiceReport
from scorer.table.loop_commands import LoopCommand
from scorer.table.owner_code import OwnerCode


class Resets(Backups):
    """The guest of the copies, which a reset of the games awaits too.

    Writes the request, and switches the box off.

    Games go only once a copy of them is on a stick: the report of that copy is awaited.
    """

    handles = frozenset((*Backups.handles, FactoryReset))

    def __init__(
        self,
        journal: Journal,
        owner_code: OwnerCode,
        request: Callable[[BackupRequest], BackupReport],
        on_command: Callable[[LoopCommand], object],
        log: Log,
    ) -> None:
        """``request``: of a copy on the stick; it returns at once."""
        super().__init__(journal, request, on_command, log)
        self._code = owner_code
        self._copied: int | None = None  # the newest row in the copy that is awaited

    def handle(self, effect: Effect | ServiceReport, session: Session, now: float) -> Session:
        if isinstance(effect, BackupReport):
            session = super().handle(effect, session, now)
            copied, self._copied = self._copied, None
            if copied is None or effect.result is not BackupResult.DONE:
                return session
            return self._ask(session, now, copied)
        if not isinstance(effect, FactoryReset):
            return super().handle(effect, session, now)
        if (refused := self._code.why_not(effect.code, now)) is not None:
            return _noticed(refused, session, now)
        if not effect.has_games:
            return self._ask(session, now)
        newest, report = self._journal.last_seq(), self._request(BackupRequest())
        self._copied = newest if report.result is BackupResult.SENT else None
        return show_notice(session, Notice(report.result, report.label, urgent=True), now)

    def _ask(self, session: Session, now: float, copied: int | None = None) -> Session:
        """``copied``: the newest row in a copy of the games, which go; None: they stay."""
        # Imported lazily: most boxes are never reset.
        from scorer.system.replace_text import replace_text

        request = {"games": copied is not None, "row": copied}
        try:
            replace_text(self._folder / MENU_REQUEST, json.dumps(request))
        except OSError as error:
            sys.stderr.write(f"scorer run: no factory reset: {error}\n")
            return _noticed(NoticeKey.RESET_FAILED, session, now)
        self._on_command(LoopCommand.SWITCH_OFF)
        return _noticed(NoticeKey.RESET_ASKED, session, now)


def _noticed(key: NoticeKey, session: Session, now: float) -> Session:
    return show_notice(session, Notice(key, urgent=True), now)
