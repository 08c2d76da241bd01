"""An old copy of the store restored during or between runs is never mixed in.

The table continues with a state that existed at one moment, and the panel shows the change if it
can be detected.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from scorer.demo.table_process import TableEnded
from scorer.store import file
from tests.sampling import sample
from tests.table.table_process import TableDriver, running_table, table_on

LOG = f"{file.FILE_NAME}-wal"
INDEX = f"{file.FILE_NAME}-shm"


def renamed(copy: Path, store: Path) -> None:
    """As a careful program restores: under another name first."""
    for name in (LOG, file.FILE_NAME):
        new = store / f"{name}.new"
        if (copy / name).exists():
            shutil.copy(copy / name, new)
            new.replace(store / name)


def file_renamed(copy: Path, store: Path) -> None:
    """The file alone; the log of the table stays."""
    shutil.copy(copy / file.FILE_NAME, store / "new")
    (store / "new").replace(store / file.FILE_NAME)


def overwritten(copy: Path, store: Path) -> None:
    """As cp does: the same files with other bytes in them."""
    for name in (file.FILE_NAME, LOG):
        if (copy / name).exists():
            (store / name).write_bytes((copy / name).read_bytes())


def file_overwritten(copy: Path, store: Path) -> None:
    """The file alone, byte by byte; the log of the table stays."""
    (store / file.FILE_NAME).write_bytes((copy / file.FILE_NAME).read_bytes())


WAYS = [renamed, file_renamed, overwritten, file_overwritten]
Way = Callable[[Path, Path], None]


def played(told: TableDriver, hands: int) -> list[Mapping[str, Any]]:
    """Hands that both win in turn; the states that were shown."""
    shown = [told.state]
    for at in range(hands):
        told.press("AB"[at % 2] + ".tantos")
        told.wait(6.8)
        shown.append(told.state)
    return shown


def a_copy(store: Path, copy: Path) -> None:
    shutil.copytree(store, copy, ignore=shutil.ignore_patterns(INDEX))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("way", sample(WAYS, 2))
def test_under_a_running_table_it_is_noticed_before_anything_is_written(
    tmp_path: Path, way: Way
) -> None:
    store, copy = tmp_path / "store", tmp_path / "copy"
    with running_table(table_on(store)) as told:
        old = played(told, 3)
    a_copy(store, copy)
    with running_table(table_on(store)) as told:
        new = played(told, 4)
        way(copy, store)
        os.utime(store / file.FILE_NAME, (1, 1))  # whatever time it brings along
        with pytest.raises(TableEnded):
            told.press("A.tantos")
        told.power_cut()
        assert told.state == old[-1], "the press is not in the copy"
        assert "cambiaron el archivo: sigue así" in told.text
        assert told.state not in new[1:]
        assert told.press("A.tantos") == "taken"
        shown = told.state
        told.power_cut()
        assert told.state == shown
        assert "cambiaron" not in told.text, "it is said once"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("way", "hands"),
    [
        *((way, 4) for way in sample(WAYS, 2, turn=1)),
        pytest.param(file_overwritten, 50, marks=pytest.mark.slow),
    ],
)
def test_between_two_starts_what_goes_on_was_shown_at_one_moment(
    tmp_path: Path, way: Way, hands: int
) -> None:
    store, copy = tmp_path / "store", tmp_path / "copy"
    with running_table(table_on(store)) as told:
        shown = played(told, 3)
        a_copy(store, copy)
        shown += played(told, hands)
        told.process.kill()
        way(copy, store)
        told.now += 1.0
        told.power_on()
        assert told.state in shown
        if told.state != shown[-1] and way in (file_renamed, file_overwritten):
            said = "daño: quedan" in told.text
            assert said or told.state == shown[3], "a mixture was not played on without a word"
        assert told.press("A.tantos") == "taken"


def test_a_folder_that_was_emptied_is_noticed_and_a_new_night_begins(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        played(told, 3)
        for each in tmp_path.iterdir():
            each.unlink()
        with pytest.raises(TableEnded):
            told.press("A.tantos")
        told.power_cut()
        assert told.score == {"A": 0, "B": 0}
        assert "cambiaron el archivo" in told.text
