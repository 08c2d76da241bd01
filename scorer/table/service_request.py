"""One request to another service of the box: a line each way over its socket.

systemd starts the service with the connection. Faults are logged here; those of its work are
logged by the service.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

from scorer.plain_values import json_object


class ServiceError(Exception):
    """The service gives no answer; ``is_missing`` if no process serves its socket."""

    def __init__(self, *, is_missing: bool) -> None:
        super().__init__()
        self.is_missing = is_missing


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
