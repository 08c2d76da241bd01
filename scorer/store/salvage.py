"""Recover a damaged store into a new one; the damaged file is kept beside it.

Only whole presses are recovered, and of a game only those before the first missing row: a score
that lacks a press in the middle would be wrong. Rows are opaque: a game whose check values are
right is kept whole, whatever its rows say. The caller may pass a function that counts how many of
the rows of an incomplete game are playable.
"""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from scorer.store import epoch, events, file, header
from scorer.store.checksum import chain, sum_of
from scorer.store.errors import SQLITE_ERRORS, StoreError, from_os, from_sqlite
from scorer.store.events import Event
from scorer.store.lock import exclusive
from scorer.store.repair import repair
from scorer.store.replace_file import SALVAGED_NAME, finish_replacement
from scorer.store.rows import StoredRow, parse_row, sum_of_row

# Step row by row over a bad page, which holds about ten; then double the step, for a bad branch.
_SINGLE_STEPS = 1000
_MAX_SEQ = 1 << 62
_MAX_ROW_BYTES = 1 << 20  # bytes of a row

_COLUMN_TYPES = (int, int, int, str, str, str, int, str, int, int)

# Takes the header and the first rows of a game; returns how many are playable, whole presses only.
CountValidRows = Callable[[str, Sequence[StoredRow]], int]


class SalvageResult(NamedTuple):
    """The result of a salvage. ``lost_rows``: rows known to have existed."""

    games: int
    kept_rows: int
    lost_rows: int
    damaged_file: Path  # its new path


class _Opening(NamedTuple):
    game: int
    header: str
    opened: int
    before: int
    sum: int
    tip: int


class _Readable(NamedTuple):
    openings: dict[int, _Opening]
    rows: list[StoredRow | None]  # None: a gap
    settings: list[tuple[str, str, int]]
    events: list[Event]
    program: file.NeededProgram


def count_all_rows(header: str, rows: Sequence[StoredRow]) -> int:
    """The default ``CountValidRows``: all rows are valid."""
    return len(rows)


def salvage(directory: Path, count_valid: CountValidRows = count_all_rows) -> SalvageResult:
    """Replace the damaged store in ``directory`` by a new one; return what it holds.

    Raises StoreError for a foreign file or while a table has it open; the store is then unchanged.
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
    # Rows that existed, judging by the remaining rows and games, and are not kept.
    highest = max((row.seq for row in found.rows if row is not None), default=0)
    before = max((opening.opened - 1 for opening in found.openings.values()), default=0)
    # At least one of each game that had more rows than are kept.
    kept = _by_game(keep)
    incomplete = sum(not _is_complete(one, kept.get(at, [])) for at, one in found.openings.items())
    lost = max(highest, before, len(keep) + incomplete) - len(keep)
    return SalvageResult(len(found.openings), len(keep), lost, aside)


def _by_game(rows: Iterable[StoredRow | None]) -> dict[int, list[StoredRow]]:
    games: dict[int, list[StoredRow]] = {}
    for row in rows:
        if row is not None:
            games.setdefault(row.game, []).append(row)
    return games


def _is_complete(opening: _Opening, rows: Sequence[StoredRow]) -> bool:
    """Whether these are all rows entered in the game."""
    return opening.tip == chain(opening.sum, map(sum_of_row, rows))


def _read_copy(store: Path, work: Path) -> _Readable:
    """Read what is readable, from a copy.

    SQLite repairs files on opening, possibly wrongly.
    """
    copy = work / "damaged.sqlite3"
    _copy(store, copy)
    repair(copy)
    database = file.connect(copy)
    # The stored length of a text may be damaged too.
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_ROW_BYTES)
    try:
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
        openings = {at: _Opening(at, *rest) for at, *rest in _openings(database)}
        rows, settings = list(_rows(database)), list(_settings(database))
        return _Readable(openings, rows, settings, *_further_tables(store, work))
    finally:
        database.close()


def _further_tables(store: Path, work: Path) -> tuple[list[Event], file.NeededProgram]:
    """Events and program, of a copy with its own schema: a repaired one has none."""
    copy = work / "events.sqlite3"
    found, program = list[Event](), file.ANY_PROGRAM
    with contextlib.suppress(*SQLITE_ERRORS):
        _copy(store, copy)
        with contextlib.closing(file.connect(copy)) as database:
            found = list(events.salvage(database))
            with contextlib.suppress(StoreError):
                program = file.read_program(database)
    return found, program


def _copy(store: Path, copy: Path) -> None:
    shutil.copyfile(store, copy)
    with contextlib.suppress(FileNotFoundError):
        shutil.copyfile(file.wal_path(store), file.wal_path(copy))


def _openings(database: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    query = "SELECT id, header, opened, before, sum, tip FROM game WHERE id >= ?"
    for found in _read_all(database, query):
        fits = found is not None and _fits(found, (int, str, int, int, int, int))
        if found is not None and fits and found[4] == sum_of(*found[:4]):
            yield found


def _rows(database: sqlite3.Connection) -> Iterator[StoredRow | None]:
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
            # The rows are not those of the damaged store: a new epoch begins.
            is_kept = _fits(found, (str, str, int)) and found[0] != epoch.KEY
            if is_kept and found[2] == sum_of(*found[:2]):
                yield found


def _read_all(database: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...] | None]:
    """All results of ``query`` from a number on, and None for each unreadable place."""
    start, tries = 1, 0
    while start < _MAX_SEQ:
        try:
            for found in database.execute(f"{query} ORDER BY 1", (start,)):
                # A page that claims too many rows starts over, which would loop endlessly. And a
                # foreign table may have text as its row number.
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


def _rows_to_keep(found: _Readable, count_valid: CountValidRows) -> list[StoredRow]:
    """The rows to keep, in order.

    All of a complete game, else the playable ones before its first gap.
    """
    there, certain = _by_game(found.rows), _by_game(_certain_rows(found))
    keep: list[StoredRow] = []
    for game, opening in found.openings.items():
        rows = there.get(game, [])
        if not _is_complete(opening, rows):
            rows = certain.get(game, [])
            rows = rows[: count_valid(opening.header, rows)]
        keep += rows
    return sorted(keep)


def _certain_rows(found: _Readable) -> list[StoredRow]:
    """The rows of whole presses, of games opened after the preceding gap."""
    runs: list[list[StoredRow]] = [[]]
    for each in found.rows:
        if each is None:
            runs.append([])
        else:
            runs[-1].append(each)
    keep: list[StoredRow] = []
    for place, run in enumerate(runs):
        presses = [list(group) for _, group in groupby(run, key=lambda row: row.press)]
        # The press that ends at a gap may have had more rows in the gap.
        certain = presses if place == len(runs) - 1 else presses[:-1]
        whole = (press for press in certain if press[0].seq == press[0].press)
        keep += [
            row
            for press in whole
            for row in press
            if (opening := found.openings.get(row.game)) and opening.opened >= run[0].seq
        ]
    return keep


def _write_new(found: _Readable, keep: Sequence[StoredRow], directory: Path, work: Path) -> None:
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


def _insert(database: sqlite3.Connection, found: _Readable, keep: Sequence[StoredRow]) -> None:
    # A game without presses begins at the next row.
    end = max((row.seq for row in keep), default=0) + 1
    openings = [found.openings[game] for game in sorted(found.openings)]
    openings = [each._replace(opened=min(each.opened, end)) for each in openings]
    # If an opening was lost, a row may no longer be late, so the flag is computed anew.
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
    if found.events:
        events.append(database, found.events)
    file.require_program(database, found.program)


def _with_checksums(openings: Sequence[_Opening], keep: Sequence[StoredRow]) -> Iterator[_Opening]:
    """The openings with ``before`` and check values recomputed for the kept rows."""
    rows, before = _by_game(keep), 0
    for each in openings:
        each = each._replace(before=before)
        kept = sum_of(*each[:4])
        yield each._replace(sum=kept, tip=chain(kept, map(sum_of_row, rows.get(each.game, []))))
        before = each.game
