"""Rows of the journal, and how they are read out of a store, by whoever reads.

Nothing is given out whose check value is wrong: that is damage, and told as such. It knows the
tables and the order of rows; it must never write, nor know what a line means.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scorer.store.checksum import chain, sum_of
from scorer.store.errors import StoreError
from scorer.store.file import database_path


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


_MAX_SEQ = 1 << 62  # no row has such a number

_COLUMNS = (
    "SELECT seq, game, press, line, source, boot, monotonic_ms, wall, trusted, sum FROM journal"
)

# A game's rows lie together, from its opening to the next one's; only presses of an older game
# that was taken up again lie further on, and an index finds those. So no game costs more to read
# for the games beside it, and a press of the newest game touches no index at all.
_OF_GAME = f"""
{_COLUMNS} WHERE game = :game
  AND seq >= (SELECT opened FROM game WHERE id = :game)
  AND seq < coalesce((SELECT opened FROM game WHERE id > :game ORDER BY id LIMIT 1), {_MAX_SEQ})
UNION ALL
SELECT * FROM ({_COLUMNS} WHERE late = 1 AND game = :game ORDER BY seq)
"""


def of_game(database: sqlite3.Connection, game: int) -> tuple[Row, ...]:
    """Every row of one game, in order. Raises sqlite3.Error, or StoreError for a damaged one."""
    found = database.execute("SELECT sum, tip FROM game WHERE id = ?", (game,)).fetchone()
    if found is None:
        return ()
    first, tip = _integers(database, found)
    rows = tuple(_checked_presses(database, _read(database, _OF_GAME, {"game": game})))
    if tip != chain(first, map(sum_of_row, rows)):
        raise _damaged(database, f"game {game} has lost rows")
    return rows


def since(database: sqlite3.Connection, seq: int, limit: int) -> tuple[Row, ...]:
    """At most ``limit`` rows of all games, from ``seq`` on, itself included."""
    query = f"{_COLUMNS} WHERE seq >= ? ORDER BY seq LIMIT ?"
    # Both come from outside: SQLite takes no number this long, and a negative limit for none.
    bounds = (min(max(seq, 0), _MAX_SEQ), min(max(limit, 0), _MAX_SEQ))
    return tuple(_checked_row(database, values) for values in _read(database, query, bounds))


def _read(
    database: sqlite3.Connection, query: str, values: Mapping[str, int] | Sequence[int]
) -> list[tuple[Any, ...]]:
    """All rows at once: a cursor that breaks off keeps its connection open while it is known.

    An exception knows it. SQLite would then close the file, and sweep its log away, some time after
    the journal has looked at what it leaves there.
    """
    return database.execute(query, values).fetchall()


def newest(database: sqlite3.Connection) -> tuple[int, int]:
    """Number of the newest row and of the newest game; 0 where there is none.

    Raises StoreError where one of them has gone and the other still tells of it.
    """
    query = "SELECT seq, game FROM journal ORDER BY seq DESC LIMIT 1"
    seq, played = _integers(database, database.execute(query).fetchone() or (0, 0))
    query = "SELECT id, opened FROM game ORDER BY id DESC LIMIT 1"
    game, opened = _integers(database, database.execute(query).fetchone() or (0, 1))
    kept = database.execute("SELECT game FROM newest").fetchall()
    # The last row of an older game, lost, would be nobody's: the newest game misses none. The plus
    # keeps SQLite from going through all rows; it reads the index alone.
    query = "SELECT coalesce(max(+seq), 0) FROM journal WHERE late = 1"
    (late,) = _integers(database, database.execute(query).fetchone())
    fit = played <= game and max(opened - 1, late) <= seq and kept == [(game,)]
    if not fit or not _exists_by_key(database, game):
        raise _damaged(database, f"row {seq}, game {game}, {kept} do not fit together")
    return seq, game


def header(database: sqlite3.Connection, game: int) -> str:
    """The header under which ``game`` was opened. Raises KeyError for a game that is not there."""
    query = "SELECT id, header, opened, before, sum FROM game WHERE id = ?"
    found = database.execute(query, (game,)).fetchone()
    if found is None:
        raise KeyError(game)
    *opening, kept = found
    if kept != sum_of(*opening):
        raise _damaged(database, f"game {game} is not what was opened")
    return str(opening[1])


def game_before(database: sqlite3.Connection, game: int) -> int | None:
    """The game that was opened before ``game``, None where it was the first one."""
    query = "SELECT before FROM game WHERE id = ?"
    (before,) = _integers(database, database.execute(query, (game,)).fetchone() or (0,))
    query = "SELECT coalesce(max(id), 0) FROM game WHERE id < ?"
    (found,) = database.execute(query, (game,)).fetchone()
    if found != before or not _exists_by_key(database, before):
        raise _damaged(database, f"game {before} has gone")
    return int(found) or None


def _exists_by_key(database: sqlite3.Connection, game: int) -> bool:
    """Does the way by the number lead to where the way from the end does? In a damaged tree not."""
    found = database.execute("SELECT id FROM game WHERE id = ?", (game,)).fetchone()
    return not game or found == (game,)


def settings(database: sqlite3.Connection) -> dict[str, str]:
    """What was chosen on the box, by key."""
    query = "SELECT key, value, sum FROM setting ORDER BY key"
    found = database.execute(query).fetchall()
    for key, value, kept in found:
        if kept != sum_of(key, value):
            raise _damaged(database, f"{key} is not what was chosen")
    kept = database.execute("SELECT settings FROM newest").fetchall()
    # One row, and no other; a damaged table may have any number of them.
    if kept != [(chain(0, (each[2] for each in found)),)]:
        raise _damaged(database, "a choice has gone")
    return {key: value for key, value, _ in found}


def sum_of_row(row: Row) -> int:
    """The check value that a row is stored with."""
    return sum_of(*row[:-1], int(row.trusted))


def parse_row(values: tuple[Any, ...]) -> Row | None:
    """The row that SQLite's values make, None where they are not what was stored."""
    *columns, kept = values
    row = Row._make(columns)
    row = row._replace(trusted=bool(row.trusted))
    return row if kept == sum_of_row(row) else None


def _checked_row(database: sqlite3.Connection, values: tuple[Any, ...]) -> Row:
    row = parse_row(values)
    if row is None:
        raise _damaged(database, f"row {values[0]} is not what was stored")
    return row


def _checked_presses(
    database: sqlite3.Connection, found: Iterable[tuple[Any, ...]]
) -> Iterator[Row]:
    """The rows, as long as each continues its press or begins one: half a press is damage."""
    before: Row | None = None
    for values in found:
        row = _checked_row(database, values)
        begins = row.seq == row.press
        continues = before is not None and (row.press, row.seq) == (before.press, before.seq + 1)
        if not begins and not continues:
            raise _damaged(database, f"row {row.seq} has lost its press")
        yield row
        before = row


def _integers(database: sqlite3.Connection, values: Sequence[object]) -> list[int]:
    """These values; out of a damaged file may come anything."""
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) < len(values):
        raise _damaged(database, f"{values} are no numbers")
    return numbers


def _damaged(database: sqlite3.Connection, what: str) -> StoreError:
    return StoreError("damaged", database_path(database), what)
