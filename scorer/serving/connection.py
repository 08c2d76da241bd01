"""HTTP connections with a deadline for every request and a place among the others.

Head and body of a request must arrive in time, and so must the handshake of TLS, which begins only
when the connection has its place. If all places are taken, or all of one address, the
connection that has waited longest for its request makes room: open streams and requests that are
being answered keep their places.
"""

from __future__ import annotations

import asyncio
import ssl
from asyncio.sslproto import SSLProtocol
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from scorer.serving.chunked_writer import EXTENSION_KEY, ChunkedWriter
from scorer.serving.middleware import address_group
from scorer.system.rate_limit import RateLimit

REQUEST_TIMEOUT = 10.0  # seconds for the head and body of a request, and for a handshake
_SHUTDOWN_TIMEOUT = 2.0  # seconds to send what is buffered, and the end of TLS

# asyncio has a buffer of 256 KiB for each encrypted connection, also an idle one, and no setting:
# a connection would cost 286 KiB instead of 33.
SSLProtocol.max_size = 4 * 1024

_TOO_MANY_CONNECTIONS = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: 0\r\n\r\n"
)


class Places(NamedTuple):
    """The maximum number of connections, in total and of one address.

    ``proxies``: addresses without a maximum of their own, because they connect for others.
    """

    total: int
    per_address: int
    proxies: frozenset[str] = frozenset()


class Strangers(NamedTuple):
    """How addresses are limited that are not known, until they are.

    ``places``: of each of them; ``handshakes``: of TLS, which cost more than most requests, and
    those of the known ones. Further handshakes wait instead of being refused: a refused client
    connects again at once.
    """

    is_known: Callable[[str], bool]
    places: int
    handshakes: RateLimit
    known_handshakes: RateLimit


class Connection(H11Protocol):
    """uvicorn's HTTP protocol with TLS, a request timeout and limited places."""

    places = Places(1, 1)
    tls: ssl.SSLContext | None = None
    strangers: Strangers | None = None  # None: all addresses are alike

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = address_group(self.client[0] if self.client else "")
        self._deadline: asyncio.TimerHandle | None = None
        self._handshake: asyncio.Task[None] | None = None
        self._early = b""  # received before the end of the handshake was noticed
        self._is_lost = False
        self._below_tls: asyncio.Transport | None = None
        self._start_waiting()
        if not self._find_place():
            if self.tls is None:
                transport.write(_TOO_MANY_CONNECTIONS)
            transport.close()
        elif self.tls is None:
            self._use_writer(transport)
        else:
            # Nothing is read until the address may begin a handshake.
            transport.pause_reading()
            self._handshake = self.loop.create_task(self._encrypt(transport, self.tls))

    def data_received(self, data: bytes) -> None:
        if self._handshake is not None:
            self._early += data
            return
        super().data_received(data)
        if not self.is_waiting:
            self._stop_waiting()
        elif self._deadline is None:
            self._start_waiting()

    def on_response_complete(self) -> None:
        self.waiting_since = self.loop.time()
        super().on_response_complete()
        self._close_below_tls()

    def shutdown(self) -> None:
        super().shutdown()
        self._close_below_tls()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_lost = True
        self._stop_waiting()
        super().connection_lost(exc)

    async def _encrypt(self, transport: asyncio.Transport, context: ssl.SSLContext) -> None:
        """Do the handshake, then serve the encrypted connection."""
        while wait := self._until_handshake():
            await asyncio.sleep(wait)
        if transport.is_closing():  # it had to make room, or has waited too long
            return
        try:
            encrypted = await self.loop.start_tls(
                transport,
                self,
                context,
                server_side=True,
                ssl_handshake_timeout=REQUEST_TIMEOUT,
                ssl_shutdown_timeout=_SHUTDOWN_TIMEOUT,
            )
        except OSError:
            self.connection_lost(None)
            return
        if self._is_lost or not isinstance(encrypted, asyncio.Transport):
            return
        self._stop_waiting()
        self._below_tls = transport
        super().connection_made(encrypted)
        self._use_writer(encrypted)
        self._start_waiting()
        self._handshake, early = None, self._early
        if early:
            self.data_received(early)

    def _use_writer(self, transport: asyncio.Transport) -> None:
        self.app = _with_writer(ChunkedWriter(transport, self.flow), self.app)

    def _close_below_tls(self) -> None:
        """Close without waiting until the other end confirms the end of TLS.

        An idle client confirms it with its next request: the server would end only when it times
        out. The length of an HTTP response does not depend on the end of TLS.
        """
        if (
            self._below_tls is not None
            and self.transport.is_closing()
            and not self._below_tls.get_write_buffer_size()
        ):
            self._below_tls.close()

    @property
    def is_waiting(self) -> bool:
        """Whether no request has arrived completely that is still to be answered."""
        cycle = self.cycle
        # Declared as if there were always a request.
        return not cycle or cycle.response_complete or cycle.more_body

    def _start_waiting(self) -> None:
        self.waiting_since = self.loop.time()
        self._deadline = self.loop.call_later(REQUEST_TIMEOUT, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _until_handshake(self) -> float:
        """Seconds until the address may begin a handshake; 0.0: it begins one now."""
        strangers = self.strangers
        if strangers is None or self.transport.is_closing():
            return 0.0
        is_known = strangers.is_known(self.address)
        limit = strangers.known_handshakes if is_known else strangers.handshakes
        return limit.acquire(self.address, self.loop.time())

    def _find_place(self) -> bool:
        """Whether there is a place, perhaps after closing another connection."""
        others = [each for each in self.connections if isinstance(each, Connection)]
        others = [each for each in others if each is not self and not each.transport.is_closing()]
        same = [each for each in others if each.address == self.address]
        strangers, most = self.strangers, self.places.per_address
        if strangers is not None and not strangers.is_known(self.address):
            most = strangers.places
        if len(same) >= most and self.address not in self.places.proxies:
            return _close_one_of(same)
        return len(others) < self.places.total or _close_one_of(others)


def _close_one_of(connections: Iterable[Connection]) -> bool:
    """Close a waiting connection of the address with the most of them."""
    waiting = [each for each in connections if each.is_waiting]
    counts = Counter(each.address for each in waiting)
    victim = min(
        waiting, key=lambda each: (-counts[each.address], each.waiting_since), default=None
    )
    if victim is not None:
        victim.transport.abort()
    return victim is not None


def connection_class(
    places: Places, tls: ssl.SSLContext | None = None, strangers: Strangers | None = None
) -> type[Connection]:
    """A connection class with these limits, encrypted with ``tls``."""
    limits = {"places": places, "tls": tls, "strangers": strangers}
    return type("LimitedConnection", (Connection,), limits)


def _with_writer(writer: ChunkedWriter, app: ASGIApp) -> ASGIApp:
    """The application of one connection, with its direct writer."""

    async def with_writer(scope: Scope, receive: Receive, send: Send) -> None:
        scope["extensions"] = {EXTENSION_KEY: {"pipe": writer}}
        await app(scope, receive, send)

    return with_writer
