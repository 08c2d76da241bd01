"""How a store is: whole or not, how large, how much room is left, whose it is, what was chosen.

It reads beside a table that may be writing, changes nothing and repairs nothing. What the rows
mean it must not know.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from scorer.store import file, rows
from scorer.store.errors import SQLITE_ERRORS, StoreError, from_os, from_sqlite


class DiskSpace(NamedTuple):
    """Bytes of the store with its log, and bytes that its disk has left for it."""

    size: int
    free: int


def disk_space(directory: Path) -> DiskSpace:
    """How large the store in ``directory`` is and may become. Raises StoreError."""
    path = directory / file.FILE_NAME
    try:
        disk = os.statvfs(directory)
        files = (path, file.wal_path(path))
        size = sum(each.stat().st_size for each in files if each.exists())
    except OSError as error:
        raise from_os(error, directory) from error
    return DiskSpace(size, disk.f_bavail * disk.f_frsize)


def check_integrity(directory: Path) -> None:
    """Reads the whole store. Raises StoreError: "damaged" where it is not sound."""
    path = directory / file.FILE_NAME
    with closing(file.open_read_only(path)) as database:
        try:
            (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            _check_games(database)
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, path) from error
    if found != "ok":
        raise StoreError("damaged", path, str(found))


def _check_games(database: sqlite3.Connection) -> None:
    """Every row and every choice against its check value."""
    rows.settings(database)
    game = rows.newest(database)[1] or None
    while game is not None:
        rows.header(database, game)
        rows.of_game(database, game)
        game = rows.game_before(database, game)


def read_settings(directory: Path) -> dict[str, str]:
    """What was chosen on the box, by key, as the journal keeps it. Raises StoreError."""
    path = directory / file.FILE_NAME
    with closing(file.open_read_only(path)) as database:
        try:
            return rows.settings(database)
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, path) from error


def store_exists(directory: Path) -> bool:
    """Whether a store was ever made there. Raises StoreError where it may not be looked into."""
    try:
        # Not is_file(): what may not be looked into would seem to be absent.
        (directory / file.FILE_NAME).stat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise from_os(error, directory) from error
    return True


def owner_uids(directory: Path) -> tuple[int, ...]:
    """The numbers of the users who own the folder and the files of the store, each once, sorted."""
    path = directory / file.FILE_NAME
    files = (directory, path, file.wal_path(path))
    return tuple(sorted({each.stat().st_uid for each in files if each.exists()}))
