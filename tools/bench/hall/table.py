"""The answer to a press beside a link, and beside a hub on the same cores."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

from scorer.demo.buttons import press_edges
from scorer.demo.table_process import TableCommand, TableProcess
from tools.bench import Measurement, Result
from tools.bench.hall.boxes import Box
from tools.bench.hall.intake import Crowd, Taken, connect, send_for
from tools.bench.hall.processes import NICE, RunningHub, running_hub, running_link

FOUR = 4  # tables of a hub beside one of them
LINK_BUDGET, HUB_BUDGET = 1.1, 1.5
FINGERS = ("A.truco", "B.quiero", "undo", "undo", "A.envido", "B.no_quiero", "undo", "undo")
PAUSE = 0.06  # seconds between two presses
SETTLE = 0.3  # seconds in which a link sends what was pressed last
TURN = len(FINGERS)  # presses
JOINING = 30.0  # seconds


class Table:
    """A real table with a store on the disk; its presses are timed."""

    def __init__(self, stack: ExitStack) -> None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.socket = folder / "table.sock"
        command = TableCommand(
            "argentine", "", "es-AR", "full", 2, str(folder / "store"), str(self.socket)
        )
        self._process = TableProcess(command.command(100.0))
        self._process.start()
        stack.callback(self._process.close)
        self._now, self._number, self._chance = 100.0, 0, Random(1)
        self.times = list[float]()

    def press(self) -> float:
        """Press the next button; seconds until the table's report."""
        finger = FINGERS[self._number % len(FINGERS)]
        edges = press_edges(finger, self._now, 0.15, self._chance)
        self._now, self._number = round(self._now + 4.0, 6), self._number + 1
        began = time.perf_counter()
        self._process.advance(edges, self._now)
        return time.perf_counter() - began


class Times(NamedTuple):
    """Seconds of presses: alone, with a link, beside the hub of four tables."""

    alone: list[float]
    linked: list[float]
    beside: list[float]


def measure(quick: bool) -> Iterator[Result]:
    """The three kinds of presses take turns."""
    times = asyncio.run(_press(12 if quick else 50))
    what = "a press at a table with a link, median"
    yield Measurement(
        what, _mid(times.linked), _mid(times.alone), "ms", "the table alone", LINK_BUDGET
    )
    what = f"a press at a table with the hub of {FOUR} on its cores"
    alone = "the table alone"
    yield Measurement(
        f"{what}, p99", _p99(times.beside), _p99(times.alone), "ms", alone, HUB_BUDGET
    )
    yield Measurement(f"{what}, median", _mid(times.beside), _mid(times.alone), "ms", alone, None)


async def _press(turns: int) -> Times:
    boxes = [Box(number) for number in range(1, FOUR + 1)]
    times = Times([], [], [])
    with ExitStack() as stack:
        hub = stack.enter_context(running_hub(boxes, nice=NICE))
        alone, linked = Table(stack), Table(stack)
        stack.enter_context(running_link(boxes[0], hub, linked.socket))
        others = Crowd(hub.pid, await connect(boxes[1:], hub.secure), Taken([], []))
        await _wait_for_rows(hub, boxes[0], linked)
        for turn in range(turns + 1):
            await asyncio.to_thread(_take_turn, alone, times.alone)
            await asyncio.to_thread(_take_turn, linked, times.linked)
            await asyncio.to_thread(_take_turn, alone, times.alone)
            await asyncio.gather(
                asyncio.to_thread(_take_turn, linked, times.beside),
                send_for(others, TURN * PAUSE, Random(turn)),
            )
            if turn == 0:  # it warms up
                for each in times:
                    each.clear()
    return times


def _take_turn(table: Table, into: list[float]) -> None:
    for _ in range(TURN):
        time.sleep(PAUSE)
        into.append(table.press())
    time.sleep(SETTLE)


async def _wait_for_rows(hub: RunningHub, box: Box, table: Table) -> None:
    """Wait until the hub has a row of the table. Raises TimeoutError."""
    table.press()
    uri = f"file:{hub.state / 'hub.sqlite'}?mode=ro"
    async with asyncio.timeout(JOINING):
        with closing(sqlite3.connect(uri, uri=True)) as database:
            while not database.execute("SELECT 1 FROM row").fetchone():
                await asyncio.sleep(0.1)


def _mid(seconds: list[float]) -> float:
    return median(seconds) * 1000


def _p99(seconds: list[float]) -> float:
    return quantiles(seconds, n=100)[-1] * 1000
