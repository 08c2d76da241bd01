"""The simulated table in real time, shared by terminal and front panel.

Requests take effect at the next step. Not thread-safe.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from random import Random

from scorer.demo.activity import Activity
from scorer.demo.demo_table import DemoTable, Startable
from scorer.demo.finger_model import FingerModel
from scorer.demo.table_process import TableReport

TICK = 0.03  # seconds between two steps
NO_POWER = 1.0  # seconds that a power cut lasts
EXIT_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class LiveDemo:
    """One table with its display and sound. Call ``power_on`` first."""

    def __init__(self, table: DemoTable, clock: Callable[[], float] = time.monotonic) -> None:
        self.table = table
        self.clock = clock
        self.fingers = FingerModel(Random(1))
        self.is_powered_off = False  # the power has been cut and is not back yet
        self.activity = Activity()
        self.last_sound, self.sound_at = "", 0.0  # the newest one, and its time
        self.watchers: list[Callable[[], object]] = []  # called after each change
        self._touched_cables: list[str] = []  # panels whose cable is to be toggled
        self._is_cut_requested = False
        self._own_table: Startable | None = None  # while another one is in its place
        self._is_return_requested = False

    def power_on(self) -> None:
        """Start the table. Raises TableEnded."""
        self.table.power_on(self.clock())
        self._update(self.table.report)

    def begin_apart(self, table: Startable) -> None:
        """Play at ``table`` until ``return_to_own``. Raises TableEnded."""
        self._own_table = self.table.replace(table)
        self.power_on()

    @property
    def is_apart(self) -> bool:
        """Whether another table is in the place of the own one."""
        return self._own_table is not None

    def return_to_own(self) -> None:
        """Go on at the own table; presses from now on are made there."""
        self._is_return_requested = self.is_apart

    def toggle_cable(self, panel: str) -> None:
        """Plug or unplug a panel."""
        self._touched_cables.append(panel)

    def cut_power(self) -> None:
        """Cut the power for NO_POWER seconds."""
        self._is_cut_requested = True

    async def run(self) -> None:
        """Run the table until it ends: raises TableEnded."""
        while True:
            await asyncio.sleep(TICK)
            await self.step()

    async def step(self) -> None:
        """Apply the input since the last step and advance the table. Raises TableEnded."""
        cables, self._touched_cables = self._touched_cables, []
        for name in cables:
            plugged = not self.table.panels[name].is_plugged
            self._update(await asyncio.to_thread(self.table.plug, name, plugged=plugged))
        if self._is_return_requested and self._own_table is not None:
            self.table.replace(self._own_table)
            self._own_table, self._is_return_requested = None, False
            self.activity.verdict = self.last_sound = ""
            await asyncio.to_thread(self.power_on)
        if self._is_cut_requested:
            await self._cycle_power()
        now = self.clock()
        self._update(await asyncio.to_thread(self.table.advance, self.fingers.due(now), now))
        self._notify()

    async def _cycle_power(self) -> None:
        self.is_powered_off = True
        self.fingers.clear()
        self.activity.verdict = self.last_sound = ""
        await asyncio.to_thread(self.table.power_off)
        self._notify()
        await asyncio.sleep(NO_POWER)
        # A button held during power-on is down before the table reads its levels.
        self.fingers.clear()
        self.table.stuck_lines = set(self.fingers.held())
        await asyncio.to_thread(self.power_on)
        self.is_powered_off = self._is_cut_requested = False

    def _notify(self) -> None:
        for watcher in self.watchers:
            watcher()

    def _update(self, report: TableReport) -> None:
        self.activity.add(report.press, report.buzz)
        if report.sounds:
            self.last_sound, self.sound_at = report.sounds[-1], self.clock()


def on_exit_signal(
    callback: Callable[[], object], numbers: tuple[signal.Signals, ...] = EXIT_SIGNALS
) -> None:
    """Call ``callback`` in the running loop on these signals.

    Not by the loop's own handlers: they end with it, and a closed shell sends SIGHUP twice; the
    second one must not stop the table from being ended and the store removed.
    """
    loop = asyncio.get_running_loop()

    def handler(number: int, frame: object) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(callback)

    for number in numbers:
        signal.signal(number, handler)
