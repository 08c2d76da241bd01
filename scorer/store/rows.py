"""Rows of the journal, and the queries that read and verify them.

Rows with a wrong check value raise StoreError ("damaged"). Nothing here writes.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scorer.store.checksum import chain, sum_of
from scorer.store.errors import StoreError
from scorer.store.file import database_path


class StoredRow(NamedTuple):
    """One line of the journal.

    Rows of one press share ``press``, the seq of its first row.
    """

    seq: int  # from 1; the only ordering
    game: int
    press: int
    line: str
    source: str
    boot: str
    monotonic_ms: int
    wall: str  # ISO, UTC
    trusted: bool


class StoredOpening(NamedTuple):
    """The opening of a game: its first row is ``opened``, there or still to come."""

    game: int
    opened: int
    header: str


class Stamp(NamedTuple):
    """The time of a press: exact within one boot, and the wall clock."""

    boot: str
    monotonic_ms: int
    wall: str  # ISO, UTC
    trusted: bool


_MAX_SEQ = 1 << 62  # greater than the seq of any row

_COLUMNS = (
    "SELECT seq, game, press, line, source, boot, monotonic_ms, wall, trusted, sum FROM journal"
)

# The rows of a game are contiguous, from its opening to the next one's; only presses of an older
# game that was resumed lie further on, and an index finds those. So reading a game does not get
# slower with more games, and a press of the newest game touches no index.
_OF_GAME = f"""
{_COLUMNS} WHERE game = :game
  AND seq >= max(:start, (SELECT opened FROM game WHERE id = :game))
  AND seq < coalesce((SELECT opened FROM game WHERE id > :game ORDER BY id LIMIT 1), {_MAX_SEQ})
UNION ALL
SELECT * FROM ({_COLUMNS} WHERE late = 1 AND game = :game AND seq >= :start ORDER BY seq)
LIMIT :limit
"""


def of_game(database: sqlite3.Connection, game: int) -> tuple[StoredRow, ...]:
    """All rows of one game, in order.

    Raises sqlite3.Error, or StoreError if it is damaged.
    """
    found = database.execute("SELECT sum, tip FROM game WHERE id = ?", (game,)).fetchone()
    if found is None:
        return ()
    first, tip = _integers(database, found)
    bounds = {"game": game, "start": 0, "limit": _MAX_SEQ}
    rows = tuple(_checked_presses(database, _read(database, _OF_GAME, bounds)))
    if tip != chain(first, map(sum_of_row, rows)):
        raise _damaged(database, f"game {game} has lost rows")
    return rows


def part_of_game(
    database: sqlite3.Connection, game: int, seq: int, limit: int
) -> tuple[StoredRow, ...]:
    """At most ``limit`` rows of a game from ``seq`` on; lost rows are not checked."""
    bounds = {"game": game, "start": min(max(seq, 0), _MAX_SEQ), "limit": limit}
    return tuple(_checked_row(database, values) for values in _read(database, _OF_GAME, bounds))


def since(database: sqlite3.Connection, seq: int, limit: int) -> tuple[StoredRow, ...]:
    """At most ``limit`` rows of all games, from ``seq`` on (inclusive)."""
    query = f"{_COLUMNS} WHERE seq >= ? ORDER BY seq LIMIT ?"
    # Both come from a client: SQLite rejects larger integers, and a negative limit means no limit.
    bounds = (min(max(seq, 0), _MAX_SEQ), min(max(limit, 0), _MAX_SEQ))
    return tuple(_checked_row(database, values) for values in _read(database, query, bounds))


def _read(
    database: sqlite3.Connection, query: str, values: Mapping[str, int] | Sequence[int]
) -> list[tuple[Any, ...]]:
    """Fetch all rows at once.

    An unfinished cursor keeps the file open while it is referenced. The traceback of an exception
    refers to it. SQLite would then close the file and delete its log some time after the journal
    has recorded the state of the log.
    """
    return database.execute(query, values).fetchall()


def newest(database: sqlite3.Connection) -> tuple[int, int]:
    """The numbers of the newest row and the newest game; 0 if there is none.

    Raises StoreError if one of them is missing and the other refers to it.
    """
    query = "SELECT seq, game FROM journal ORDER BY seq DESC LIMIT 1"
    seq, played = _integers(database, database.execute(query).fetchone() or (0, 0))
    query = "SELECT id, opened FROM game ORDER BY id DESC LIMIT 1"
    game, opened = _integers(database, database.execute(query).fetchone() or (0, 1))
    kept = database.execute("SELECT game FROM newest").fetchall()
    # Losing the last row of an older game leaves the newest game intact, so check late rows too.
    # The plus makes SQLite read the index alone instead of all rows.
    query = "SELECT coalesce(max(+seq), 0) FROM journal WHERE late = 1"
    (late,) = _integers(database, database.execute(query).fetchone())
    fit = played <= game and max(opened - 1, late) <= seq and kept == [(game,)]
    if not fit or not _exists_by_key(database, game):
        raise _damaged(database, f"row {seq}, game {game}, {kept} do not fit together")
    return seq, game


def header(database: sqlite3.Connection, game: int) -> str:
    """The header ``game`` was opened with. Raises KeyError for an unknown game."""
    query = "SELECT id, header, opened, before, sum FROM game WHERE id = ?"
    found = database.execute(query, (game,)).fetchone()
    if found is None:
        raise KeyError(game)
    *opening, kept = found
    if kept != sum_of(*opening):
        raise _damaged(database, f"game {game} is not what was opened")
    return str(opening[1])


def opened(database: sqlite3.Connection, game: int) -> int:
    """The first row of ``game``, there or still to come. Raises KeyError if unknown."""
    found = database.execute("SELECT opened FROM game WHERE id = ?", (game,)).fetchone()
    if found is None:
        raise KeyError(game)
    return _integers(database, found)[0]


def openings(
    database: sqlite3.Connection, first: int, last: int, limit: int
) -> tuple[StoredOpening, ...]:
    """At most ``limit`` games opened at rows ``first`` to ``last``, oldest first."""
    start = _first_game_from(database, first)
    query = (
        "SELECT id, header, opened, before, sum FROM game"
        " WHERE id >= ? AND opened <= ? ORDER BY id LIMIT ?"
    )
    bounds = (start, min(last, _MAX_SEQ), limit)
    found = []
    for *opening, kept in _read(database, query, bounds):
        if kept != sum_of(*opening):
            raise _damaged(database, f"game {opening[0]} is not what was opened")
        found.append(StoredOpening(opening[0], opening[2], opening[1]))
    return tuple(found)


def _first_game_from(database: sqlite3.Connection, seq: int) -> int:
    """The first game opened at ``seq`` or later, or a number above all.

    Later games are opened at later rows, so few of them are looked at.
    """
    query = "SELECT coalesce(max(id), 0) FROM game"
    (newest,) = _integers(database, database.execute(query).fetchone())
    low, high = 1, newest + 1
    query = "SELECT id, opened FROM game WHERE id >= ? ORDER BY id LIMIT 1"
    while low < high:
        middle = (low + high) // 2
        game, opened = _integers(database, database.execute(query, (middle,)).fetchone())
        low, high = (low, middle) if opened >= seq else (game + 1, high)
    return low


def game_before(database: sqlite3.Connection, game: int) -> int | None:
    """The game opened before ``game``, or None for the first one."""
    query = "SELECT before FROM game WHERE id = ?"
    (before,) = _integers(database, database.execute(query, (game,)).fetchone() or (0,))
    query = "SELECT coalesce(max(id), 0) FROM game WHERE id < ?"
    (found,) = database.execute(query, (game,)).fetchone()
    if found != before or not _exists_by_key(database, before):
        raise _damaged(database, f"game {before} has gone")
    return int(found) or None


def _exists_by_key(database: sqlite3.Connection, game: int) -> bool:
    """Whether a lookup by key finds the game too; in a damaged B-tree it may not."""
    found = database.execute("SELECT id FROM game WHERE id = ?", (game,)).fetchone()
    return not game or found == (game,)


def settings(database: sqlite3.Connection) -> dict[str, str]:
    """The settings chosen on the box, by key."""
    query = "SELECT key, value, sum FROM setting ORDER BY key"
    found = database.execute(query).fetchall()
    for key, value, kept in found:
        if kept != sum_of(key, value):
            raise _damaged(database, f"{key} is not what was chosen")
    kept = database.execute("SELECT settings FROM newest").fetchall()
    # Exactly one row; a damaged table may have any number.
    if kept != [(chain(0, (each[2] for each in found)),)]:
        raise _damaged(database, "a choice has gone")
    return {key: value for key, value, _ in found}


def sum_of_row(row: StoredRow) -> int:
    """The check value a row is stored with."""
    return sum_of(*row[:-1], int(row.trusted))


def parse_row(values: tuple[Any, ...]) -> StoredRow | None:
    """The row of these SQLite values, or None if the check value does not match."""
    *columns, kept = values
    row = StoredRow._make(columns)
    row = row._replace(trusted=bool(row.trusted))
    return row if kept == sum_of_row(row) else None


def _checked_row(database: sqlite3.Connection, values: tuple[Any, ...]) -> StoredRow:
    row = parse_row(values)
    if row is None:
        raise _damaged(database, f"row {values[0]} is not what was stored")
    return row


def _checked_presses(
    database: sqlite3.Connection, found: Iterable[tuple[Any, ...]]
) -> Iterator[StoredRow]:
    """The verified rows; a row that neither begins nor continues a press is damage."""
    before: StoredRow | None = None
    for values in found:
        row = _checked_row(database, values)
        begins = row.seq == row.press
        continues = before is not None and (row.press, row.seq) == (before.press, before.seq + 1)
        if not begins and not continues:
            raise _damaged(database, f"row {row.seq} has lost its press")
        yield row
        before = row


def _integers(database: sqlite3.Connection, values: Sequence[object]) -> list[int]:
    """Require integers; a damaged file may contain other types."""
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) < len(values):
        raise _damaged(database, f"{values} are no numbers")
    return numbers


def _damaged(database: sqlite3.Connection, what: str) -> StoreError:
    return StoreError("damaged", database_path(database), what)
