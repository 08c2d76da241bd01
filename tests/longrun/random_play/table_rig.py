"""An in-process table for random play: the real table and journal on fake devices.

Every device fails on demand. It makes no assertions.
"""

from __future__ import annotations

import math
import shutil
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.api.marks import Mark
from scorer.api.rights import Right
from scorer.api.server import Request
from scorer.commands.simulator import SimulatorOptions, owner_text
from scorer.config.loader import default_config
from scorer.config.sources import ResolvedConfig, resolve
from scorer.display import render, shifted
from scorer.hw.displays.fake_bus import Fault
from scorer.hw.outputs.memory import MemoryBuzzer, MemoryLamp
from scorer.hw.ports import Buzzer, Edge, Lamp
from scorer.i18n import nearest_language
from scorer.session.input.keymap import buttons
from scorer.session.values.seating import CONSOLES
from scorer.session.values.settings import Layout
from scorer.session.values.state import Verdict
from scorer.session.view.view import View
from scorer.store.journal import Journal, Stamp
from scorer.table.hooks import TableHooks
from scorer.table.loop_commands import LoopCommand
from scorer.table.outputs import Devices
from scorer.table.panels import Panel, SyncRenderer
from scorer.table.selftest import LAMP_TEST_S
from scorer.table.startup import (
    StartupOptions,
    TolerantSettings,
    applied_settings,
    settings_saver,
    start_table,
)
from scorer.table.table import Table
from tests.longrun.random_play.failing_disk import Disk
from tests.longrun.random_play.game_kinds import Kind
from tests.support.memory_display import MemoryDisplay
from tests.support.memory_display import Options as PanelOptions
from tests.support.scripted_input import Options as Lines
from tests.support.scripted_input import ScriptedInput

if TYPE_CHECKING:
    from PIL import Image

START = 100.0  # seconds of the simulated clock
MOST_TURNS = 40_000  # loop iterations in one stretch of time; more means that the table spins
# Seconds after which a chip that silently lost its memory has surely been initialised again.
NOTICED = 70.0
_BEGINS = (LoopCommand.SAFE_MODE, LoopCommand.RESTART)


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
        self.now = START
        self.disk, self.heard = Disk(), Heard()
        self.restarts = self.cuts = 0
        self.closed = False
        self.lamps_unknown = False  # one was broken since the table started
        self._seen: list[Verdict] = []
        self._tested = -math.inf  # time of the last lamp test
        self._broken: dict[int, float] = {}  # panels, and when they were repaired
        self._boot = 1
        self._orders: list[LoopCommand] = []
        self._edges: list[Edge] = []
        self.log: deque[str] = deque(maxlen=1000)
        self.displays = [MemoryDisplay(PanelOptions(size)) for size in kind.panels]
        self.lamps = {name: MemoryLamp() for name in CONSOLES[: kind.consoles]}
        self.buzzer = MemoryBuzzer()
        self.inputs = ScriptedInput(Lines(buttons(Layout.FULL, kind.consoles)))
        self._choice = SimulatorOptions(
            kind.header, kind.language, kind.layout, folder, consoles=kind.consoles
        )
        self._power_on()

    # Input and faults.

    def edge(self, line: str, *, down: bool, lost: bool = False) -> None:
        """Move a button now; ``lost``: the kernel drops the edge."""
        self.inputs.feed(line, down=down, at=self.now, lost=lost)
        edges, self._edges[:] = list(self._edges), []
        for edge in edges:
            self.table.handle_edge(edge)
        self._obey()

    def levels(self) -> dict[str, bool]:
        """Which buttons are down."""
        return dict(self.inputs.levels())

    def live(self, seconds: float) -> None:
        """Advance the time; every timer of the table fires at its own moment."""
        until = self.now + seconds
        for _ in range(MOST_TURNS):
            due = self.table.deadline()
            if due is None or due > until:
                break
            self.now = max(due, self.now)
            self._tick()
        else:
            raise AssertionError(f"{MOST_TURNS} turns in {seconds} s: the loop spins")
        self.now = until
        self._tick()
        self.table.check_devices(self.now)

    def resync(self) -> None:
        """Resynchronise all levels, as the main loop does periodically."""
        self.table.resync(self.now)
        self._tick()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send one request to the socket and return the reply."""
        self.heard.answer = {}
        self.table.handle_request(Request(1, message, Right.TABLE, "root"), self.now)
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
        """The folder of the store."""
        return self._folder

    def pictures(self, view: View, shift: int) -> list[Image.Image]:
        """The expected picture of each panel."""
        last, neutral = len(view.sides) - 1, len(self.displays) < 2
        language = self.table.language
        return [
            shifted(render(view, language, display.size, min(at, last), is_neutral=neutral), shift)
            for at, display in enumerate(self.displays)
        ]

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
        verdicts = [*self._seen, *(each.verdict for each in self.table.press_log)]
        self._seen.clear()
        self.table.press_log.clear()
        return verdicts

    def _power_on(self) -> None:
        self._boot += 1
        self._stack = ExitStack()
        self.journal = Journal.open(self._folder, connector=self.disk.connect)
        self._stack.callback(self.journal.close)
        for lamp in self.lamps.values():
            lamp.absent = False
        outputs: list[Lamp | Buzzer] = [*self.lamps.values(), self.buzzer]
        for port in outputs:
            port.open()
            self._stack.callback(port.close)
        self.inputs.open(self._edges.append)
        self._stack.callback(self.inputs.close)
        panels = [
            Panel(name, display, name)
            for name, display in zip(CONSOLES, self.displays, strict=False)
        ]
        drawing = SyncRenderer(panels)
        self._stack.callback(drawing.close)
        self._devices = Devices(self.inputs, panels, drawing, self.lamps, self.buzzer)
        self._begin(None)

    def _power_off(self) -> None:
        self._stack.close()

    def _tick(self) -> None:
        self.table.tick(self.now)
        self._obey()
        for display in self.displays:
            # The fake keeps every picture: clear it, or a million presses fill the memory.
            display.images.clear()

    def _obey(self) -> None:
        """Restart the table on its commands, as the service does."""
        orders, self._orders[:] = list(self._orders), []
        begins = next((each for each in orders if each in _BEGINS), None)
        if LoopCommand.SWITCH_OFF in orders:
            # Switched on again at once.
            self.cut()
        elif begins is not None:
            self.restarts += 1
            self._seen = self.take_seen()
            self._begin(begins)

    def _begin(self, order: LoopCommand | None) -> None:
        table = start_table(self.journal, self._devices, self._beginning(order))
        assert isinstance(table, Table), "the store of a storm can always be read"
        self.table, self.lamps_unknown = table, any(lamp.absent for lamp in self.lamps.values())
        table.tick(self.now)

    def _beginning(self, order: LoopCommand | None) -> StartupOptions:
        owners = owner_text(self._choice)
        settled = resolve(owners, None, TolerantSettings(self.journal))
        if order is LoopCommand.SAFE_MODE:
            settled = ResolvedConfig(default_config(), (), ())
        config, applied = settled.config, applied_settings(settled)
        header = self._choice.header if applied.box.rules is None else config.header
        hooks = TableHooks(
            on_command=self._orders.append,
            save_choices=settings_saver(owners, self.journal),
            log=self.log.append,
        )
        return StartupOptions(
            header=header,
            settings=config.settings,
            language=nearest_language(config.table.language),
            now=self.now,
            stamp=self._stamp,
            observer=self.heard,
            applied=applied,
            hooks=hooks,
            mark=Mark.SAFE if order is LoopCommand.SAFE_MODE else None,
            is_restart=order is LoopCommand.RESTART,
        )

    def _stamp(self, now: float) -> Stamp:
        minutes = int(now / 60)
        wall = f"2026-05-{1 + minutes // 1440 % 28:02}T{minutes // 60 % 24:02}:{minutes % 60:02}:00"
        return Stamp(f"boot-{self._boot}", int(now * 1000), f"{wall}+00:00", trusted=True)
