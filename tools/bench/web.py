"""Time from a press to the last of many screens, and its cost to the table.

The reference is a bare asyncio broadcast of the same bytes to as many viewers in the same run. A
fake table publishes each state to both; the real table is used for its own figures.
"""

from __future__ import annotations

import json
import os
import resource
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any, NamedTuple

from scorer.api.server import listen
from scorer.demo.buttons import press_edges
from scorer.demo.table_process import TableCommand, TableProcess
from scorer.rules import apply, parse_step, read_header, state_document
from scorer.store.journal import Journal, Stamp
from tools.bench import Measurement, Result
from tools.bench.broadcast import encode_frame
from tools.bench.viewers import PATIENCE, Viewers

BUDGET = 3.0  # times the bare broadcast
FLOOD_BUDGET = 1.1  # times the table without the flood
LONG_GAME = 1700  # rows
MOST_BYTES = 1.0  # of the bus, with viewers against without
VIEWERS, MANY = 200, 1000
HEADER = '[Variant "argentine"]\n'
HAND = (
    "A truco",
    "B no_quiero",
    "- new_hand",
    "B envido",
    "A no_quiero",
    "B hand_won",
    "- new_hand",
)
FINGERS = ("A.truco", "B.quiero", "undo", "undo", "A.envido", "B.no_quiero", "undo", "undo")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = 1000 / os.sysconf("SC_CLK_TCK")  # milliseconds


def measure(quick: bool) -> Iterator[Result]:
    """The rows of the screens, then those of the table."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    presses = 20 if quick else 60
    for viewers, budget in ((VIEWERS, BUDGET), (MANY, None)):
        found = _race(viewers, presses)
        what = f"{viewers} viewers: from the table to a screen"
        yield Measurement(f"{what}, p95", _p95(found.ours), _p95(found.bare), "ms", _BARE, budget)
        yield Measurement(f"{what}, median", _mid(found.ours), _mid(found.bare), "ms", _BARE, None)
        yield Measurement(f"{viewers} viewers: memory of one", *found.memory, "KiB", _BARE, None)
    yield from _table(40 if quick else 160)
    yield from _flood(400 if quick else 800)


_BARE = "a bare asyncio broadcast of the same bytes"


class Race(NamedTuple):
    """Seconds to each screen at each press, and KiB per viewer: ours, the reference's."""

    ours: list[float]
    bare: list[float]
    memory: tuple[float, float]


def _p95(seconds: list[float]) -> float:
    return quantiles(seconds, n=20)[-1] * 1000


def _mid(seconds: list[float]) -> float:
    return median(seconds) * 1000


# ---- the screens --------------------------------------------------------------------------------


class FakeTable:
    """The table's end of its socket: publishes states and replies to requests."""

    def __init__(self, listening: socket.socket, presses: int) -> None:
        self.end, _ = listening.accept()
        self._lines = (HAND * presses)[: presses + 1]
        self._states = states(self._lines)
        self._buffer = b""
        self.seq = 0
        self._send({"hello": 1, "device": "bench", "seq": 0})
        self.send_state()

    def send_state(self) -> float:
        """Send the next state; return the time of sending."""
        self.seq += 1
        line = _line({"state": self._states[self.seq - 1]})
        now = time.perf_counter()
        self.end.sendall(line)
        return now

    def serve_if_ready(self) -> None:
        """Reply to pending requests, if any."""
        if select.select([self.end], [], [], 0)[0]:
            self.serve()

    def serve(self) -> None:
        """Read and reply to requests."""
        *lines, self._buffer = (self._buffer + self.end.recv(1 << 16)).split(b"\n")
        for line in lines:
            wish = json.loads(line)
            if wish["do"] != "game":
                # The address for phones, and other messages to a table.
                self._send({"id": wish["id"], "ok": True})
                continue
            rows = [row(seq, self._lines[seq - 1]) for seq in range(wish["from"], self.seq + 1)]
            known = {"game": 1, "running": 1, "first": 1, "newest": 1, "language": "es-AR"}
            reply = {"seq": self.seq, "header": HEADER, "rows": rows}
            self._send({"id": wish["id"], "ok": True, **known, **reply})

    def _send(self, message: dict[str, Any]) -> None:
        self.end.sendall(_line(message))


def _race(viewers: int, presses: int) -> Race:
    """The same presses, to the viewers of both, one after the other."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        listening = stack.enter_context(listen(folder / "table.sock"))
        web, web_port = _web(folder, viewers, stack)
        bare, bare_port = _bare(stack)
        table = FakeTable(listening, presses)
        stack.callback(table.end.close)
        source = stack.enter_context(socket.create_connection(("127.0.0.1", bare_port)))
        source.sendall(encode_frame(b""))
        before = _resident_bytes(web.pid), _resident_bytes(bare.pid)
        ours = stack.enter_context(Viewers(web_port, viewers, table.serve_if_ready))
        others = stack.enter_context(Viewers(bare_port, viewers, table.serve_if_ready))
        for crowd in (ours, others):
            crowd.also_serve(table.end, table.serve)
        ours.wait_for(_marker(1), time.perf_counter())
        others.wait_for(b"200 OK", time.perf_counter())
        after = _resident_bytes(web.pid), _resident_bytes(bare.pid)
        memory = [(b - a) / viewers / 1024 for a, b in zip(before, after, strict=True)]
        raced = Race([], [], (memory[0], memory[1]))
        for _ in range(presses):
            ours.drain()
            raced.ours.extend(ours.wait_for(_marker(table.seq + 1), table.send_state()))
            ours.drain()
            frame = ours.read_by_one()
            others.drain()
            now = time.perf_counter()
            source.sendall(encode_frame(frame))
            raced.bare.extend(others.wait_for(_marker(table.seq), now))
        return raced


def _marker(seq: int) -> bytes:
    return b'"seq": %d, "sides"' % seq


def _web(folder: Path, viewers: int, stack: ExitStack) -> tuple[subprocess.Popen[str], int]:
    config = folder / "web.toml"
    config.write_text(f"[web]\nviewers = {viewers}\nviewers_each = {viewers}\n", encoding="utf-8")
    words = ["-m", "scorer", "web", "--config", str(config), "--card", str(folder / "none")]
    words += ["--socket", str(folder / "table.sock"), "--listen", "127.0.0.1:0"]
    process = _start_process(words, stack)
    return process, int(_read_line(process).strip().rstrip("/").rpartition(":")[2])


def _bare(stack: ExitStack) -> tuple[subprocess.Popen[str], int]:
    process = _start_process(["-m", "tools.bench.broadcast"], stack)
    return process, int(_read_line(process))


def _start_process(words: list[str], stack: ExitStack) -> subprocess.Popen[str]:
    command = [sys.executable, *words]
    process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    stack.callback(process.kill)
    return process


def _read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def states(lines: tuple[str, ...]) -> list[dict[str, Any]]:
    game, documents = read_header(HEADER).game(), []
    for seq, line in enumerate(lines, 1):
        game = apply(game, parse_step(line, game.rules))
        documents.append({**state_document(game), "seq": seq, "names": {"A": "", "B": ""}})
    return documents


def row(seq: int, line: str) -> dict[str, Any]:
    wall = "2026-11-21T21:00:00+00:00"
    who = {"game": 1, "press": seq, "source": "A", "boot": "b", "wall": wall, "trusted": True}
    return {"seq": seq, "line": line, "monotonic_ms": seq, **who}


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, sort_keys=True, ensure_ascii=False).encode() + b"\n"


def _resident_bytes(pid: int) -> int:
    """Resident memory of a process in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * _PAGE


# ---- the table ----------------------------------------------------------------------------------


class TableCost(NamedTuple):
    """The cost of some presses: bytes on the buses, milliseconds of CPU time."""

    bus: int
    cpu: float


def _table(presses: int) -> Iterator[Measurement]:
    alone = _run_table(presses, viewers=0)
    watched = _run_table(presses, viewers=VIEWERS)
    killed = _run_table(presses, viewers=VIEWERS, kill_web=True)
    for what, paid in (("200 watch", watched), ("the web is killed", killed)):
        title = f"the table's bytes to its panels while {what}"
        yield Measurement(title, paid.bus, alone.bus, "bytes", "nobody watches", MOST_BYTES)
        title = f"the table's processor a press while {what}"
        yield Measurement(
            title, paid.cpu / presses, alone.cpu / presses, "ms", "nobody watches", None
        )


def _run_table(presses: int, *, viewers: int, kill_web: bool = False) -> TableCost:
    """The same presses on a new table, with this number of viewers."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        path = folder / "table.sock"
        table = TableCommand("argentine", "", "es-AR", "full", 2, str(folder / "store"), str(path))
        child = TableProcess(table.command(100.0))
        pid = child.start().pid
        stack.callback(child.close)
        web, crowd = _start_viewers(folder, viewers, stack)
        before, bus, chance, now = _cpu_ms(pid), 0, Random(1), 100.0
        for number in range(presses):
            edges = press_edges(FINGERS[number % len(FINGERS)], now, 0.15, chance)
            now = round(now + 4.0, 6)
            report = child.advance(edges, now)
            bus += sum(len(message) for _, message in report.bus)
            if crowd is not None:
                crowd.drain()
            if kill_web and web is not None and number % 20 == 10:
                web.kill()
                web.wait(PATIENCE)
                web, crowd = _start_viewers(folder, viewers, stack)
        return TableCost(bus, _cpu_ms(pid) - before)


def _flood(presses: int) -> Iterator[Measurement]:
    """The table while a long past game is requested without pause."""
    calm, file, history = (
        _run_flood(presses, path)
        for path in ("", "/static/board.css", "/api/v1/history?game=1&limit=1")
    )
    title = "the table's processor during a flood of history requests"
    yield Measurement(title, history.cpu, calm.cpu, "ms", "no requests", FLOOD_BUDGET)
    title = "a press during a flood of history requests, median"
    reference = "the same flood for a file, which the table does not see"
    yield Measurement(title, history.press, file.press, "ms", reference, FLOOD_BUDGET)


class FloodCost(NamedTuple):
    """Milliseconds: the table's CPU time, and the median answer to a press."""

    cpu: float
    press: float


def _run_flood(presses: int, path: str) -> FloodCost:
    """Presses at a table with a long past game while ``path`` is requested."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        write_long_game(folder / "store")
        socket_path = folder / "table.sock"
        table = TableCommand(
            "argentine", "", "es-AR", "full", 2, str(folder / "store"), str(socket_path)
        )
        child = TableProcess(table.command(100.0))
        pid = child.start().pid
        stack.callback(child.close)
        _, port = _web(folder, VIEWERS, stack)
        if path:
            words = ["-m", "tools.bench.flood", str(port), path]
            _read_line(_start_process(words, stack))
        before, chance, now, times = _cpu_ms(pid), Random(1), 100.0, list[float]()
        for number in range(presses):
            edges = press_edges(FINGERS[number % len(FINGERS)], now, 0.15, chance)
            now = round(now + 4.0, 6)
            begin = time.perf_counter()
            child.advance(edges, now)
            times.append(time.perf_counter() - begin)
        return FloodCost(_cpu_ms(pid) - before, _mid(times))


def write_long_game(store: Path) -> None:
    """A store whose first game has thousands of rows, and a second game."""
    stamp = Stamp("bench", 0, "2026-01-01T21:00:00+00:00", trusted=True)
    with Journal.open(store) as journal:
        journal.append(game=1, lines=[], source="A", stamp=stamp, opens=HEADER)
        for line in ("A truco", "- undo") * (LONG_GAME // 2):
            journal.append(game=1, lines=[line], source="A", stamp=stamp)
        journal.append(game=2, lines=[], source="A", stamp=stamp, opens=HEADER)


def _start_viewers(
    folder: Path, viewers: int, stack: ExitStack
) -> tuple[subprocess.Popen[str] | None, Viewers | None]:
    if not viewers:
        return None, None
    web, port = _web(folder, viewers, stack)
    crowd = stack.enter_context(Viewers(port, viewers))
    crowd.wait_for(b'"table": "here"', time.perf_counter())
    return web, crowd


def _cpu_ms(pid: int) -> float:
    """CPU time of a process in milliseconds."""
    words = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) * _TICK
