"""Open the database, bring its schema up to date, and run transactions.

Only what SQLAlchemy 1.4 and 2.0 share is used: Debian 12 has 1.4.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import delete, event, insert
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from scorer.hub.store.migrate import SchemaError, upgrade
from scorer.hub.store.tables import PRESENCE, PROJECTIONS, SECRET, TRUTH

__all__ = ["Connection", "Database", "DatabaseError", "Record", "find_url_problem", "sqlite_url"]

Record = dict[str, Any]
DRIVERS = ("sqlite", "postgresql", "postgresql+psycopg", "postgresql+psycopg2")
_BUSY_SECONDS = 10
_DEFERRED = "deferred"  # of a connection whose transactions take no lock
_TRIAL = "trial"  # of a row that is never committed
_READ_ONLY = "25006"  # the SQLSTATE of a standby, or of a server that became one
_FULL = ("53100", "SQLITE_FULL")  # the codes of a full disk
# SQLAlchemy 1.4 knows psycopg 2 only.
_IS_OLD = sqlalchemy.__version__.startswith("1.")


class DatabaseError(Exception):
    """The database cannot be used now; the text says why. ``is_full``: its disk is."""

    def __init__(self, text: str, *, is_full: bool = False) -> None:
        super().__init__(text)
        self.is_full = is_full


def sqlite_url(path: Path) -> str:
    return str(URL.create("sqlite", database=str(path)))


def database_error(error: Exception) -> DatabaseError:
    """What an error of SQLAlchemy or a driver means."""
    return DatabaseError(_sentence(error), is_full=_error_code(error) in _FULL)


def find_url_problem(text: str) -> str | None:
    """Why ``text`` is no usable database address, or None. Opens nothing."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        return "it is not like postgresql+psycopg://user@host/database"
    if url.drivername not in DRIVERS:
        return f"it begins with one of {', '.join(DRIVERS)}"
    return None


class Database:
    """An engine; transactions are begun by ``write`` and ``read``."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        # Those of the driver come from statements that do without SQLAlchemy's execution.
        driver: Any = engine.dialect.dbapi
        self._errors: tuple[type[Exception], ...] = (SQLAlchemyError, driver.Error)
        # To take one from the pool costs as much as to store a row. One of a server may break
        # while idle, which only the pool notices.
        self._keeps_connections = engine.dialect.name == "sqlite"
        self._kept: list[Connection] = []
        # Why the last transaction that writes failed; None if it did not.
        self.problem: DatabaseError | None = None

    @classmethod
    def open(cls, url: str, *, may_be_empty: bool = True) -> Database:
        """Connect, and create or migrate the schema. Raises DatabaseError.

        ``may_be_empty``: whether a schema may be created.
        """
        if (problem := find_url_problem(url)) is not None:
            raise DatabaseError(problem)
        database = cls(open_engine(url))
        errors: tuple[type[Exception], ...] = (SchemaError, OSError, *database._errors)
        try:
            upgrade(database.engine, may_be_empty=may_be_empty)
        except errors as error:
            database.close()
            raise DatabaseError(_sentence(error)) from error
        return database

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction, committed at the end. Raises DatabaseError."""
        try:
            with self._connected() as connection, connection.begin():
                yield connection
        except DatabaseError as error:
            self.problem = error
            raise
        self.problem = None

    def try_write(self) -> DatabaseError | None:
        """Why nothing can be stored now, or None; it changes nothing."""
        with suppress(DatabaseError), self.write() as connection:
            # SQLite writes no page for an update that changes nothing.
            connection.execute(insert(SECRET).values(name=_TRIAL, value=""))
            connection.execute(delete(SECRET).where(SECRET.c.name == _TRIAL))
        return self.problem

    def scrub(self) -> None:
        """Remove the bytes of what was deleted or changed. Raises DatabaseError."""
        try:
            if self.engine.dialect.name == "sqlite":
                with closing(self.engine.raw_connection()) as raw:
                    cursor = raw.cursor()
                    cursor.execute("VACUUM")
                    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                return
            with self.engine.connect() as plain:
                connection = plain.execution_options(isolation_level="AUTOCOMMIT")
                for table in (*TRUTH, *PROJECTIONS, PRESENCE):
                    connection.exec_driver_sql(f'VACUUM FULL "{table.name}"')
        except self._errors as error:
            raise database_error(error) from error

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view, rolled back at the end. Raises DatabaseError."""
        with self._connected() as connection:
            if connection.dialect.name == "postgresql":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection
            connection.rollback()

    @contextmanager
    def read_beside(self) -> Iterator[Connection]:
        """The same for another thread: no transaction that writes waits for it."""
        with self._connected() as connection:
            connection.info[_DEFERRED] = True
            try:
                yield connection
                connection.rollback()
            finally:
                del connection.info[_DEFERRED]

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        try:
            try:
                connection = self._kept.pop()
            except IndexError:  # none, or another thread has taken it
                connection = self.engine.connect()
            is_done = False
            try:
                yield connection
                is_done = True
            finally:
                if is_done and self._keeps_connections:
                    self._kept.append(connection)
                else:
                    connection.close()
        except self._errors as error:
            if _error_code(error) == _READ_ONLY:
                # The address may lead to another server by now.
                self.engine.dispose()
            raise database_error(error) from error

    def close(self) -> None:
        while self._kept:
            self._kept.pop().close()
        self.engine.dispose()


def open_engine(text: str) -> Engine:
    """An engine for the address of a database; opens nothing yet."""
    url = make_url(text)
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url)
    name = "postgresql+psycopg2" if _IS_OLD else "postgresql+psycopg"
    # Without it a standby at the address would be used, and refuse every row.
    attributes = {"target_session_attrs": "read-write"}
    # A connection that broke while idle is replaced; none of its commits is uncertain.
    return sqlalchemy.create_engine(
        url.set(drivername=name),
        future=True,
        pool_pre_ping=True,
        connect_args={key: each for key, each in attributes.items() if key not in url.query},
        pool_size=2,
        max_overflow=2,
        json_serializer=json.dumps,
    )


def _sqlite_engine(url: URL) -> Engine:
    engine = sqlalchemy.create_engine(
        url,
        future=True,
        poolclass=QueuePool,
        pool_size=2,
        max_overflow=2,
        connect_args={"timeout": _BUSY_SECONDS, "check_same_thread": False},
    )

    def on_connect(connection: Any, _: object) -> None:  # noqa: ANN401
        # The driver would begin transactions by itself, and too late for a consistent read.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        # A commit is on the disk before it is acknowledged.
        cursor.execute("PRAGMA synchronous = FULL")
        # What is forgotten leaves no bytes.
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.close()

    def on_begin(connection: Connection) -> None:
        # SQLAlchemy's execution would cost more than the statement.
        cursor = connection.connection.cursor()
        cursor.execute("BEGIN" if _DEFERRED in connection.info else "BEGIN IMMEDIATE")
        cursor.close()

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine


def _error_code(error: Exception) -> str:
    """The SQLSTATE of PostgreSQL or the name of SQLite for an error, or ""."""
    cause = getattr(error, "orig", None) or error
    names = ("sqlstate", "pgcode", "sqlite_errorname")
    return next((str(code) for name in names if (code := getattr(cause, name, None))), "")


def _sentence(error: Exception) -> str:
    """The first line of the driver's message: the others repeat the statement."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
