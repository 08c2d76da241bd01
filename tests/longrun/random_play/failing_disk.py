"""A disk for the journal that fails on demand: real SQLite with injected errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path


class DiskFault(StrEnum):
    """When the disk fails, until it is repaired."""

    BEGIN = "begin"  # before anything is written
    COMMIT = "commit"  # at COMMIT; nothing is stored
    AFTER = "after"  # once, after COMMIT: the data is stored although an error is reported
    OPEN = "open"  # at COMMIT, and then the file cannot be reopened either


_CODES = {
    DiskFault.BEGIN: sqlite3.SQLITE_FULL,
    DiskFault.COMMIT: sqlite3.SQLITE_IOERR_FSYNC,
    DiskFault.AFTER: sqlite3.SQLITE_IOERR_FSYNC,
    DiskFault.OPEN: sqlite3.SQLITE_CANTOPEN,
}


class Disk:
    """Makes connections that fail as ``fault`` says, if it is set."""

    def __init__(self) -> None:
        self.fault: DiskFault | None = None
        self.refusals = 0

    def connect(self, path: Path) -> sqlite3.Connection:
        """A connection as the journal makes it, on this disk."""
        if self.fault is DiskFault.OPEN:
            raise self._refusal()
        disk = self

        class _Connection(sqlite3.Connection):
            def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
                run = super().execute
                return disk._execute(sql, lambda: run(sql, *values))  # type: ignore[arg-type]

        return sqlite3.connect(path, timeout=2.0, isolation_level=None, factory=_Connection)

    def _execute(self, sql: str, execute: Callable[[], sqlite3.Cursor]) -> sqlite3.Cursor:
        if self.fault is DiskFault.BEGIN and sql.startswith("BEGIN"):
            raise self._refusal()
        if sql == "COMMIT" and self.fault in (DiskFault.COMMIT, DiskFault.OPEN):
            raise self._refusal()
        done = execute()
        if sql == "COMMIT" and self.fault is DiskFault.AFTER:
            refusal, self.fault = self._refusal(), None
            raise refusal
        return done

    def _refusal(self) -> sqlite3.OperationalError:
        assert self.fault is not None
        self.refusals += 1
        error = sqlite3.OperationalError(f"the disk refuses: {self.fault}")
        error.sqlite_errorcode = _CODES[self.fault]
        return error
