"""HTTPS to hubs that are slow, broken, hostile or not the right one."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from scorer.config.link_section import HostAddress
from scorer.hall.fields import MAX_BODY
from scorer.link import https
from scorer.link.https import (
    HttpReply,
    HubConnection,
    HubUnreachable,
    WrongCertificate,
    open_connection,
)
from tests.link.servers import Handler, TlsHub, running
from tests.support.certificate import Certificate, make_certificate
from tests.support.coroutines import awaited
from tests.support.waiting import PATIENCE

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make_certificate(tmp_path_factory.mktemp("tls"))


def answering(reply: bytes) -> Handler:
    """A server that reads a request and answers with these bytes, then waits."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(reply)
        await reader.read()

    return handle


async def quiet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say nothing until the client has gone."""
    try:
        with contextlib.suppress(OSError):
            await reader.read()
    finally:
        writer.transport.abort()


def talk(
    pair: Certificate, handler: Handler | None, talked: Callable[[TlsHub], Awaitable[None]]
) -> None:
    async def run() -> None:
        async with asyncio.timeout(PATIENCE), running(pair) as hub:
            await hub.pin()
            hub.handler = handler
            await talked(hub)

    asyncio.run(run())


async def connected(hub: TlsHub, pin: str = "") -> HubConnection:
    return (await open_connection(HostAddress("127.0.0.1", hub.port), pin)).connection


def post_to(pair: Certificate, handler: Handler) -> HttpReply:
    """The reply of a server to one request."""
    found: list[HttpReply] = []

    async def talked(hub: TlsHub) -> None:
        connection = await connected(hub)
        try:
            found.append(await connection.post("/link/v1/greet", b"{}", "ab" * 16))
        finally:
            connection.close()

    talk(pair, handler, talked)
    return found[0]


def test_a_reply_is_status_and_body(pair: Certificate) -> None:
    assert post_to(pair, answering(OK)) == HttpReply(200, b"{}")
    early = b"HTTP/1.1 103 Early Hints\r\n\r\n"
    assert post_to(pair, answering(early + OK)) == HttpReply(200, b"{}")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (b"hello\r\n\r\n",                                                      "no HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",                       "no HTTP"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 20000,                              "no HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10485760\r\n\r\n" + b"a" * (MAX_BODY + 1),
                                                                                "too long"),
    ],
)  # fmt: skip
def test_what_is_no_reply_is_refused(pair: Certificate, reply: bytes, why: str) -> None:
    with pytest.raises(HubUnreachable, match=why):
        post_to(pair, answering(reply))


def test_a_reply_that_ends_early_is_refused(pair: Certificate) -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK[:-1])

    with pytest.raises(HubUnreachable, match="has closed the connection"):
        post_to(pair, handle)


def test_slow_bytes_have_one_deadline(pair: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            writer.write(b"a")
            await asyncio.sleep(0.01)

    monkeypatch.setattr(https, "REPLY_TIMEOUT", 0.3)
    with pytest.raises(HubUnreachable, match="does not answer"):
        post_to(pair, handle)


@awaited
async def test_a_server_without_a_handshake_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(https, "CONNECT_TIMEOUT", 0.2)
    server = await asyncio.start_server(quiet, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        with pytest.raises(HubUnreachable, match="does not answer"):
            await open_connection(HostAddress("127.0.0.1", port), "")
    finally:
        server.close()


@awaited
async def test_a_server_without_tls_and_a_closed_port_are_reported(pair: Certificate) -> None:
    ended = asyncio.Event()

    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(OK)
        await quiet(reader, writer)
        ended.set()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    address = HostAddress("127.0.0.1", server.sockets[0].getsockname()[1])
    with pytest.raises(HubUnreachable):
        await open_connection(address, "")
    await ended.wait()
    server.close()
    await server.wait_closed()
    with pytest.raises(HubUnreachable, match=f"^{address}: Connection refused$"):
        await open_connection(address, "")
    with pytest.raises(HubUnreachable):
        await open_connection(HostAddress("no.such.host.invalid", 1), "")


@awaited
async def test_a_connection_that_is_closed_during_the_handshake_has_a_reason() -> None:
    async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.close()

    async with await asyncio.start_server(closing, "127.0.0.1", 0) as server:
        address = HostAddress("127.0.0.1", server.sockets[0].getsockname()[1])
        with pytest.raises(HubUnreachable, match=f"^{address}: .*[a-z]$"):
            await open_connection(address, "")


def test_another_certificate_gets_no_byte(pair: Certificate, tmp_path: Path) -> None:
    received: list[bytes] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        data = b""
        with contextlib.suppress(ConnectionError):
            while byte := await reader.read(1):
                data += byte
        received.append(data)

    async def talked(hub: TlsHub) -> None:
        pin = await hub.pin()
        (await connected(hub, pin)).close()
        with pytest.raises(WrongCertificate, match="another certificate"):
            await connected(hub, "0" + pin[1:] if pin[0] != "0" else "1" + pin[1:])
        while len(received) < 2:
            await asyncio.sleep(0.005)
        assert received == [b"", b""]

    talk(pair, handle, talked)


@awaited
async def test_older_tls_is_refused(pair: Certificate) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pair.certificate, pair.key)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    server = await asyncio.start_server(quiet, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(HubUnreachable):
        await open_connection(HostAddress("127.0.0.1", port), "")
    server.close()


@pytest.mark.parametrize(("hall", "sent"), [("", None), ("norte", "norte.truco.invalid")])
@awaited
async def test_the_hall_is_sent_as_server_name_and_no_host_by_which_a_hub_knows_a_browser(
    pair: Certificate, hall: str, sent: str | None
) -> None:
    names: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pair.certificate, pair.key)
    context.sni_callback = lambda _, name, __: names.append(name)
    server = await asyncio.start_server(quiet, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    opened = await open_connection(HostAddress("localhost", port, hall), "")
    opened.connection.close()
    server.close()
    assert names == [sent]


def test_a_connection_serves_many_requests_until_it_is_closed(pair: Certificate) -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(3):
            await reader.readuntil(b"\r\n\r\n{}")
            writer.write(OK)

    async def talked(hub: TlsHub) -> None:
        connection = await connected(hub)
        for _ in range(3):
            assert connection.is_open
            await connection.post("/x", b"{}")
        while connection.is_open:
            await asyncio.sleep(0.005)
        connection.close()

    talk(pair, handle, talked)


def test_a_stream_is_its_pieces_and_a_refusal_a_reply(pair: Certificate) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    async def streamed(hub: TlsHub) -> None:
        connection = await connected(hub)
        pieces = await connection.stream("/link/v1/events", "ab" * 16)
        assert isinstance(pieces, AsyncIterator)
        assert await anext(pieces) == b"abc"
        assert [piece async for piece in pieces] == []
        connection.close()

    talk(pair, answering(head + b"3\r\nabc\r\n0\r\n\r\n"), streamed)

    async def refused(hub: TlsHub) -> None:
        connection = await connected(hub)
        body = b'{"text": "no"}'
        assert await connection.stream("/link/v1/events", "") == HttpReply(401, body)
        connection.close()

    no = b'HTTP/1.1 401 No\r\nContent-Length: 14\r\n\r\n{"text": "no"}'
    talk(pair, answering(no), refused)
