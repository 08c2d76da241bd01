"""Two faults in a row: a cut during the recovery from another cut, or a full disk.

The disk that a first cut has left is mounted as it is, so that the kernel repairs it, and a table
is started on it; all of that is logged again and cut again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from scorer.store.file import FILE_NAME
from tests.longrun.power_cuts.at_desk import Evening, recorded
from tests.longrun.power_cuts.checkpoints import blocks_of, checkpoints
from tests.longrun.power_cuts.crash_image import Disk, Point, Rest
from tests.longrun.power_cuts.evidence import Recording, Shown
from tests.longrun.power_cuts.expected import Truth, truth_of
from tests.longrun.power_cuts.logged_disk import LoggedDisk
from tests.longrun.power_cuts.points import choose
from tests.longrun.power_cuts.survey import Looked, Story, story_of, survey

AFTER = 40  # presses after a first cut: more than one checkpoint
FULL, ROOM = 500, 40  # presses at most until a full disk takes no more, and after that
STILL = 15  # presses in a row of which nothing is stored: the disk is full


class Twice(NamedTuple):
    """Crash points that follow another fault."""

    what: str
    looked: tuple[Looked, ...]
    wrong: str = ""  # what was already wrong before the second cut


def after_cuts(story: Story, truth: Truth, work: Path, cuts: int, each: int) -> Iterator[Twice]:
    """Cuts during and near checkpoints, each followed by a start that is cut too."""
    work.mkdir()
    for number, first in enumerate(_first_points(story, cuts, work)):
        yield _again(story, truth, first, work / f"again-{number}", each)


def on_full_disk(image: Path, work: Path, calm: int, points: int) -> Iterator[Twice]:
    """Cut a disk that fills up after ``calm`` presses, stays full, and is freed again.

    Then cut the first start on the full disk.
    """
    marks: list[int] = []
    rows: list[int] = []  # the newest row after each press while it was full

    def play(evening: Evening, disk: LoggedDisk) -> None:
        evening.play(calm)
        marks.append(disk.length())
        disk.fill()
        while len(rows) < FULL and not _stands_still(rows):
            evening.play(1)
            rows.append(evening.seq)
        marks.append(disk.length())
        disk.free()
        evening.play(ROOM)

    story = story_of(recorded(image, work / "full", play, seed=calm))
    truth = truth_of(story.recording)
    filled, freed = (_moment(story, mark) for mark in marks)
    among = range(filled, len(story.moments))
    found = survey(story.recording, truth, choose(story.moments, points, among))
    wrong = "" if _stands_still(rows) else f"the disk was never full in {len(rows)} presses"
    yield Twice("a full disk and a cut", tuple(found), wrong)
    still_full = Point((filled + freed) // 2, Rest.NONE)
    yield _again(story, truth, still_full, work / "full-again", points // 4, "a full disk")


def _stands_still(rows: Sequence[int]) -> bool:
    return len(rows) > STILL and rows[-STILL - 1] == rows[-1]


def _first_points(story: Story, cuts: int, work: Path) -> Sequence[Point]:
    """Half of them inside checkpoints, half anywhere after the table was up."""
    whole = work / "whole.img"
    disk = Disk(story.recording.base, story.recording.log, story.entries, work / "lasting.img")
    disk.cut(Point(len(story.entries), Rest.ALL), whole)
    disk.close()
    up = _moment(story, story.recording.up)
    runs = checkpoints(story.entries, blocks_of(whole, FILE_NAME))
    inside = [at for run in runs for at in run if at > up]
    chance = Random(cuts)
    anywhere = range(up + 1, len(story.moments))
    ats = [chance.choice(inside) for _ in range(cuts // 2)] if inside else []
    ats += [chance.choice(anywhere) for _ in range(cuts - len(ats))]
    return [Point(at, chance.choice(list(Rest)), seed) for seed, at in enumerate(ats)]


def _again(
    story: Story, truth: Truth, first: Point, work: Path, most: int, what: str = "a cut"
) -> Twice:
    """Start a table on the disk of one cut, and cut it once more."""
    work.mkdir(parents=True)
    disk = Disk(story.recording.base, story.recording.log, story.entries, work / "lasting.img")
    disk.cut(first, work / "cut.img")
    disk.close()
    owed = story.owed(first).seq
    recording = recorded(work / "cut.img", work / "evening", _play_on, seed=first.at)
    recording = recording._replace(shown=(Shown(0, owed, "before"), *recording.shown))
    later, again = story_of(recording), truth_of(recording)
    wrong = _continues(truth, recording, again)
    starting = range(_moment(later, recording.up) + 1)
    points = {*choose(later.moments, most * 2 // 3, starting)}
    points |= {*choose(later.moments, most - len(points))}
    found = survey(recording, again, sorted(points))
    return Twice(f"{what}, then a cut of the next start", tuple(found), wrong)


def _play_on(evening: Evening, disk: LoggedDisk) -> None:
    evening.play(AFTER)


def _continues(truth: Truth, recording: Recording, again: Truth) -> str:
    """Why the evening after the cut does not continue the one before it, or ""."""
    count = min(recording.documents, default=0)
    owed = recording.shown[0].seq
    if count < owed:
        return f"row {owed} had been shown, and the table starts at row {count}"
    return truth.odd_rows(again.content.rows[:count])


def _moment(story: Story, length: int) -> int:
    """The number of entries the log had at this length."""
    return sum(entry.end <= length for entry in story.entries)
