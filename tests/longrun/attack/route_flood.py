"""Flood what each line of the input says, until the next one.

A line is a ``Flood`` as JSON, null ends the flood. The answer to each flood is a line once it
has begun, the answer to its end a line with the number of answers by status.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import ssl
import sys
import threading
import time
from collections import Counter
from typing import NamedTuple

from tests.longrun.attack.dearest import Dear, Filler, SheetKind

MAX_CONNECTIONS = 96
_TIMEOUT = 10.0
_BEGUN_SECONDS = 0.3  # of answers that do not come
_HEAD = (
    "{} {} HTTP/1.1\r\nHost: localhost\r\nX-Truco: 1\r\nContent-Type: application/json\r\n"
    "Accept-Encoding: gzip\r\nAuthorization: Bearer {token}\r\n"
    "Cookie: truco={half}.{token}; __Host-truco-desk={token}\r\nContent-Length: {}\r\n\r\n"
)
_SECRETS = {"token": "0" * 32, "half": "0" * 8}


class Flood(NamedTuple):
    """What is sent: ``each`` connections of every source address."""

    port: int
    is_secure: bool
    method: str
    dear: Dear
    sources: list[str]
    each: int
    sheet: SheetKind
    tournaments: list[str]


class Flooder:
    """Connections that send the newest flood."""

    def __init__(self) -> None:
        self.flood: Flood | None = None
        self.statuses = Counter[str]()
        self.answered, self._lock = threading.Event(), threading.Lock()
        for number in range(MAX_CONNECTIONS):
            threading.Thread(target=self._run, args=(number,), daemon=True).start()

    def begin(self, flood: Flood) -> None:
        self.statuses.clear()
        self.answered.clear()
        self._filler = Filler(flood.sheet, flood.tournaments)
        self.flood = flood
        self.answered.wait(_BEGUN_SECONDS)

    def _run(self, number: int) -> None:
        while True:
            flood = self.flood
            if flood is None or number >= flood.each * len(flood.sources):
                time.sleep(0.01)
                continue
            source = flood.sources[number % len(flood.sources)]
            try:
                self._connect(flood, source)
            except OSError as error:
                self.statuses[type(error).__name__] += 1
                time.sleep(0.05)

    def _connect(self, flood: Flood, source: str) -> None:
        with contextlib.ExitStack() as stack:
            end = stack.enter_context(socket.socket())
            end.settimeout(_TIMEOUT)
            end.bind((source, 0))
            end.connect(("127.0.0.1", flood.port))
            if flood.is_secure:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
                end = stack.enter_context(context.wrap_socket(end))
            while self.flood is flood:
                end.sendall(self._request(flood))
                status, goes_on = _answer(end)
                self.statuses[status] += 1
                self.answered.set()
                if not goes_on:
                    return

    def _request(self, flood: Flood) -> bytes:
        with self._lock:
            target = self._filler.filled(flood.dear.target)
            body = self._filler.filled(flood.dear.body).encode()
        return _HEAD.format(flood.method, target, len(body), **_SECRETS).encode() + body


def _answer(end: socket.socket) -> tuple[str, bool]:
    """The status of the next answer, and whether the connection goes on."""
    received = b""
    while b"\r\n\r\n" not in received:
        more = end.recv(1 << 16)
        if not more:
            return "closed", False
        received += more
    head, _, body = received.lower().partition(b"\r\n\r\n")
    status = head[9:12].decode("ascii")
    fields = dict(line.partition(b": ")[::2] for line in head.split(b"\r\n")[1:])
    if b"content-length" not in fields:
        return status, False
    left = int(fields[b"content-length"]) - len(body)
    while left > 0 and status != "304":
        more = end.recv(1 << 16)
        if not more:
            return status, False
        left -= len(more)
    return status, fields.get(b"connection") != b"close"


def main() -> None:
    # A guest has a processor of its own: on this machine it must not take that of the services.
    os.setpriority(os.PRIO_PROCESS, 0, 19)
    flooder = Flooder()
    for line in sys.stdin:
        if (found := json.loads(line)) is not None:
            flood = Flood(*found)
            sheet, dear = SheetKind(*flood.sheet), Dear(*flood.dear)
            flooder.begin(flood._replace(sheet=sheet, dear=dear))
            print("flooding", flush=True)
        else:
            flooder.flood = None
            print(json.dumps(flooder.statuses), flush=True)


if __name__ == "__main__":
    main()
