"""Detect that the store was replaced while a table has it open.

For example, an owner restores a backup while a table is running. SQLite would go on writing to an
unlinked file, or mix its log into the restored copy. Compares inode, size and time of the files.
"""

from itertools import count
from pathlib import Path
from typing import NamedTuple

from scorer.store import file

_NOTE = "exchanged"  # marker file for the next table

FileMark = tuple[int, int, int] | None  # inode, size in bytes and mtime in ns; None: no file


class StoreMarks(NamedTuple):
    """The marks of the two files of a store after its last write."""

    store: FileMark
    log: FileMark


def read_marks(path: Path) -> StoreMarks:
    """Read the marks of the store at ``path`` and of its log. Raises OSError."""
    return StoreMarks(_mark(path), _mark(file.wal_path(path)))


def is_replaced(before: StoreMarks, now: StoreMarks) -> bool:
    """Whether a different file is there.

    Presses by another table in the same log do not count. Nor does a new empty log: opening a store
    for reading creates one.
    """
    if now.store != before.store:
        return True
    number, size, _ = now.log or (0, 0, 0)
    return size > 0 if before.log is None else number != before.log[0]


def abandon(path: Path, before: StoreMarks) -> None:
    """Leave the files to the next table.

    Rename a log that is still ours out of the way. The connection must not be closed afterwards:
    SQLite would write the log into the copy. Raises OSError.
    """
    log = file.wal_path(path)
    if before.log is not None and _mark(log) == before.log:
        names = (path.with_name(f"{_NOTE}-{number}.sqlite3-wal") for number in count(1))
        log.rename(next(name for name in names if not name.exists()))
    (path.parent / _NOTE).touch()
    file.sync_folder(path.parent)


def was_replaced(directory: Path) -> bool:
    """Whether a table gave up this store, until ``forget_replacement``."""
    return (directory / _NOTE).exists()


def forget_replacement(directory: Path) -> None:
    """The store is used again. Raises OSError."""
    (directory / _NOTE).unlink(missing_ok=True)


def _mark(path: Path) -> FileMark:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
