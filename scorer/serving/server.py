"""uvicorn servers of one process, until a signal stops them.

An error here ends the process, which systemd restarts; the table is not affected.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import uvicorn
from starlette.types import ASGIApp

from scorer.serving.connection import Connection
from scorer.serving.service_loop import ping_watchdog
from scorer.system.log_limit import limit_logs
from scorer.system.sd_notify import Notifier

SEND_TIMEOUT = 30.0  # seconds after which a client that does not read is dropped
SHUTDOWN_TIMEOUT = 2  # seconds for the streams to end at shutdown
KEEP_ALIVE = 5  # seconds for which a browser's connection stays open without a request
MAX_REQUEST_HEAD = 16 * 1024  # bytes of a request before its body
_SIGNALS = (signal.SIGTERM, signal.SIGINT)
LOGGERS = ("uvicorn.error", "asyncio")  # that clients can fill
WATCHDOG_INTERVAL = 10.0  # maximum seconds between watchdog pings


class Server(uvicorn.Server):
    """uvicorn's server, which ends its streams on shutdown instead of waiting."""

    def __init__(self, config: uvicorn.Config, end_streams: Callable[[], None]) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = asyncio.Event()
        super().__init__(config)
        self._end_streams = end_streams
        self.handles_signals = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if not self.handles_signals or threading.current_thread() is not threading.main_thread():
            yield
            return
        # uvicorn raises the signal that ended it again, after everything is closed.
        for number in _SIGNALS:
            signal.signal(number, lambda *_: None)
        with super().capture_signals():
            yield

    @property
    def should_exit(self) -> bool:
        """Whether the server ends; set by uvicorn's signal handler, too."""
        return self._should_exit

    @should_exit.setter
    def should_exit(self, is_over: bool) -> None:
        self._should_exit = is_over
        if is_over and self._loop is not None:
            self._loop.call_soon_threadsafe(self._ended.set)

    async def main_loop(self) -> None:
        """Wait for ``should_exit``; uvicorn's own loop looks for it ten times a second."""
        self._loop = asyncio.get_running_loop()
        await self.on_tick(0)
        if not self.should_exit:
            await self._ended.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").addFilter(_is_no_cancelled_request)
        self._end_streams()
        await super().shutdown(sockets)


def _is_no_cancelled_request(record: logging.LogRecord) -> bool:
    """False for the trace of a request that a stop cancels, which is no fault."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


class Listening(NamedTuple):
    """A server and the socket on which it accepts connections."""

    server: Server
    listener: socket.socket


def open_socket(address: str, port: int) -> socket.socket:
    """A listening socket. Raises OSError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    both = address == "::" and socket.has_dualstack_ipv6()
    made = socket.create_server((address, port), family=family, backlog=128, dualstack_ipv6=both)
    return prepared_socket(made)


def prepared_socket(made: socket.socket) -> socket.socket:
    """A listening socket, perhaps of systemd, with the options of a server."""
    # Detect vanished clients (a phone out of range) by missing acknowledgements; accepted
    # connections inherit the option.
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(SEND_TIMEOUT * 1000))
    # Without it the body of an answer waits 40 ms until its head is acknowledged. asyncio sets it
    # only for sockets that name their protocol, which ``create_server`` does not.
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.setblocking(False)
    return made


def server_config(
    app: ASGIApp,
    connections: type[Connection],
    *,
    proxies: tuple[str, ...] = (),
    keep_alive: int = KEEP_ALIVE,
) -> uvicorn.Config:
    """The configuration of a server.

    ``proxies``: addresses whose X-Forwarded headers are believed; ``keep_alive``: seconds.
    """
    return uvicorn.Config(
        app,
        # TLS begins in the connection: a handshake has a place and a deadline like a request.
        http=connections,
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_level="warning",
        access_log=False,
        server_header=False,
        # HostGuard adds it: uvicorn's is renewed by its own loop.
        date_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=[
            *proxies,
            # A socket of IPv6 names an IPv4 address so.
            *(each if ":" in each else f"::ffff:{each}" for each in proxies),
        ],
        timeout_keep_alive=keep_alive,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        h11_max_incomplete_event_size=MAX_REQUEST_HEAD,
    )


def run_until_signal(serving: Coroutine[Any, Any, None]) -> None:
    """Run ``serve`` until SIGTERM or SIGINT.

    Before it serves, a signal ends the process at once: nothing is to be closed.
    """
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    asyncio.run(serving)


async def serve(
    listening: Iterable[Listening],
    beside: Iterable[Coroutine[Any, Any, None]],
    notifier: Notifier,
) -> None:
    """Serve until a signal stops the first server, and run ``beside`` meanwhile."""
    first, *others = listening
    limit_logs(LOGGERS)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(each) for each in beside]
        tasks.append(group.create_task(ping_watchdog(notifier, WATCHDOG_INTERVAL)))
        for other in others:
            other.server.handles_signals = False
            group.create_task(other.server.serve(sockets=[other.listener]))
        notifier.ready("serving")
        await first.server.serve(sockets=[first.listener])
        notifier.stopping()
        for other in others:
            other.server.should_exit = True
        for task in tasks:
            task.cancel()
