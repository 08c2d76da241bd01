"""One request to another service of the box: a line each way over its socket.

systemd starts the service with the connection. Faults are logged here; those of its work are
logged by the service.
"""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from scorer.plain_values import json_object

Report = TypeVar("Report")


class ServiceError(Exception):
    """The service gives no answer; ``is_missing`` if no process serves its socket."""

    def __init__(self, *, is_missing: bool) -> None:
        super().__init__()
        self.is_missing = is_missing


class OneAtATime(Generic[Report]):
    """Waits for one answer at a time, in a thread of its own."""

    def __init__(self, name: str, on_report: Callable[[Report], object]) -> None:
        """``name``: of the thread, in which ``on_report`` is called."""
        self._name, self._on_report = name, on_report
        self._is_busy = False

    def begin(self, work: Callable[[], Report]) -> bool:
        """Begin ``work``, whose result is reported; False while another one runs."""
        if self._is_busy:
            return False
        self._is_busy = True
        threading.Thread(target=self._run, args=(work,), name=self._name, daemon=True).start()
        return True

    def _run(self, work: Callable[[], Report]) -> None:
        try:
            report = work()
        finally:
            # Before the report: who gets it may begin again at once.
            self._is_busy = False
        self._on_report(report)


def request_line(
    path: Path, request: bytes, timeout_s: float, max_bytes: int, name: str
) -> dict[str, Any]:
    """Send ``request`` to the socket at ``path``; return the answer.

    {} if it is unintelligible. ``name``: of the service, for the log. Blocks for ``timeout_s`` at
    most. Raises ServiceError.
    """
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as to:
            to.settimeout(timeout_s)
            to.connect(str(path))
            to.sendall(request)
            with to.makefile("rb") as answers:
                return json_object(answers.readline(max_bytes)) or {}
    except TimeoutError as error:
        _log(f"the {name} service at {path} did not answer within {timeout_s:.0f} s")
        raise ServiceError(is_missing=False) from error
    except OSError as error:
        hint = f"is scorer-{name}.socket enabled?"
        _log(f"no {name} service at {path}: {error.strerror}; {hint}")
        raise ServiceError(is_missing=True) from error


def _log(sentence: str) -> None:
    sys.stderr.write(f"scorer run: {sentence}\n")
