"""Two hubs on one PostgreSQL, killed while they store."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import func, select

from scorer.hall.joining import key_of
from scorer.hub.decisions import Desk, NewDevice
from scorer.hub.store.database import Database, DatabaseError
from scorer.hub.store.log import find_break
from scorer.hub.store.tables import DEVICE, LOG, ROW, STREAM
from scorer.hub.times import WallClock
from tests.hub import postgresql
from tests.hub.boxes import DIRECTOR, EPOCH
from tests.hub.postgresql import Cluster
from tests.sampling import amount, sample

BOXES = 6
PATIENCE = 90.0  # seconds


def start_writer(url: str, acknowledged: Path, seed: int) -> subprocess.Popen[bytes]:
    """Start a process that sends rows of all boxes and notes what is stored."""
    command = [sys.executable, "-m", "tests.hub.writer_process", url, str(acknowledged), str(seed)]
    return subprocess.Popen(command)


def accept_boxes(url: str) -> None:
    database = Database.open(url)
    with database.write() as connection:
        desk = Desk(connection, WallClock(), DIRECTOR)
        for table, token in enumerate([f"{number:032x}" for number in range(1, BOXES + 1)], 1):
            desk.accept(NewDevice(key_of(token), table, "a91c", "1"))
    database.close()


def acknowledged_rows(folder: Path) -> dict[int, int]:
    """The last acknowledged row of each box, by the number of its table."""
    last: dict[int, int] = {}
    for path in folder.glob("*.acknowledged"):
        for line in path.read_text().splitlines():
            table, _, seq = line.partition(" ")
            # The last line of a killed process may be half.
            if seq.endswith(";"):
                last[int(table)] = max(last.get(int(table), 0), int(seq[:-1]))
    return last


def check(url: str, acknowledged: dict[int, int]) -> None:
    database = Database.open(url)
    with database.read() as connection:
        assert find_break(connection) is None
        for device, table in connection.execute(select(DEVICE.c.id, DEVICE.c.table_number)):
            of_box = (ROW.c.device == device, ROW.c.epoch == EPOCH)
            query = select(func.count(), func.min(ROW.c.seq), func.max(ROW.c.seq)).where(*of_box)
            count, first, last = connection.execute(query).one()
            stream = connection.execute(
                select(STREAM.c.last).where(STREAM.c.device == device)
            ).scalar()
            assert (first, last, stream) == (1, count, count)
            assert last >= acknowledged[table]
    database.close()


def wait_until(path_count: int, folder: Path, rows: int) -> None:
    """Until the boxes have that many acknowledged rows in all."""
    end = time.monotonic() + PATIENCE
    while sum(acknowledged_rows(folder).values()) < rows:
        assert time.monotonic() < end, acknowledged_rows(folder)
        time.sleep(0.05)


@pytest.mark.sampled(0)
def test_hubs_that_are_killed_while_they_store_lose_and_double_nothing(
    cluster: Cluster, tmp_path: Path
) -> None:
    url = cluster.new_database()
    accept_boxes(url)
    writers = [start_writer(url, tmp_path, seed) for seed in (1, 2)]
    order, rows = random.Random(1), 0
    for seed in sample(range(3, 7), 1):
        rows += 60
        wait_until(2, tmp_path, rows)
        killed = writers.pop(order.randrange(len(writers)))
        killed.kill()
        killed.wait()
        writers.append(start_writer(url, tmp_path, seed))
    wait_until(2, tmp_path, rows + 60)
    for writer in writers:
        writer.kill()
        writer.wait()
    check(url, acknowledged_rows(tmp_path))


@pytest.mark.sampled(0)
def test_a_postgresql_that_is_killed_while_hubs_store_loses_nothing(tmp_path: Path) -> None:
    if not postgresql.is_installed():
        pytest.skip("PostgreSQL is not installed")
    with postgresql.running_cluster() as own:
        url = own.new_database()
        accept_boxes(url)
        writers = [start_writer(url, tmp_path, seed) for seed in (1, 2)]
        rows = 0
        for _ in range(amount(1, 2)):
            rows += 60
            wait_until(2, tmp_path, rows)
            # The server ends its processes and recovers at the next start.
            killed = own.postmaster
            os.kill(killed, signal.SIGKILL)
            own.restart_after_kill(killed)
        wait_until(2, tmp_path, rows + 60)
        for writer in writers:
            writer.kill()
            writer.wait()
        check(url, acknowledged_rows(tmp_path))


def test_decisions_of_two_hubs_are_one_unbroken_log(cluster: Cluster) -> None:
    url = cluster.new_database()
    accept_boxes(url)
    databases = [Database.open(url) for _ in range(2)]
    from concurrent.futures import ThreadPoolExecutor

    def decide(at: int) -> None:
        database = databases[at % 2]
        with database.write() as connection:
            Desk(connection, WallClock(), DIRECTOR).set_person(f"p{at}", "admin", "x")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(decide, range(40)))
    with databases[0].read() as connection:
        assert find_break(connection) is None
        count = connection.execute(select(func.count()).select_from(LOG)).scalar_one()
        assert count == BOXES + 40
    for database in databases:
        database.close()


def test_a_database_that_is_away_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError) as error:
        Database.open(f"postgresql+psycopg://nobody@/hub?host={tmp_path}")
    assert "\n" not in str(error.value)
