"""An in-process table for random play: the real table and journal on fake devices.

Every device fails on demand. It makes no assertions.
"""

from __future__ import annotations

import math
import shutil
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.display import render, shifted
from scorer.hw.displays.fake_bus import Fault
from scorer.session.values.state import Verdict
from scorer.session.view.view import View
from scorer.store.journal import Journal, Stamp
from scorer.store.salvage import SalvageResult
from scorer.table.hooks import TableHooks
from scorer.table.loop_commands import LoopCommand
from scorer.table.selftest import LAMP_TEST_S
from scorer.table.simulated_table import SimulatedTable, TableChoices
from scorer.table.table import Table
from tests.longrun.random_play.failing_disk import Disk
from tests.longrun.random_play.game_kinds import Kind
from tests.support.memory_hardware import MemoryHardware

if TYPE_CHECKING:
    from PIL import Image

START = 100.0  # seconds of the simulated clock
MOST_TURNS = 40_000  # loop iterations in one stretch of time; more means that the table spins
# Seconds after which a chip that silently lost its memory has surely been initialised again.
NOTICED = 70.0


class DiskStore:
    """A store on a disk that fails on demand; it can always be opened."""

    salvaged: SalvageResult | None = None
    store_replaced = False

    def __init__(self, folder: Path, disk: Disk) -> None:
        self.journal = Journal.open(folder, connector=disk.connect)

    def retry_open(self) -> bool:
        return True


class Heard:
    """A client of the socket: the newest state, and the newest reply."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}
        self.seq = -1
        self.answer: dict[str, Any] = {}

    def set_epoch(self, epoch: dict[str, Any] | None) -> None:
        """No-op: a storm reads one store."""

    def set_wishes(self, wishes: Sequence[dict[str, Any]]) -> None:
        """No-op: a storm has no link."""

    def publish(self, state: dict[str, Any], seq: int) -> None:
        self.state, self.seq = state, seq

    def publish_unavailable(self) -> None:
        raise AssertionError("the store of a storm can always be read")

    def reply(self, client: int, message: dict[str, Any]) -> None:
        self.answer = message

    def client_count(self) -> int:
        return 1

    def has_client(self, client: int) -> bool:
        return True


class Box:
    """One table; its methods advance the simulated time. ``close`` it after use."""

    def __init__(self, kind: Kind, folder: Path) -> None:
        self.kind, self._folder = kind, folder
        self.disk, self.heard = Disk(), Heard()
        self.restarts = self.cuts = 0
        self.closed = False
        self.lamps_unknown = False  # one was broken since the table started
        self._tested = -math.inf  # time of the last lamp test
        self._broken: dict[int, float] = {}  # panels, and when they were repaired
        self._boot = 1
        self._seen: list[Verdict] = []
        self.log: deque[str] = deque(maxlen=1000)
        self.hardware = MemoryHardware(kind.panels, kind.consoles, START)
        self.displays = list(self.hardware.displays.values())
        self.lamps, self.buzzer = self.hardware.lamp_drivers, self.hardware.buzzer
        self._power_on()

    @property
    def now(self) -> float:
        """The simulated time in seconds."""
        return self.hardware.clock()

    @now.setter
    def now(self, now: float) -> None:
        self.hardware.clock.set(now)

    @property
    def table(self) -> Table:
        """The table, which another one replaces after a change of settings."""
        table = self._simulated.table
        assert not table.has_failed, "the store of a storm can always be read"
        return table

    @property
    def journal(self) -> Journal:
        return self._store.journal

    # Input and faults.

    def edge(self, line: str, *, down: bool, lost: bool = False) -> None:
        """Move a button now; ``lost``: the kernel drops the edge."""
        if lost:
            self.hardware.inputs.feed(line, down=down, at=self.now, lost=True)
        else:
            self._simulated.move_pin(line, int(not down), self.now)
        self._obey()

    def levels(self) -> dict[str, bool]:
        """Which buttons are down."""
        return dict(self.hardware.inputs.levels())

    def live(self, seconds: float) -> None:
        """Advance the time; every timer of the table fires at its own moment."""
        until = self.now + seconds
        for _ in range(MOST_TURNS):
            if not self._simulated.fire_next(until):
                break
            self._obey()
        else:
            raise AssertionError(f"{MOST_TURNS} turns in {seconds} s: the loop spins")
        self._simulated.settle(until)
        self._obey()

    def resync(self) -> None:
        """Resynchronise all levels, as the main loop does periodically."""
        self.table.resync(self.now)
        self._simulated.tick(self.now)
        self._obey()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send one request to the socket and return the reply."""
        self.heard.answer = {}
        self._simulated.handle_request(Request(1, message, Right.TABLE, "root"))
        self._obey()
        return self.heard.answer

    def break_panel(self, at: int, fault: Fault | None) -> None:
        """Set a fault on the wire of a panel; None repairs it."""
        if self.displays:
            at %= len(self.displays)
            self.displays[at].set_fault(fault)
            self._broken[at] = math.inf if fault is not None else self.now

    def break_lamp(self, name: str, *, absent: bool) -> None:
        """Remove or restore the device of a lamp's pin."""
        lamp = self.lamps.get(name)
        if lamp is not None:
            lamp.absent = absent
            self.lamps_unknown = True

    def cut(self) -> None:
        """Cut the power and restore it; only what had been written is left."""
        self.cuts += 1
        self.disk.fault = None
        kept = self._folder.with_name(f"{self._folder.name}-{self.cuts}")
        # The files as they are now, with an unmerged write-ahead log.
        shutil.copytree(self._folder, kept, ignore=shutil.ignore_patterns("*-shm"))
        self._power_off()
        shutil.rmtree(self._folder)
        self._folder = kept
        self._power_on()

    def close(self) -> None:
        """End the table. Idempotent."""
        if not self.closed:
            self._power_off()
            self.closed = True

    # Results.

    @property
    def folder(self) -> Path:
        return self._folder

    def pictures(self, views: Sequence[View], shift: int) -> list[Image.Image]:
        """The expected picture of each panel, which shows one of ``views``."""
        neutral, language = len(self.displays) < 2, self.table.language
        due = []
        for at, (view, display) in enumerate(zip(views, self.displays, strict=True)):
            left = min(at, len(view.sides) - 1)
            image = render(view, language, display.size, left, is_neutral=neutral)
            due.append(shifted(image, shift))
        return due

    @property
    def lamps_tested(self) -> bool:
        """Whether all lamps are lit by the lamp test."""
        for when, phrase in self.buzzer.phrases:
            self._tested = when if phrase[0][0] == LAMP_TEST_S else self._tested
        self.buzzer.phrases.clear()
        return self.now < self._tested + LAMP_TEST_S

    def glass_known(self, at: int) -> bool:
        """Whether the panel's wire has worked long enough for a fault to be noticed."""
        return self.now - self._broken.get(at, -math.inf) > NOTICED

    def take_seen(self) -> list[Verdict]:
        """Return and clear the verdicts since the last call."""
        verdicts = [*self._seen, *(press.verdict for press in self._simulated.take_presses())]
        self._seen.clear()
        return verdicts

    def _power_on(self) -> None:
        self._boot += 1
        self._store = DiskStore(self._folder, self.disk)
        for lamp in self.lamps.values():
            lamp.absent = False
        kind = self.kind
        self._simulated = SimulatedTable(
            TableChoices(kind.header, kind.language, kind.layout, kind.consoles),
            self.hardware,
            self._store,
            self._stamp,
            observer=self.heard,
            hooks=TableHooks(log=self.log.append),
        )
        self._known, self.lamps_unknown = self.table, False

    def _power_off(self) -> None:
        self._simulated.close()
        self._store.journal.close()

    def _obey(self) -> None:
        """Switch off and on again on command; note what a restart leaves unknown."""
        for display in self.displays:
            # The fake keeps every picture: clear it, or a million presses fill the memory.
            display.images.clear()
        commands, self._simulated.commands[:] = list(self._simulated.commands), []
        if LoopCommand.SWITCH_OFF in commands:
            self._seen = self.take_seen()
            self.cut()
        elif self.table is not self._known:
            self._known = self.table
            self.restarts += 1
            self.lamps_unknown = any(lamp.absent for lamp in self.lamps.values())

    def _stamp(self, now: float) -> Stamp:
        minutes = int(now / 60)
        wall = f"2026-05-{1 + minutes // 1440 % 28:02}T{minutes // 60 % 24:02}:{minutes % 60:02}:00"
        return Stamp(f"boot-{self._boot}", int(now * 1000), f"{wall}+00:00", trusted=True)
