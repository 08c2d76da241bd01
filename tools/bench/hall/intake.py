"""Rows of many boxes into one hub, and a storm of all at once.

The reference is the same HTTP server with the same TLS but without a store, and a bare commit of
the same row by SQLite: what a hub cannot do without. Medians and CPU time are gated; the slowest
rows are those of the disk.
"""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

from tools.bench import Measurement, Result
from tools.bench.hall.boxes import Address, Box, BoxConnection, tls_of_boxes
from tools.bench.hall.processes import RunningHub, cpu_ms, running_bare, running_hub

HALL, MANY = 128, 999  # boxes; the numbers of tables end at 999
PACE = 0.5  # rows a second of a box, ten times life
P50_BUDGET, CPU_BUDGET, STORM_BUDGET = 3.0, 2.5, 3.0
STORM_ROWS = 50
_SAME = "the same server without a store"
_GREETING_AT_ONCE = 32


class Taken(NamedTuple):
    """What one server did: seconds of each row, milliseconds of CPU time in all."""

    seconds: list[float]
    cpu: list[float]

    @property
    def p50(self) -> float:
        return median(self.seconds) * 1000

    @property
    def p99(self) -> float:
        return quantiles(self.seconds, n=100)[-1] * 1000

    @property
    def cpu_of_row(self) -> float:
        return sum(self.cpu) / len(self.seconds)


class Found(NamedTuple):
    """Rows taken by the hub and its references.

    ``lost``: acknowledged rows that are not in the hub's store.
    """

    hub: Taken
    bare: Taken
    commit: Taken
    lost: int


def measure(quick: bool) -> Iterator[Result]:
    """Rows at the pace of a hall, of as many tables as there can be, and a storm."""
    open_many_files()
    seconds, rounds = (2.0, 3) if quick else (4.0, 8)
    hall = _rows(HALL, seconds, rounds)
    what = f"{HALL} boxes: a row until its answer"
    reference = f"{_SAME} + a bare commit"
    plain = hall.bare.p50 + hall.commit.p50
    yield Measurement(f"{what}, p50", hall.hub.p50, plain, "ms", reference, P50_BUDGET)
    yield Measurement(
        f"{what}, p99", hall.hub.p99, hall.commit.p99, "ms", "p99 of a bare commit", None
    )
    cpu, plain = hall.hub.cpu_of_row, hall.bare.cpu_of_row + hall.commit.cpu_of_row
    yield Measurement(f"{HALL} boxes: processor of a row", cpu, plain, "ms", reference, CPU_BUDGET)
    many = _rows(MANY, seconds, max(rounds // 2, 2))
    what = f"{MANY} boxes: a row until its answer"
    yield Measurement(f"{what}, p50", many.hub.p50, hall.hub.p50, "ms", f"{HALL} boxes", None)
    yield Measurement(
        f"{what}, p99", many.hub.p99, many.commit.p99, "ms", "p99 of a bare commit", None
    )
    acknowledged = len(hall.hub.seconds) + len(many.hub.seconds)
    what = "acknowledged rows that the hub's store has not"
    lost = hall.lost + many.lost
    yield Measurement(what, lost, acknowledged, "rows", "rows sent", 0, counted=True)
    ours, echo = _storms(3 if quick else 9)
    what = f"storm: {HALL} boxes connect, greet and send {STORM_ROWS} rows"
    same = "a bare TLS echo of the same bytes"
    yield Measurement(what, ours * 1000, echo * 1000, "ms", same, STORM_BUDGET)


# ---- rows at a pace -----------------------------------------------------------------------------


def open_many_files() -> None:
    """Let this process have as many connections as the system allows."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Crowd(NamedTuple):
    """Boxes that are connected to one server, whose process is ``pid``."""

    pid: int
    members: Sequence[tuple[Box, BoxConnection]]
    taken: Taken


def _rows(count: int, seconds: float, rounds: int) -> Found:
    boxes = _boxes(count)
    with ExitStack() as stack:
        hub = stack.enter_context(running_hub(boxes))
        bare_pid, bare = stack.enter_context(running_bare("http", hub))
        database = stack.enter_context(bare_store(hub.state / "bare.sqlite"))

        async def run() -> Found:
            ours = Crowd(hub.pid, await connect(boxes, hub.secure), Taken([], []))
            others = Crowd(bare_pid, await connect(_boxes(count), bare), Taken([], []))
            return await _alternate(ours, others, database, seconds, rounds)

        found = asyncio.run(run())
        return found._replace(lost=missing(hub, boxes))


def _boxes(count: int) -> list[Box]:
    return [Box(number) for number in range(1, count + 1)]


async def connect(boxes: Sequence[Box], to: Address) -> list[tuple[Box, BoxConnection]]:
    """Connect the boxes to a server, and greet it."""
    few, tls = asyncio.Semaphore(_GREETING_AT_ONCE), tls_of_boxes()

    async def greet(box: Box) -> tuple[Box, BoxConnection]:
        async with few:
            connection = await BoxConnection.open(box, to, tls)
            await connection.ask(box.greeting())
            return box, connection

    return await asyncio.gather(*map(greet, boxes))


async def _alternate(
    ours: Crowd, others: Crowd, database: sqlite3.Connection, seconds: float, rounds: int
) -> Found:
    """Hub, bare server and bare commits in turn, each for ``seconds`` a round."""
    chance, committed = Random(1), Taken([], [])
    for turn in range(rounds + 1):
        for crowd in (ours, others):
            before = cpu_ms(crowd.pid)
            await send_for(crowd, seconds, chance)
            crowd.taken.cpu.append(cpu_ms(crowd.pid) - before)
        pace = len(ours.members) * PACE
        await _commit_for(database, committed, seconds, pace, chance)
        if turn == 0:
            for taken in (ours.taken, others.taken, committed):
                taken.seconds.clear()
                taken.cpu.clear()
    for _, connection in (*ours.members, *others.members):
        connection.close()
    return Found(ours.taken, others.taken, committed, 0)


async def send_for(crowd: Crowd, seconds: float, chance: Random) -> None:
    """Each box sends rows at random moments, one under way."""
    until = time.perf_counter() + seconds

    async def send(box: Box, connection: BoxConnection) -> None:
        while (pause := chance.expovariate(PACE)) < until - time.perf_counter():
            await asyncio.sleep(pause)
            request = box.next_rows(1)
            began = time.perf_counter()
            await connection.ask(request)
            crowd.taken.seconds.append(time.perf_counter() - began)

    await asyncio.gather(*(send(*member) for member in crowd.members))


@contextmanager
def bare_store(path: Path) -> Iterator[sqlite3.Connection]:
    """A database with one table like that of the hub's rows, as durable as the hub's."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("CREATE TABLE row (seq INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        yield database


async def _commit_for(
    database: sqlite3.Connection, into: Taken, seconds: float, pace: float, chance: Random
) -> None:
    """Commits of one row at random moments, ``pace`` a second."""
    box, until = Box(1), time.perf_counter() + seconds
    while (pause := chance.expovariate(pace)) < until - time.perf_counter():
        await asyncio.sleep(pause)
        body = box.next_rows(1)
        began, cpu = time.perf_counter(), time.process_time()
        bare_commit(database, body)
        into.seconds.append(time.perf_counter() - began)
        into.cpu.append((time.process_time() - cpu) * 1000)


def bare_commit(database: sqlite3.Connection, body: bytes) -> None:
    """Store one row durably."""
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO row (body) VALUES (?)", (body,))
    database.execute("COMMIT")


def missing(hub: RunningHub, boxes: Sequence[Box]) -> int:
    """Rows that were acknowledged to the boxes and are not in the hub's store."""
    uri = f"file:{hub.state / 'hub.sqlite'}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as database:
        query = "SELECT epoch, count(*) FROM row GROUP BY epoch"
        stored: dict[str, int] = dict(database.execute(query))
    return sum(box.last - stored.get(box.epoch, 0) for box in boxes)


# ---- a storm ------------------------------------------------------------------------------------


def _storms(rounds: int) -> tuple[float, float]:
    """The median seconds until the last answer of the hub, and of a bare echo."""
    boxes, echoing = _boxes(HALL), _boxes(HALL)
    with ExitStack() as stack:
        hub = stack.enter_context(running_hub(boxes))
        _, echo = stack.enter_context(running_bare("echo", hub))

        async def run() -> tuple[float, float]:
            ours, others = list[float](), list[float]()
            for _ in range(rounds + 1):
                ours.append(await _storm(boxes, hub.secure, BoxConnection.ask))
                others.append(await _storm(echoing, echo, BoxConnection.echo))
            return median(ours[1:]), median(others[1:])  # without the first, which warms up

        return asyncio.run(run())


async def _storm(
    boxes: Sequence[Box], to: Address, ask: Callable[[BoxConnection, bytes], Awaitable[object]]
) -> float:
    """Seconds in which all boxes connect, greet and send their rows."""
    requests = [(box, box.greeting(), box.next_rows(STORM_ROWS)) for box in boxes]
    tls = tls_of_boxes()

    async def come(box: Box, greeting: bytes, rows: bytes) -> BoxConnection:
        connection = await BoxConnection.open(box, to, tls)
        await ask(connection, greeting)
        await ask(connection, rows)
        return connection

    began = time.perf_counter()
    connections = await asyncio.gather(*(come(*each) for each in requests))
    spent = time.perf_counter() - began
    for connection in connections:
        connection.close()
    return spent
