"""Non-blocking client of the backup service.

Copies on a USB stick are made and read by another process (``scorer backup --stick``) that may
mount; systemd starts it when this client connects to its socket. A thread waits for the answer. A
copy that was fetched is laid beside the store, which it replaces when that is opened next.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from scorer.api.backup_protocol import (
    MAX_LINE_BYTES,
    RESTORED,
    BackupReport,
    BackupRequest,
    BackupResult,
    Do,
)
from scorer.session.values.box_settings import StickCopy
from scorer.store.errors import StoreError, from_os
from scorer.store.restore import stage_copy
from scorer.table.service_request import OneAtATime, ServiceError, request_line

ANSWER_TIMEOUT_S = 900.0  # seconds for an answer: years of games on a slow stick
_DONE = {Do.COPY: BackupResult.DONE, Do.LIST: BackupResult.LISTED, Do.FETCH: BackupResult.RESTORED}
_OF_STAGING = {
    "full": BackupResult.NO_ROOM,
    "damaged": BackupResult.DAMAGED,
    "not_a_store": BackupResult.DAMAGED,
    "future": BackupResult.NEWER,
}


class BackupClient:
    """Sends one request at a time.

    Called in the table's thread, except for the waiting.
    """

    def __init__(
        self, path: Path, directory: Path, on_report: Callable[[BackupReport], object]
    ) -> None:
        """``directory``: of the store. ``on_report`` is called in another thread."""
        self._path, self._directory = path, directory
        self._waiting = OneAtATime("backup", on_report)

    def request(self, asked: BackupRequest) -> BackupReport:
        """Send a request; return what to show at once."""
        if not self._waiting.begin(lambda: send_request(self._path, self._directory, asked)):
            return BackupReport(BackupResult.WAIT)
        return BackupReport(BackupResult.SENT if asked.do is Do.COPY else BackupResult.LOOKING)


def send_request(
    path: Path,
    directory: Path,
    asked: BackupRequest,
    timeout_s: float = ANSWER_TIMEOUT_S,
) -> BackupReport:
    """Send a request to the service at ``path``; return its report.

    A copy that was fetched waits beside the store in ``directory`` then.
    """
    line = json.dumps({"do": asked.do, "name": asked.name}).encode() + b"\n"
    try:
        answer = request_line(path, line, timeout_s, MAX_LINE_BYTES, "backup")
    except ServiceError as error:
        failure = BackupResult.OFF if error.is_missing else BackupResult.FAILED
        return BackupReport(failure, is_of_page=asked.is_of_page)
    games, label = answer.get("games"), answer.get("label")
    result = _DONE[asked.do] if answer.get("ok") is True else _failure(answer.get("error"))
    report = BackupReport(
        result,
        games if type(games) is int else 0,
        label if isinstance(label, str) else "",
        tuple(_copies(answer.get("copies"))),
        asked.is_of_page,
    )
    if result is not BackupResult.RESTORED:
        return report
    settings = {**asked.kept, RESTORED: json.dumps(report.games)}
    return report._replace(result=_stage(answer.get("file"), directory, settings))


def _stage(fetched: object, directory: Path, settings: Mapping[str, str]) -> BackupResult:
    """Lay what was fetched beside the store, with these settings."""
    if not isinstance(fetched, str) or not Path(fetched).is_file():
        return BackupResult.FAILED
    day = datetime.now().astimezone().strftime("%Y-%m-%d")
    try:
        stage_copy(Path(fetched), directory, day, lambda _: None, settings)
    except (StoreError, OSError) as error:
        sys.stderr.write(f"scorer run: {fetched} cannot be put back: {error}\n")
        kind = error.kind if isinstance(error, StoreError) else from_os(error, directory).kind
        return _OF_STAGING.get(kind, BackupResult.FAILED)
    return BackupResult.RESTORED


def _copies(listed: object) -> Iterator[StickCopy]:
    for each in listed if isinstance(listed, list) else ():
        match each:
            case {"name": str(name), "games": int(games)}:
                yield StickCopy(name, games)


def _failure(error: object) -> BackupResult:
    working = (BackupResult.SENT, BackupResult.LOOKING, BackupResult.WAIT, *_DONE.values())
    known = (each for each in BackupResult if each not in working)
    return next((each for each in known if each == error), BackupResult.FAILED)
