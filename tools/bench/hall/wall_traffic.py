"""What walls cost: bytes to one, and processor of a row that some show.

Bytes are counted per row and given for an hour of such rows.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from tools.bench import Measurement, Result
from tools.bench.hall.boxes import HAND, Box, BoxConnection
from tools.bench.hall.intake import connect
from tools.bench.hall.processes import RunningHub, cpu_ms, running_hub

TABLES = 128
PAUSE = 20.0  # seconds between two points of a table
MOST_MEGABYTES = 6.0  # an hour
WALLS, WALLS_BUDGET = 4, 1.3
_ASKED = b"GET /events?lang=es-AR HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"


def measure(quick: bool) -> Iterator[Result]:
    """Points at the pace of a hall, without walls and with some, in turns."""
    rounds, rows = (3, 48) if quick else (8, 64)
    boxes = [Box(number) for number in range(1, TABLES + 1)]
    with running_hub(boxes) as hub:
        found = asyncio.run(_evening(hub, boxes, rounds, rows))
    hour = found.bytes / found.rows * TABLES * 3600 / PAUSE / 1e6
    what = f"the wall of {TABLES} tables, a point each {PAUSE:.0f} s: an hour"
    yield Measurement(what, hour, MOST_MEGABYTES, "MB", "the promise", 1.0)
    what = f"{TABLES} boxes: processor of a row with {WALLS} walls"
    yield Measurement(what, found.watched, found.alone, "ms", "the same without one", WALLS_BUDGET)


class _Found(NamedTuple):
    """``bytes``: to one wall for ``rows``; the others: milliseconds of a row."""

    bytes: int
    rows: int
    watched: float
    alone: float


class _Wall:
    """A wall that counts what it reads."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader, self.bytes = reader, 0

    async def read(self) -> None:
        while piece := await self._reader.read(1 << 16):
            self.bytes += len(piece)


@asynccontextmanager
async def _walls(hub: RunningHub, count: int) -> AsyncIterator[list[_Wall]]:
    opened = [await asyncio.open_connection(*hub.wall) for _ in range(count)]
    walls = [_Wall(reader) for reader, _ in opened]
    for _, writer in opened:
        writer.write(_ASKED)
    reading = [asyncio.create_task(wall.read()) for wall in walls]
    await asyncio.sleep(1)  # the whole wall comes first
    try:
        yield walls
    finally:
        for task in reading:
            task.cancel()
        for _, writer in opened:
            writer.close()


async def _evening(hub: RunningHub, boxes: list[Box], rounds: int, rows: int) -> _Found:
    members = [*await connect(boxes, hub.secure)]
    for box, connection in members:
        await connection.ask(box.next_rows(len(HAND)))
    watched = alone = 0.0
    sent = total = 0
    for at in range(rounds):
        turn = [members[(at * rows + each) % TABLES] for each in range(rows)]
        alone += await _points(hub, turn)
        async with _walls(hub, WALLS) as walls:
            before = walls[0].bytes
            watched += await _points(hub, turn)
            total += walls[0].bytes - before
        sent += rows
    return _Found(total, sent, watched / sent, alone / sent)


async def _points(hub: RunningHub, turn: list[tuple[Box, BoxConnection]]) -> float:
    """A point at each table in turn; the processor's time in milliseconds."""
    before = cpu_ms(hub.pid)
    for box, connection in turn:
        await connection.ask(box.next_rows(len(HAND)))
        await asyncio.sleep(PAUSE / TABLES)
    await asyncio.sleep(1)
    return cpu_ms(hub.pid) - before
