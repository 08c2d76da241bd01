"""An evening at a table process on this machine, with its store on a logged disk.

The table is the real one, on simulated pins and panels in simulated time.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.longrun.power_cuts.crash_image import copy_image
from tests.longrun.power_cuts.evidence import Recording, Watcher
from tests.longrun.power_cuts.logged_disk import LoggedDisk
from tests.longrun.power_cuts.player import Player
from tests.longrun.power_cuts.weak_store import WAYS
from tests.table.table_process import Startable, TableDriver, running_table, table_on

APART = 4.2  # seconds; longer than any guard
NO_FLUSH = "no flush"  # a weak disk: flush requests are acknowledged and ignored


class Weakened:
    """A table whose store is weakened, for the control."""

    def __init__(self, store: Path, how: str) -> None:
        self._table, self._how = table_on(store), how

    def command(self, at: float, stuck: Sequence[str] = ()) -> list[str]:
        usual = self._table.command(at, stuck)
        start = usual.index("run")
        return [
            sys.executable,
            "-m",
            "tests.longrun.power_cuts.weak_store",
            self._how,
            *usual[start:],
        ]


class Evening:
    """An evening under observation: presses, shown states, and lengths of the log."""

    def __init__(self, playing: TableDriver, disk: LoggedDisk, seed: int) -> None:
        self._night, self._disk, self._player = playing, disk, Player(seed)
        self.watcher, self.presses = Watcher(), 0
        self.look()

    @property
    def seq(self) -> int:
        """The newest row of the journal."""
        return self._night.report.seq

    def look(self) -> None:
        """Record what is shown now."""
        report, length = self._night.report, self._disk.length()
        if not report.state:
            # The store has failed: the panel shows that instead of a score.
            return
        pictures = tuple(self._night.picture(name) for name in sorted(self._night.panels))
        self.watcher.document(report.state, length)
        self.watcher.pictures([(pictures, length)], report.seq)

    def play(self, presses: int) -> None:
        """Make ``presses`` more presses."""
        until = self.presses + presses
        while self.presses < until:
            buttons = self._player.next(self._night.state)
            self._night.press(*buttons, apart_s=0.35, duration_s=APART)
            self.presses += len(buttons)
            self.look()


def record(image: Path, work: Path, presses: int, weak: str = "") -> Recording:
    """An evening of ``presses`` presses on the disk of ``image``, ended by a cut.

    ``weak``: how the store or its disk is weakened, for the control.
    """

    def play(evening: Evening, disk: LoggedDisk) -> None:
        evening.play(presses)

    return recorded(image, work, play, weak=weak)


def recorded(
    image: Path,
    work: Path,
    play: Callable[[Evening, LoggedDisk], object],
    *,
    weak: str = "",
    seed: int = 1,
) -> Recording:
    """The recording of ``play`` at a table on the disk of ``image``, ended by a cut."""
    work.mkdir(parents=True)
    live = work / "live.img"
    copy_image(image, live)
    options = "barrier=0" if weak == NO_FLUSH else "noatime"
    with LoggedDisk(live, work, options) as disk:
        started: Startable = table_on(disk.folder)
        if weak in WAYS:
            started = Weakened(disk.folder, weak)
        with running_table(started) as playing:
            evening = Evening(playing, disk, seed)
            up = disk.length()
            play(evening, disk)
            # Later writes do not belong to this evening.
            length = disk.length()
            playing.process.kill()
            keep_store(disk.folder, work / "store")
    watcher = evening.watcher
    return Recording(
        base=image,
        log=disk.log,
        up=up,
        length=length,
        shown=tuple(watcher.shown),
        documents=watcher.documents,
        presses=evening.presses,
        store=work / "store",
    )


def keep_store(folder: Path, target: Path) -> None:
    """Copy the store as the table sees it, flushed or not."""
    target.mkdir()
    for file in folder.glob("scorer.sqlite3*"):
        shutil.copy(file, target)
