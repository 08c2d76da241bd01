"""The ways in which a store fails, each as one sentence that the owner of the box understands.

It knows SQLite's error codes and asks the disk why; it must never know what was being stored.
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
    # Our own queries are right, so it is the tables that are not ours any more.
    sqlite3.SQLITE_ERROR: "damaged",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_NOTADB: "not_a_store",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_MISMATCH: "damaged",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    # Somebody else has taken the number that this press was about to get.
    sqlite3.SQLITE_CONSTRAINT: "busy",
}


# What SQLite raises; its words about a damaged file may be no text themselves.
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)


class StoreError(Exception):
    """The store cannot be read or written; ``kind`` is for programs, the text for the owner."""

    def __init__(self, kind: FailureKind, where: Path, detail: str = "") -> None:
        """``where``: the file or folder. ``detail``: what the machine itself said, if anything."""
        said = f" ({detail})" if detail else ""
        super().__init__(f"{where}: {_SENTENCES[kind]}{said}")
        self.kind: FailureKind = kind


def from_sqlite(error: Exception, path: Path) -> StoreError:
    """What an error of SQLite (one of ``WRONG``) about the file ``path`` means to its owner."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Python itself found it: text that is no text, or a value of an impossible kind.
        return StoreError("damaged", path, str(error))
    kind = _KINDS.get(code & 0xFF) or _disk_failure(path)
    return StoreError(kind, path, str(error))


def from_os(error: OSError, path: Path) -> StoreError:
    """What an error of the operating system about ``path`` means to its owner."""
    return StoreError(_disk_failure(path), path, error.strerror or str(error))


def _disk_failure(path: Path) -> FailureKind:
    """Why the disk under ``path`` refuses: SQLite calls most of its reasons just "disk I/O"."""
    try:
        # A path may be too long to be asked about.
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
