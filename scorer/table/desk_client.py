"""Non-blocking client of the service that makes passwords of the desk.

systemd starts ``scorer hub passwords`` when this client connects to its socket. A thread waits for
the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scorer.hall.desk_protocol import MAX_LINE_BYTES, DeskReport, DeskResult
from scorer.table.service_request import OneAtATime, ServiceError, request_line

SOCKET_NAME = "desk.sock"
ANSWER_TIMEOUT_S = 60.0  # seconds: the libraries of the hub are read from a slow card


class DeskClient:
    """Requests one password at a time.

    Called in the table's thread, except for the waiting.
    """

    def __init__(self, path: Path, on_report: Callable[[DeskReport], object]) -> None:
        """``on_report`` is called in another thread."""
        self._path = path
        self._waiting = OneAtATime("desk", on_report)

    def request(self) -> DeskReport:
        """Request a password; return what to show at once."""
        is_begun = self._waiting.begin(lambda: send_request(self._path))
        return DeskReport(DeskResult.SENT if is_begun else DeskResult.WAIT)


def desk_socket_path(table_socket: Path) -> Path:
    """The socket for passwords of the desk, in the folder of the table's socket."""
    return table_socket.with_name(SOCKET_NAME)


def send_request(path: Path, timeout_s: float = ANSWER_TIMEOUT_S) -> DeskReport:
    """Request a password from the service at ``path``; return its report."""
    try:
        answer = request_line(path, b"{}\n", timeout_s, MAX_LINE_BYTES, "desk")
    except ServiceError as error:
        return DeskReport(DeskResult.OFF if error.is_missing else DeskResult.FAILED)
    name, password, port = answer.get("name"), answer.get("password"), answer.get("port")
    is_whole = type(name) is str and type(password) is str and type(port) is int
    if answer.get("ok") is not True or not is_whole:
        return DeskReport(DeskResult.FAILED)
    return DeskReport(DeskResult.DONE, str(name), str(password), int(str(port)))
