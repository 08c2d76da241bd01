"""A copy of a store: one state of it, verified, and complete or not there."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scorer.store import file, health
from scorer.store.backup import copy_store
from scorer.store.errors import StoreError
from scorer.store.journal import Journal
from tests.paths import ROOT
from tests.store import machines, presses

COUNT = 60
# Runs a command in a namespace in which the folder that is the first argument cannot be written.
READ_ONLY = (
    *("unshare", "--mount", "sh", "-ec"),
    'mount --bind "$0" "$0"; mount -o remount,ro,bind "$0"; exec "$@"',
)


def size_of(copy: Path) -> int:
    return copy.stat().st_size


def presses_in(copy: Path, folder: Path, most: int = COUNT) -> int:
    """The number of presses in a copy, read by a table on a folder of its own."""
    folder.mkdir()
    shutil.copy(copy, folder / file.FILE_NAME)
    with Journal.open(folder) as journal:
        return presses.count_presses(journal, most)


def filled(folder: Path, count: int = COUNT) -> Journal:
    """An open store with presses in its file and in its log."""
    journal = Journal.open(folder)
    for k in range(1, count + 1):
        presses.append(journal, k)
    return journal


def test_a_copy_beside_a_running_table_has_every_press(tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    with filled(tmp_path / "store") as journal:
        assert copy_store(tmp_path / "store", target, size_of) == target.stat().st_size
        assert presses_in(target, tmp_path / "read") == COUNT
        assert len(presses.append(journal, COUNT + 1)) == presses.row_count(
            COUNT + 1
        ) - presses.row_count(COUNT), "the table goes on in the same store"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite3", "read", "store"]


@pytest.mark.sampled(0)
def test_copies_during_presses_are_each_one_moment_of_the_evening(tmp_path: Path) -> None:
    arguments = machines.command(tmp_path / "store", 4000, 6)
    with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        counts = []
        for at in range(4):
            said = [table.stdout.readline() for _ in range(20)]
            acknowledged = machines.parse_output("".join(said)).last
            copy_store(tmp_path / "store", tmp_path / f"{at}.sqlite3", size_of)
            counts.append(
                (acknowledged, presses_in(tmp_path / f"{at}.sqlite3", tmp_path / f"{at}", 4000))
            )
        table.kill()
    assert all(acknowledged <= copied for acknowledged, copied in counts), counts
    assert counts == sorted(counts)


def test_the_folder_of_the_store_may_be_read_only(tmp_path: Path) -> None:
    """As in the sandbox of the service; a table holds the log open."""
    with filled(tmp_path / "store"):
        store, target = str(tmp_path / "store"), str(tmp_path / "copy.sqlite3")
        command = [*READ_ONLY, store, sys.executable, "-m", "scorer", "backup", target]
        done = subprocess.run(
            [*command, "--store", store], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if "unshare:" in done.stderr or "mount:" in done.stderr:
            pytest.skip(f"needs root: {done.stderr.strip()}")
        health.check_file(tmp_path / "copy.sqlite3", file.connect_immutable)


def test_a_copy_that_its_reader_refuses_is_not_kept(tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    target.write_text("an older one")

    def refuse(copy: Path) -> None:
        raise ValueError(copy.name)

    with filled(tmp_path / "store"), pytest.raises(ValueError):
        copy_store(tmp_path / "store", target, refuse)
    assert target.read_text() == "an older one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite3", "store"]


def test_a_damaged_store_is_not_copied_and_is_named(tmp_path: Path) -> None:
    filled(tmp_path / "store").close()
    store = tmp_path / "store" / file.FILE_NAME
    content = bytearray(store.read_bytes())
    content[content.rindex(b"A say_")] ^= 1
    store.write_bytes(content)
    with pytest.raises(StoreError) as error:
        copy_store(tmp_path / "store", tmp_path / "copy.sqlite3", size_of)
    assert error.value.kind == "damaged"
    assert str(store) in str(error.value)
    assert not (tmp_path / "copy.sqlite3").exists()


def test_a_disk_that_takes_only_half_of_it_gets_no_copy(tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    with filled(tmp_path / "store", 200):
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8 * file.PAGE, before[1]))
        try:
            with pytest.raises(StoreError):
                copy_store(tmp_path / "store", target, size_of)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_makes_a_copy_for_the_owner_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    os.chown(folder, 4711, 4712)
    with filled(tmp_path / "store"):
        copy_store(tmp_path / "store", folder / "copy.sqlite3", size_of)
    owner = (folder / "copy.sqlite3").stat()
    assert (owner.st_uid, owner.st_gid) == (4711, 4712)
