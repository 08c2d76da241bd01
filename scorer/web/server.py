"""The web process: HTTP server and table link, until a signal stops it.

An error here ends this process, which systemd restarts; the table is not affected.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path
from typing import NamedTuple

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from scorer.system.sd_notify import Notifier
from scorer.web.address_publisher import AddressPublisher
from scorer.web.app import WebContext, build_app
from scorer.web.broadcaster import Broadcaster
from scorer.web.chunked_writer import EXTENSION_KEY, ChunkedWriter
from scorer.web.middleware import allowed_hosts
from scorer.web.network import detect
from scorer.web.snapshot import Reporter
from scorer.web.table_link import TableLink

SEND_TIMEOUT = 30.0  # seconds after which a client that does not read is dropped
FIRST_REQUEST_TIMEOUT = 10.0  # seconds for the first request of a connection
SHUTDOWN_TIMEOUT = 2  # seconds for the streams to end at shutdown
MAX_REQUEST_HEAD = 16 * 1024  # bytes of a request before its body
_SPARE = 64  # connections besides the streams: pages, files, rejected clients
_SPARE_EACH = 16  # the same per address; a browser opens six
WATCHDOG_INTERVAL = 10.0  # maximum seconds between watchdog pings


_TOO_MANY_CONNECTIONS = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: 0\r\n\r\n"
)


class WebOptions(NamedTuple):
    """Where to listen, whom to accept, and the table's socket."""

    address: str
    port: int
    table: Path
    hosts: tuple[str, ...] = ()
    viewers: int = 200
    viewers_each: int = 40  # viewers per address
    folder: Path = Path("/etc/scorer/www")
    language: str = "es-AR"


class WebServer(uvicorn.Server):
    """uvicorn's server, which ends its streams on shutdown instead of waiting."""

    def __init__(self, config: uvicorn.Config, broadcaster: Broadcaster) -> None:
        super().__init__(config)
        self._broadcaster = broadcaster

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._broadcaster.close()
        await super().shutdown(sockets)


class Connection(H11Protocol):
    """uvicorn's HTTP protocol with a direct writer, a request timeout and a limit.

    Connections without a request are closed, and so are those beyond the limit per address.
    """

    max_per_address = 1  # connections of one address

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._count_of_address() > self.max_per_address:
            transport.write(_TOO_MANY_CONNECTIONS)
            transport.close()
            return
        self.app = _with_writer(ChunkedWriter(transport, self.flow), self.app)
        self.loop.call_later(FIRST_REQUEST_TIMEOUT, self._close_if_silent)

    def _count_of_address(self) -> int:
        mine = self.client and self.client[0]
        # Counted from the open connections, so that no counter can drift.
        ends = (each.client for each in self.connections if isinstance(each, Connection))
        return sum(end is not None and end[0] == mine for end in ends)

    def _close_if_silent(self) -> None:
        cycle: object = self.cycle  # declared as if there were always a request
        if cycle is None:
            self.transport.close()


def _limited_connection(connections: int) -> type[Connection]:
    """A connection class with this limit per address."""

    class Limited(Connection):
        max_per_address = connections

    return Limited


def _with_writer(writer: ChunkedWriter, app: ASGIApp) -> ASGIApp:
    """The application of one connection, with its direct writer."""

    async def with_writer(scope: Scope, receive: Receive, send: Send) -> None:
        scope["extensions"] = {EXTENSION_KEY: {"pipe": writer}}
        await app(scope, receive, send)

    return with_writer


def open_socket(address: str, port: int) -> socket.socket:
    """A listening socket. Raises OSError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    both = address == "::" and socket.has_dualstack_ipv6()
    made = socket.create_server((address, port), family=family, backlog=128, dualstack_ipv6=both)
    # Detect vanished clients (a phone out of range) by missing acknowledgements; accepted
    # connections inherit the option.
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(SEND_TIMEOUT * 1000))
    made.setblocking(False)
    return made


def run(options: WebOptions, listener: socket.socket, notifier: Notifier) -> None:
    """Serve until SIGTERM or SIGINT."""
    # uvicorn raises the signal that ended it again, after everything is closed.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _ignore_signal)
    asyncio.run(serve(options, listener, notifier))


async def serve(options: WebOptions, listener: socket.socket, notifier: Notifier) -> None:
    """The same, inside a running event loop."""
    feed = Broadcaster(options.viewers, options.viewers_each)
    link = TableLink(options.table)
    reporter = Reporter(link, feed, options.language)
    app = build_app(
        WebContext(
            reporter, feed, allowed_hosts(options.hosts), options.folder, options.viewers_each
        )
    )
    server = WebServer(_config(app, options), feed)
    port = listener.getsockname()[1]
    announcer = AddressPublisher(
        link, lambda: feed.viewer_count, lambda: detect(options.address), port
    )
    async with asyncio.TaskGroup() as group:
        beside = [
            group.create_task(link.run()),
            group.create_task(reporter.run()),
            group.create_task(announcer.run()),
            group.create_task(_ping_watchdog(notifier)),
        ]
        notifier.ready("serving")
        await server.serve(sockets=[listener])
        notifier.stopping()
        for task in beside:
            task.cancel()


def _config(app: ASGIApp, options: WebOptions) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=_limited_connection(2 * options.viewers_each + _SPARE_EACH),
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=2 * options.viewers + _SPARE,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        h11_max_incomplete_event_size=MAX_REQUEST_HEAD,
    )


async def _ping_watchdog(notifier: Notifier) -> None:
    """Ping the systemd watchdog while the event loop runs."""
    pace = notifier.ping_interval(WATCHDOG_INTERVAL)
    while True:
        notifier.ping_watchdog()
        await asyncio.sleep(pace)


def _ignore_signal(number: int, _: object) -> None:
    """Already handled."""
