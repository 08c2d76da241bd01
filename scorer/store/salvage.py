"""What a damaged store still holds, carried into a new one; the damaged one is kept beside it.

Only whole presses are carried, and of a game only what came before the first hole in it: a score
that misses a press in the middle would be a wrong one. It must never know what a press means;
whoever does may say how much of a game can be played.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from scorer.store import file, header
from scorer.store.checksum import chain, sum_of
from scorer.store.errors import SQLITE_ERRORS, StoreError, from_os, from_sqlite
from scorer.store.lock import exclusive
from scorer.store.repair import repair
from scorer.store.replace_file import SALVAGED_NAME, finish_replacement
from scorer.store.rows import Row, parse_row, sum_of_row

# Row by row over a bad page, which holds some ten of them; then in strides, for a bad branch.
_SINGLE_STEPS = 1000
_MAX_SEQ = 1 << 62
_MAX_ROW_BYTES = 1 << 20  # bytes of a row
# Older games that are whole are history: whether they can be played is asked when they are.
_VALIDATED_GAMES = 30

_COLUMN_TYPES = (int, int, int, str, str, str, int, str, int, int)

# How many of a game's first rows can be played, by its header; at the end of a press.
CountValidRows = Callable[[str, Sequence[Row]], int]


class SalvageResult(NamedTuple):
    """What became of a damaged store. ``lost``: rows that are known to have been there."""

    games: int
    kept_rows: int
    lost_rows: int
    damaged_file: Path  # where the damaged one lies now


class _Opening(NamedTuple):
    game: int
    header: str
    opened: int
    before: int
    sum: int
    tip: int


class _Readable(NamedTuple):
    openings: dict[int, _Opening]
    rows: list[Row | None]  # None: a hole
    settings: list[tuple[str, str, int]]


def count_all_rows(header: str, rows: Sequence[Row]) -> int:
    """The judge who finds that all of a game can be played."""
    return len(rows)


def salvage(directory: Path, count_valid: CountValidRows = count_all_rows) -> SalvageResult:
    """Puts a new store in the place of the damaged one in ``directory`` and says what it holds.

    Raises StoreError, for a file that is no store of ours and where a table is running too; then
    the store is as it was.
    """
    try:
        with exclusive(directory):
            finish_replacement(directory)
            with TemporaryDirectory(prefix="salvage-", dir=directory) as work:
                found = _read_copy(directory / file.FILE_NAME, Path(work))
                keep = _rows_to_keep(found, count_valid)
                _write_new(found, keep, directory, Path(work))
            aside = finish_replacement(directory)
    except OSError as error:
        raise from_os(error, directory) from error
    assert aside is not None
    return SalvageResult(len(found.openings), len(keep), _count_lost(found, keep), aside)


def _count_lost(found: _Readable, keep: Sequence[Row]) -> int:
    """Rows that were there by what is left of them, or of their games, and are kept no more."""
    highest = max((row.seq for row in found.rows if row is not None), default=0)
    before = max((opening.opened - 1 for opening in found.openings.values()), default=0)
    return max(highest, before, len(keep) + _count_incomplete(found, keep)) - len(keep)


def _count_incomplete(found: _Readable, keep: Sequence[Row]) -> int:
    """How many games had more rows than are kept."""
    kept = _by_game(keep)
    return sum(not _is_complete(one, kept.get(at, [])) for at, one in found.openings.items())


def _by_game(rows: Iterable[Row | None]) -> dict[int, list[Row]]:
    games: dict[int, list[Row]] = {}
    for row in rows:
        if row is not None:
            games.setdefault(row.game, []).append(row)
    return games


def _is_complete(opening: _Opening, rows: Sequence[Row]) -> bool:
    """Is this all that was entered in the game?"""
    return opening.tip == chain(opening.sum, map(sum_of_row, rows))


def _read_copy(store: Path, work: Path) -> _Readable:
    """Everything that can be read, from a copy: SQLite mends what it opens, and may mend badly."""
    copy = work / "damaged.sqlite3"
    shutil.copyfile(store, copy)
    with contextlib.suppress(FileNotFoundError):
        shutil.copyfile(file.wal_path(store), file.wal_path(copy))
    repair(copy)
    database = file.connect(copy)
    # The length of a text may be damaged too.
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_ROW_BYTES)
    try:
        _check_ours(database, store)
        openings = {at: _Opening(at, *rest) for at, *rest in _openings(database)}
        return _Readable(openings, list(_rows(database)), list(_settings(database)))
    finally:
        database.close()


def _check_ours(database: sqlite3.Connection, store: Path) -> None:
    try:
        (application,) = database.execute("PRAGMA application_id").fetchone()
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if application != header.APPLICATION_ID:
            raise StoreError("not_a_store", store)
        kind = header.version_failure(version)
        if kind is not None:
            raise StoreError(kind, store)
    except SQLITE_ERRORS as error:
        raise from_sqlite(error, store) from error


def _openings(database: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    query = "SELECT id, header, opened, before, sum, tip FROM game WHERE id >= ?"
    for found in _read_all(database, query):
        fits = found is not None and _fits(found, (int, str, int, int, int, int))
        if found is not None and fits and found[4] == sum_of(*found[:4]):
            yield found


def _rows(database: sqlite3.Connection) -> Iterator[Row | None]:
    query = (
        "SELECT seq, game, press, line, source, boot, monotonic_ms, wall, trusted, sum FROM journal"
        " WHERE seq >= ?"
    )
    due = 1
    for found in _read_all(database, query):
        row = parse_row(found) if found is not None and _fits(found, _COLUMN_TYPES) else None
        if row is None or row.seq > due:
            yield None
        if row is not None:
            yield row
            due = row.seq + 1


def _settings(database: sqlite3.Connection) -> Iterator[tuple[str, str, int]]:
    with contextlib.suppress(*SQLITE_ERRORS):
        for found in database.execute("SELECT key, value, sum FROM setting ORDER BY key"):
            if _fits(found, (str, str, int)) and found[2] == sum_of(*found[:2]):
                yield found


def _read_all(database: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...] | None]:
    """All that ``query`` finds from a number on, and a None for each place it cannot read."""
    start, tries = 1, 0
    while start < _MAX_SEQ:
        try:
            for found in database.execute(f"{query} ORDER BY 1", (start,)):
                # A page that claims more rows than it has goes back: round and round from there.
                # And a table that somebody made may number its rows with words.
                if not isinstance(found[0], int) or found[0] < start:
                    yield None
                    continue
                yield found
                start, tries = found[0] + 1, 0
        except SQLITE_ERRORS:
            yield None
            tries += 1
            start += 1 if tries < _SINGLE_STEPS else 1 << (tries - _SINGLE_STEPS)
        else:
            return


def _fits(values: Sequence[object], kinds: Sequence[type]) -> bool:
    return all(isinstance(value, kind) for value, kind in zip(values, kinds, strict=True))


def _rows_to_keep(found: _Readable, count_valid: CountValidRows) -> list[Row]:
    """The rows to keep, in order: of every game all, or what came before the first hole in it."""
    there, certain = _by_game(found.rows), _by_game(_certain_rows(found))
    judged = set(sorted(found.openings)[-_VALIDATED_GAMES:])
    keep: list[Row] = []
    for game, opening in found.openings.items():
        rows = there.get(game, [])
        whole = _is_complete(opening, rows)
        rows = rows if whole else certain.get(game, [])
        is_history = whole and game not in judged
        keep += rows if is_history else rows[: count_valid(opening.header, rows)]
    return sorted(keep)


def _certain_rows(found: _Readable) -> list[Row]:
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


def _write_new(found: _Readable, keep: Sequence[Row], directory: Path, work: Path) -> None:
    new = work / "new.sqlite3"
    database = file.open_store(new)
    try:
        with file.transaction(database):
            _insert(database, found, keep)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except SQLITE_ERRORS as error:
        raise from_sqlite(error, new) from error
    finally:
        database.close()
    new.rename(directory / SALVAGED_NAME)
    file.sync_folder(directory)


def _insert(database: sqlite3.Connection, found: _Readable, keep: Sequence[Row]) -> None:
    # A game that nobody has pressed in begins where the next press will be.
    end = max((row.seq for row in keep), default=0) + 1
    openings = [found.openings[game] for game in sorted(found.openings)]
    openings = [each._replace(opened=min(each.opened, end)) for each in openings]
    # With an opening lost, a row may be late no more: it is told again from what is there.
    next_opened = {one.game: two.opened for one, two in pairwise(openings)}
    marked = [
        (*row, row.seq >= next_opened.get(row.game, _MAX_SEQ), sum_of_row(row)) for row in keep
    ]
    database.executemany(
        "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?)", _with_checksums(openings, keep)
    )
    newest = (max(found.openings, default=0), chain(0, (each[2] for each in found.settings)))
    database.execute("UPDATE newest SET game = ?, settings = ?", newest)
    database.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", marked)
    database.executemany("INSERT INTO setting VALUES (?, ?, ?)", found.settings)


def _with_checksums(openings: Sequence[_Opening], keep: Sequence[Row]) -> Iterator[_Opening]:
    """The openings with the check values that they have with the rows that are kept."""
    rows, before = _by_game(keep), 0
    for each in openings:
        each = each._replace(before=before)
        kept = sum_of(*each[:4])
        yield each._replace(sum=kept, tip=chain(kept, map(sum_of_row, rows.get(each.game, []))))
        before = each.game
