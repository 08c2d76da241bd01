"""Many viewers in one process, and the time at which each received given bytes.

They are plain sockets and do not parse what they read.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable
from typing import Self

PATIENCE = 60.0  # seconds until all must have received it
_PIECE = 1 << 16
_ASKED = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"

ServeTable = Callable[[], None]


class Viewers:
    """Viewers of a server at a port of this machine. Raises OSError, TimeoutError."""

    def __init__(self, port: int, count: int, meanwhile: ServeTable | None = None) -> None:
        """``meanwhile`` is called repeatedly while they connect."""
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
        """``serve`` is called whenever ``end`` is readable while waiting."""
        self._selector.register(end, selectors.EVENT_READ, serve)

    def wait_for(self, wanted: bytes, since: float) -> list[float]:
        """Seconds after ``since`` at which each viewer had read ``wanted``, sorted."""
        waiting, times = set(self._seen), list[float]()
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
                    times.append(time.perf_counter() - since)
                    waiting.discard(looking)
        return times

    def read_by_one(self) -> bytes:
        """What one of them has read since the last wait."""
        return next(iter(self._seen.values()))

    def drain(self) -> None:
        """Read and drop all available data."""
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
            # The server has closed the connection: nothing to wait for.
            self._selector.unregister(viewer)
            return False
        self._seen[viewer] = self._seen[viewer][-_PIECE:] + piece
        return wanted in self._seen[viewer]
