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

from scorer.demo.desk import Desk
from scorer.demo.finger_model import Hands
from scorer.demo.table_process import Phrase, Report

TICK = 0.03  # seconds between two looks at the table
NO_POWER = 1.0  # seconds that a power cut lasts
LEAVING = (signal.SIGTERM, signal.SIGHUP)


class Buzz(NamedTuple):
    """What the buzzer played; ``number`` rises, so that nobody plays it twice."""

    number: int
    phrase: Phrase


class Playing:
    """One desk and what it shows and sounds. ``power_on`` comes first."""

    def __init__(self, desk: Desk, clock: Callable[[], float] = time.monotonic) -> None:
        self.desk = desk
        self.clock = clock
        self.hands = Hands(Random(1))
        self.dark = False  # the power has been cut and is not back yet
        self.verdict = ""  # of the newest press
        self.presses = 0
        self.sound, self.heard = "", 0.0  # the newest one, and when
        self.buzzes: deque[Buzz] = deque(maxlen=8)
        self.watchers: list[Callable[[], object]] = []  # called when there may be something new
        self._buzzed = 0
        self._cables: list[str] = []  # panels whose cable somebody has just touched
        self._power_fails = False

    def power_on(self) -> None:
        """Starts the table. Raises TableGone."""
        self.desk.power_on(self.clock())
        self._hear(self.desk.report)

    def cable(self, panel: str) -> None:
        """The cable of a panel comes out, or goes back in."""
        self._cables.append(panel)

    def cut_power(self) -> None:
        """Pulls the plug; it is put back a moment later."""
        self._power_fails = True

    async def run(self) -> None:
        """The table's time, until it ends: raises TableGone."""
        while True:
            await asyncio.sleep(TICK)
            await self.turn()

    async def turn(self) -> None:
        """What was done to the desk since the last turn, and what came of it. Raises TableGone."""
        cables, self._cables = self._cables, []
        for name in cables:
            plugged = not self.desk.panels[name].plugged
            self._hear(await asyncio.to_thread(self.desk.plug, name, plugged=plugged))
        if self._power_fails:
            await self._without_power()
        now = self.clock()
        self._hear(await asyncio.to_thread(self.desk.live, self.hands.due(now), now))
        self._tell()

    async def _without_power(self) -> None:
        self.dark = True
        self.hands.let_go()
        self.verdict = self.sound = ""
        await asyncio.to_thread(self.desk.power_off)
        self._tell()
        await asyncio.sleep(NO_POWER)
        # Who leans on a button while the power comes back has it down before the table looks.
        self.hands.let_go()
        self.desk.stuck = set(self.hands.held())
        await asyncio.to_thread(self.power_on)
        self.dark = self._power_fails = False

    def _tell(self) -> None:
        for watcher in self.watchers:
            watcher()

    def _hear(self, report: Report) -> None:
        self.presses += len(report.press)
        if report.press:
            self.verdict = report.press[-1]
        if report.sounds:
            self.sound, self.heard = report.sounds[-1], self.clock()
        for phrase in report.buzz:
            self._buzzed += 1
            self.buzzes.append(Buzz(self._buzzed, phrase))


def on_leaving(leave: Callable[[], object], numbers: tuple[signal.Signals, ...] = LEAVING) -> None:
    """From now on these signals call ``leave`` in the loop that runs.

    Not by the loop's own handlers: they end with it, and a shell that is closed hangs up twice; the
    second one must not stop the table from being ended and the store removed.
    """
    loop = asyncio.get_running_loop()

    def told(number: int, frame: object) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(leave)

    for number in numbers:
        signal.signal(number, told)
