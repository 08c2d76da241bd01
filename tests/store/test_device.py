"""Writes to a block device, and its content after a power cut at any commit.

Needs a loop device, and therefore root; otherwise every test is skipped with the reason.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.store.journal import Journal
from tests.store import presses

BUDGET = 12 * 1024  # bytes per press, mostly of the file system itself
SECTOR = 512


def _run(*arguments: str | Path) -> None:
    subprocess.run(arguments, check=True, capture_output=True, text=True)


@contextlib.contextmanager
def mounted(image: Path, folder: Path) -> Iterator[Path]:
    """Mount the card in ``image`` at ``folder``.

    Skip the test if that is not permitted.
    """
    folder.mkdir(exist_ok=True)
    try:
        _run("mount", "-o", "loop,noatime", image, folder)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no loop device may be mounted here: {error}")
    try:
        yield folder
    finally:
        _run("umount", folder)


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """An empty card: the file behind a loop device."""
    image = tmp_path / "card"
    with image.open("wb") as file:
        file.truncate(16 << 20)
    try:
        _run("mkfs.ext4", "-q", "-b", "4096", image)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no card can be made here: {error}")
    return image


def written(device: str) -> int:
    """Bytes written to a block device since it was created."""
    lines = (line.split() for line in Path("/proc/diskstats").read_text("ascii").splitlines())
    return next(int(words[9]) * SECTOR for words in lines if words[2] == device)


def device_of(folder: Path) -> str:
    """The name of the device mounted at ``folder``."""
    lines = (line.split() for line in Path("/proc/mounts").read_text("utf-8").splitlines())
    return next(Path(words[0]).name for words in lines if words[1] == str(folder))


def test_a_press_writes_no_more_than_its_budget(card: Path, tmp_path: Path) -> None:
    first, last = 120, 420  # the log is reused by then
    with mounted(card, tmp_path / "mnt") as folder, Journal.open(folder / "store") as journal:
        device = device_of(folder)
        for k in range(1, last + 1):
            if k == first:
                before = written(device)
            presses.append(journal, k)
        each = (written(device) - before) / (last - first + 1)
    print(f"{each:.0f} bytes a press reach the card; the budget is {BUDGET}")
    assert 0 < each <= BUDGET


def test_a_card_removed_after_any_commit_holds_that_commit(card: Path, tmp_path: Path) -> None:
    """The card is copied without a sync, like pulling the plug."""
    with mounted(card, tmp_path / "mnt") as folder, Journal.open(folder / "store") as journal:
        for k in range(1, 13):
            presses.append(journal, k)
            shutil.copyfile(card, tmp_path / f"pulled {k}")
    for k in range(1, 13):
        with (
            mounted(tmp_path / f"pulled {k}", tmp_path / "again") as folder,
            Journal.open(folder / "store") as journal,
        ):
            assert presses.count_presses(journal, k) == k
