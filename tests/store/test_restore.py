"""Restoring: the file is verified, the old store stays, and a cut loses neither."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scorer.store import file, header, restore
from scorer.store.backup import copy_store
from scorer.store.errors import StoreError
from scorer.store.journal import Journal
from scorer.store.restore import restore_store
from tests.store import machines, presses

DAY = "2026-05-01"
OLD, NEW = 12, 40  # presses of the store that is there, and of the copy


def accept(copy: Path) -> str:
    return copy.name


def a_copy(folder: Path, count: int = NEW) -> Path:
    """A copy of a store that had ``count`` presses."""
    target = folder / "copy.sqlite3"
    with Journal.open(folder / "elsewhere") as journal:
        for k in range(1, count + 1):
            presses.append(journal, k)
        copy_store(folder / "elsewhere", target, accept)
    return target


def used(folder: Path) -> Path:
    """A store of ``OLD`` presses, some only in its log: its table was killed."""
    machines.run(machines.command(folder, OLD))
    assert file.wal_path(folder / file.FILE_NAME).stat().st_size
    return folder


def count_in(folder: Path) -> int:
    with Journal.open(folder) as journal:
        return presses.count_presses(journal, 200)


def test_a_copy_takes_the_place_of_the_store_which_stays(tmp_path: Path) -> None:
    copy, store = a_copy(tmp_path), used(tmp_path / "store")
    before = copy.read_bytes()
    found, aside = restore_store(copy, store, DAY, accept)
    assert found == file.FILE_NAME
    assert aside == store / "replaced-2026-05-01-1.sqlite3"
    assert count_in(store) == NEW
    assert copy.read_bytes() == before
    with Journal.open(store) as journal:
        presses.append(journal, NEW + 1)
    assert count_in(store) == NEW + 1


def test_the_old_store_can_be_restored_with_what_was_in_its_log(tmp_path: Path) -> None:
    copy, store = a_copy(tmp_path), used(tmp_path / "store")
    _, aside = restore_store(copy, store, DAY, accept)
    assert aside is not None
    _, newer = restore_store(aside, store, DAY, accept)
    assert newer == store / "replaced-2026-05-01-2.sqlite3"
    assert count_in(store) == OLD


def test_a_box_without_games_gets_those_of_the_copy(tmp_path: Path) -> None:
    copy = a_copy(tmp_path)
    assert restore_store(copy, tmp_path / "new" / "store", DAY, accept) == (file.FILE_NAME, None)
    assert count_in(tmp_path / "new" / "store") == NEW


def damage(copy: Path) -> None:
    content = bytearray(copy.read_bytes())
    content[content.rindex(b"A say_")] ^= 1
    copy.write_bytes(content)


def cut_off(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[: 5 * file.PAGE])


def from_the_future(copy: Path) -> None:
    content = bytearray(copy.read_bytes())
    version = (max(header.VERSIONS) + 1).to_bytes(4, "big")
    content[header.VERSION_AT : header.VERSION_AT + 4] = version
    # Another version has other tables.
    copy.write_bytes(bytes(content).replace(b"CREATE TABLE journal", b"CREATE TABLE journey"))


def foreign(copy: Path) -> None:
    copy.write_bytes(b"\x89PNG" * 2000)


def empty(copy: Path) -> None:
    copy.write_bytes(b"")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (damage, "damaged"),
        (cut_off, "damaged"),
        (from_the_future, "future"),
        (foreign, "not_a_store"),
        (empty, "not_a_store"),
    ],
)
def test_a_wrong_file_changes_nothing(
    tmp_path: Path, spoil: Callable[[Path], None], kind: str
) -> None:
    copy, store = a_copy(tmp_path), used(tmp_path / "store")
    spoil(copy)
    with pytest.raises(StoreError) as error:
        restore_store(copy, store, DAY, accept)
    assert error.value.kind == kind
    assert count_in(store) == OLD
    assert not list(store.glob("re*-*.sqlite3"))


def test_a_copy_that_its_reader_refuses_changes_nothing(tmp_path: Path) -> None:
    copy, store = a_copy(tmp_path), used(tmp_path / "store")

    def refuse(copy: Path) -> None:
        raise LookupError(copy.name)

    with pytest.raises(LookupError):
        restore_store(copy, store, DAY, refuse)
    assert count_in(store) == OLD


def test_a_store_in_use_is_refused(tmp_path: Path) -> None:
    copy = a_copy(tmp_path)
    with Journal.open(tmp_path / "store") as journal:
        presses.append(journal, 1)
        with pytest.raises(StoreError) as error:
            restore_store(copy, tmp_path / "store", DAY, accept)
        assert error.value.kind == "busy"
        presses.append(journal, 2)
    assert count_in(tmp_path / "store") == 2


def test_the_store_of_another_running_table_is_no_copy(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "other") as journal:
        presses.append(journal, 1)
        with pytest.raises(StoreError) as error:
            restore_store(tmp_path / "other" / file.FILE_NAME, tmp_path / "store", DAY, accept)
    assert error.value.kind == "busy"


def test_a_table_that_starts_meanwhile_waits(tmp_path: Path) -> None:
    copy, store = a_copy(tmp_path), used(tmp_path / "store")

    def start(copy: Path) -> str:
        with pytest.raises(StoreError) as error:
            Journal.open(store)
        return error.value.kind

    assert restore_store(copy, store, DAY, start)[0] == "busy"
    assert count_in(store) == NEW


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_restores_for_the_owner_of_the_folder(tmp_path: Path) -> None:
    copy, store = a_copy(tmp_path), used(tmp_path / "store")
    os.chown(store, 4711, 4712)
    restore_store(copy, store, DAY, accept)
    owner = (store / file.FILE_NAME).stat()
    assert (owner.st_uid, owner.st_gid, owner.st_mode & 0o777) == (4711, 4712, 0o600)


class Plug(Exception):
    """The power goes."""


STEPS = 7  # renames and syncs of folders


@pytest.mark.sampled(3)
@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_a_cut_at_any_step_loses_neither_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """The next table finds one of both, whole, and the other is beside it."""
    copy, store = a_copy(tmp_path), used(tmp_path / "store")
    steps = 0

    def rename(path: Path, target: Path) -> Path:
        count_down()
        path.replace(target)
        return target

    def sync_folder(folder: Path) -> None:
        count_down()

    def count_down() -> None:
        nonlocal steps
        steps += 1
        if steps == step:
            raise Plug

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", rename)
        patch.setattr(file, "sync_folder", sync_folder)
        with pytest.raises(Plug):
            restore_store(copy, store, DAY, accept)
    # Before the copy has its waiting name the old store is used, afterwards the copy.
    assert count_in(store) == (OLD if step == 1 else NEW)
    if step > 1:
        aside = store / "replaced-2026-05-01-1.sqlite3"
        restore_store(aside, store, DAY, accept)
        assert count_in(store) == OLD
    restore_store(copy, store, DAY, accept)
    assert count_in(store) == NEW
    assert not (store / restore._WORK).exists()
