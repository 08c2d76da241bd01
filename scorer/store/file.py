"""Create, identify and open the SQLite file with durable commits."""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from scorer.store import header
from scorer.store.checksum import sum_of
from scorer.store.errors import SQLITE_ERRORS, FailureKind, StoreError, from_os, from_sqlite
from scorer.store.header import APPLICATION_ID, EVENTS, PROGRAM, VERSION, VERSIONS

FILE_NAME = "scorer.sqlite3"
# A press is one row of about a hundred bytes and one page of the log: small pages, small writes.
PAGE = 1024  # bytes
# Pages after which the log is reused; a log that grows costs the card three times as much.
CHECKPOINT = 100
LOCK_TIMEOUT_S = 2.0  # seconds to wait for another program's lock

Connect = Callable[[Path], sqlite3.Connection]

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE game (
  id           INTEGER PRIMARY KEY,
  header       TEXT    NOT NULL,
  opened       INTEGER NOT NULL,        -- seq of its first row, there or still to come
  before       INTEGER NOT NULL,        -- the game before it, 0: none
  sum          INTEGER NOT NULL,        -- check value of the four above
  tip          INTEGER NOT NULL         -- sum, and the sums of all rows of the game folded in
) STRICT;
CREATE TABLE newest (
  game         INTEGER NOT NULL,        -- one row: the highest id, 0 as long as there is none
  settings     INTEGER NOT NULL         -- the sums of all settings, in order, folded
) STRICT;
INSERT INTO newest VALUES (0, 0);
CREATE TABLE journal (
  seq          INTEGER PRIMARY KEY,
  game         INTEGER NOT NULL REFERENCES game (id),
  press        INTEGER NOT NULL,        -- seq of the first row of the press
  line         TEXT    NOT NULL,
  source       TEXT    NOT NULL,
  boot         TEXT    NOT NULL,
  monotonic_ms INTEGER NOT NULL,
  wall         TEXT    NOT NULL,
  trusted      INTEGER NOT NULL,
  late         INTEGER NOT NULL,        -- 1: a newer game had been opened before this press
  sum          INTEGER NOT NULL         -- check value of all above but late
) STRICT;
CREATE INDEX late_rows ON journal (game) WHERE late = 1;
CREATE TABLE setting (
  key          TEXT PRIMARY KEY,
  value        TEXT NOT NULL,
  sum          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
COMMIT;
"""
# Added to a store with its first event; older programs open a store without one.
_EVENT_TABLE = """
CREATE TABLE event (
  id           INTEGER PRIMARY KEY,
  line         TEXT    NOT NULL,
  source       TEXT    NOT NULL,
  boot         TEXT    NOT NULL,
  monotonic_ms INTEGER NOT NULL,
  wall         TEXT    NOT NULL,
  trusted      INTEGER NOT NULL,
  sum          INTEGER NOT NULL         -- check value of all above
) STRICT
"""
# Added to a store with the first word that older programs cannot read: they leave it as it is.
_PROGRAM_TABLE = """
CREATE TABLE program (
  needs        INTEGER PRIMARY KEY,     -- one row: the level of the words that a program must know
  written_by   TEXT    NOT NULL,        -- the version that wrote the first of them
  sum          INTEGER NOT NULL         -- check value of both
) STRICT
"""


class NeededProgram(NamedTuple):
    """The program that a store needs: one that knows the words of level ``needs``."""

    needs: int
    written_by: str  # the version that wrote the first of them


ANY_PROGRAM = NeededProgram(1, "")


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection in autocommit mode.

    Only an explicit COMMIT ends a transaction.
    """
    return sqlite3.connect(path, timeout=LOCK_TIMEOUT_S, isolation_level=None)


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a read-only connection, which creates no file."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, timeout=LOCK_TIMEOUT_S, isolation_level=None, uri=True)


def connect_immutable(path: Path) -> sqlite3.Connection:
    """Open a file that no program writes; its log is ignored and no file is created."""
    address = f"{path.absolute().as_uri()}?immutable=1"
    return sqlite3.connect(address, isolation_level=None, uri=True)


def open_store(path: Path, connector: Connect = connect) -> sqlite3.Connection:
    """Open the store at ``path`` for writing; create it if it is missing.

    Raises StoreError. A foreign file or one of another version is left unchanged.
    """
    check_header(path)
    try:
        return _open(path, connector)
    except StoreError as error:
        if error.kind != "full":
            raise
    # On a full disk there is no room for the shared-memory index beside the log. In exclusive mode
    # SQLite keeps it in memory: the score can be shown, and saving resumes once there is room.
    return _open(path, connector, mode="EXCLUSIVE")


def open_read_only(path: Path, connector: Connect = connect_read_only) -> sqlite3.Connection:
    """Open the store at ``path`` for reading beside a writer. Raises StoreError."""
    check_header(path)
    with _closing_on_error(path, connector) as database:
        if _is_empty(database, path):
            raise StoreError("not_a_store", path, "it holds no table")
    return database


def failure_kind(path: Path, head: bytes) -> FailureKind | None:
    """Why the file at ``path`` with the header ``head`` cannot be used, or None.

    Another version has other tables; another version number with our tables is a flipped bit.
    """
    kind = header.failure_kind(head)
    return "damaged" if kind == "future" and _has_our_tables(path) else kind


@contextlib.contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Run the block in one transaction; roll back on any exception."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def database_path(database: sqlite3.Connection) -> Path:
    """The path of the file behind a connection."""
    return Path(database.execute("PRAGMA database_list").fetchone()[2])


def wal_path(path: Path) -> Path:
    """The path of the write-ahead log of the store at ``path``."""
    return path.with_name(f"{path.name}-wal")


def sync_folder(folder: Path) -> None:
    """Fsync the folder: without it a new file name is lost in a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _closing_on_error(path: Path, connector: Connect) -> Iterator[sqlite3.Connection]:
    database: sqlite3.Connection | None = None
    try:
        database = connector(path)
        yield database
    except BaseException as error:
        if database is not None:
            database.close()
        if isinstance(error, SQLITE_ERRORS):
            raise from_sqlite(error, path) from error
        raise


def _open(path: Path, connector: Connect, mode: str = "NORMAL") -> sqlite3.Connection:
    with _closing_on_error(path, connector) as database:
        database.execute(f"PRAGMA locking_mode = {mode}")
        if _is_empty(database, path):
            database.execute(f"PRAGMA page_size = {PAGE}")
            _make_durable(database, path)
            database.executescript(_SCHEMA)
            # Moves the header into the file itself, where ``check_header`` looks for it.
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            sync_folder(path.parent)
        _make_durable(database, path)
    return database


def check_header(path: Path) -> None:
    """Reject a foreign file by its header, before SQLite can change it or its log.

    Raises StoreError. A missing file passes: it may still be created.
    """
    try:
        with path.open("rb") as file:
            head = file.read(header.LENGTH)
    except FileNotFoundError:
        head = b""
    except OSError as error:
        raise from_os(error, path) from error
    if head:
        kind = failure_kind(path, head)
        if kind is not None:
            raise StoreError(kind, path)
        return
    log = wal_path(path)
    # SQLite would delete the log of an empty file, and with it the last presses.
    if log.exists() and log.stat().st_size:
        raise StoreError("damaged", path, "it is empty, though its log is not")


def _is_empty(database: sqlite3.Connection, path: Path) -> bool:
    """Whether nothing was stored here yet, also after a power cut during creation."""
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application not in (0, APPLICATION_ID) or (application == 0 and (tables or version)):
        raise StoreError("not_a_store", path)
    if not tables:
        return True
    kind = header.version_failure(version)
    if kind is not None:
        raise StoreError(kind, path, f"version {version}, this one is {max(VERSIONS)}")
    # Reject a file longer than its page count: SQLite would overwrite the rest.
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    (size,) = database.execute("PRAGMA page_size").fetchone()
    if path.stat().st_size > pages * size:
        raise StoreError("damaged", path, f"it is longer than its {pages} pages")
    _check_tables(database, path, _TABLES[version])
    return False


def _check_tables(database: sqlite3.Connection, path: Path, tables: Mapping[str, str]) -> None:
    """Reject changed tables, and every table, index, view or trigger of others.

    A trigger would change what is stored after it was shown, a view what is read, and an index can
    make every press slow. A renamed column is noticed only when it is read, and until then a score
    is shown. Comments and whitespace may differ: an older build may have created the tables.
    """
    found = dict(_tables(database))
    changed = [name for name, words in tables.items() if found.pop(name, None) != words]
    if foreign := [name for name, words in found.items() if _OF_SQLITE.get(name) != words]:
        raise StoreError("damaged", path, f"it has {', '.join(foreign)}, which is not ours")
    if changed:
        raise StoreError("damaged", path, f"its {', '.join(changed)} is not as it was made")


def _tables(database: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Names and SQL statements in the schema."""
    query = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    # fetchall: an unfinished cursor would keep the file open after its connection is closed.
    for name, words in database.execute(query).fetchall():
        yield name, _strip_comments(str(words))


def _has_our_tables(path: Path) -> bool:
    """Whether the file holds exactly our tables, of any version.

    It is read without its log; no file is created.
    """
    try:
        with contextlib.closing(connect_immutable(path)) as database:
            return dict(_tables(database)) in _TABLES.values()
    except SQLITE_ERRORS:
        return False


def _strip_comments(words: str) -> str:
    lines = (line.partition("--")[0] for line in words.split("\n"))
    return " ".join(" ".join(lines).split())


# ANALYZE writes these tables.
_OF_SQLITE = {
    "sqlite_stat1": "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "sqlite_stat4": "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}


def _statements(schema: str) -> dict[str, str]:
    """The statements of a schema by name, as SQLite stores them."""
    each = (statement.strip() for statement in _strip_comments(schema).split(";"))
    return {words.split()[2]: words for words in each if words.startswith("CREATE")}


# What a store of each version holds.
_TABLES = {
    version: _statements(
        _SCHEMA
        + (f";{_EVENT_TABLE}" if (version - VERSION) & EVENTS else "")
        + (f";{_PROGRAM_TABLE}" if (version - VERSION) & PROGRAM else "")
    )
    for version in VERSIONS
}


def has_event_table(database: sqlite3.Connection) -> bool:
    """Whether the store has a table of events."""
    return bool((version_of(database) - VERSION) & EVENTS)


def ensure_event_table(database: sqlite3.Connection) -> None:
    """Give the store a table of events, within a transaction."""
    if not has_event_table(database):
        database.execute(_EVENT_TABLE)
        database.execute(f"PRAGMA user_version = {version_of(database) + EVENTS}")


def read_program(database: sqlite3.Connection) -> NeededProgram:
    """The program that the store needs.

    Raises sqlite3.Error, or StoreError if it is damaged.
    """
    if not (version_of(database) - VERSION) & PROGRAM:
        return ANY_PROGRAM
    found = database.execute("SELECT needs, written_by, sum FROM program").fetchall()
    if len(found) != 1 or found[0][2] != sum_of(*found[0][:2]):
        raise StoreError("damaged", database_path(database), "its program is not what was stored")
    return NeededProgram(*found[0][:2])


def require_program(database: sqlite3.Connection, program: NeededProgram) -> None:
    """Close the store to programs without words of that level, within a transaction."""
    if program.needs <= read_program(database).needs:
        return
    if not (version_of(database) - VERSION) & PROGRAM:
        database.execute(_PROGRAM_TABLE)
        database.execute(f"PRAGMA user_version = {version_of(database) + PROGRAM}")
    database.execute("DELETE FROM program")
    database.execute("INSERT INTO program VALUES (?, ?, ?)", (*program, sum_of(*program)))


def version_of(database: sqlite3.Connection) -> int:
    """The version of the schema, of an open store."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _make_durable(database: sqlite3.Connection, path: Path) -> None:
    (mode,) = database.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        # Any other mode can lose the newest commit in a power cut right after it.
        raise StoreError("io", path, f"no write-ahead log is possible here, only {mode}")
    database.execute("PRAGMA synchronous = FULL")
    database.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
    database.execute("PRAGMA foreign_keys = ON")
