"""The processes of a measured hall, and their CPU time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from scorer.api.rights import Right, socket_path
from scorer.hub.hub import random_hex
from scorer.hub.identity import load_identity
from scorer.hub.store.database import Database, sqlite_url
from scorer.link.membership import Membership, MembershipFile
from tools.bench.daemon_process import pycache_environment
from tools.bench.hall.boxes import Address, Box, accept_boxes

HOST = "127.0.0.1"
BARE_PAGE = "page.json"  # in the folder of a bare server: what it answers to GET
VIEWERS = 200
NICE = 5  # as in scorer-hub.service
_TICK = 1000 / os.sysconf("SC_CLK_TCK")  # milliseconds
# As in the units; the pings wake the process, and go nowhere.
_HUB_WATCHDOG, _LINK_WATCHDOG = 30, 180  # seconds


class RunningHub(NamedTuple):
    """A hub that listens. ``state``: its folder."""

    pid: int
    wall: Address
    secure: Address
    pin: str
    state: Path


@contextmanager
def running_hub(
    boxes: Sequence[Box], nice: int = 0, prepare: Callable[[Database], None] | None = None
) -> Iterator[RunningHub]:
    """A hub to which the boxes belong, in a folder of its own.

    ``prepare``: called with its database before it starts.
    """
    with ExitStack() as stack:
        state = stack.enter_context(_folder())
        database = Database.open(sqlite_url(state / "hub.sqlite"))
        with database.write() as connection:
            pin = load_identity(connection, random_hex).pin
        accept_boxes(database, boxes)
        if prepare is not None:
            prepare(database)
        database.close()
        config = state / "scorer.toml"
        config.write_text(f"[hub]\nviewers = {VIEWERS}\nviewers_each = {VIEWERS}\n")
        words = ["-m", "scorer", "hub", "--config", str(config), "--card", str(state / "none")]
        words += ["--state", str(state), "--listen", f"{HOST}:0", "--secure", f"{HOST}:0"]
        process = start_process(words, stack, nice=nice, watchdog=_HUB_WATCHDOG)
        wall, secure, _ = (read_line(process) for _ in range(3))
        yield RunningHub(process.pid, _address(wall), _address(secure), pin, state)


@contextmanager
def running_bare(kind: str, hub: RunningHub) -> Iterator[tuple[int, Address]]:
    """Process id and address of a bare server with the hub's certificate.

    ``kind``: http or echo, see ``bare_servers``.
    """
    with ExitStack() as stack:
        words = ["-m", "tools.bench.hall.bare_servers", kind, str(hub.state)]
        process = start_process(words, stack)
        yield process.pid, Address(HOST, int(read_line(process)))


@contextmanager
def running_link(box: Box, hub: RunningHub, table: Path) -> Iterator[int]:
    """The process id of the link of a table, whose socket is ``table``, as ``box``."""
    with ExitStack() as stack:
        folder = stack.enter_context(_folder())
        state = folder / "link"
        membership = Membership(
            f"{hub.secure.host}:{hub.secure.port}", hub.pin, box.token, "Truco", box.number
        )
        state.mkdir()
        MembershipFile(state).save(membership)
        none = str(folder / "none")
        words = ["-m", "scorer", "link", "--config", none, "--card", none]
        words += ["--socket", str(socket_path(table, Right.HALL)), "--state", str(state)]
        yield start_process(words, stack, watchdog=_LINK_WATCHDOG).pid


def start_process(
    words: Sequence[str], stack: ExitStack, *, nice: int = 0, watchdog: int = 0
) -> subprocess.Popen[str]:
    """Start Python with these words; it ends with the stack.

    ``watchdog``: seconds, as in its unit.
    """
    command = ["nice", "-n", str(nice)] if nice else []
    command += [sys.executable, *words]
    environment = {**os.environ, **pycache_environment(Path(_compiled().name))}
    if watchdog:
        environment["WATCHDOG_USEC"] = f"{watchdog}000000"
    process = stack.enter_context(
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    )
    stack.callback(process.kill)
    return process


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def cpu_ms(pid: int) -> float:
    """CPU time of a process in milliseconds."""
    words = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) * _TICK


def pss_bytes(pid: int) -> int:
    """Its memory; what several processes share counts in parts."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    words = text.partition("\nPss:")[2].split(maxsplit=1)
    return int(words[0]) * 1024


def least_cpu_seconds(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The least processor time of each of ``works``, called in turn.

    It is that of a run with warm caches, which another load on the machine does not change.
    """
    spent: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, found in zip(works, spent, strict=True):
            began = time.process_time()
            work()
            found.append(time.process_time() - began)
    return [min(found) for found in spent]


@cache
def _compiled() -> tempfile.TemporaryDirectory[str]:
    """Where the processes of this run keep compiled modules; removed at its end."""
    return tempfile.TemporaryDirectory()


def _address(line: str) -> Address:
    """The address in the line that a hub prints."""
    host, _, port = line.partition("//")[2].partition("/")[0].strip().rpartition(":")
    return Address(host, int(port))


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)
