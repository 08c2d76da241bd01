"""Non-blocking client of the service that keeps what the settings page saves.

systemd starts ``scorer settings`` when this client connects to its socket. A thread waits for the
answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from scorer.api.settings_protocol import (
    MAX_LINE_BYTES,
    SettingsChange,
    SettingsReport,
    TrialReport,
)
from scorer.table.service_request import OneAtATime, ServiceError, request_line

ANSWER_TIMEOUT_S = 60.0  # seconds: the program is read from a slow card


class SettingsClient:
    """Requests one change at a time.

    Called in the table's thread, except for the waiting.
    """

    def __init__(
        self, path: Path, on_report: Callable[[SettingsReport | TrialReport], object]
    ) -> None:
        """``on_report`` is called in another thread."""
        self._path = path
        self._waiting = OneAtATime("settings", on_report)

    def request(self, change: SettingsChange) -> bool:
        """Request a change; False while another one is being kept."""
        return self._waiting.begin(lambda: send_change(self._path, change))


def send_change(
    path: Path, change: SettingsChange, timeout_s: float = ANSWER_TIMEOUT_S
) -> SettingsReport | TrialReport:
    """Request a change from the service at ``path``; return its report."""
    line = json.dumps(change._asdict()).encode() + b"\n"
    try:
        answer = request_line(path, line, timeout_s, MAX_LINE_BYTES, "settings")
    except ServiceError as error:
        if change.trial:
            return TrialReport(change.trial, ok=False)
        return SettingsReport(change, ok=False, is_missing=error.is_missing)
    if change.trial:
        return TrialReport(change.trial, answer.get("ok") is True)
    found = answer.get("problems")
    problems = tuple(map(str, found)) if isinstance(found, list) else ()
    return SettingsReport(change, answer.get("ok") is True, problems)
