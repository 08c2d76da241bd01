"""Many halls on one PostgreSQL, each with a hub and a login of its own.

A box sends a row in 20 s, as in life, and PostgreSQL commits durably. Hubs start as after a power
cut: PostgreSQL recovers, and all of them start at once.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import TYPE_CHECKING, NamedTuple

from alembic import command
from alembic.config import Config

from scorer.hub.store.database import Database, DatabaseError, open_engine, sqlite_url
from scorer.hubs.databases import DatabaseServer, hall_address, login_of, new_home
from tools.bench import Measurement, Result, Skipped
from tools.bench.hall.boxes import HAND, Address, Box, BoxConnection, accept_boxes, tls_of_boxes
from tools.bench.hall.idle import SETTLE
from tools.bench.hall.intake import open_many_files
from tools.bench.hall.processes import HOST, cpu_ms, pss_bytes, read_line, start_process
from tools.bench.idle import switches

if TYPE_CHECKING:
    from tests.hub.postgresql import Cluster

SIZES = (1, 10, 50)  # halls
BOXES = 16  # of a hall
PACE = 1 / 20  # rows a second of a box
FILL, FILL_AT_ONCE = 1000, 50  # rows of a box, for the disk
IDLE = 10  # halls whose memory and wake-ups are measured together
MIGRATED = 100  # halls
BEFORE = "0004"  # the schema from which they are migrated
IDLE_MEMORY, IDLE_WAKES, IDLE_CONNECTIONS = 80.0, 120, 4  # MB, a minute, to PostgreSQL
SECONDS, QUICK_SECONDS = 120.0, 40.0
_MB = 1_000_000
_MINUTE = 60.0
_GREETING_AT_ONCE = 32
_SERVER_SETTINGS = ("fsync=on", "max_connections=400")


class NewHub(NamedTuple):
    """A hall before its hub runs: its name, the address of its database, its boxes."""

    name: str
    address: str
    boxes: list[Box]


class RunningHall(NamedTuple):
    """A hall whose hub listens at ``secure``; ``cpu``: milliseconds until then."""

    hall: NewHub
    pid: int
    secure: Address
    cpu: float


class Found(NamedTuple):
    """What some halls did, in seconds; processor in milliseconds."""

    rows: list[float]
    start: float
    start_cpu: float  # of a hub
    cpu: float  # in a second, of all hubs and PostgreSQL


def measure(quick: bool) -> Iterator[Result]:
    """Rows of 1, 10 and 50 halls, their start, an idle hall, and the migration of 100."""
    # Of the tests, which run a PostgreSQL of their own.
    from tests.hub import postgresql

    if not postgresql.is_installed():
        yield Skipped("many halls on one PostgreSQL", "PostgreSQL is not installed")
        return
    open_many_files()
    # After a power cut PostgreSQL syncs every file of every database first.
    os.environ.setdefault("PGCTLTIMEOUT", "900")
    seconds = QUICK_SECONDS if quick else SECONDS
    with postgresql.running_cluster(*_SERVER_SETTINGS, has_passwords=True) as cluster:
        yield from _halls(cluster, seconds)
        yield from _migrations(cluster)
    yield _one_process()


def _server(cluster: Cluster) -> str:
    from tests.hub.postgresql import USER

    return f"postgresql+psycopg://{USER}@/postgres?host={cluster.folder}"


def _new_hall(cluster: Cluster, name: str) -> NewHub:
    home = new_home(_server(cluster))
    DatabaseServer(home.server, lambda _: None).create(name, home)
    boxes = [Box(number) for number in range(1, BOXES + 1)]
    address = hall_address(home, name)
    with closing(Database.open(address)) as database:
        accept_boxes(database, boxes)
    return NewHub(name, address, boxes)


# ---- hubs of their own --------------------------------------------------------------------------


def _halls(cluster: Cluster, seconds: float) -> Iterator[Measurement]:
    halls = [_new_hall(cluster, f"hall{number}") for number in range(max(SIZES))]
    with ExitStack() as stack:
        # The modules are compiled by now when the others start.
        yield from _disk(_start(halls[:1], stack)[0], cluster)
    alone: Found | None = None
    for size in SIZES:
        with ExitStack() as stack:
            cluster.stop("immediate")
            began = time.perf_counter()
            cluster.start()
            running = _start(halls[:size], stack)
            start = time.perf_counter() - began
            if size == IDLE:
                yield from _idle(running, cluster, seconds)
            rows, cpu = asyncio.run(_send(running, cluster, seconds))
        found = Found(rows, start, median(each.cpu for each in running), cpu)
        alone = alone or found
        yield from _measured(found, alone, size)
    sent = sum(box.last for hall in halls for box in hall.boxes)
    stored = sum(_count(hall) for hall in halls)
    what = "many halls: acknowledged rows that their databases have not"
    yield Measurement(what, sent - stored, sent, "rows", "rows sent", 0, counted=True)


def _start(halls: Sequence[NewHub], stack: ExitStack) -> list[RunningHall]:
    """Start all hubs at once, and wait until each of them listens."""
    started = []
    for hall in halls:
        state = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        config = state / "hall.toml"
        config.write_text(f'[hub]\nname = "{hall.name}"\ndatabase = "{hall.address}"\n')
        words = ["-m", "scorer", "hub", "--config", str(config), "--card", str(state / "none")]
        words += ["--state", str(state), "--listen", f"{HOST}:0", "--secure", f"{HOST}:0"]
        started.append(start_process(words, stack, watchdog=30))
    running = []
    for hall, process in zip(halls, started, strict=True):
        _, secure, _ = (read_line(process) for _ in range(3))
        port = int(secure.rpartition(":")[2].partition("/")[0])
        pid = process.pid
        running.append(RunningHall(hall, pid, Address(HOST, port), cpu_ms(pid)))
    return running


def _measured(found: Found, alone: Found, size: int) -> Iterator[Measurement]:
    halls = f"{size} halls" if size > 1 else "1 hall"
    a_second, one = f"{size * BOXES * PACE:.1f} rows a second", "one hall"
    what = f"{halls} of {BOXES} boxes, {a_second}: a row"
    here, there = sorted(found.rows), sorted(alone.rows)
    yield Measurement(f"{what}, p50", 1000 * median(here), 1000 * median(there), "ms", one, None)
    p99 = [1000 * quantiles(each, n=100)[-1] for each in (here, there)]
    yield Measurement(f"{what}, p99", p99[0], p99[1], "ms", one, None)
    yield Measurement(
        f"{halls}, {a_second}: processor in a second, with PostgreSQL",
        found.cpu, alone.cpu * size, "ms", "as many times one hall", None,
    )  # fmt: skip
    yield Measurement(
        f"{halls}: from a power cut until all listen",
        found.start, alone.start, "s", one, None,
    )  # fmt: skip
    yield Measurement(
        f"{halls}: processor of the start of a hub",
        found.start_cpu, alone.start_cpu, "ms", one, None,
    )  # fmt: skip


def _idle(
    running: Sequence[RunningHall], cluster: Cluster, seconds: float
) -> Iterator[Measurement]:
    """Halls without a connection, before their hubs end."""
    pids = [each.pid for each in running]
    time.sleep(SETTLE)
    before = [switches(pid)["voluntary"] for pid in pids]
    time.sleep(seconds)
    after = [switches(pid)["voluntary"] for pid in pids]
    wakes = sum(after) - sum(before)
    memory = sum(map(pss_bytes, pids)) / _MB / len(pids)
    query = "SELECT pid FROM pg_stat_activity WHERE usename LIKE 'hub\\_%'"
    backends = [int(pid) for pid in cluster.sql(query).splitlines()]
    connections = len(backends) / len(pids)
    servers = sum(map(pss_bytes, backends)) / _MB
    what, same = "an idle hall", f"{len(pids)} of them"
    yield Measurement(
        f"{what}: memory of its hub (PSS)",
        memory, memory * len(pids), "MB", same, IDLE_MEMORY, counted=True,
    )  # fmt: skip
    yield Measurement(
        f"{what}: memory of its connections in PostgreSQL (PSS)",
        servers / len(pids), servers, "MB", f"those of {len(pids)} halls", None,
    )  # fmt: skip
    a_minute = wakes / len(pids) * _MINUTE / seconds
    yield Measurement(
        f"{what}: wake-ups of its hub a minute",
        a_minute, 9.0, "times", "its watchdog and its looks at the log", IDLE_WAKES, counted=True,
    )  # fmt: skip
    yield Measurement(
        f"{what}: connections to PostgreSQL",
        connections, IDLE_CONNECTIONS, "", "those that it may have", IDLE_CONNECTIONS,
        counted=True,
    )  # fmt: skip


def _disk(running: RunningHall, cluster: Cluster) -> Iterator[Measurement]:
    """What a hall takes of the disk of PostgreSQL, empty and with each row."""
    query = f"SELECT pg_database_size('{login_of(running.hall.name)}')"
    empty = int(cluster.sql(query))
    sent = asyncio.run(_fill(running))
    each = (int(cluster.sql(query)) - empty) / sent
    what, same = "a hall without rows: its database", "a row"
    yield Measurement(what, empty / _MB, each / _MB, "MB", same, None)
    text = sum(map(len, HAND)) / len(HAND)
    what, same = "a row in PostgreSQL, with its indexes", "its text alone"
    yield Measurement(what, each, text, "bytes", same, None)


async def _fill(running: RunningHall) -> int:
    """Send many rows, and return how many."""
    tls = tls_of_boxes()
    for box in running.hall.boxes:
        connection = await BoxConnection.open(box, running.secure, tls)
        await connection.ask(box.greeting())
        for _ in range(FILL // FILL_AT_ONCE):
            await connection.ask(box.next_rows(FILL_AT_ONCE))
        connection.close()
    return FILL * len(running.hall.boxes)


async def _send(
    running: Sequence[RunningHall], cluster: Cluster, seconds: float
) -> tuple[list[float], float]:
    """Seconds of each row, and milliseconds of processor in a second."""
    tls, few = tls_of_boxes(), asyncio.Semaphore(_GREETING_AT_ONCE)
    taken, chance = list[float](), Random(1)

    async def greet(box: Box, to: Address) -> BoxConnection:
        async with few:
            connection = await BoxConnection.open(box, to, tls)
            await connection.ask(box.greeting())
            return connection

    async def send(box: Box, to: Address, connection: BoxConnection, until: float) -> None:
        while (pause := chance.expovariate(PACE)) < until - time.perf_counter():
            await asyncio.sleep(pause)
            began = time.perf_counter()
            if connection.reader.at_eof():  # the hub closes it when a table is quiet for long
                connection = await greet(box, to)
            request = box.next_rows(1)
            await connection.ask(request)
            taken.append(time.perf_counter() - began)

    members = [(box, each.secure) for each in running for box in each.hall.boxes]
    connections = await asyncio.gather(*(greet(*member) for member in members))
    pids = [*(each.pid for each in running), *_servers(cluster)]
    before = {pid: cpu_ms(pid) for pid in pids}
    until = time.perf_counter() + seconds
    pairs = zip(members, connections, strict=True)
    await asyncio.gather(*(send(*member, connection, until) for member, connection in pairs))
    spent = _spent(before)
    for connection in connections:
        connection.close()
    return taken, spent / seconds


def _spent(before: Mapping[int, float]) -> float:
    """Milliseconds of processes since ``before``; of those that have ended, nothing."""
    return sum(
        cpu_ms(pid) - earlier for pid, earlier in before.items() if Path(f"/proc/{pid}").exists()
    )


def _servers(cluster: Cluster) -> list[int]:
    """The processes of PostgreSQL."""
    parent = cluster.postmaster
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
    return [parent, *map(int, children.split())]


def _count(hall: NewHub) -> int:
    with closing(Database.open(hall.address)) as database, database.read() as connection:
        return int(connection.exec_driver_sql('SELECT count(*) FROM "row"').scalar_one())


# ---- migrations ---------------------------------------------------------------------------------


def _migrations(cluster: Cluster) -> Iterator[Measurement]:
    """Halls of an older version are migrated, which breaks in one of them."""
    server = _server(cluster)
    old = cluster.new_database()
    _migrate_to(old, BEFORE)
    template = old.partition("?")[0].rpartition("/")[2]
    addresses = []
    for number in range(MIGRATED):
        name = f"old{number}"
        cluster.sql(f'CREATE DATABASE "{login_of(name)}" TEMPLATE "{template}"')
        addresses.append(server.replace("/postgres?", f"/{login_of(name)}?"))
    broken = addresses[MIGRATED // 2]
    _run(broken, "CREATE TABLE kept (of_another integer)")
    migrating, failed = _opened(addresses)
    current, still = _opened(addresses)
    what = f"{MIGRATED} halls: migrated one after the other"
    same = "opened without a migration"
    yield Measurement(what, migrating, current, "s", same, None)
    what = f"{MIGRATED} halls: not migrated, where the migration of one breaks"
    yield Measurement(what, len(failed), MIGRATED, "halls", "all halls", 1, counted=True)
    intact = failed == still == [broken] and _version(broken) == BEFORE
    what = "tables that a migration which breaks has left half done"
    yield Measurement(what, 0 if intact else 1, 1, "tables", "one", 0, counted=True)


def _opened(addresses: Sequence[str]) -> tuple[float, list[str]]:
    """Seconds to open all, and those that cannot be opened."""
    failed, began = list[str](), time.perf_counter()
    for address in addresses:
        try:
            Database.open(address).close()
        except DatabaseError:
            failed.append(address)
    return time.perf_counter() - began, failed


def _migrate_to(address: str, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", "scorer.hub.store:migrations")
    engine = open_engine(address)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def _run(address: str, statement: str) -> None:
    engine = open_engine(address)
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


def _version(address: str) -> str:
    engine = open_engine(address)
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
    engine.dispose()
    return str(found)


# ---- one process --------------------------------------------------------------------------------


def _one_process() -> Measurement:
    """The memory of halls in processes of their own, and in one process."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sizes = {}
        for count in (1, IDLE):
            place = folder / str(count)
            place.mkdir()
            for number in range(count):
                Database.open(sqlite_url(place / f"hall{number}.sqlite")).close()
            words = ["-m", "tools.bench.hall.one_process", str(place)]
            process = start_process(words, stack)
            read_line(process)
            sizes[count] = pss_bytes(process.pid) / _MB
    return Measurement(
        f"{IDLE} idle halls in a process of their own each: memory of their hubs",
        sizes[1] * IDLE, sizes[IDLE], "MB", f"{IDLE} halls in one process", None,
    )  # fmt: skip
