"""``make power-cuts``: simulate a power cut at every write, thousands of times.

Evenings are played on disks that log each write, on the virtual Pi and on this machine; disk images
are rebuilt as a cut would have left them, and checked. QUICK=1: hundreds instead of thousands. The
last line counts crash points, started tables and controls.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.longrun.power_cuts import at_desk, double_fault, logged_disk, on_pi
from tests.longrun.power_cuts.evidence import Recording, counted
from tests.longrun.power_cuts.expected import Truth, truth_of
from tests.longrun.power_cuts.points import choose
from tests.longrun.power_cuts.start import started
from tests.longrun.power_cuts.survey import Looked, Story, memory, story_of, survey
from tests.longrun.power_cuts.weak_store import WAYS
from tests.longrun.virtual_pi import recipe
from tests.longrun.virtual_pi.guest import GuestError


class Size(NamedTuple):
    """How much is done."""

    presses: int  # of an evening on this machine
    presses_on_pi: int
    points: int  # of all evenings with the real store
    starts: int
    presses_of_controls: int
    points_of_controls: int
    cuts: int  # that are followed by another cut
    points_after: int  # of each of them
    points_when_full: int


WHOLE = Size(600, 300, 5200, 100, 60, 200, 16, 20, 100)
QUICK = Size(80, 30, 320, 8, 25, 60, 2, 10, 20)
CALM = (10, 70)  # presses before a disk is full: the log still grows, or is reused


class Evening(NamedTuple):
    """One evening with the unmodified store."""

    where: str
    story: Story
    truth: Truth


class Sums:
    """Counts of passed and failed checks; prints failures up to a limit."""

    MOST = 10

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def add(self, what: str, wrong: Iterable[str]) -> None:
        """Count one check per element of ``wrong``, a sentence or "" if it passed."""
        sentences = list(wrong)
        bad = [sentence for sentence in sentences if sentence]
        self.passed += len(sentences) - len(bad)
        self.failed += len(bad)
        for sentence in bad[: self.MOST]:
            print(f"  WRONG, {what}: {sentence}")

    def claim(self, sentence: str, *, holds: bool) -> None:
        """Count one check."""
        self.add("", ["" if holds else sentence])


def main() -> int:
    """Return 0 if nothing shown was lost and every control lost something."""
    size = QUICK if os.environ.get("QUICK") else WHOLE
    reason = logged_disk.why_not()
    if reason:
        print(f"no disk can be logged here: {reason}")
        print("0 passed, 1 failed")
        return 1
    sums = Sums()
    with TemporaryDirectory(prefix="power-cuts-", dir=memory()) as name:
        _all(Path(name), size, sums)
    print(f"{sums.passed} passed, {sums.failed} failed")
    return int(sums.failed > 0)


def _all(work: Path, size: Size, sums: Sums) -> None:
    base = work / "base.img"
    logged_disk.make_image(base)
    evenings = [*_on_pi(work / "pi", size, sums)]
    evenings.append(_told("this machine", at_desk.record(base, work / "desk", size.presses)))
    share = size.points // len(evenings)
    for evening in evenings:
        _look_at(evening, share, sums)
        _start_at(evening, size.starts // len(evenings), sums)
    for how in (*WAYS, at_desk.NO_FLUSH):
        weak = at_desk.record(base, work / how.replace(" ", "-"), size.presses_of_controls, how)
        _control(f"this machine, {how}", weak, size, sums)
    _twice(evenings[-1], base, work, size, sums)


def _on_pi(work: Path, size: Size, sums: Sums) -> list[Evening]:
    """The evening on the virtual Pi, and its control; empty if it cannot run."""
    reason = _why_no_pi()
    if reason:
        print(f"the virtual Pi is left out: {reason}")
        return []
    pi = on_pi.PiWithDisks(recipe.parts(), work, 2)
    try:
        with pi as box:
            careful = on_pi.record(pi, box, 0, work / "careful", size.presses_on_pi)
            presses = size.presses_of_controls
            weak = on_pi.record(pi, box, 1, work / "normal", presses, "normal")
    except GuestError as error:
        # Recordings made on this machine are still checked.
        sums.add("virtual Pi", [str(error)])
        return []
    _control("virtual Pi, normal", weak, size, sums)
    return [_told("virtual Pi", careful)]


def _why_no_pi() -> str:
    """Why no virtual Pi can be started, or ""; a quick run builds no kernel."""
    lacking = recipe.lacking()
    if lacking:
        return f"not installed: {', '.join(lacking)}"
    kernels = [*recipe.cache().glob("kernel-*")]
    quick = bool(os.environ.get("QUICK"))
    return "its kernel is not built yet (make virtual-pi)" if quick and not kernels else ""


def _told(where: str, recording: Recording) -> Evening:
    story, truth = story_of(recording), truth_of(recording)
    flushes = sum(entry.flushes for entry in story.entries)
    print(
        f"{where}: {recording.presses} presses, {len(truth.content.rows)} rows, "
        f"{len(story.entries)} entries in the log ({flushes} flushes); "
        f"shown: {counted(recording.shown)}"
    )
    return Evening(where, story, truth)


def _look_at(evening: Evening, most: int, sums: Sums) -> None:
    points = choose(evening.story.moments, most)
    began = time.monotonic()
    found = survey(evening.story.recording, evening.truth, points)
    took = (time.monotonic() - began) / len(points)
    kinds = Counter(str(point.rest) for point in points)
    spare = sum(each.spare for each in found)
    print(
        f"{evening.where}: {len(points)} crash points ({_words(kinds)}), {took * 1000:.0f} ms each"
    )
    print(f"  {_lost(found)} lost what had been shown, {_wrong(found)} are wrong in any way")
    print(f"  {spare} wanted the spare superblock")
    sums.add("crash point", _sentences(found))


def _start_at(evening: Evening, most: int, sums: Sums) -> None:
    points = choose(evening.story.moments, most)
    found = started(evening.story.recording, evening.truth, points)
    wrong = [each.wrong for each in found]
    print(
        f"{evening.where}: {len(found)} tables started on such disks, {sum(map(bool, wrong))} wrong"
    )
    sums.add("table started", wrong)


def _control(name: str, recording: Recording, size: Size, sums: Sums) -> None:
    """A weakened table must lose something; otherwise the checks detect nothing."""
    story, truth = story_of(recording), truth_of(recording)
    found = survey(recording, truth, choose(story.moments, size.points_of_controls))
    print(f"control ({name}): {_lost(found)} of {len(found)} crash points lost what had been shown")
    sums.claim(f"the control ({name}) lost nothing", holds=_lost(found) > 0)


def _twice(evening: Evening, base: Path, work: Path, size: Size, sums: Sums) -> None:
    looked: Counter[str] = Counter()
    for number, calm in enumerate(CALM):
        folder = work / f"full-{number}"
        for found in double_fault.on_full_disk(base, folder, calm, size.points_when_full):
            _count_twice(found, looked, sums)
    _, story, truth = evening
    for found in double_fault.after_cuts(
        story, truth, work / "twice", size.cuts, size.points_after
    ):
        _count_twice(found, looked, sums)
    for what, count in looked.items():
        print(f"two faults, {what}: {count} crash points")
    print(f"two faults: {looked.total()} crash points")


def _count_twice(found: double_fault.Twice, looked: Counter[str], sums: Sums) -> None:
    looked[found.what] += len(found.looked)
    sums.add(found.what, [found.wrong, *_sentences(found.looked)])


def _sentences(found: Sequence[Looked]) -> list[str]:
    return [
        each.verdict.wrong and f"{each.point}, {each.where}: {each.verdict.wrong}" for each in found
    ]


def _lost(found: Sequence[Looked]) -> int:
    return sum(each.verdict.rows < each.owed for each in found)


def _wrong(found: Sequence[Looked]) -> int:
    return sum(bool(each.verdict.wrong) for each in found)


def _words(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))


if __name__ == "__main__":
    sys.exit(main())
