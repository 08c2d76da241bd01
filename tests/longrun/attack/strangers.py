"""Two hundred strangers at the board of a table, until killed.

``python -m tests.longrun.attack.strangers PORT``. Half of them look at the board, as phones do: the
page, then its stream. The others poll, press without a right, leave requests half sent, and open
shared games. It prints a line when the first one has an answer.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from random import Random

from tests.longrun.attack.dearest import SHEETS, Filler, read

COUNT = 200
_EACH_NETWORK = 200  # addresses
_POLLED = ("/api/v1/state", "/plain", "/api/v1/history", "/api/v1/night", "/api/v1/phone",
           "/qr.svg", "/game.svg", "/metrics", "/healthz")  # fmt: skip
_PRESS = b'{"side":"A","button":"truco","seq":1,"number":1}'
_WAIT = 30.0  # seconds for an answer
_LOST = (OSError, EOFError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError)


class Stranger:
    """A client without rights, at an address of its own."""

    def __init__(self, port: int, number: int, filler: Filler, begun: asyncio.Event) -> None:
        self._port, self._number, self._filler, self._begun = port, number, filler, begun
        self._address = f"127.0.{30 + number // _EACH_NETWORK}.{number % _EACH_NETWORK + 1}"
        self._random = Random(number)

    async def stay(self) -> None:
        """Come again and again."""
        kinds: list[Callable[[], Coroutine[None, None, None]]] = [self._watch] * 5
        kinds += [self._poll, self._poll, self._press, self._leave_half, self._share]
        await asyncio.sleep(self._random.uniform(0, 2))
        while True:
            try:
                async with asyncio.timeout(4 * _WAIT):
                    await self._come(kinds[self._number % len(kinds)])
            except _LOST:
                await asyncio.sleep(1)
            await asyncio.sleep(self._random.uniform(0.5, 3))

    async def _come(self, act: Callable[[], Coroutine[None, None, None]]) -> None:
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self._port, local_addr=(self._address, 0)
        )
        try:
            await act()
        finally:
            self._writer.close()

    async def _watch(self) -> None:
        for path in ("/", "/static/board.js", "/words/es-AR.json"):
            await self._get(path)
        self._send("GET /events")
        loop = asyncio.get_running_loop()
        end = loop.time() + self._random.uniform(3, 60)
        while loop.time() < end:
            if not await asyncio.wait_for(self._reader.read(1 << 16), _WAIT):
                return

    async def _poll(self) -> None:
        for _ in range(6):
            await self._get(self._random.choice(_POLLED))
            await asyncio.sleep(self._random.uniform(1, 4))

    async def _press(self) -> None:
        key = f"{self._random.getrandbits(32):08x}.{self._random.getrandbits(128):032x}"
        more = f"X-Truco: 1\r\nContent-Type: application/json\r\nCookie: truco={key}\r\n"
        self._send("POST /api/v1/press", more + f"Content-Length: {len(_PRESS)}\r\n", _PRESS)
        await asyncio.wait_for(self._reader.read(4000), _WAIT)

    async def _leave_half(self) -> None:
        self._writer.write(b"GET / HTTP/1.1\r\nHost: lo")
        await asyncio.wait_for(self._reader.read(100), _WAIT)

    async def _share(self) -> None:
        await self._get(self._filler.filled("/api/v1/shared?sheet={sheet}"))

    def _send(self, request: str, more: str = "", body: bytes = b"") -> None:
        head = f"{request} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n"
        self._writer.write(head.encode() + body)

    async def _get(self, path: str) -> None:
        self._send(f"GET {path}")
        head = await asyncio.wait_for(self._reader.readuntil(b"\r\n\r\n"), _WAIT)
        self._begun.set()
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                await asyncio.wait_for(self._reader.readexactly(int(line[15:])), _WAIT)
        if b"connection: close" in head.lower():
            raise EOFError


async def main(port: int) -> None:
    """Let all come."""
    kind, _ = read()
    filler, begun = Filler(kind, []), asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for number in range(COUNT):
            group.create_task(Stranger(port, number, filler, begun).stay())
        await begun.wait()
        print(f"{COUNT} strangers with {SHEETS} sheets", flush=True)


if __name__ == "__main__":
    os.setpriority(os.PRIO_PROCESS, 0, 19)
    asyncio.run(main(int(sys.argv[1])))
