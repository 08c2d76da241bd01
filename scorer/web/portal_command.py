"""``scorer portal``: the page of the own Wi-Fi, on a passed socket.

systemd passes the socket. The process ends after a while without a request, and is started again.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys
import time

from starlette.types import ASGIApp, Receive, Scope, Send

from scorer.config import standalone
from scorer.config.sources import add_file_options
from scorer.serving.connection import Places, connection_class
from scorer.serving.server import Listening, Server, run_until_signal, serve, server_config
from scorer.system.sd_notify import Notifier, passed_sockets
from scorer.system.wifi.keyfile import OWN_ADDRESS
from scorer.system.wifi.watch_request import SOCKET_NAME
from scorer.web.portal import PortalContext, ask_to_join, build_portal

IDLE_S = 120.0  # seconds without a request after which the process ends
PLACES = Places(32, 8)  # connections: as many phones as a radio of a Pi carries


def main(argv: list[str]) -> int:
    """0: ended; 2: usage error, or started without a socket."""
    parser = argparse.ArgumentParser(
        prog="scorer portal",
        description="The page of the box's own Wi-Fi; scorer-portal.socket starts it.",
        epilog="example: sudo systemctl enable --now scorer-portal.socket",
    )
    add_file_options(parser)
    arguments = parser.parse_args(argv)
    if not (passed := passed_sockets()):
        sys.stderr.write("scorer portal: scorer-portal.socket starts it, not a person\n")
        return 2
    program = standalone.Program("scorer portal", ("web", "table", "socket"), {})
    config, _ = standalone.load_for_program(program, arguments.config, arguments.card)
    scheme = "https" if config.web.certificate else "http"
    path = config.socket_path.with_name(SOCKET_NAME)
    context = PortalContext(
        lambda network: ask_to_join(network, path),
        board=f"{scheme}://{OWN_ADDRESS}:{config.web.port}/",
        language=config.table.language,
    )
    listener = passed[0][1]
    listener.setblocking(False)
    run_until_signal(_serve(build_portal(context), listener))
    return 0


async def _serve(app: ASGIApp, listener: socket.socket) -> None:
    """Serve until IDLE_S pass without a request."""
    last = time.monotonic()

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal last
        last = time.monotonic()
        await app(scope, receive, send)

    server = Server(server_config(noting, connection_class(PLACES, None)), lambda: None)

    async def end_when_idle() -> None:
        while (rest := last + IDLE_S - time.monotonic()) > 0:
            await asyncio.sleep(rest)
        server.should_exit = True

    await serve([Listening(server, listener)], [end_when_idle()], Notifier())
