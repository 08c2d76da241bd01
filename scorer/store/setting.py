"""Write the settings of a store; the caller opens the transaction."""

from __future__ import annotations

import sqlite3

from scorer.store.checksum import chain, sum_of


def put(database: sqlite3.Connection, key: str, value: str) -> None:
    """Store one setting."""
    values = (key, value, sum_of(key, value))
    database.execute("INSERT OR REPLACE INTO setting VALUES (?, ?, ?)", values)
    _fold(database)


def remove(database: sqlite3.Connection, key: str) -> None:
    """Remove one setting; without it, nothing is written."""
    if database.execute("SELECT 1 FROM setting WHERE key = ?", (key,)).fetchone() is not None:
        database.execute("DELETE FROM setting WHERE key = ?", (key,))
        _fold(database)


def _fold(database: sqlite3.Connection) -> None:
    """Store the check value of all settings."""
    sums = database.execute("SELECT sum FROM setting ORDER BY key").fetchall()
    database.execute("UPDATE newest SET settings = ?", (chain(0, (one for (one,) in sums)),))
