"""HTTPS to a hub whose certificate is pinned: requests, and a stream of events.

Neither a clock nor an authority is needed: the SHA-256 of the certificate is compared before a byte
is sent. Everything that a hub sends is bounded in size and in time.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import socket
import ssl
from collections.abc import AsyncIterator
from typing import Final, NamedTuple

import h11

from scorer.config.link_section import HostAddress
from scorer.hall.fields import MAX_BODY
from scorer.hall.joining import pin_of, server_name_of

CONNECT_TIMEOUT: Final = 10.0  # seconds for the connection and the handshake
REPLY_TIMEOUT: Final = 15.0  # seconds for a whole reply, and for the head of the stream
MAX_HEAD: Final = 16 * 1024  # bytes of the head of a reply
_CHUNK: Final = 16 * 1024


class HubUnreachable(Exception):
    """No usable reply; the text says why."""


class WrongCertificate(HubUnreachable):
    """The certificate is not the pinned one."""


class HttpReply(NamedTuple):
    """Status and body of a reply."""

    status: int
    body: bytes


class HubConnection:
    """One connection, opened by ``open_connection``; one request at a time."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: HostAddress
    ) -> None:
        self._reader, self._writer, self._host = reader, writer, host
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD)
        self.is_used = False  # it has carried a request

    @property
    def is_open(self) -> bool:
        """Whether another request can be sent."""
        is_ready = self._http.our_state is h11.IDLE and not self._reader.at_eof()
        return is_ready and not self._writer.is_closing()

    async def post(self, path: str, body: bytes, token: str = "") -> HttpReply:
        """Send a request and read the whole reply. Raises HubUnreachable."""
        async with _deadline(REPLY_TIMEOUT, "the hub does not answer"):
            await self._send("POST", path, body, token)
            head = await self._read_head()
            received = b""
            while isinstance(event := await self._next_event(), h11.Data):
                received += event.data
                if len(received) > MAX_BODY:
                    raise HubUnreachable("the reply of the hub is too long")
            if not isinstance(event, h11.EndOfMessage):
                raise HubUnreachable("the reply of the hub is incomplete")
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        return HttpReply(head.status_code, received)

    async def stream(self, path: str, token: str) -> AsyncIterator[bytes] | HttpReply:
        """Begin a stream: its pieces; a reply if the hub refuses. Raises HubUnreachable."""
        async with _deadline(REPLY_TIMEOUT, "the hub does not answer"):
            await self._send("GET", path, b"", token)
            head = await self._read_head()
        if head.status_code != 200:
            async with _deadline(REPLY_TIMEOUT, "the hub does not answer"):
                event = await self._next_event()
            body = bytes(event.data) if isinstance(event, h11.Data) else b""
            return HttpReply(head.status_code, body)
        return self._pieces()

    def close(self) -> None:
        """Close the connection without waiting."""
        self._writer.transport.abort()

    async def _pieces(self) -> AsyncIterator[bytes]:
        while isinstance(event := await self._next_event(), h11.Data):
            yield bytes(event.data)

    async def _send(self, method: str, path: str, body: bytes, token: str) -> None:
        self.is_used = True
        headers = [("Host", self._host.place), ("Accept", "application/json, text/event-stream")]
        if body:
            headers += [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        if token:
            headers.append(("Authorization", f"Bearer {token}"))
        request = h11.Request(method=method, target=path, headers=headers)
        sent = b"".join(
            self._http.send(event) or b""
            for event in (request, *([h11.Data(data=body)] if body else []), h11.EndOfMessage())
        )
        try:
            self._writer.write(sent)
            await self._writer.drain()
        except OSError as error:
            raise HubUnreachable(f"the hub is gone: {error}") from None

    async def _read_head(self) -> h11.Response:
        while isinstance(event := await self._next_event(), h11.InformationalResponse):
            continue
        if not isinstance(event, h11.Response):
            raise HubUnreachable("the hub has closed the connection")
        return event

    async def _next_event(self) -> object:
        try:
            while (event := self._http.next_event()) is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(_CHUNK))
        except h11.RemoteProtocolError:
            is_cut = self._reader.at_eof()
            sentence = "the hub has closed the connection" if is_cut else "the reply is no HTTP"
            raise HubUnreachable(sentence) from None
        except OSError as error:
            raise HubUnreachable(f"the hub is gone: {error}") from None
        return event


class Opened(NamedTuple):
    """A connection, and the pin of the certificate that the hub showed."""

    connection: HubConnection
    pin: str


async def open_connection(host: HostAddress, pin: str) -> Opened:
    """Connect; ``pin``: "" accepts any certificate. Raises HubUnreachable."""
    async with _deadline(CONNECT_TIMEOUT, f"{host} does not answer"):
        try:
            reader, writer = await asyncio.open_connection(
                host.host,
                host.port,
                ssl=client_context(),
                limit=_CHUNK,
                server_hostname=server_name_of(host.hall),
            )
        except (OSError, ValueError) as error:
            raise HubUnreachable(f"{host}: {_reason(error)}") from None
    connection = HubConnection(reader, writer, host)
    shown = pin_of(writer.get_extra_info("ssl_object").getpeercert(binary_form=True))
    if pin and not hmac.compare_digest(shown, pin):
        connection.close()
        raise WrongCertificate(f"{host} shows another certificate than the one of this hall")
    raw: socket.socket = writer.get_extra_info("socket")
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Opened(connection, shown)


def client_context() -> ssl.SSLContext:
    """TLS 1.3 without an authority: the caller compares the certificate with its pin."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@contextlib.asynccontextmanager
async def _deadline(seconds: float, sentence: str) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise HubUnreachable(sentence) from None


def _reason(error: Exception) -> str:
    if isinstance(error, ConnectionError) and error.errno:
        # The text of asyncio repeats the address.
        return os.strerror(error.errno)
    return str(getattr(error, "strerror", None) or error) or "the connection was closed"
