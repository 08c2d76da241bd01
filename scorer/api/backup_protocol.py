"""The protocol between table and ``scorer backup --stick``: JSON by line."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from scorer.session.values.box_settings import StickCopy

SOCKET_NAME = "backup.sock"
MAX_LINE_BYTES = 4096
RESTORED = "restored"  # setting of a store that was put back: its games, until the panel said so
MAX_COPY_NAME = 60  # bytes of the name of a copy that is listed


class BackupResult(StrEnum):
    """The result of a request about copies on a stick, as keys of the catalogue."""

    SENT = "backup_sent"
    LOOKING = "backup_looking"  # the stick is read
    WAIT = "backup_wait"  # another copy is being made
    DONE = "backup_done"
    ABSENT = "backup_absent"  # no stick with that label
    FULL = "backup_full"
    READ_ONLY = "backup_read_only"
    UNREADABLE = "backup_unreadable"  # the stick is not formatted
    OFF = "backup_off"  # no process serves the socket
    FAILED = "backup_failed"
    NONE = "backup_none"  # no copy is on the stick
    DAMAGED = "backup_damaged"  # the file is no copy, or is damaged
    NEWER = "backup_newer"  # a newer program has written it
    NO_ROOM = "backup_no_room"  # the disk of the box is full
    LISTED = "backup_listed"
    RESTORED = "backup_restored"
    GAME = "backup_game"  # a game has begun meanwhile: nothing was put back


class Do(StrEnum):
    """What the service is asked for; a line without it asks for a copy."""

    COPY = "copy"  # the games of the box on the stick
    LIST = "list"  # the copies on the stick
    FETCH = "fetch"  # one of them, checked, onto the disk of the box


class BackupRequest(NamedTuple):
    """A request of the table; ``name``: of the copy to fetch.

    ``kept``: settings of the store that stay when the copy replaces it. ``is_of_page``: an owner
    asked in a browser.
    """

    do: Do = Do.COPY
    name: str = ""
    kept: Mapping[str, str] = MappingProxyType({})
    is_of_page: bool = False


class BackupReport(NamedTuple):
    """The result, the games copied, the label of the stick, the copies on it."""

    result: BackupResult
    games: int = 0
    label: str = ""
    copies: tuple[StickCopy, ...] = ()
    is_of_page: bool = False  # as that of the request


def backup_socket_path(table_socket: Path) -> Path:
    """The backup socket, in the folder of the table's socket."""
    return table_socket.with_name(SOCKET_NAME)
