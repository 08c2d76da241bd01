"""Another file in the place of the store, while a table has it open: noticed before it is written.

Somebody restores an old copy, and does not know that a table is running. SQLite would go on writing
into a file that has no name any more, or mix its log into the copy. It knows names, sizes and
times of files; it must never know what is in them.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import NamedTuple

from scorer.store import file

_NOTE = "exchanged"  # a file that tells the next table what has happened

FileMark = tuple[int, int, int] | None  # number, size and time of a file; None: there is none


class StoreMarks(NamedTuple):
    """How the two files of a store look to whoever wrote them last."""

    store: FileMark
    log: FileMark


def read_marks(path: Path) -> StoreMarks:
    """How the store at ``path`` and its log look now. Raises OSError."""
    return StoreMarks(_mark(path), _mark(file.wal_path(path)))


def is_replaced(before: StoreMarks, now: StoreMarks) -> bool:
    """Has somebody else put a file there? Presses of another table in the same log are no sign.

    Nor is an empty log where there was none: whoever opens a store to read it makes one.
    """
    if now.store != before.store:
        return True
    number, size, _ = now.log or (0, 0, 0)
    return size > 0 if before.log is None else number != before.log[0]


def abandon(path: Path, before: StoreMarks) -> None:
    """Leaves what lies there to the next table: a log that is still ours goes out of its way.

    The connection must not be closed after it: SQLite would write the log into the copy. Raises
    OSError.
    """
    log = file.wal_path(path)
    if before.log is not None and _mark(log) == before.log:
        names = (path.with_name(f"{_NOTE}-{number}.sqlite3-wal") for number in count(1))
        log.rename(next(name for name in names if not name.exists()))
    (path.parent / _NOTE).touch()
    file.sync_folder(path.parent)


def was_replaced(directory: Path) -> bool:
    """Did a table step aside here? It is told once. Raises OSError."""
    note = directory / _NOTE
    if not note.exists():
        return False
    note.unlink()
    return True


def _mark(path: Path) -> FileMark:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
