"""The protocol between table and ``scorer print``: one line each way."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

SOCKET_NAME = "print.sock"
MAX_LINE_BYTES = 4096


class PrintResult(StrEnum):
    """The result of a slip, as keys of the catalogue."""

    SENT = "slip_sent"
    WAIT = "slip_wait"  # another slip is being printed
    PRINTED = "slip_printed"
    NOTHING = "slip_nothing"  # no game to print; the printer works
    NO_PAPER = "slip_no_paper"
    COVER = "slip_cover"
    ABSENT = "slip_absent"
    FORBIDDEN = "slip_forbidden"
    BUSY = "slip_busy"
    SILENT = "slip_silent"
    OFF = "slip_off"  # no process serves the print socket
    FAILED = "slip_failed"

    @property
    def is_failure(self) -> bool:
        """Whether the printer, or the connection to it, has a fault."""
        return self not in _NOT_FAILURES


_NOT_FAILURES = (PrintResult.SENT, PrintResult.WAIT, PrintResult.PRINTED, PrintResult.NOTHING)


def print_socket_path(table_socket: Path) -> Path:
    """The print socket, in the folder of the table's socket."""
    return table_socket.with_name(SOCKET_NAME)
