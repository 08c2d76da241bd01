"""Checks thousands of crash points of one recording in parallel processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

from tests.longrun.power_cuts.crash_image import Disk, Point
from tests.longrun.power_cuts.evidence import Recording, Shown
from tests.longrun.power_cuts.expected import Truth
from tests.longrun.power_cuts.points import Moment, moments_of
from tests.longrun.power_cuts.verdict import DiskError, Verdict, judge, take_files
from tests.longrun.power_cuts.writes import Entry, read

MEMORY = Path("/dev/shm")
CHUNK = 40  # points per task of a process

One = TypeVar("One")
Other = TypeVar("Other")


class Looked(NamedTuple):
    """One crash point and its verdict."""

    point: Point
    owed: int
    verdict: Verdict
    where: str = ""  # where the newest row had been shown
    spare: bool = False  # ext4 needed its spare superblock


class Story(NamedTuple):
    """A recording with its parsed log."""

    recording: Recording
    entries: tuple[Entry, ...]
    moments: tuple[Moment, ...]

    def owed(self, point: Point) -> Shown:
        """The newest row that must be stored when the power is cut at ``point``."""
        latest = self.moments[point.at].latest
        return self.recording.newest(self.entries[latest - 1].end if latest else 0)


def story_of(recording: Recording) -> Story:
    """Parse the part of a recording's log that counts."""
    entries = tuple(each for each in read(recording.log) if each.end <= recording.length)
    return Story(recording, entries, moments_of(entries))


def survey(recording: Recording, truth: Truth, points: Sequence[Point]) -> list[Looked]:
    """The verdict on each of ``points``, which are in the order of the log."""
    return side_by_side(partial(_look, recording, truth), points)


def folders(recording: Recording, points: Sequence[Point]) -> Iterator[tuple[Point, Path, bool]]:
    """The store's folder at each of ``points``, valid until the next one.

    With it whether the file system could be repaired from its first superblock. Raises DiskError.
    """
    with TemporaryDirectory(prefix="power-cut-", dir=memory()) as name:
        work = Path(name)
        entries = story_of(recording).entries
        disk = Disk(recording.base, recording.log, entries, work / "lasting.img")
        try:
            for point in points:
                disk.cut(point, work / "cut.img")
                usual = take_files(work / "cut.img", work / "store")
                yield point, work / "store", usual
        finally:
            disk.close()


def side_by_side(
    task: Callable[[Sequence[One]], list[Other]], of: Sequence[One], chunk: int = CHUNK
) -> list[Other]:
    """Map ``task`` over chunks of ``of`` in parallel processes, keeping the order."""
    pieces = [of[at : at + chunk] for at in range(0, len(of), chunk)]
    with get_context("spawn").Pool(workers()) as pool:
        return [each for found in pool.imap(task, pieces) for each in found]


def workers() -> int:
    """The number of processes: WORKERS of the environment, else one per core."""
    return int(os.environ.get("WORKERS") or os.cpu_count() or 1)


def memory() -> Path | None:
    """A folder in memory, if there is one: thousands of images are written."""
    return MEMORY if MEMORY.is_dir() else None


def _look(recording: Recording, truth: Truth, points: Sequence[Point]) -> list[Looked]:
    story = story_of(recording)
    looked = []
    try:
        for point, folder, usual in folders(recording, points):
            owed = story.owed(point)
            verdict = judge(folder, truth, owed.seq)
            looked.append(Looked(point, owed.seq, verdict, owed.where, not usual))
    except DiskError as error:
        point = points[len(looked)]
        looked.append(Looked(point, story.owed(point).seq, Verdict(-1, str(error))))
        looked += _look(recording, truth, points[len(looked) :])
    return looked
