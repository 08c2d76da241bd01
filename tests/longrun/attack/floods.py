"""Floods: idle connections, requests of old games, bodies that never end."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from scorer.api.rights import Right, socket_path
from scorer.serving.connection import REQUEST_TIMEOUT
from scorer.store.journal import Journal, Stamp
from scorer.system.log_limit import BURST
from tests.longrun.attack.checks import Checks
from tests.longrun.attack.rig import Rig, running
from tests.web.server_process import PATIENCE

PATHS = ("/", "/api/v1/state", "/plain", "/healthz", "/metrics")
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = (
    b"POST /api/v1/press HTTP/1.1\r\nHost: localhost\r\nX-Truco: 1\r\n"
    b"Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n"
)
# What a held connection sends: after a good request, one byte; a head and no body; half a body.
HELD = (GET + b"G", POST, POST + b"{", b"GET / HTTP/1.1\r\nHost: localhost\r\nA: ")
HEADER = '[Variant "argentine"]\n'
LONG_GAME = 1700  # rows
READERS = 16
PHONE_REQUESTS = 15  # what a phone may send at once
MAX_RATIO = 4.0  # the flood shares two processors with the table; make bench-web measures it alone


def hold_connections(checks: Checks, share: int) -> None:
    """Connections of five addresses that never complete a request."""
    count = 2000 // share
    with running() as rig, ExitStack() as stack:
        viewer = stack.enter_context(rig.client("127.0.6.1"))
        stream = stack.enter_context(viewer.stream("GET", "/events"))
        lines = stream.iter_lines()
        checks.check(bool(next(lines)), "a viewer has no stream")
        held = [
            _held(rig.port, f"127.0.7.{number % 5 + 1}", begun, stack)
            for number, begun in enumerate(islice(cycle(HELD), count))
        ]
        for number, path in enumerate(PATHS * (20 // share)):
            with rig.client(f"127.0.8.{number + 1}") as late:
                answer = late.get(path)
                checks.check(answer.status_code == 200, f"{path}: {answer.status_code}")
        rig.table.press("A.tantos", duration_s=5.0)
        checks.check(any('"A": 1' in line for line in lines), "the stream has lost its place")
        begin = time.monotonic()
        for each in held:
            checks.check(_has_ended(each), "a held connection is still open")
        waited = time.monotonic() - begin
        checks.check(waited < 3 * REQUEST_TIMEOUT, f"they were held for {waited:.0f} s")
        checks.note = f"{count} connections from 5 addresses; all ended after {waited:.0f} s"


def _held(port: int, address: str, begun: bytes, stack: ExitStack) -> socket.socket:
    end = stack.enter_context(socket.socket())
    end.settimeout(PATIENCE)
    end.bind((address, 0))
    end.connect(("127.0.0.1", port))
    end.sendall(begun)
    return end


def _has_ended(end: socket.socket) -> bool:
    try:
        while end.recv(1 << 16):
            continue
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def request_history(checks: Checks, share: int) -> None:
    """Requests of the history of a long past game during presses."""
    presses = 200 // share
    with running(_write_long_game) as rig, closing(rig.paired("127.0.6.1", "Ana")) as phone:
        calm = _press_times(rig, presses)
        with _flood("flood", str(rig.port), "/api/v1/history?game=1&limit=1"):
            busy = _press_times(rig, presses)
            for _ in range(PHONE_REQUESTS):
                answer = phone.get("/api/v1/phone")
                checks.check(answer.status_code == 200, f"a phone gets {answer.status_code}")
        ratio = median(busy) / median(calm)
        checks.check(ratio < MAX_RATIO, f"a press takes {ratio:.1f} times as long")
        checks.check('"here"' in phone.get("/healthz").text, "the table is gone")
        checks.note = f"{presses} presses meanwhile, {ratio:.1f} times as long"


def _press_times(rig: Rig, count: int) -> list[float]:
    times = []
    for number in range(count):
        begin = time.perf_counter()
        rig.table.press("undo" if number % 2 else "A.truco", duration_s=4.0)
        times.append(time.perf_counter() - begin)
    return times


def read_old_games(checks: Checks, share: int) -> None:
    """Readers of the table's socket that ask for a long past game during presses."""
    presses = 200 // share
    with running(_write_long_game) as rig:
        calm = _press_times(rig, presses)
        with _flood("reader_flood", str(socket_path(rig.socket, Right.READ)), str(READERS)):
            busy = _press_times(rig, presses)
        ratio = median(busy) / median(calm)
        checks.check(ratio < MAX_RATIO, f"a press takes {ratio:.1f} times as long")
        score = rig.table.report.state.get("seq")
        checks.check(score is not None and score > presses, "a press was not stored")
        checks.note = f"{READERS} readers, {presses} presses, {ratio:.1f} times as long"


@contextmanager
def _flood(module: str, *arguments: str) -> Iterator[None]:
    """Requests without pause, by a process of its own."""
    words = ["-m", f"tools.bench.{module}", *arguments]
    flood = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
    assert flood.stdout is not None
    with flood.stdout as begun:
        begun.readline()
        try:
            yield
        finally:
            flood.kill()
            flood.wait(PATIENCE)


def _write_long_game(store: Path) -> None:
    """A past game with thousands of rows before the running one."""
    stamp = Stamp("attack", 0, "2026-01-01T21:00:00+00:00", trusted=True)
    with Journal.open(store) as journal:
        journal.append(game=1, lines=[], source="A", stamp=stamp, opens=HEADER)
        for line in ("A truco", "- undo") * (LONG_GAME // 2):
            journal.append(game=1, lines=[line], source="A", stamp=stamp)
        journal.append(game=2, lines=[], source="A", stamp=stamp, opens=HEADER)


def abort_bodies(checks: Checks, share: int) -> None:
    """Requests whose body never comes, and the size of the log."""
    count = 500 // share
    with running() as rig:
        for number in range(count):
            with ExitStack() as stack:
                _held(rig.port, f"127.0.7.{number % 50 + 1}", POST + b"{", stack)
        with rig.client("127.0.8.1") as late:
            checks.check(late.get("/plain").status_code == 200, "the pages are away")
        log = rig.log.read_text(encoding="utf-8")
        checks.check("Traceback" not in log, f"a traceback is logged: {log[-500:]}")
        lines = log.count("\n")
        checks.check(lines <= 2 * BURST, f"{lines} lines in the log")
        checks.note = f"{count} aborted requests, {lines} lines in the log"
