"""Many viewers in one process, and the moment at which each of them has seen something.

They are sockets that read and look for a few bytes; what a report says they do not know.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable
from typing import Self

PATIENCE = 60.0  # seconds until everybody must have seen it
_PIECE = 1 << 16
_ASKED = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"

ServeTable = Callable[[], None]


class Viewers:
    """Viewers of a server at a port of this machine. Raises OSError, TimeoutError."""

    def __init__(self, port: int, count: int, meanwhile: ServeTable | None = None) -> None:
        """``meanwhile`` is called again and again while they come, of whom there may be many."""
        self._selector = selectors.DefaultSelector()
        self._seen: dict[socket.socket, bytes] = {}
        for _ in range(count):
            viewer = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            viewer.sendall(_ASKED)
            viewer.setblocking(False)
            self._seen[viewer] = b""
            self._selector.register(viewer, selectors.EVENT_READ)
            if meanwhile is not None:
                meanwhile()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        for viewer in self._seen:
            viewer.close()

    def also_serve(self, end: socket.socket, serve: ServeTable) -> None:
        """``serve`` is called whenever ``end`` has something to read while the crowd looks on."""
        self._selector.register(end, selectors.EVENT_READ, serve)

    def wait_for(self, wanted: bytes, since: float) -> list[float]:
        """Seconds after ``since`` at which each viewer had read ``wanted``, the quickest first."""
        waiting, told = set(self._seen), list[float]()
        for viewer in waiting:
            self._seen[viewer] = b""
        while waiting:
            ready = self._selector.select(PATIENCE)
            if not ready:
                raise TimeoutError(f"{len(waiting)} viewers have not seen {wanted!r}")
            for key, _ in ready:
                if key.data is not None:
                    key.data()
                    continue
                looking = key.fileobj
                assert isinstance(looking, socket.socket)
                if self._read(looking, wanted) and looking in waiting:
                    told.append(time.perf_counter() - since)
                    waiting.discard(looking)
        return told

    def read_by_one(self) -> bytes:
        """What one of them has read since it was waited for last."""
        return next(iter(self._seen.values()))

    def drain(self) -> None:
        """Reads what is there, so that nothing of it is in the way later."""
        while ready := self._selector.select(0):
            for key, _ in ready:
                if key.data is not None:
                    key.data()
                elif isinstance(key.fileobj, socket.socket):
                    self._read(key.fileobj, b"")

    def _read(self, viewer: socket.socket, wanted: bytes) -> bool:
        try:
            piece = viewer.recv(_PIECE)
        except ConnectionError:
            piece = b""
        if not piece:
            # The server has gone: there is nothing to wait for.
            self._selector.unregister(viewer)
            return False
        self._seen[viewer] = self._seen[viewer][-_PIECE:] + piece
        return wanted in self._seen[viewer]
