"""Flip single bits in the file of a store, or in its log, and classify the result.

A store that opens must hold the original rows, or be salvaged with a prefix of each game. A log,
which a power cut leaves, ends for SQLite where a bit of it is wrong: the presses from there on are
missing without a mark, and those before it are right.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from scorer.store import file
from scorer.store.journal import Journal, StoredRow, StoreError
from scorer.store.open_or_salvage import open_or_salvage
from tests.store import presses

NIGHT = 40
SETTINGS = {"language": '"pt-BR"', "night": "3"}
HEAD, PAGE_HEAD, LOG_HEAD = 100, 12, 32  # bytes
NIGHT_OF_LOG = 12  # presses: fewer pages than a checkpoint takes
TRUTH, OLD = "the truth", "the truth, and an older game that says it is damaged"
SALVAGED, SOME = "salvaged, nothing lost", "salvaged, some lost"
ALLOWED = (TRUTH, OLD, SALVAGED, SOME)
ENDS = "the presses before it, without a mark"
ALLOWED_OF_LOG = (TRUTH, ENDS)


def night(folder: Path) -> bytes:
    """The file of an evening of games that was closed cleanly."""
    with Journal.open(folder) as journal:
        for key, value in SETTINGS.items():
            journal.set_setting(key, value)
        for k in range(1, NIGHT + 1):
            presses.append(journal, k)
    return (folder / file.FILE_NAME).read_bytes()


class CutNight(NamedTuple):
    """The files that a power cut leaves, and the end of the log at each press."""

    file: bytes
    log: bytes
    ends: tuple[int, ...]


def cut_night(folder: Path) -> CutNight:
    """A power cut after an evening that is in the log alone."""
    with Journal.open(folder) as journal:
        log, ends = file.wal_path(folder / file.FILE_NAME), []
        for k in range(1, NIGHT_OF_LOG + 1):
            presses.append(journal, k)
            ends.append(log.stat().st_size)
        return CutNight((folder / file.FILE_NAME).read_bytes(), log.read_bytes(), tuple(ends))


def turned_in_log(work: Path, night: CutNight, bit: int) -> str:
    """Flip one bit of the log and classify how the store opens."""
    folder = work / f"turned {os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    damaged = bytearray(night.log)
    damaged[bit // 8] ^= 1 << bit % 8
    (folder / file.FILE_NAME).write_bytes(night.file)
    file.wal_path(folder / file.FILE_NAME).write_bytes(damaged)
    due = sum(end <= bit // 8 for end in night.ends)
    try:
        journal, salvaged = open_or_salvage(folder, look)
        with journal:
            found = presses.count_presses(journal, NIGHT_OF_LOG)
    except Exception as error:
        return f"bit {bit} of the log: {error!r}"[:200]
    if salvaged is None and found == NIGHT_OF_LOG:
        return TRUTH
    # A log whose head is wrong is empty.
    is_right = found in (due, 0 if bit // 8 < LOG_HEAD else due)
    return ENDS if salvaged is None and is_right else f"bit {bit} of the log: {found}, not {due}"


def places(whole: bytes, stride: int) -> Iterator[int]:
    """Every ``stride``-th bit of the file; page headers about 30 times as densely."""
    pages = range(0, len(whole), file.PAGE)
    heads = [*range(HEAD), *(page + at for page in pages for at in range(PAGE_HEAD))]
    often = [at * 8 + bit for at in dict.fromkeys(heads) for bit in range(8)]
    yield from sorted({*often[:: max(1, stride // 30)], *range(0, len(whole) * 8, stride)})


def turned(work: Path, whole: bytes, bit: int) -> str:
    """Flip one bit and classify how the store opens; an unknown word is a failure."""
    folder = work / f"turned {os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    damaged = bytearray(whole)
    damaged[bit // 8] ^= 1 << bit % 8
    (folder / file.FILE_NAME).write_bytes(damaged)
    try:
        return _judged(folder)
    except StoreError as error:
        return error.kind
    except Exception as error:
        return f"bit {bit}: {error!r}"[:200]


def look(journal: Journal) -> None:
    """Read what a table reads at start: the newest game."""
    if journal.newest_game():
        journal.header(journal.newest_game())
        journal.rows(journal.newest_game())


def _judged(folder: Path) -> str:
    journal, salvaged = open_or_salvage(folder, look)
    with journal:
        if salvaged is None:
            return _read_whole(journal)
        kept = sum(_kept(journal, game) for game in journal.games())
        assert (kept, salvaged.damaged_file.exists()) == (salvaged.kept_rows, True)
        journal.append(
            game=journal.newest_game() + 1,
            lines=["A truco"],
            source="A",
            stamp=presses.press(1).stamp,
            opens="goes on",
        )
    with Journal.open(folder) as journal:
        look(journal)
    return SOME if salvaged.lost_rows else SALVAGED


def _read_whole(journal: Journal) -> str:
    """Every game must be right, or reading it must raise StoreError ``damaged``."""
    newest = max(presses.headers(NIGHT))
    assert (journal.newest_game(), journal.settings()) == (newest, SETTINGS)
    assert journal.rows(newest) == _entered(newest)
    assert journal.last_seq() == len(presses.expected_rows(NIGHT))
    walk = journal.games()
    try:
        for game in range(newest, 0, -1):
            assert next(walk) == game
            assert _kept(journal, game) == len(_entered(game))
        assert journal.since(1, 10**6) == presses.expected_rows(NIGHT)
    except StoreError as error:
        assert error.kind == "damaged"
        _goes_on(journal, newest)
        return OLD
    return TRUTH


def _goes_on(journal: Journal, newest: int) -> None:
    """The newest game goes on, and the damage of an older one does not affect it."""
    before = journal.rows(newest)
    more = journal.append(
        game=newest, lines=["B quiero"], source="B", stamp=presses.press(1).stamp, opens=None
    )
    assert journal.rows(newest) == (*before, *more)
    for game in range(1, newest):
        # KeyError: the game is unknown.
        with contextlib.suppress(StoreError, KeyError):
            assert _kept(journal, game) == len(_entered(game))


def _entered(game: int) -> tuple[StoredRow, ...]:
    return tuple(row for row in presses.expected_rows(NIGHT) if row.game == game)


def _kept(journal: Journal, game: int) -> int:
    rows = journal.rows(game)
    assert rows == _entered(game)[: len(rows)]
    assert journal.header(game) == presses.headers(NIGHT)[game]
    return len(rows)
