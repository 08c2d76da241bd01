"""The cost of the store in SQLite steps, syncs and bytes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from scorer.store import file
from scorer.store.archive import Archive
from scorer.store.checksum import chain, sum_of
from scorer.store.journal import Journal, Stamp, StoredRow
from scorer.store.rows import sum_of_row
from tests.sampling import amount
from tests.store import machines, presses
from tests.store.test_power_loss import needs_strace

ARCHIVED = amount(1_000, 10_000)  # games
PRESSES = 30  # in each of them
STAMP = Stamp("boot", 1, "2026-05-01T21:00:00+00:00", trusted=True)


class Meter:
    """Counts the steps of SQLite's virtual machine on its connections."""

    def __init__(self) -> None:
        self.steps = 0

    def connect(self, path: Path) -> sqlite3.Connection:
        """A connection that counts its steps."""
        database = file.connect(path)
        database.set_progress_handler(self._step, 1)
        return database

    def _step(self) -> int:
        self.steps += 1
        return 0


def full_archive(folder: Path, games: int) -> None:
    """Insert games directly, faster than by a journal."""
    Journal.open(folder).close()
    database = file.open_store(folder / file.FILE_NAME)
    with file.transaction(database):
        for game in range(1, games + 1):
            first = 1 + (game - 1) * PRESSES
            rows = [
                StoredRow(seq, game, seq, "A truco", "A", *STAMP)
                for seq in range(first, first + PRESSES)
            ]
            sums = [sum_of_row(row) for row in rows]
            opening = (game, presses.HEADER.format(game=game), first, game - 1)
            kept = sum_of(*opening)
            database.execute(
                "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?)", (*opening, kept, chain(kept, sums))
            )
            database.executemany(
                "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)",
                [(*row, one) for row, one in zip(rows, sums, strict=True)],
            )
        database.execute("UPDATE newest SET game = ?", (games,))
    database.close()


def measure_start(folder: Path) -> int:
    """The steps to start, read the newest two games, and store a press in each."""
    meter = Meter()
    with Journal.open(folder, connector=meter.connect) as journal:
        walk = journal.games()
        newest, before = next(walk), next(walk)
        assert [len(journal.rows(game)) for game in (newest, before)] == [PRESSES, PRESSES]
        assert journal.latest_game() == newest and journal.settings() == {}
        game, lines, source, stamp, _ = presses.press(2)
        journal.append(game=newest, lines=lines, source=source, stamp=stamp)
        journal.append(game=before, lines=lines, source=source, stamp=stamp)
        assert game == 1
    return meter.steps


@pytest.mark.sampled
def test_starting_costs_the_same_with_thousands_of_games(tmp_path: Path) -> None:
    full_archive(tmp_path / "two", 2)
    full_archive(tmp_path / "many", ARCHIVED)
    two, many = measure_start(tmp_path / "two"), measure_start(tmp_path / "many")
    print(f"an evening's beginning: {two} steps with 2 games, {many} with {ARCHIVED}")
    assert two * 0.99 <= many <= two * 1.01


def test_reading_an_old_game_costs_the_same_as_a_recent_one(tmp_path: Path) -> None:
    full_archive(tmp_path, 400)
    meter = Meter()
    with Journal.open(tmp_path, connector=meter.connect) as journal:
        costs = []
        for game in (2, 399):
            before = meter.steps
            assert len(journal.rows(game)) == PRESSES
            costs.append(meter.steps - before)
    assert costs[0] == costs[1]


def test_the_archive_gives_every_game_in_order(tmp_path: Path) -> None:
    full_archive(tmp_path, 50)
    with Archive.open(tmp_path) as archive:
        games = [*archive.games()]
    assert [each.game for each in games] == [*range(1, 51)]
    assert {len(each.rows) for each in games} == {PRESSES}


@needs_strace
def test_a_press_takes_one_sync_and_few_bytes(tmp_path: Path) -> None:
    machines.run(machines.command(tmp_path / "store", 3))
    attempts = 30  # fewer than lead to a checkpoint
    record = tmp_path / "calls"
    calls = "trace=fdatasync,fsync,pwrite64,write"
    trace = ["strace", "-qq", "-e", calls, "-o", str(record)]
    output = machines.run([*trace, *machines.command(tmp_path / "store", attempts)])
    assert len(output.saved) == attempts
    syncs, sizes = _by_press(record.read_text())
    # The first one also starts the log and syncs the folder of the new store.
    assert syncs[1:] == [1] * (attempts - 1)
    mean = sum(sizes[1:]) / len(sizes[1:])
    print(f"{mean:.0f} bytes written a press, in one sync")
    assert mean <= 4096


def _by_press(record: str) -> tuple[list[int], list[int]]:
    """Syncs and bytes written before each acknowledgement, from strace's output."""
    syncs, sizes = [0], [0]
    for line in record.splitlines():
        if line.startswith('write(1, "saved'):
            syncs.append(0)
            sizes.append(0)
        elif line.startswith(("fdatasync(", "fsync(")):
            syncs[-1] += 1
        elif line.startswith("pwrite64("):
            sizes[-1] += int(line.rpartition("=")[2])
    return syncs[:-1], sizes[:-1]


def test_reading_stores_nothing(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
        presses.append(journal, 2)
        log = file.wal_path(tmp_path / file.FILE_NAME)
        before = log.read_bytes()
        presses.count_presses(journal, 9)
        with pytest.raises(ValueError, match="without a line"):
            journal.append(game=1, lines=[], source="A", stamp=presses.press(1).stamp)
        assert log.read_bytes() == before
