"""More viewers than the limit: accepted ones see every press, others are refused."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.table.table_process import running_table, table_on
from tests.web.server_process import PATIENCE, web

ROOM, COME = 200, 300
REQUEST = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Browser:
    """One connection, and everything that came by it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.read = b""

    async def ask(self) -> None:
        self._writer.write(REQUEST)
        await self.until(b"\r\n\r\n")

    async def until(self, wanted: bytes) -> None:
        async with asyncio.timeout(PATIENCE):
            while wanted not in self.read:
                piece = await self._reader.read(1 << 16)
                assert piece, self.read[-200:]
                self.read += piece

    def close(self) -> None:
        self._writer.close()


async def come(port: int) -> Browser:
    browser = Browser(*await asyncio.open_connection("127.0.0.1", port))
    await browser.ask()
    return browser


@pytest.mark.sampled(0)
def test_three_hundred_come_and_two_hundred_find_room(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"

    async def evening(port: int) -> None:
        browsers = [await come(port) for _ in range(COME)]
        watching = [each for each in browsers if each.read.startswith(b"HTTP/1.1 200 ")]
        refused = [each for each in browsers if each.read.startswith(b"HTTP/1.1 503 ")]
        assert (len(watching), len(refused)) == (ROOM, COME - ROOM)
        assert all(b"retry-after: 5\r\n" in each.read for each in refused)
        told.press("A.truco")
        await asyncio.gather(*(each.until(b'"seq": 1, "sides"') for each in watching))
        # Half of them leave; as many of those who wait find room.
        for each in watching[: ROOM // 2]:
            each.close()
        late = await come(port)
        async with asyncio.timeout(PATIENCE):
            while not late.read.startswith(b"HTTP/1.1 200 "):
                late.close()
                late = await come(port)
        told.press("B.quiero")
        left = [late, *watching[ROOM // 2 :]]
        await asyncio.gather(*(each.until(b'"seq": 2, "sides"') for each in left))
        for each in (*left, *refused):
            each.close()

    # All of them behind one address, which has to be said.
    one_place = "[web]\nviewers_each = 1000\n"
    with (
        running_table(table_on(tmp_path / "store", socket=path)) as told,
        web(path, tmp_path, one_place) as server,
    ):
        asyncio.run(evening(server.port))
