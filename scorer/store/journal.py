"""The journal: every press of every game in one file that survives power cuts.

One press is one transaction and one fsync. Rows are opaque text, ordered by ``seq`` alone.

What one commit promises
------------------------
``append`` has exactly two outcomes. After it returns, the press survives a power cut. After it
raises StoreError, the press is not stored, and no later start finds it. The table depends on both:
it shows nothing before the return, and tells the players to press again after an error.

The first promise needs ``synchronous = FULL``: in WAL mode only this setting syncs the log at
every commit. Until the next checkpoint the press is in the log alone; a start replays the log. A
power cut in the middle of a commit leaves a log whose last frames have no commit mark or a wrong
checksum: SQLite ignores them, and the press was never acknowledged.

The second promise is the harder one, because a failed COMMIT does not tell whether the data reached
the card. The press is then *uncertain*:

1. The connection is dropped, since its state is unknown, and the press is remembered.
2. The next call reopens the file, looks for the press by number and stamp, and deletes it if it is
   there. If this fails too, the call fails, and the one after it tries again.
3. The last row and the newest game must then be those of the last acknowledged press. Fewer rows
   are damage; more rows were written by another program. Both are errors and not repaired here.

The log itself is not trusted after a failed write: the kernel marks pages as clean whose fsync
failed, and a later fsync of the same log succeeds without them. It is emptied by a checkpoint,
which writes and syncs the whole file, before the next press is stored.

Each row has a checksum, and each game the chain of those of its rows, so that a start notices a row
that was lost or changed on the card and not only a page that SQLite cannot read. Two programs never
write at the same time: the folder is locked for as long as the journal is open. A file that was
replaced meanwhile is noticed by its marks and never written to (``abandon``).
"""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from scorer.store import events, file, lock, replaced_detector, rows, setting
from scorer.store.checksum import chain, sum_of
from scorer.store.errors import SQLITE_ERRORS, StoreError, from_os, from_sqlite
from scorer.store.events import Event
from scorer.store.replace_file import finish_replacement
from scorer.store.rows import Stamp, StoredOpening, StoredRow

__all__ = ["Journal", "Stamp", "StoreError", "StoredRow"]

# The number of a row or game is already used: another program wrote it.
_NUMBER_TAKEN = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID)


class _Press(NamedTuple):
    """The content of one commit."""

    game: int
    opens: str | None
    rows: tuple[StoredRow, ...]
    first: int  # seq of its first row, or of the next row if it has none


class Journal:
    """An open store, used from one thread.

    Every method but ``close`` raises StoreError. After a failed write the connection is dropped,
    because its state is unknown: the next call reopens the file and removes what the failed press
    may have left.
    """

    def __init__(self, path: Path, connector: file.Connect) -> None:
        self._path, self._connector = path, connector
        # Its commit failed; it may be stored and must be removed.
        self._uncertain_press: _Press | None = None
        self._is_log_suspect = False  # a write failed since the log was last emptied
        self._closed = False
        self._last_seq = self._newest_game = 0
        # The state of the files after our last write; None: unknown.
        self._file_marks: replaced_detector.StoreMarks | None = None
        self._database: sqlite3.Connection | None = None
        self._lock = lock.acquire_shared(path.parent)
        with contextlib.ExitStack() as undone:
            undone.callback(self.close)
            try:
                finish_replacement(self._path.parent)
                self._database = file.open_store(self._path, self._connector)
                self._last_seq, self._newest_game = rows.newest(self._database)
                self._remember_files()
            except OSError as error:
                raise from_os(error, self._path) from error
            except SQLITE_ERRORS as error:
                raise from_sqlite(error, self._path) from error
            undone.pop_all()

    @classmethod
    def open(cls, directory: Path, *, connector: file.Connect = file.connect) -> Self:
        """Open the store in ``directory``; create both if they are missing.

        ``connector`` replaces the connection to the file, for tests of failing disks.
        """
        try:
            if not directory.is_dir():
                directory.mkdir(parents=True)
                file.sync_folder(directory.parent)
        except OSError as error:
            raise from_os(error, directory) from error
        return cls(directory / file.FILE_NAME, connector)

    def append(
        self,
        *,
        game: int,
        lines: Sequence[str],
        source: str,
        stamp: Stamp,
        opens: str | None = None,
        program: file.NeededProgram = file.ANY_PROGRAM,
    ) -> tuple[StoredRow, ...]:
        """Store one press of ``game``, all its lines in one commit, and return its rows.

        ``opens``: the header of the new game that this press opens; its number must exceed all
        earlier ones, and it may have no lines yet. ``program``: what can read the press. After
        return the press is durable; after StoreError it is not stored. Raises ValueError for a game
        that was never opened.
        """
        first = self._last_seq + 1
        numbered = enumerate(lines, first)
        new = tuple(StoredRow(seq, game, first, line, source, *stamp) for seq, line in numbered)
        press = _Press(game, opens, new, first)
        # Raise ValueError for a mistake of the caller, before the disk is used.
        if press.opens is None and not press.rows:
            raise ValueError(f"a press of game {press.game} without a line")
        if press.opens is None and press.game > self._newest_game:
            raise ValueError(
                f"game {press.game} was never opened; the newest is {self._newest_game}"
            )
        if press.opens is not None and press.game <= self._newest_game:
            raise ValueError(f"game {press.game} is opened after game {self._newest_game}")
        with self._writing(press) as database:
            _insert(database, press, late=game < self._newest_game)
            if program is not file.ANY_PROGRAM:
                file.require_program(database, program)
        self._last_seq += len(new)
        self._newest_game = max(self._newest_game, game)
        return new

    def latest_game(self) -> int | None:
        """The game of the newest row, or the newest game if it has no rows yet."""
        with self._reading() as database:
            query = "SELECT id FROM game WHERE id = ? AND opened > ?"
            opened = database.execute(query, (self._newest_game, self._last_seq)).fetchone()
            query = "SELECT game FROM journal WHERE seq = ?"
            found = opened or database.execute(query, (self._last_seq,)).fetchone()
        return int(found[0]) if found else None

    def games(self) -> Iterator[int]:
        """All games, newest first, read lazily."""
        game = self._newest_game or None
        while game is not None:
            yield game
            with self._reading() as database:
                game = rows.game_before(database, game)

    def newest_game(self) -> int:
        """The highest game number, 0 if there is none."""
        return self._newest_game

    def header(self, game: int) -> str:
        """The header a game was opened with. Raises KeyError for an unknown game."""
        with self._reading() as database:
            return rows.header(database, game)

    def rows(self, game: int) -> tuple[StoredRow, ...]:
        """The rows of one game in order; the cost does not grow with the number of games."""
        with self._reading() as database:
            return rows.of_game(database, game)

    def rows_from(self, game: int, seq: int, limit: int) -> tuple[StoredRow, ...]:
        """At most ``limit`` rows of one game, from ``seq`` on (inclusive)."""
        with self._reading() as database:
            return rows.part_of_game(database, game, seq, limit)

    def since(self, seq: int, limit: int) -> tuple[StoredRow, ...]:
        """At most ``limit`` rows of all games, from ``seq`` on (inclusive)."""
        with self._reading() as database:
            return rows.since(database, seq, limit)

    def openings(self, first: int, last: int, limit: int) -> tuple[StoredOpening, ...]:
        """At most ``limit`` games opened at rows ``first`` to ``last``, oldest first."""
        with self._reading() as database:
            return rows.openings(database, first, last, limit)

    def opened(self, game: int) -> int:
        """The first row of ``game``, there or still to come. Raises KeyError if unknown."""
        with self._reading() as database:
            return rows.opened(database, game)

    def last_seq(self) -> int:
        """The number of the newest row, 0 in an empty journal."""
        return self._last_seq

    def settings(self) -> dict[str, str]:
        """The settings by key, as passed to ``set_setting``."""
        with self._reading() as database:
            return rows.settings(database)

    def set_setting(self, key: str, value: str, record: Sequence[Event] = ()) -> None:
        """Store one setting (JSON text), with the events that record it.

        It is one commit. After a StoreError the old or the new value is stored.
        """
        with self._writing(None) as database:
            if record:
                events.append(database, record)
            setting.put(database, key, value)

    def remove_setting(self, key: str) -> None:
        """Remove one setting, if it is stored, in one commit."""
        with self._writing(None) as database:
            setting.remove(database, key)

    def program(self) -> file.NeededProgram:
        """The program that this store needs."""
        with self._reading() as database:
            return file.read_program(database)

    def events(self) -> tuple[Event, ...]:
        """All events, oldest first."""
        with self._reading() as database:
            return events.read(database)

    def check_writable(self) -> None:
        """Commit a change without effect, the same way a press is committed."""
        with self._writing(None) as database:
            # SQLite writes the page of this number even if the value stays the same.
            database.execute(f"PRAGMA user_version = {file.version_of(database)}")

    @property
    def directory(self) -> Path:
        """The folder of the store."""
        return self._path.parent

    def close(self) -> None:
        """Close the file; idempotent, and allowed after any failure."""
        self._closed = True
        self._disconnect()
        lock.release(self._lock)
        self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Opening the file, and recovery after failures.

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        database = self._connect()
        try:
            yield database
        except SQLITE_ERRORS as error:
            self._disconnect()
            raise from_sqlite(error, self._path) from error

    @contextlib.contextmanager
    def _writing(self, press: _Press | None) -> Iterator[sqlite3.Connection]:
        """One durable transaction, or StoreError and no change."""
        self._check_not_replaced()
        database = self._reliable_connection()
        try:
            with file.transaction(database):
                yield database
            self._remember_files()
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode in _NUMBER_TAKEN:
                raise from_sqlite(error, self._path) from error
            raise ValueError(f"{error}: {press}") from error
        except SQLITE_ERRORS as error:
            # Diagnosed first: the present state of the disk is what made the write fail.
            failure = from_sqlite(error, self._path)
            self._is_log_suspect, self._uncertain_press = True, press
            self._disconnect()
            with contextlib.suppress(StoreError):
                self._connect()
            raise failure from error

    def _check_not_replaced(self) -> None:
        """Raise StoreError ("replaced") if the files are not those this table wrote last."""
        if self._file_marks is None:
            return
        try:
            if replaced_detector.is_replaced(
                self._file_marks, replaced_detector.read_marks(self._path)
            ):
                raise StoreError("replaced", self._path)
        except OSError as error:
            raise from_os(error, self._path) from error

    def abandon(self) -> None:
        """Give up the folder to the file put there.

        The process must then exit without ``close``.
        """
        if self._file_marks is not None:
            with contextlib.suppress(OSError):
                replaced_detector.abandon(self._path, self._file_marks)

    def _remember_files(self) -> None:
        self._file_marks = None
        with contextlib.suppress(OSError):
            self._file_marks = replaced_detector.read_marks(self._path)

    def _reliable_connection(self) -> sqlite3.Connection:
        """A connection whose next commit can be trusted.

        After a failed fsync the kernel marks unwritten pages as clean, and a later fsync of the
        same log succeeds. The log is only reused after a checkpoint has copied and synced all of
        it.
        """
        database = self._connect()
        if self._is_log_suspect:
            try:
                query = "PRAGMA wal_checkpoint(TRUNCATE)"
                (busy, _, _) = database.execute(query).fetchone()
            except SQLITE_ERRORS as error:
                self._disconnect()
                raise from_sqlite(error, self._path) from error
            if busy:
                raise StoreError("busy", self._path)
            self._is_log_suspect = False
        return database

    def _connect(self) -> sqlite3.Connection:
        """The connection, reopened after a failure.

        It holds exactly the acknowledged presses.
        """
        if self._closed:
            raise ValueError("the journal is closed")
        if self._database is None:
            self._check_not_replaced()
            try:
                self._database = file.open_store(self._path, self._connector)
            finally:
                # Also after a failure: SQLite may have written to the files.
                self._remember_files()
            try:
                self._remove_uncertain(self._database)
                last, newest = rows.newest(self._database)
                if last < self._last_seq or newest < self._newest_game:
                    lost = f"it ends at row {last}, though row {self._last_seq} had been saved"
                    raise StoreError("damaged", self._path, lost)
                if last > self._last_seq or newest > self._newest_game:
                    raise StoreError("busy", self._path, f"row {last} is not of this table")
                self._remember_files()
            except SQLITE_ERRORS as error:
                self._disconnect()
                raise from_sqlite(error, self._path) from error
            except StoreError:
                self._disconnect()
                raise
        return self._database

    def _remove_uncertain(self, database: sqlite3.Connection) -> None:
        """Remove the press whose commit failed, if it was stored nevertheless."""
        if self._uncertain_press is None:
            return
        press = self._uncertain_press
        query = (
            "SELECT EXISTS (SELECT 1 FROM journal WHERE seq >= ?)"
            " OR EXISTS (SELECT 1 FROM game WHERE id = ? AND opened = ?)"
        )
        opened = press.first if press.opens is not None else None
        (found,) = database.execute(query, (press.first, press.game, opened)).fetchone()
        if bool(found):
            # If this commit fails too, the next call tries again. A table that restarts meanwhile
            # does not see the press, and the next press syncs its removal (_reliable_connection).
            with file.transaction(database):
                _delete(database, self._uncertain_press)
        self._uncertain_press = None

    def _disconnect(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None
            self._remember_files()


def _insert(database: sqlite3.Connection, press: _Press, *, late: bool) -> None:
    if press.opens is not None:
        (before,) = database.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
        opening = (press.game, press.opens, press.first, before)
        kept = sum_of(*opening)
        database.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?)", (*opening, kept, kept))
        _set_newest(database, press.game)
    sums = [rows.sum_of_row(row) for row in press.rows]
    query = f"INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, {late:d}, ?)"
    summed = ((*row, kept) for row, kept in zip(press.rows, sums, strict=True))
    database.executemany(query, summed)
    (tip,) = database.execute("SELECT tip FROM game WHERE id = ?", (press.game,)).fetchone()
    _set_tip(database, press.game, chain(tip, sums))


def _delete(database: sqlite3.Connection, press: _Press) -> None:
    before = rows.of_game(database, press.game)
    query = "DELETE FROM journal WHERE seq = ? AND boot = ? AND monotonic_ms = ?"
    stamped = ((row.seq, row.boot, row.monotonic_ms) for row in press.rows)
    database.executemany(query, stamped)
    if press.opens is not None:
        query = "DELETE FROM game WHERE id = ? AND opened = ? AND header = ?"
        database.execute(query, (press.game, press.first, press.opens))
        (newest,) = database.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
        _set_newest(database, newest)
        return
    (first,) = database.execute("SELECT sum FROM game WHERE id = ?", (press.game,)).fetchone()
    left = (rows.sum_of_row(row) for row in before if row not in press.rows)
    _set_tip(database, press.game, chain(first, left))


def _set_newest(database: sqlite3.Connection, game: int) -> None:
    database.execute("UPDATE newest SET game = ?", (game,))


def _set_tip(database: sqlite3.Connection, game: int, tip: int) -> None:
    database.execute("UPDATE game SET tip = ? WHERE id = ?", (tip, game))
