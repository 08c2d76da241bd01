"""Disks that fill up, fail or refuse: a refused press is not there, an accepted one always is."""

from __future__ import annotations

import contextlib
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.store import file
from scorer.store.journal import Journal, StoreError
from scorer.table.startup import TolerantSettings
from tests.sampling import sample
from tests.store import machines, presses
from tests.store.archive import Archive
from tests.store.test_power_loss import found, needs_strace


class SmallDisk:
    """A disk on which a store may have only so many pages."""

    def __init__(self, pages: int) -> None:
        self.pages = pages

    def connect(self, path: Path) -> sqlite3.Connection:
        """A connection that finds the disk full above ``pages``."""
        database = file.connect(path)
        database.execute(f"PRAGMA max_page_count = {self.pages}")
        return database


class BadDisk:
    """A disk that says that a write has failed, whether it has or not."""

    def __init__(self) -> None:
        # "written": it has not, in truth; "lost": it has; "gone": nothing can be opened on it.
        self.fails = ""
        self.goes_back_to: Path | None = None  # a folder whose files it shows instead

    def connect(self, path: Path) -> sqlite3.Connection:
        """A connection whose commits fail as this disk does."""
        disk = self
        if disk.fails == "gone":
            raise _failed()
        for each in self.goes_back_to.iterdir() if self.goes_back_to else ():
            shutil.copy(each, path.parent)

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
                if disk.fails and sql == "COMMIT":
                    if disk.fails == "written":
                        super().execute(sql)
                    raise _failed()
                return super().execute(sql, *values)  # type: ignore[arg-type]

        return sqlite3.connect(path, isolation_level=None, factory=Connection)


def _failed() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
    return error


def refused(journal: Journal, k: int) -> str:
    """The kind of error with which press ``k`` is refused."""
    with pytest.raises(StoreError) as told:
        presses.append(journal, k)
    return told.value.kind


def until_refused(journal: Journal) -> tuple[int, str]:
    """How many presses were taken before one was refused, and why that was."""
    for k in range(presses.count_presses(journal, 2000) + 1, 2000):
        try:
            presses.append(journal, k)
        except StoreError as error:
            return k - 1, error.kind
    raise AssertionError("this disk is never full")


def test_a_store_that_may_not_grow_refuses_whole_presses_until_there_is_room(
    tmp_path: Path,
) -> None:
    disk = SmallDisk(16)
    with Journal.open(tmp_path, connector=disk.connect) as journal:
        count, kind = until_refused(journal)
        assert kind == "full"
        assert presses.count_presses(journal, 2000) == count
        assert refused(journal, count + 1) == "full"
        disk.pages = 64
        with contextlib.suppress(StoreError):
            presses.append(journal, count + 1)  # the old connection may still be the full one
            count += 1
        assert presses.count_presses(journal, 2000) == count
        presses.append(journal, count + 1)
    assert found(tmp_path) == count + 1


def test_a_file_that_may_not_grow_refuses_whole_presses_until_it_may(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal.open(tmp_path) as journal:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
            count, kind = until_refused(journal)
            kept = presses.count_presses(journal, 2000)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert (kind, kept) == ("io", count)
        presses.append(journal, count + 1)
        assert presses.count_presses(journal, 2000) == count + 1
    assert found(tmp_path) == count + 1


@pytest.mark.parametrize("fails", ["written", "lost"])
def test_a_press_whose_commit_failed_is_not_there_whatever_the_disk_did(
    tmp_path: Path, fails: str
) -> None:
    for k in range(1, 20):
        disk = BadDisk()
        with Journal.open(tmp_path, connector=disk.connect) as journal:
            disk.fails = fails
            assert refused(journal, k) == "io"
            assert refused(journal, k) == "io"
            disk.fails = ""
            assert presses.count_presses(journal, k) == k - 1
            presses.append(journal, k)
            assert presses.count_presses(journal, k) == k
        assert found(tmp_path) == k


def test_while_the_disk_fails_the_refused_press_is_not_shown_either(tmp_path: Path) -> None:
    disk = BadDisk()
    with Journal.open(tmp_path, connector=disk.connect) as journal:
        for k in range(1, 9):
            presses.append(journal, k)
        disk.fails = "written"
        assert refused(journal, 9) == "io"
        assert journal.last_seq() == len(presses.expected_rows(8))
        # What is there cannot be taken back for certain: better no answer than a wrong one.
        with contextlib.suppress(StoreError):
            assert presses.count_presses(journal, 9) == 8


def test_after_a_failed_write_the_log_is_begun_again(tmp_path: Path) -> None:
    """What a failed sync has made of the log is not known; nothing new may stand behind it."""
    disk, log = BadDisk(), file.wal_path(tmp_path / file.FILE_NAME)
    # Somebody who reads keeps the log from going away by itself when the table lets go of it.
    with Journal.open(tmp_path, connector=disk.connect) as journal, Archive.open(tmp_path):
        for k in range(1, 9):
            presses.append(journal, k)
        disk.fails = "lost"
        assert refused(journal, 9) == "io"
        before, disk.fails = log.stat().st_size, ""
        presses.append(journal, 9)
        assert log.stat().st_size < before
        assert presses.count_presses(journal, 9) == 9


def test_a_setting_that_failed_leaves_the_presses_alone(tmp_path: Path) -> None:
    disk = BadDisk()
    with Journal.open(tmp_path, connector=disk.connect) as journal:
        presses.append(journal, 1)
        disk.fails = "lost"
        with pytest.raises(StoreError):
            journal.set_setting("light", "1")
        disk.fails = ""
        assert journal.settings() == {}
        presses.append(journal, 2)
    assert found(tmp_path) == 2


def test_settings_that_cannot_be_read_at_the_start_keep_no_table_from_starting(
    tmp_path: Path,
) -> None:
    disk = BadDisk()
    with Journal.open(tmp_path, connector=disk.connect) as journal:
        journal.set_setting("light", "1")
        assert TolerantSettings(journal).settings() == {"light": "1"}
        disk.fails = "gone"
        assert refused(journal, 1) == "io"
        with pytest.raises(StoreError):
            journal.settings()
        assert TolerantSettings(journal).settings() == {}
        TolerantSettings(journal).set_setting("light", "2")


def test_a_store_that_lost_what_was_acknowledged_says_so(tmp_path: Path) -> None:
    """Some cards go back in time. It is found out where the file is opened again."""
    disk = BadDisk()
    with Journal.open(tmp_path / "now", connector=disk.connect) as journal:
        presses.append(journal, 1)
        shutil.copytree(tmp_path / "now", tmp_path / "old")
        presses.append(journal, 2)
        disk.fails, disk.goes_back_to = "lost", tmp_path / "old"
        assert refused(journal, 3) == "io"
        disk.fails = ""
        assert refused(journal, 3) == "damaged"


@needs_strace
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("call", "error", "kinds"),
    [
        ("fdatasync", "EIO", {"io"}),
        ("pwrite64", "EIO", {"io"}),
        ("pwrite64", "ENOSPC", {"full", "io"}),  # the index beside the log has no word for full
        ("pwrite64", "EROFS", {"io"}),
    ],
)
@pytest.mark.parametrize("for_good", [True, False], ids=["for_good", "once"])
def test_a_failing_disk_loses_nothing_saved_and_keeps_nothing_refused(
    tmp_path: Path, call: str, error: str, kinds: set[str], *, for_good: bool
) -> None:
    """The table is killed while the disk fails; the next one finds what was acknowledged."""
    attempts, failures = 9, 0
    for at in sample(range(1, 60, 4), 3):
        folder = tmp_path / f"{at}"
        when = f"{at}+" if for_good else f"{at}"
        trace = machines.strace(f"{call}:error={error}:when={when}")
        said = machines.run([*trace, *machines.command(folder, attempts, 6)])
        assert set(said.refused) <= kinds, said
        assert found(folder) == said.last, (at, said)
        # A disk that cannot sync can still be read, and so can what was saved on it.
        assert not said.blind or call != "fdatasync", (at, said)
        failures += bool(said.refused)
    print(f"{failures} nights on a disk on which {call} fails with {error}")
    assert failures


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of its own. Skips the test where none may be mounted."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        pytest.skip(f"no disk may be mounted here: {made.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(path: Path) -> None:
    """Takes all the room there is on a disk."""
    with contextlib.suppress(OSError), path.open("wb", buffering=0) as ballast:
        while ballast.write(b"0" * 512):
            pass


def test_on_a_full_disk_the_score_is_shown_and_presses_are_refused_until_there_is_room(
    tmp_path: Path,
) -> None:
    with small_disk(tmp_path / "disk", "256k") as disk:
        store = disk / "store"
        with Journal.open(store) as journal:
            presses.append(journal, 1)
            fill(disk / "ballast")
            count, kind = until_refused(journal)
            assert kind == "full"
            assert presses.count_presses(journal, 2000) == count
        # Killed and started again: no room for the index that programs share.
        with Journal.open(store) as journal:
            assert presses.count_presses(journal, 2000) == count
            (disk / "ballast").unlink()
            presses.append(journal, count + 1)
        assert found(store) == count + 1


def test_a_table_killed_on_a_disk_that_fills_up_starts_with_its_score(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "256k") as disk:
        store = disk / "store"
        said = machines.run(machines.command(store, 12))
        for index in store.glob("*-shm"):
            index.unlink()  # as after a power cut: it is never synced
        fill(disk / "ballast")
        with Journal.open(store) as journal:
            assert presses.count_presses(journal, 2000) == said.last == 12


def test_a_read_only_disk_is_called_one(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "256k") as disk:
        with Journal.open(disk / "store") as journal:
            presses.append(journal, 1)
        remount = ["mount", "-o", "remount,ro", str(disk)]
        subprocess.run(remount, check=True)
        with pytest.raises(StoreError) as told:
            Journal.open(disk / "store")
        assert told.value.kind == "read_only"
        with pytest.raises(StoreError) as told:
            Journal.open(disk / "another")
        assert told.value.kind == "read_only"


def test_a_file_that_may_only_be_read_refuses_presses(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
    with Archive.open(tmp_path) as archive:
        assert [entered.game for entered in archive.games()] == [1]
    with Journal.open(tmp_path, connector=file.connect_read_only) as journal:
        assert presses.count_presses(journal, 9) == 1
        assert refused(journal, 2) == "read_only"
        assert presses.count_presses(journal, 9) == 1
