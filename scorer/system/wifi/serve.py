"""``scorer wifi --serve``: answer requests and watch the networks, in one thread.

systemd starts it with the first request, and it ends when nothing is left to do.
"""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Callable
from typing import Any

from scorer.config.wifi_section import WifiNetwork
from scorer.system.line_server import REQUEST_TIMEOUT
from scorer.system.wifi import requests
from scorer.system.wifi.watch import NetworkWatch
from scorer.system.wifi.watch_request import MAX_LINE_BYTES, WatchRequest

TICK_S = 5.0  # seconds between two looks at the networks
IDLE_S = 60.0  # idle seconds after which the process ends


def serve(
    listener: socket.socket,
    watch: NetworkWatch,
    log: Callable[[str], object],
    clock: Callable[[], float] = time.monotonic,
    tick_s: float = TICK_S,
) -> None:
    """Serve until nothing happens for IDLE_S."""
    busy_at = clock()
    while (now := clock()) < busy_at + IDLE_S:
        listener.settimeout(tick_s)
        with contextlib.suppress(TimeoutError):
            connection, _ = listener.accept()
            _answer(connection, lambda line: answer(watch, line, clock()))
            busy_at = now
        began = clock()
        try:
            watch.tick(began)
        except OSError as error:
            log(f"{error.filename}: {error.strerror}")
        if clock() - began > REQUEST_TIMEOUT:
            _refuse_waiting(listener)
        if not watch.is_idle(clock()):
            busy_at = clock()


def answer(watch: NetworkWatch, line: bytes, now: float) -> dict[str, Any]:
    """The answer to one request."""
    match requests.parse(line):
        case WatchRequest() as request:
            watch.watch(request, now)
            return {"ok": True}
        case WifiNetwork() as network:
            return {"ok": True} if watch.ask(network, now) else {"ok": False, "why": requests.BUSY}
    return {"ok": False, "why": "malformed"}


def _answer(connection: socket.socket, make: Callable[[bytes], dict[str, Any]]) -> None:
    with connection, contextlib.suppress(OSError):
        connection.settimeout(REQUEST_TIMEOUT)
        with connection.makefile("rb") as lines:
            line = lines.readline(MAX_LINE_BYTES)
        connection.sendall(json.dumps(make(line)).encode() + b"\n")


def _refuse_waiting(listener: socket.socket) -> None:
    """Refuse what was asked while the process was busy: its clients have given up."""
    listener.settimeout(0)
    with contextlib.suppress(BlockingIOError):
        while True:
            connection, _ = listener.accept()
            _answer(connection, lambda _: {"ok": False, "why": requests.BUSY})
