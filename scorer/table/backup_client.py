"""Non-blocking client of the backup service.

The games are copied on a USB stick by another process (``scorer backup --stick``) that may mount;
systemd starts it when this client connects to its socket. A thread waits for the answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from scorer.api.backup_protocol import MAX_LINE_BYTES, BackupReport, BackupResult
from scorer.table.service_request import ServiceError, request_line

ANSWER_TIMEOUT_S = 900.0  # seconds for an answer: years of games on a slow stick


class BackupClient:
    """Requests one copy at a time.

    Called in the table's thread, except for the waiting.
    """

    def __init__(self, path: Path, on_report: Callable[[BackupReport], object]) -> None:
        """``on_report`` is called in another thread."""
        self._path, self._on_report = path, on_report
        self._thread: threading.Thread | None = None

    def request(self) -> BackupReport:
        """Request a copy; return what to show at once."""
        if self._thread is not None and self._thread.is_alive():
            return BackupReport(BackupResult.WAIT)
        self._thread = threading.Thread(
            target=lambda: self._on_report(send_request(self._path)), name="backup", daemon=True
        )
        self._thread.start()
        return BackupReport(BackupResult.SENT)


def send_request(path: Path, timeout_s: float = ANSWER_TIMEOUT_S) -> BackupReport:
    """Request a copy from the service at ``path``; return its report."""
    try:
        answer = request_line(path, b"{}\n", timeout_s, MAX_LINE_BYTES, "backup")
    except ServiceError as error:
        return BackupReport(BackupResult.OFF if error.is_missing else BackupResult.FAILED)
    games, label = answer.get("games"), answer.get("label")
    result = BackupResult.DONE if answer.get("ok") is True else _failure(answer.get("error"))
    return BackupReport(
        result,
        games if type(games) is int else 0,
        label if isinstance(label, str) else "",
    )


def _failure(error: object) -> BackupResult:
    working = (BackupResult.SENT, BackupResult.WAIT, BackupResult.DONE)
    known = (each for each in BackupResult if each not in working)
    return next((each for each in known if each == error), BackupResult.FAILED)
