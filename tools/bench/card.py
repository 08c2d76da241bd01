"""Bytes that a press writes to the block device of a card."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from scorer.store.journal import Journal, Stamp
from tools.bench import Measurement, Result, Skipped

WHAT = "bytes to the card for a press"
PRESSES, WARM_UP = 300, 120  # after the warm-up the write-ahead log is reused
SIZE, SECTOR, BUDGET = 16 << 20, 512, 12 * 1024  # bytes
STAMP = Stamp("bench", 1000, "2026-01-01T21:00:00+00:00", trusted=True)


def measure(quick: bool) -> Iterator[Result]:
    """One row; the reference appends the same line to a file, with one fsync."""
    try:
        with mounted_card() as folder:
            yield _row(folder)
    except (OSError, subprocess.CalledProcessError) as error:
        error_text = getattr(error, "stderr", "") or str(error)
        yield Skipped(WHAT, f"no loop device may be mounted here ({error_text.strip()})")


def _row(folder: Path) -> Measurement:
    with Journal.open(folder / "store") as journal, (folder / "plain").open("a") as plain:
        journal.append(game=1, lines=[], source="menu", stamp=STAMP, opens='[Variant "argentine"]')

        def press() -> None:
            journal.append(game=1, lines=["A truco"], source="A", stamp=STAMP)

        def write() -> None:
            plain.write("A truco\n")
            plain.flush()
            os.fsync(plain.fileno())

        ours, reference = _each(folder, press), _each(folder, write)
    return Measurement(WHAT, ours, reference, "bytes", "a line and an fsync", BUDGET, counted=True)


def _each(folder: Path, act: Callable[[], None]) -> float:
    device = _device_of(folder)
    for _ in range(WARM_UP):
        act()
    before = _written(device)
    for _ in range(PRESSES):
        act()
    return (_written(device) - before) / PRESSES


@contextmanager
def mounted_card() -> Iterator[Path]:
    """An empty file system on a loop device. Raises OSError or CalledProcessError."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        image, folder = Path(name) / "card", Path(name) / "mnt"
        with image.open("wb") as file:
            file.truncate(SIZE)
        folder.mkdir()
        _run("mkfs.ext4", "-q", "-b", "4096", image)
        _run("mount", "-o", "loop,noatime", image, folder)
        stack.callback(_run, "umount", folder)
        yield folder


def _run(*arguments: str | Path) -> None:
    subprocess.run(arguments, check=True, capture_output=True, text=True)


def _device_of(folder: Path) -> str:
    lines = (line.split() for line in Path("/proc/mounts").read_text("utf-8").splitlines())
    return next(Path(words[0]).name for words in lines if words[1] == str(folder))


def _written(device: str) -> int:
    """Bytes written to a block device since it was created."""
    lines = (line.split() for line in Path("/proc/diskstats").read_text("ascii").splitlines())
    return next(int(words[9]) * SECTOR for words in lines if words[2] == device)
