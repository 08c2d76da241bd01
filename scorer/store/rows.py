"""Rows of the journal, and how they are read out of a store, by whoever reads.

It knows the tables and the order of rows; it must never write, nor know what a line means.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from scorer.store.errors import StoreError
from scorer.store.file import path_of


class Row(NamedTuple):
    """One line of the journal; rows of one press share ``press``, the seq of its first row."""

    seq: int  # from 1, the only order there is
    game: int
    press: int
    line: str
    source: str
    boot: str
    monotonic_ms: int
    wall: str  # ISO, UTC
    trusted: bool


class Stamp(NamedTuple):
    """When a press happened: exact within one boot, and what the wall clock said."""

    boot: str
    monotonic_ms: int
    wall: str  # ISO, UTC
    trusted: bool


_BEYOND = 1 << 62  # no row has such a number

_COLUMNS = "SELECT seq, game, press, line, source, boot, monotonic_ms, wall, trusted FROM journal"

# A game's rows lie together, from its opening to the next one's; only presses of an older game
# that was taken up again lie further on, and an index finds those. So no game costs more to read
# for the games beside it, and a press of the newest game touches no index at all.
_OF_GAME = f"""
{_COLUMNS} WHERE game = :game
  AND seq >= (SELECT opened FROM game WHERE id = :game)
  AND seq < coalesce((SELECT opened FROM game WHERE id > :game ORDER BY id LIMIT 1), {_BEYOND})
UNION ALL
SELECT * FROM ({_COLUMNS} WHERE late = 1 AND game = :game ORDER BY seq)
"""


def of_game(database: sqlite3.Connection, game: int) -> tuple[Row, ...]:
    """Every row of one game, in order. Raises sqlite3.Error, or StoreError for a damaged one."""
    return tuple(_whole(database, database.execute(_OF_GAME, {"game": game})))


def since(database: sqlite3.Connection, seq: int, limit: int) -> tuple[Row, ...]:
    """At most ``limit`` rows of all games, from ``seq`` on, itself included."""
    query = f"{_COLUMNS} WHERE seq >= ? ORDER BY seq LIMIT ?"
    # Both come from outside: SQLite takes no number this long, and a negative limit for none.
    bounds = (min(max(seq, 0), _BEYOND), min(max(limit, 0), _BEYOND))
    return tuple(row_of(values) for values in database.execute(query, bounds))


def newest(database: sqlite3.Connection) -> tuple[int, int]:
    """Number of the newest row and of the newest game; 0 where there is none."""
    (seq,) = database.execute("SELECT coalesce(max(seq), 0) FROM journal").fetchone()
    (game,) = database.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
    return int(seq), int(game)


def header(database: sqlite3.Connection, game: int) -> str:
    """The header under which ``game`` was opened. Raises KeyError for a game that is not there."""
    found = database.execute("SELECT header FROM game WHERE id = ?", (game,)).fetchone()
    if found is None:
        raise KeyError(game)
    return str(found[0])


def row_of(values: tuple[Any, ...]) -> Row:
    """The row that SQLite's values make."""
    row = Row._make(values)
    return row._replace(trusted=bool(row.trusted))


def _whole(database: sqlite3.Connection, found: Iterable[tuple[Any, ...]]) -> Iterator[Row]:
    """The rows, as long as each continues its press or begins one: half a press is damage."""
    before: Row | None = None
    for values in found:
        row = row_of(values)
        begins = row.seq == row.press
        continues = before is not None and (row.press, row.seq) == (before.press, before.seq + 1)
        if not begins and not continues:
            raise StoreError("damaged", path_of(database), f"row {row.seq} has lost its press")
        yield row
        before = row
