"""A short way into a connection: one frame, one write, past all the layers of a web server.

A press goes to hundreds of screens at once, and each layer would cost as much as the sending. The
answer is begun and ended through the server as any other; what lies between are chunks of HTTP/1.1,
which is all that this knows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

EXTENSION_KEY = "truco.pipe"  # of an ASGI scope's extensions


class Transport(Protocol):
    """What is needed of the connection."""

    def write(self, data: bytes) -> None: ...
    def is_closing(self) -> bool: ...


class Flow(Protocol):
    """What is needed of the server's knowledge of it: is there room for more?"""

    @property
    def write_paused(self) -> bool: ...
    async def drain(self) -> None: ...


class ChunkedWriter:
    """Writes frames into an answer in chunks that was begun by somebody else."""

    def __init__(self, transport: Transport, flow: Flow) -> None:
        self._transport, self._flow = transport, flow

    def try_send(self, frame: bytes) -> bool:
        """Sends ``frame``, False where there is no room for it at this moment."""
        if self._flow.write_paused:
            return False
        self._write(frame)
        return True

    async def send(self, frame: bytes) -> None:
        """Sends ``frame`` as soon as there is room."""
        await self._flow.drain()
        self._write(frame)

    def _write(self, frame: bytes) -> None:
        # Into a connection that has ended nothing is written; who holds it hears of it in time.
        if not self._transport.is_closing():
            self._transport.write(encode_chunk(frame))


@lru_cache(maxsize=2)
def encode_chunk(frame: bytes) -> bytes:
    """One chunk of an answer, made once for everybody who gets it."""
    return b"%x\r\n%b\r\n" % (len(frame), frame)
