"""What a damaged store still holds, carried into a new one; the damaged one is kept beside it.

Only whole presses are carried, and of a game only what came before the first hole in it: a score
that misses a press in the middle would be a wrong one. It must never know what a press means.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from scorer.store import file
from scorer.store.errors import StoreError, from_os, from_sqlite
from scorer.store.rows import Row, row_of
from scorer.store.swap import WAITING, finish_swap

# Row by row over a bad page, which holds some ten of them; then in strides, for a bad branch.
_CAREFUL = 1000
_BEYOND = 1 << 62
_LONGEST = 1 << 30  # bytes

_KINDS = (int, int, int, str, str, str, int, str, int)


class Salvaged(NamedTuple):
    """What became of a damaged store. ``lost``: rows that are known to have been there."""

    games: int
    kept: int
    lost: int
    aside: Path  # where the damaged one lies now


class _Opening(NamedTuple):
    game: int
    header: str
    opened: int


class _Found(NamedTuple):
    openings: dict[int, _Opening]
    rows: list[Row | None]  # None: a hole
    settings: list[tuple[str, str]]


def salvage(directory: Path) -> Salvaged:
    """Puts a new store in the place of the damaged one in ``directory`` and says what it holds.

    Never called by itself: the owner asks for it, with no table running. Raises StoreError, for a
    file that is no store of ours too; then the store is as it was.
    """
    try:
        finish_swap(directory)
        with TemporaryDirectory(prefix="salvage-", dir=directory) as work:
            found = _read_copy(directory / file.NAME, Path(work))
            keep = _sound(found)
            _write_new(found, keep, directory, Path(work))
        aside = finish_swap(directory)
    except OSError as error:
        raise from_os(error, directory) from error
    assert aside is not None
    highest = max((row.seq for row in found.rows if row is not None), default=0)
    return Salvaged(len(found.openings), len(keep), highest - len(keep), aside)


def _read_copy(store: Path, work: Path) -> _Found:
    """Everything that can be read, from a copy: SQLite mends what it opens, and may mend badly."""
    copy = work / "damaged.sqlite3"
    shutil.copyfile(store, copy)
    _lengthen(copy)
    with contextlib.suppress(FileNotFoundError):
        shutil.copyfile(file.log_of(store), file.log_of(copy))
    database = file.connect(copy)
    try:
        _check_ours(database, store)
        openings = {at: _Opening(at, *rest) for at, *rest in _openings(database)}
        return _Found(openings, list(_rows(database)), list(_settings(database)))
    finally:
        database.close()


def _lengthen(copy: Path) -> None:
    """Gives a file that lost its end its length again: SQLite reads nothing of a shorter one."""
    with copy.open("r+b") as store:
        head = store.read(100)
        pages, page = int.from_bytes(head[28:32], "big"), int.from_bytes(head[16:18], "big")
        # A damaged header may claim anything; a store stays far below that.
        store.truncate(max(min(pages * page, _LONGEST), copy.stat().st_size))


def _check_ours(database: sqlite3.Connection, store: Path) -> None:
    try:
        (application,) = database.execute("PRAGMA application_id").fetchone()
        (version,) = database.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        raise from_sqlite(error, store) from error
    if application != file.APPLICATION:
        raise StoreError("not_a_store", store)
    if version != file.VERSION:
        raise StoreError("future", store)


def _openings(database: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    for found in _every(database, "SELECT id, header, opened FROM game WHERE id >= ?"):
        if found is not None and _fits(found, (int, str, int)):
            yield found


def _rows(database: sqlite3.Connection) -> Iterator[Row | None]:
    query = (
        "SELECT seq, game, press, line, source, boot, monotonic_ms, wall, trusted FROM journal"
        " WHERE seq >= ?"
    )
    due = 1
    for found in _every(database, query):
        if found is None or not _fits(found, _KINDS) or found[0] > due:
            yield None
        if found is not None and _fits(found, _KINDS):
            yield row_of(found)
            due = found[0] + 1


def _settings(database: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    with contextlib.suppress(sqlite3.Error):
        for found in database.execute("SELECT key, value FROM setting"):
            if _fits(found, (str, str)):
                yield found


def _every(database: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...] | None]:
    """All that ``query`` finds from a number on, and a None for each place it cannot read."""
    start, tries = 1, 0
    while start < _BEYOND:
        try:
            for found in database.execute(f"{query} ORDER BY 1", (start,)):
                yield found
                start, tries = found[0] + 1, 0
        except sqlite3.Error:
            yield None
            tries += 1
            start += 1 if tries < _CAREFUL else 1 << (tries - _CAREFUL)
        else:
            return


def _fits(values: Sequence[object], kinds: Sequence[type]) -> bool:
    return all(isinstance(value, kind) for value, kind in zip(values, kinds, strict=True))


def _sound(found: _Found) -> list[Row]:
    """The rows of whole presses, of games that no hole has gone through before them."""
    keep: list[Row] = []
    runs = _runs(found.rows)
    for place, run in enumerate(runs):
        presses = [list(group) for _, group in groupby(run, key=lambda row: row.press)]
        # The press that ends at a hole may have had more rows, in the hole.
        certain = presses if place == len(runs) - 1 else presses[:-1]
        whole = (press for press in certain if press[0].seq == press[0].press)
        keep += [
            row
            for press in whole
            for row in press
            if (opening := found.openings.get(row.game)) and opening.opened >= run[0].seq
        ]
    return keep


def _runs(rows: Sequence[Row | None]) -> list[list[Row]]:
    """The rows between one hole and the next."""
    runs: list[list[Row]] = [[]]
    for row in rows:
        if row is None:
            runs.append([])
        else:
            runs[-1].append(row)
    return runs


def _write_new(found: _Found, keep: Sequence[Row], directory: Path, work: Path) -> None:
    new = work / "new.sqlite3"
    database = file.opened(new)
    try:
        with file.transaction(database):
            _insert(database, found, keep)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise from_sqlite(error, new) from error
    finally:
        database.close()
    new.rename(directory / WAITING)
    file.sync_folder(directory)


def _insert(database: sqlite3.Connection, found: _Found, keep: Sequence[Row]) -> None:
    openings = [found.openings[game] for game in sorted(found.openings)]
    database.executemany("INSERT INTO game VALUES (?, ?, ?)", openings)
    # With an opening lost, a row may be late no more: it is told again from what is there.
    next_opened = {one.game: two.opened for one, two in pairwise(openings)}
    marked = [(*row, row.seq >= next_opened.get(row.game, _BEYOND)) for row in keep]
    database.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", marked)
    database.executemany("INSERT INTO setting VALUES (?, ?)", found.settings)
