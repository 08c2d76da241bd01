"""Copies of the hub's database as one SQLite file, and back.

The file has the truth; projections are computed anew. It has the key of the certificate too, so
that boxes accept the restored hub: keep it like a password.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Table, delete, func, insert, select, update
from sqlalchemy.engine import Connection

from scorer.hub.store import log, projections
from scorer.hub.store.blanking import forget_again, remember
from scorer.hub.store.database import Database, DatabaseError, database_error, sqlite_url
from scorer.hub.store.kept import drop_all
from scorer.hub.store.masks import find_masks
from scorer.hub.store.tables import LOG_HEAD, MASK_KEY, PRESENCE, ROW, SECRET, TRUTH

_BLOCK = 1000  # rows copied at once
_SUFFIXES = ("", "-wal", "-shm")  # of the files of an SQLite database
_HAS_ENTRY = """
    SELECT 1 FROM copy.log_head AS head WHERE head.seq >= ? AND (
        EXISTS (SELECT 1 FROM main.log_head WHERE seq = head.seq AND digest = head.digest)
        OR EXISTS (SELECT 1 FROM main.log WHERE seq = head.seq + 1 AND prev = head.digest)
    )
"""


def back_up(database: Database, path: Path) -> int:
    """Write everything into the new file ``path``; returns the rows of tables in it.

    Raises DatabaseError, and leaves no file then.
    """
    if path.exists():
        raise DatabaseError(f"{path} exists already: name a new file")
    temporary = path.with_name(f"{path.name}.new")
    try:
        temporary.unlink(missing_ok=True)
        temporary.touch(mode=0o600)
        with closing(Database.open(sqlite_url(temporary))) as copy:
            with database.read() as source, copy.write() as target:
                count = _copy(source, target)
            copy.close()
            with closing(copy.engine.raw_connection()) as only_one:
                # One file, without a log beside it.
                only_one.cursor().execute("PRAGMA journal_mode = DELETE")
        temporary.replace(path)
        _sync(path.parent)
    except OSError as error:
        raise DatabaseError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        for suffix in _SUFFIXES:
            with suppress(OSError):
                temporary.with_name(temporary.name + suffix).unlink()
    return count


def snapshot(database: Database, path: Path) -> None:
    """Write an SQLite database into the new file ``path``, while others write to it.

    Raises DatabaseError, or OSError.
    """
    temporary = path.with_name("hub.new")
    temporary.unlink(missing_ok=True)
    temporary.touch(mode=0o600)
    try:
        with _driver_connection(database) as cursor:
            cursor.execute("VACUUM INTO ?", (str(temporary),))
            # Take the key of the masks out of a new copy, and its bytes.
            cursor.execute("ATTACH ? AS copy", (str(temporary),))
            try:
                for statement in "journal_mode = OFF", "secure_delete = ON":
                    cursor.execute(f"PRAGMA copy.{statement}")
                cursor.execute("DELETE FROM copy.secret WHERE name = ?", (MASK_KEY,))
            finally:
                cursor.execute("DETACH copy")
        _sync(temporary)
        temporary.replace(path)
        _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def has_entry(database: Database, path: Path, seq: int) -> bool:
    """Whether the copy at ``path`` is of this log, and has its entry ``seq``."""
    try:
        with _driver_connection(database) as cursor:
            cursor.execute("ATTACH ? AS copy", (str(path),))
            try:
                return cursor.execute(_HAS_ENTRY, (seq,)).fetchone() is not None
            finally:
                cursor.execute("DETACH copy")
    except DatabaseError:
        return False


@contextmanager
def _driver_connection(database: Database) -> Iterator[Any]:
    """A cursor of the driver, which begins no transaction. Raises DatabaseError."""
    driver: Any = database.engine.dialect.dbapi
    try:
        with closing(database.engine.raw_connection()) as connection:
            yield connection.cursor()
    except driver.Error as error:
        raise database_error(error) from error


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def restore(database: Database, path: Path) -> int:
    """Replace everything in the database by the content of a copy.

    Returns the rows of tables in it. Raises DatabaseError, also for a file that is no copy, and
    changes nothing then.
    """
    with _opened_copy(path) as copy, copy.read() as source, database.write() as target:
        if (problem := log.find_break(source)) is not None:
            raise DatabaseError(f"{path} is damaged: {problem}; take an older copy")
        remembered = remember(target, find_masks(target))
        for table in reversed(TRUTH):
            target.execute(delete(table).where(*_copied(table)))
        # What the boxes said last is of the time before.
        target.execute(delete(PRESENCE))
        count = _copy(source, target)
        if remembered is not None:
            forget_again(target, remembered)
            _rebuild(target)
        return count


@contextmanager
def _opened_copy(path: Path) -> Iterator[Database]:
    """The database in the file ``path``, which is read alone. Raises DatabaseError."""
    with TemporaryDirectory() as folder:
        # It may be of an older schema, or on a stick that cannot be written.
        readable = Path(folder) / "copy"
        try:
            shutil.copyfile(path, readable)
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}-wal", f"{readable}-wal")
        except OSError as error:
            raise DatabaseError(f"{path} cannot be read: {error.strerror}") from error
        try:
            copy = Database.open(sqlite_url(readable), may_be_empty=False)
            with copy.read() as connection:
                if connection.exec_driver_sql("PRAGMA quick_check").scalar_one() != "ok":
                    raise DatabaseError("it is damaged")
        except DatabaseError as error:
            raise DatabaseError(f"{path} is no copy that can be restored: {error}") from error
        with closing(copy):
            yield copy


def rebuild(database: Database) -> tuple[str, str]:
    """Compute the projections anew; returns their fingerprints before and after."""
    with database.write() as connection:
        before = projections.fingerprint(connection)
        _rebuild(connection)
        return before, projections.fingerprint(connection)


def rebuild_if_old(database: Database) -> bool:
    """Rebuild projections that another version of the program made."""
    with database.read() as connection:
        found = connection.execute(select(LOG_HEAD.c.projections)).scalar_one()
    if found == projections.VERSION:
        return False
    rebuild(database)
    return True


def _copy(source: Connection, target: Connection) -> int:
    for table in TRUTH:
        query = select(table).where(*_copied(table)).order_by(*table.primary_key.columns)
        found = source.execute(query)
        while rows := found.fetchmany(_BLOCK):
            target.execute(insert(table), [dict(row._mapping) for row in rows])
    head = source.execute(select(LOG_HEAD)).one()
    target.execute(update(LOG_HEAD).values(seq=head.seq, digest=head.digest))
    _rebuild(target)
    return int(target.execute(select(func.count()).select_from(ROW)).scalar_one())


def _copied(table: Table) -> list[Any]:
    """What of a table a copy has: not the key of the masks."""
    return [SECRET.c.name != MASK_KEY] if table is SECRET else []


def _rebuild(connection: Connection) -> None:
    drop_all(connection)
    entries = [(each.seq, each.at, each.kind, each.body) for each in log.entries(connection)]
    projections.rebuild(connection, entries)
