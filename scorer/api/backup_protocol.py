"""The protocol between table and ``scorer backup --stick``: one line each way."""

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

SOCKET_NAME = "backup.sock"
MAX_LINE_BYTES = 4096


class BackupResult(StrEnum):
    """The result of a copy on a stick, as keys of the catalogue."""

    SENT = "backup_sent"
    WAIT = "backup_wait"  # another copy is being made
    DONE = "backup_done"
    ABSENT = "backup_absent"  # no stick with that label
    FULL = "backup_full"
    READ_ONLY = "backup_read_only"
    UNREADABLE = "backup_unreadable"  # the stick is not formatted
    OFF = "backup_off"  # no process serves the socket
    FAILED = "backup_failed"


class BackupReport(NamedTuple):
    """The result, the number of games copied, and the label of the stick."""

    result: BackupResult
    games: int = 0
    label: str = ""


def backup_socket_path(table_socket: Path) -> Path:
    """The backup socket, in the folder of the table's socket."""
    return table_socket.with_name(SOCKET_NAME)
