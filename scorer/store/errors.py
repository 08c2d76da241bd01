"""Store failures, each with one sentence for the owner of the box.

Maps SQLite and operating system errors to a ``FailureKind``.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Literal

FailureKind = Literal[
    "full", "read_only", "future", "not_a_store", "damaged", "busy", "io", "replaced"
]

_SENTENCES: dict[FailureKind, str] = {
    "full": "the disk is full: make room on it, nothing can be saved until then",
    "read_only": "the disk or the file may only be read: nothing can be saved on it",
    "future": "another Truco Scorer has written it: update this one, the games are all there",
    "not_a_store": "this is no store of Truco Scorer: it was left as it is, choose another folder",
    "damaged": "the store is damaged: what can still be read can be salvaged",
    "busy": "another program is writing to this store: only one table may",
    "replaced": "somebody put another store in its place: what lies there now is not touched",
    "io": "the disk does not do what it is told: the card may be worn out or loose",
}

_KINDS: dict[int, FailureKind] = {
    # Our queries are correct, so the tables must have changed.
    sqlite3.SQLITE_ERROR: "damaged",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_NOTADB: "not_a_store",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_MISMATCH: "damaged",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    # Another program has inserted the row number of this press.
    sqlite3.SQLITE_CONSTRAINT: "busy",
}


# UnicodeDecodeError: a message about a damaged file may not be valid UTF-8.
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)


class StoreError(Exception):
    """The store cannot be read or written.

    ``kind`` is for programs, the text for the owner.
    """

    def __init__(self, kind: FailureKind, where: Path, detail: str = "") -> None:
        """``where``: the file or folder. ``detail``: the message of the system, if any."""
        suffix = f" ({detail})" if detail else ""
        super().__init__(f"{where}: {_SENTENCES[kind]}{suffix}")
        self.kind: FailureKind = kind


def from_sqlite(error: Exception, path: Path) -> StoreError:
    """Convert one of ``SQLITE_ERRORS`` about the file ``path``."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Raised by Python itself: invalid text, or a value of an unexpected type.
        return StoreError("damaged", path, str(error))
    kind = _KINDS.get(code & 0xFF) or _disk_failure(path)
    return StoreError(kind, path, str(error))


def from_os(error: OSError, path: Path) -> StoreError:
    """Convert an operating system error about ``path``."""
    return StoreError(_disk_failure(path), path, error.strerror or str(error))


def _disk_failure(path: Path) -> FailureKind:
    """Find the cause on the disk: SQLite reports most causes as "disk I/O error"."""
    try:
        # The path may be too long for a system call.
        is_there = path.exists()
        folder = next((each for each in (path.parent, *path.parents) if each.is_dir()), path)
        disk = os.statvfs(folder)
    except OSError:
        return "io"
    if disk.f_flag & os.ST_RDONLY or not os.access(folder, os.W_OK):
        return "read_only"
    if is_there and not os.access(path, os.W_OK):
        return "read_only"
    return "full" if disk.f_bavail == 0 else "io"
