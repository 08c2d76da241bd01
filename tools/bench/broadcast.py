"""Minimal broadcast server: copies one connection to all others.

``python -m tools.bench.broadcast`` prints its port. The first connection is the source, each later
one is a viewer. The reference for ``scorer web``: no HTTP, no names, no limits.
"""

from __future__ import annotations

import asyncio
import sys

GREETING = b"HTTP/1.1 200 OK\r\n\r\n"
_LENGTH = 4  # bytes before each frame of the source


class Broadcast:
    """All connected clients."""

    def __init__(self) -> None:
        self._viewers: list[asyncio.StreamWriter] = []
        self._source = True

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection to its end."""
        if self._source:
            self._source = False
            await self._pass_on(reader)
            return
        self._viewers.append(writer)
        await reader.read(1024)
        writer.write(GREETING)
        await reader.read()
        self._viewers.remove(writer)

    async def _pass_on(self, reader: asyncio.StreamReader) -> None:
        while True:
            length = int.from_bytes(await reader.readexactly(_LENGTH))
            frame = await reader.readexactly(length)
            for viewer in self._viewers:
                viewer.write(frame)


def encode_frame(frame: bytes) -> bytes:
    """A frame as the source sends it."""
    return len(frame).to_bytes(_LENGTH) + frame


async def _serve() -> None:
    server = await asyncio.start_server(Broadcast().connected, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
