"""A desk in real time: fingers, cables and the plug of the wall as somebody moves them.

Terminal and front panel both look at it and touch it; it knows neither. What is asked for between
two looks at the table happens at the next one. Nothing here may be called from another thread.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections import deque
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from scorer.demo.demo_table import DemoTable
from scorer.demo.finger_model import FingerModel
from scorer.demo.table_process import Phrase, Report

TICK = 0.03  # seconds between two looks at the table
NO_POWER = 1.0  # seconds that a power cut lasts
EXIT_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Buzz(NamedTuple):
    """What the buzzer played; ``number`` rises, so that nobody plays it twice."""

    number: int
    phrase: Phrase


class LiveDemo:
    """One desk and what it shows and sounds. ``power_on`` comes first."""

    def __init__(self, table: DemoTable, clock: Callable[[], float] = time.monotonic) -> None:
        self.table = table
        self.clock = clock
        self.fingers = FingerModel(Random(1))
        self.is_powered_off = False  # the power has been cut and is not back yet
        self.verdict = ""  # of the newest press
        self.presses = 0
        self.last_sound, self.sound_at = "", 0.0  # the newest one, and when
        self.buzzes: deque[Buzz] = deque(maxlen=8)
        self.watchers: list[Callable[[], object]] = []  # called when there may be something new
        self._buzzed = 0
        self._touched_cables: list[str] = []  # panels whose cable somebody has just touched
        self._is_cut_requested = False

    def power_on(self) -> None:
        """Starts the table. Raises TableGone."""
        self.table.power_on(self.clock())
        self._update(self.table.report)

    def toggle_cable(self, panel: str) -> None:
        """The cable of a panel comes out, or goes back in."""
        self._touched_cables.append(panel)

    def cut_power(self) -> None:
        """Pulls the plug; it is put back a moment later."""
        self._is_cut_requested = True

    async def run(self) -> None:
        """The table's time, until it ends: raises TableGone."""
        while True:
            await asyncio.sleep(TICK)
            await self.step()

    async def step(self) -> None:
        """What was done to the desk since the last turn, and what came of it. Raises TableGone."""
        cables, self._touched_cables = self._touched_cables, []
        for name in cables:
            plugged = not self.table.panels[name].is_plugged
            self._update(await asyncio.to_thread(self.table.plug, name, plugged=plugged))
        if self._is_cut_requested:
            await self._cycle_power()
        now = self.clock()
        self._update(await asyncio.to_thread(self.table.advance, self.fingers.due(now), now))
        self._notify()

    async def _cycle_power(self) -> None:
        self.is_powered_off = True
        self.fingers.clear()
        self.verdict = self.last_sound = ""
        await asyncio.to_thread(self.table.power_off)
        self._notify()
        await asyncio.sleep(NO_POWER)
        # Who leans on a button while the power comes back has it down before the table looks.
        self.fingers.clear()
        self.table.stuck_lines = set(self.fingers.held())
        await asyncio.to_thread(self.power_on)
        self.is_powered_off = self._is_cut_requested = False

    def _notify(self) -> None:
        for watcher in self.watchers:
            watcher()

    def _update(self, report: Report) -> None:
        self.presses += len(report.press)
        if report.press:
            self.verdict = report.press[-1]
        if report.sounds:
            self.last_sound, self.sound_at = report.sounds[-1], self.clock()
        for phrase in report.buzz:
            self._buzzed += 1
            self.buzzes.append(Buzz(self._buzzed, phrase))


def on_exit_signal(
    callback: Callable[[], object], numbers: tuple[signal.Signals, ...] = EXIT_SIGNALS
) -> None:
    """From now on these signals call ``leave`` in the loop that runs.

    Not by the loop's own handlers: they end with it, and a shell that is closed hangs up twice; the
    second one must not stop the table from being ended and the store removed.
    """
    loop = asyncio.get_running_loop()

    def told(number: int, frame: object) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(callback)

    for number in numbers:
        signal.signal(number, told)
