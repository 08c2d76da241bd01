"""An evening at a table of this machine, with its store on a logged disk.

The table is the real one in a process of its own, over simulated pins and panels; time is
simulated, so that a long evening is a short test. It knows the desk protocol and the disk.
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

APART = 4.2  # seconds: longer than any guard is deaf
NO_FLUSH = "no flush"  # a weak disk: whoever asks it for a flush is told that it was done


class Weakened:
    """A table whose store is less careful, for the control."""

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
    """A night that is watched: each press, what was shown after it, and how long the log was."""

    def __init__(self, playing: TableDriver, disk: LoggedDisk, seed: int) -> None:
        self._night, self._disk, self._player = playing, disk, Player(seed)
        self.watcher, self.presses = Watcher(), 0
        self.look()

    @property
    def seq(self) -> int:
        """The newest row of the journal."""
        return self._night.report.seq

    def look(self) -> None:
        """Takes down what is shown now."""
        report, length = self._night.report, self._disk.length()
        if not report.state:
            # The store is in trouble: the panel says so, and no score is shown.
            return
        pictures = tuple(self._night.picture(name) for name in sorted(self._night.panels))
        self.watcher.document(report.state, length)
        self.watcher.pictures([(pictures, length)], report.seq)

    def play(self, presses: int) -> None:
        """So many presses more."""
        until = self.presses + presses
        while self.presses < until:
            buttons = self._player.next(self._night.state)
            self._night.press(*buttons, apart_s=0.35, duration_s=APART)
            self.presses += len(buttons)
            self.look()


def record(image: Path, work: Path, presses: int, weak: str = "") -> Recording:
    """An evening of so many presses on the disk of ``image``, ended by the plug.

    ``weak``: how the store or its disk is less careful than it should be, for the control.
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
    """What ``play`` does at a table whose store is on the disk of ``image``, ended by the plug."""
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
            # Nothing that is written later belongs to this evening.
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
    """Copies what a table sees of its store, whether it would outlive a cut or not."""
    target.mkdir()
    for file in folder.glob("scorer.sqlite3*"):
        shutil.copy(file, target)
