"""Connections without a request: deadlines, eviction, reserved places."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from scorer.serving import connection
from scorer.serving.middleware import address_group
from scorer.serving.server import open_socket
from scorer.system.sd_notify import Notifier
from scorer.web import server
from tests.support.coroutines import awaited_in
from tests.web.server_process import PATIENCE

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
STREAM = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = (
    b"POST /api/v1/press HTTP/1.1\r\nHost: localhost\r\nX-Truco: 1\r\n"
    b"Content-Type: application/json\r\nContent-Length: 40\r\n\r\n"
)
VIEWERS, VIEWERS_EACH = 4, 40
PLACES = 2 * VIEWERS + 64
PLACES_EACH = 2 * VIEWERS_EACH + 16


class Client(NamedTuple):
    """A connection from one address of this machine."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def ask(self, request: bytes) -> bytes:
        """The head of the answer; b"" if the connection was closed."""
        self.writer.write(request)
        try:
            async with asyncio.timeout(PATIENCE):
                head = await self.reader.readuntil(b"\r\n\r\n")
                length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
                await self.reader.readexactly(int(length or b"0"))
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""
        return head

    async def ended(self) -> bool:
        """Wait until the server closes the connection."""
        try:
            async with asyncio.timeout(PATIENCE):
                while await self.reader.read(1 << 16):
                    continue
        except ConnectionError:
            return True
        return True


class Site(NamedTuple):
    """A running server, and the clients that were made for it."""

    port: int
    clients: list[Client]

    async def client(self, address: str = "127.0.0.1") -> Client:
        streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
        self.clients.append(Client(*streams))
        return self.clients[-1]

    async def waiting(self, address: str) -> Client:
        """A client that has one answer and begins another request."""
        client = await self.client(address)
        assert await client.ask(GET)
        client.writer.write(b"G")
        await client.writer.drain()
        return client


@contextlib.asynccontextmanager
async def site_without_table(tmp_path: Path) -> AsyncIterator[Site]:
    """A real server without a table."""
    with open_socket("127.0.0.1", 0) as made:
        options = server.WebOptions(
            "127.0.0.1", 0, tmp_path / "no.sock", (), VIEWERS, VIEWERS_EACH, tmp_path
        )
        running = asyncio.create_task(server.serve(options, made, Notifier({})))
        site = Site(made.getsockname()[1], [])
        try:
            yield site
        finally:
            for client in site.clients:
                client.writer.close()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


served = awaited_in(site_without_table)


BEGUN = [b"G", b"GET / HTTP/1.1\r\nHost: x\r\nA: ", POST, POST + b"{"]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(("before", "begun"), [(b"", b""), *product((b"", GET), BEGUN)])
@served
async def test_a_request_that_is_not_completed_ends_its_connection(
    site: Site, monkeypatch: pytest.MonkeyPatch, before: bytes, begun: bytes
) -> None:
    monkeypatch.setattr(connection, "REQUEST_TIMEOUT", 0.2)
    client = await site.client()
    if before:
        assert await client.ask(before)
    client.writer.write(begun)
    assert await client.ended()


@served
async def test_a_request_that_drips_has_no_more_time(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "REQUEST_TIMEOUT", 0.3)

    async def drip(client: Client) -> None:
        while not client.reader.at_eof():
            client.writer.write(b"x")
            await asyncio.sleep(0.05)

    client = await site.client()
    client.writer.write(b"GET /?")
    dripping = asyncio.create_task(drip(client))
    assert await client.ended()
    dripping.cancel()


@served
async def test_a_stream_outlives_the_deadline_of_a_request(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "REQUEST_TIMEOUT", 0.1)
    watching, idle = await site.client(), await site.client()
    assert b"200 OK" in await watching.ask(STREAM)
    assert await idle.ended()
    assert not watching.reader.at_eof()


@served
async def test_waiting_connections_of_many_addresses_make_room(site: Site) -> None:
    viewer = await site.client("127.0.0.77")
    assert b"200 OK" in await viewer.ask(STREAM)
    for number in range(PLACES + 20):
        await site.waiting(f"127.0.2.{number % 5}")
    for path in (b"/plain", b"/api/v1/state", b"/healthz"):
        late = await site.client("127.0.0.88")
        answer = await late.ask(GET.replace(b"/healthz", path))
        assert answer.startswith(b"HTTP/1.1 ") and b"retry-after: 5" not in answer, path
    late = await site.client("127.0.0.88")
    assert b"200 OK" in await late.ask(STREAM)
    assert not viewer.reader.at_eof(), "an open stream keeps its place"


@served
async def test_an_address_that_takes_all_its_places_pays_with_its_own(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_SPARE", 500)
    other = await site.waiting("127.0.0.9")
    first = await site.waiting("127.0.0.8")
    for _ in range(PLACES_EACH):
        await site.waiting("127.0.0.8")
    assert await first.ended(), "the oldest of this address"
    other.writer.write(GET[1:])
    assert (await other.ask(b"")).startswith(b"HTTP/1.1 503")
    assert await (await site.client("127.0.0.8")).ask(GET)


@pytest.mark.sampled(0)
@served
async def test_on_this_machine_the_monitor_is_never_too_fast(site: Site) -> None:
    client = await site.client()
    for _ in range(500):
        assert b" 429 " not in await client.ask(GET)
    for _ in range(1000):
        if b" 429 " in await client.ask(GET.replace(b"healthz", b"none")):
            break
    else:
        pytest.fail("other paths are limited")
    client = await site.client()
    assert b" 200 " in await client.ask(GET.replace(b"/healthz", b"/metrics"))


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_an_ipv6_host_is_its_network(address: str, group: str) -> None:
    assert address_group(address) == group
