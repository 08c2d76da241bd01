"""Write frames directly to the connection, below the layers of the web server.

A press is sent to hundreds of viewers at once, and each layer would cost as much as the sending.
The server begins and ends the response as usual; the frames in between are HTTP/1.1 chunks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

EXTENSION_KEY = "truco.pipe"  # of an ASGI scope's extensions


Pack = Callable[[bytes], bytes]


class Transport(Protocol):
    """The part of the connection that is needed."""

    def write(self, data: bytes) -> None: ...
    def is_closing(self) -> bool: ...


class Flow(Protocol):
    """The part of the server's flow control that is needed."""

    @property
    def write_paused(self) -> bool: ...
    async def drain(self) -> None: ...


class ChunkedWriter:
    """Writes frames as chunks into a response that the server has begun."""

    def __init__(self, transport: Transport, flow: Flow) -> None:
        self._transport, self._flow = transport, flow

    def try_send(self, frame: bytes, pack: Pack = bytes) -> bool:
        """Send ``frame``; return False if there is no room now.

        ``pack``: what is sent of a frame, whose order is the order of the calls.
        """
        if self._flow.write_paused:
            return False
        self._write(pack(frame))
        return True

    async def send(self, frame: bytes, pack: Pack = bytes) -> None:
        """Send ``frame`` as soon as there is room."""
        await self._flow.drain()
        self._write(pack(frame))

    def _write(self, frame: bytes) -> None:
        # Write nothing to a closed connection; its owner is notified soon.
        if not self._transport.is_closing():
            self._transport.write(encode_chunk(frame))


@lru_cache(maxsize=2)
def encode_chunk(frame: bytes) -> bytes:
    """Encode one chunk of a response; made once for all viewers."""
    return b"%x\r\n%b\r\n" % (len(frame), frame)
