"""Full and failing disks: refused presses are never stored, accepted ones always."""

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
from scorer.store.archive import Archive
from scorer.store.journal import Journal, StoreError
from scorer.table.startup import TolerantSettings
from tests.sampling import sample
from tests.store import machines, presses
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
    """A disk that reports failed writes, whether they failed or not."""

    def __init__(self) -> None:
        # "written": the write succeeded; "lost": it failed; "gone": nothing can be opened.
        self.fails = ""
        self.restored_from: Path | None = None  # a folder whose files replace the present ones

    def connect(self, path: Path) -> sqlite3.Connection:
        """A connection whose commits fail as configured."""
        disk = self
        if disk.fails == "gone":
            raise _failed()
        for each in self.restored_from.iterdir() if self.restored_from else ():
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
    """The kind of the error with which press ``k`` is refused."""
    with pytest.raises(StoreError) as caught:
        presses.append(journal, k)
    return caught.value.kind


def until_refused(journal: Journal) -> tuple[int, str]:
    """The number of presses stored before one was refused, and the kind of the error."""
    for k in range(presses.count_presses(journal, 2000) + 1, 2000):
        try:
            presses.append(journal, k)
        except StoreError as error:
            return k - 1, error.kind
    raise AssertionError("this disk is never full")


def test_a_full_store_refuses_whole_presses_until_there_is_room(tmp_path: Path) -> None:
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


def test_a_file_size_limit_refuses_whole_presses_until_it_is_lifted(tmp_path: Path) -> None:
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


@pytest.mark.sampled(1)
@pytest.mark.parametrize("fails", ["written", "lost"])
def test_a_press_whose_commit_failed_is_never_stored(tmp_path: Path, fails: str) -> None:
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


def test_a_refused_press_is_not_shown_while_the_disk_fails(tmp_path: Path) -> None:
    disk = BadDisk()
    with Journal.open(tmp_path, connector=disk.connect) as journal:
        for k in range(1, 9):
            presses.append(journal, k)
        disk.fails = "written"
        assert refused(journal, 9) == "io"
        assert journal.last_seq() == len(presses.expected_rows(8))
        # Removing it is not certain to work: no answer is better than a wrong one.
        with contextlib.suppress(StoreError):
            assert presses.count_presses(journal, 9) == 8


def test_the_log_is_restarted_after_a_failed_write(tmp_path: Path) -> None:
    """The state of the log after a failed sync is unknown, so it is not appended to."""
    disk, log = BadDisk(), file.wal_path(tmp_path / file.FILE_NAME)
    # A reader keeps SQLite from deleting the log when the table closes its connection.
    with Journal.open(tmp_path, connector=disk.connect) as journal, Archive.open(tmp_path):
        for k in range(1, 9):
            presses.append(journal, k)
        disk.fails = "lost"
        assert refused(journal, 9) == "io"
        before, disk.fails = log.stat().st_size, ""
        presses.append(journal, 9)
        assert log.stat().st_size < before
        assert presses.count_presses(journal, 9) == 9


def test_a_failed_setting_does_not_affect_presses(tmp_path: Path) -> None:
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


def test_a_table_starts_without_readable_settings(tmp_path: Path) -> None:
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


def test_the_loss_of_acknowledged_presses_is_detected(tmp_path: Path) -> None:
    """Some cards return to an older state, which is detected on reopening."""
    disk = BadDisk()
    with Journal.open(tmp_path / "now", connector=disk.connect) as journal:
        presses.append(journal, 1)
        shutil.copytree(tmp_path / "now", tmp_path / "old")
        presses.append(journal, 2)
        disk.fails, disk.restored_from = "lost", tmp_path / "old"
        assert refused(journal, 3) == "io"
        disk.fails = ""
        assert refused(journal, 3) == "damaged"


@needs_strace
@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("call", "error", "kinds"),
    [
        ("fdatasync", "EIO", {"io"}),
        ("pwrite64", "EIO", {"io"}),
        ("pwrite64", "ENOSPC", {"full", "io"}),  # the index has no error for full
        ("pwrite64", "EROFS", {"io"}),
    ],
)
@pytest.mark.parametrize("for_good", [True, False], ids=["for_good", "once"])
def test_a_failing_disk_loses_nothing_saved_and_keeps_nothing_refused(
    tmp_path: Path, call: str, error: str, kinds: set[str], *, for_good: bool
) -> None:
    """The table is killed while the disk fails.

    The next one finds what was acknowledged.
    """
    attempts, failures = 9, 0
    for at in sample(range(1, 60, 4), 3):
        folder = tmp_path / f"{at}"
        when = f"{at}+" if for_good else f"{at}"
        trace = machines.strace(f"{call}:error={error}:when={when}")
        output = machines.run([*trace, *machines.command(folder, attempts, 6)])
        assert set(output.refused) <= kinds, output
        assert found(folder) == output.last, (at, output)
        # A disk that cannot sync can still be read, and so can the saved presses.
        assert not output.blind or call != "fdatasync", (at, output)
        failures += bool(output.refused)
    print(f"{failures} nights on a disk on which {call} fails with {error}")
    assert failures


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A mounted small disk. Skips the test if mounting is not permitted."""
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
    """Use up all free space of a disk."""
    with contextlib.suppress(OSError), path.open("wb", buffering=0) as ballast:
        while ballast.write(b"0" * 512):
            pass


def test_on_a_full_disk_the_score_is_readable_and_presses_are_refused(
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
        # Killed and restarted: no room for the shared-memory index.
        with Journal.open(store) as journal:
            assert presses.count_presses(journal, 2000) == count
            (disk / "ballast").unlink()
            presses.append(journal, count + 1)
        assert found(store) == count + 1


def test_a_table_killed_on_a_filling_disk_restarts_with_its_score(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "256k") as disk:
        store = disk / "store"
        output = machines.run(machines.command(store, 12))
        for index in store.glob("*-shm"):
            index.unlink()  # as after a power cut: it is never synced
        fill(disk / "ballast")
        with Journal.open(store) as journal:
            assert presses.count_presses(journal, 2000) == output.last == 12


def test_a_read_only_disk_is_reported(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "256k") as disk:
        with Journal.open(disk / "store") as journal:
            presses.append(journal, 1)
        remount = ["mount", "-o", "remount,ro", str(disk)]
        subprocess.run(remount, check=True)
        with pytest.raises(StoreError) as caught:
            Journal.open(disk / "store")
        assert caught.value.kind == "read_only"
        with pytest.raises(StoreError) as caught:
            Journal.open(disk / "another")
        assert caught.value.kind == "read_only"


def test_a_read_only_file_refuses_presses(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
    with Archive.open(tmp_path) as archive:
        assert [entered.game for entered in archive.games()] == [1]
    with Journal.open(tmp_path, connector=file.connect_read_only) as journal:
        assert presses.count_presses(journal, 9) == 1
        assert refused(journal, 2) == "read_only"
        assert presses.count_presses(journal, 9) == 1
