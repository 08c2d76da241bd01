"""Time from a stored row to many screens of the wall.

It begins with the answer to the box: until then a row has its own budget, and the hub makes the
wall's report after the answer.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median, quantiles
from typing import NamedTuple, Self

from scorer.link.https import client_context
from tools.bench import Measurement, Result
from tools.bench.broadcast import encode_frame
from tools.bench.hall.boxes import HAND, Address, Box, BoxConnection, tls_of_boxes
from tools.bench.hall.processes import VIEWERS, RunningHub, read_line, running_hub, start_process
from tools.bench.viewers import Viewers

TABLES = 32
BUDGET = 3.0
_MOST_HANDS = 16  # of another table; a request has at most 50 rows
PAUSE = 0.6  # seconds between two requests; the wall changes at most twice a second
_BARE = "a bare asyncio broadcast of the same bytes"
_HEADER = '[Variant "argentine"]\n[NameA "La Marca"]\n'


def measure(quick: bool) -> Iterator[Result]:
    """The 95th percentile is gated."""
    ours, bare, whole = _race(20 if quick else 100)
    what = f"the wall of {TABLES} tables, {VIEWERS} viewers: from the answer to a screen"
    yield Measurement(f"{what}, p95", _p95(ours), _p95(bare), "ms", _BARE, BUDGET)
    yield Measurement(f"{what}, median", _mid(ours), _mid(bare), "ms", _BARE, None)
    what = "the same from the request of the box, which waits for the disk"
    yield Measurement(f"{what}, p95", _p95(whole), _p95(bare), "ms", _BARE, None)


class Race(NamedTuple):
    """Seconds to each screen: of the wall, of the reference, and with the disk."""

    ours: list[float]
    bare: list[float]
    whole: list[float]


def _race(hands: int) -> Race:
    box, *others = [Box(1, _HEADER), *(Box(number) for number in range(2, TABLES + 1))]
    with ExitStack() as stack:
        hub = stack.enter_context(running_hub([box, *others]))
        asyncio.run(_play(others, hub))
        bare = start_process(["-m", "tools.bench.broadcast"], stack)
        port = int(read_line(bare))
        source = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        source.sendall(encode_frame(b""))
        sender = stack.enter_context(_Sender(box, hub.secure))
        wall = stack.enter_context(Viewers(hub.wall.port, VIEWERS))
        reference = stack.enter_context(Viewers(port, VIEWERS))
        wall.wait_for(b"event: hall", time.perf_counter())
        reference.wait_for(b"200 OK", time.perf_counter())
        raced = Race([], [], [])
        for _ in range(hands):
            time.sleep(PAUSE)
            wall.drain()
            request = box.next_rows(len(HAND))
            marker = b'La Marca</span></span> <span class=\\"score\\">%d<' % box.score[0][1]
            sent = sender.send(request)
            sender.read_answer()
            answered = time.perf_counter()
            times = wall.wait_for(marker, answered)
            raced.ours.extend(times)
            raced.whole.extend(each + answered - sent for each in times)
            wall.drain()
            frame = wall.read_by_one()
            reference.drain()
            now = time.perf_counter()
            source.sendall(encode_frame(frame))
            raced.bare.extend(reference.wait_for(marker, now))
        return raced


async def _play(boxes: list[Box], hub: RunningHub) -> None:
    """Let every table show a game."""
    for box in boxes:
        connection = await BoxConnection.open(box, hub.secure, tls_of_boxes())
        await connection.ask(box.greeting())
        await connection.ask(box.next_rows(len(HAND) * (1 + box.number % _MOST_HANDS)))
        connection.close()


class _Sender:
    """A box that sends without waiting for the answer."""

    def __init__(self, box: Box, to: Address) -> None:
        raw = socket.create_connection(to)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = client_context().wrap_socket(raw)
        self.send(box.greeting())
        self.read_answer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, request: bytes) -> float:
        """The time of sending."""
        now = time.perf_counter()
        self._socket.sendall(request)
        return now

    def read_answer(self) -> None:
        """Read one answer. Raises ConnectionError unless it is 200."""
        answer = b""
        while b"}" not in answer:
            piece = self._socket.recv(1 << 14)
            answer += piece
            if not piece:
                break
        if not answer.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(f"the hub answered {answer!r}")


def _p95(seconds: list[float]) -> float:
    return quantiles(seconds, n=20)[-1] * 1000


def _mid(seconds: list[float]) -> float:
    return median(seconds) * 1000
