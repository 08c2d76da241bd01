"""A log torn at any byte holds exactly the presses acknowledged before the tear."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from scorer.store import file
from scorer.store.journal import Journal
from tests.sampling import amount, sample
from tests.store import presses

NIGHT = 9
SMALL = 512  # bytes per page: as many places to tear at, in fewer bytes
LOG_HEADER = 32
FEW = 100  # sampled places of a log


class Disk(NamedTuple):
    """The two files of a store at one moment."""

    store: bytes
    log: bytes


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory, if possible: thousands of stores are opened."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@pytest.fixture
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "PAGE", SMALL)


def disk_of(folder: Path) -> Disk:
    """The present files of a store; SQLite has written all of it when it acknowledges."""
    store = folder / file.FILE_NAME
    log = file.wal_path(store)
    return Disk(store.read_bytes(), log.read_bytes() if log.exists() else b"")


def survived(folder: Path, disk: Disk, *, goes_on: bool = False) -> int:
    """The number of presses that a table started on ``disk`` finds."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / file.FILE_NAME).write_bytes(disk.store)
    file.wal_path(folder / file.FILE_NAME).write_bytes(disk.log)
    with Journal.open(folder) as journal:
        count = presses.count_presses(journal, NIGHT * 10)
        if goes_on:
            presses.append(journal, count + 1)
    if goes_on:
        with Journal.open(folder) as journal:
            assert presses.count_presses(journal, NIGHT * 10) == count + 1
    return count


def a_night(folder: Path) -> list[Disk]:
    """The disk before the first press and after each."""
    with Journal.open(folder) as journal:
        disks = [disk_of(folder)]
        for k in range(1, NIGHT + 1):
            presses.append(journal, k)
            disks.append(disk_of(folder))
    assert len({disk.store for disk in disks}) == 1, "a checkpoint has changed the file"
    return disks


@pytest.mark.sampled
@pytest.mark.usefixtures("_small_pages")
def test_a_log_cut_at_any_byte_holds_the_presses_before_the_cut(folder: Path) -> None:
    disks = a_night(folder / "night")
    whole = disks[-1]
    ends = [len(disk.log) for disk in disks]
    wrong = {}
    # Always included: the end of each press, and the byte before it.
    cuts = {*sample(range(len(whole.log) + 1), FEW), *ends, *(end - 1 for end in ends[1:])}
    for cut in sorted(cuts):
        due = sum(end <= cut for end in ends[1:])
        found = survived(folder / "torn", Disk(whole.store, whole.log[:cut]))
        if found != due:
            wrong[cut] = (found, due)
    print(f"a log of {len(whole.log)} bytes, cut at {len(cuts)} places: {len(wrong)} wrong")
    assert not wrong


@pytest.mark.sampled(0)
@pytest.mark.usefixtures("_small_pages")
def test_a_table_continues_after_a_torn_log(folder: Path) -> None:
    whole = a_night(folder / "night")[-1]
    for cut in range(0, len(whole.log) + 1, 97):
        survived(folder / "torn", Disk(whole.store, whole.log[:cut]), goes_on=True)


@pytest.mark.sampled
@pytest.mark.usefixtures("_small_pages")
def test_a_flipped_bit_in_the_log_loses_only_the_presses_from_there_on(
    folder: Path,
) -> None:
    disks = a_night(folder / "night")
    whole = disks[-1]
    ends = [len(disk.log) for disk in disks]
    # The last two presses and the log's header; one bit per byte.
    places = [*range(LOG_HEADER), *range(ends[-3], ends[-1])]
    for place in sample(places, FEW):
        flipped = bytearray(whole.log)
        flipped[place] ^= 1 << place % 8
        found = survived(folder / "torn", Disk(whole.store, bytes(flipped)))
        before = sum(end <= place for end in ends[1:]) if place >= LOG_HEADER else 0
        # Bytes that SQLite ignores (the checkpoint counter in the header) change nothing.
        assert found == before or (place < LOG_HEADER and found == NIGHT), place


@pytest.mark.sampled(0)
@pytest.mark.usefixtures("_small_pages")
def test_a_torn_write_into_a_reused_log_loses_only_that_press(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the first checkpoint new bytes overwrite older presses in the log."""
    monkeypatch.setattr(file, "CHECKPOINT", 8)
    torn = 0
    with Journal.open(folder / "night") as journal:
        before = disk_of(folder / "night")
        for k in range(1, 5 * NIGHT):
            presses.append(journal, k)
            after = disk_of(folder / "night")
            if after.store == before.store and len(after.log) == len(before.log):
                # One byte in seven, different ones for each press.
                places = _changed(before.log, after.log)[k % 7 :: 7]
                for cut in sample(places, FEW // NIGHT):
                    disk = Disk(after.store, after.log[:cut] + before.log[cut:])
                    assert survived(folder / "torn", disk) == k - 1, (k, cut)
                    torn += 1
            before = after
    print(f"{torn} torn writes into a log used again")
    assert torn > amount(FEW, 1000)


def _changed(before: bytes, after: bytes) -> range:
    """The places at which a write from the first to the last difference can be torn."""
    differ = [at for at, (one, two) in enumerate(zip(before, after, strict=True)) if one != two]
    return range(differ[0], differ[-1] + 1)
