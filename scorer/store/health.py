"""Read-only checks of a store: integrity, space, owner, settings, events.

They run beside a table that may be writing, and repair nothing.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from scorer.store import events, file, rows
from scorer.store.errors import SQLITE_ERRORS, StoreError, from_os, from_sqlite
from scorer.store.events import Event


class DiskSpace(NamedTuple):
    """Bytes of the store with its log, and free bytes on its disk."""

    size: int
    free: int


def disk_space(directory: Path) -> DiskSpace:
    """Measure the store in ``directory`` and its disk. Raises StoreError."""
    path = directory / file.FILE_NAME
    try:
        disk = os.statvfs(directory)
        files = (path, file.wal_path(path))
        size = sum(each.stat().st_size for each in files if each.exists())
    except OSError as error:
        raise from_os(error, directory) from error
    return DiskSpace(size, disk.f_bavail * disk.f_frsize)


def check_integrity(directory: Path) -> None:
    """Read the whole store. Raises StoreError, "damaged" if it is corrupt."""
    check_file(directory / file.FILE_NAME)


def check_file(path: Path, connector: file.Connect = file.connect_read_only) -> None:
    """Read the whole store at ``path``. Raises StoreError, "damaged" if it is corrupt."""
    with closing(file.open_read_only(path, connector)) as database:
        try:
            (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            _check_games(database)
            events.read(database)
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, path) from error
    if found != "ok":
        raise StoreError("damaged", path, str(found))


def _check_games(database: sqlite3.Connection) -> None:
    """Check every row and every setting against its check value."""
    rows.settings(database)
    game = rows.newest(database)[1] or None
    while game is not None:
        rows.header(database, game)
        rows.of_game(database, game)
        game = rows.game_before(database, game)


def read_settings(directory: Path) -> dict[str, str]:
    """The settings chosen on the box, by key, as stored in the journal.

    Raises StoreError.
    """
    path = directory / file.FILE_NAME
    with closing(file.open_read_only(path)) as database:
        try:
            return rows.settings(database)
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, path) from error


def read_events(directory: Path) -> tuple[Event, ...]:
    """All events, oldest first. Raises StoreError."""
    path = directory / file.FILE_NAME
    with closing(file.open_read_only(path)) as database:
        try:
            return events.read(database)
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, path) from error


def store_exists(directory: Path) -> bool:
    """Whether a store was created there.

    Raises StoreError if the folder is not readable.
    """
    try:
        # Not is_file(): it returns False for a file that is not accessible.
        (directory / file.FILE_NAME).stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise from_os(error, directory) from error
    return True


def owner_uids(directory: Path) -> tuple[int, ...]:
    """The user ids that own the folder and the files of the store, each once, sorted."""
    path = directory / file.FILE_NAME
    files = (directory, path, file.wal_path(path))
    return tuple(sorted({each.stat().st_uid for each in files if each.exists()}))
