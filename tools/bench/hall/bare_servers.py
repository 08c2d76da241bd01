"""References of the hub: the same server without a store, and a TLS echo.

``python -m tools.bench.hall.bare_servers http|echo FOLDER`` prints its port; ``FOLDER`` is that of
the hub whose certificate is used.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scorer.hall import wire
from scorer.hub.hub import random_hex
from scorer.hub.identity import load_identity, server_context
from scorer.hub.link_routes import LONG_BODIES
from scorer.hub.store.database import Database, sqlite_url
from scorer.serving.connection import Places, connection_class
from scorer.serving.middleware import GuardOptions, HostGuard, allowed_hosts
from scorer.serving.server import (
    Listening,
    Server,
    open_socket,
    run_until_signal,
    serve,
    server_config,
)
from scorer.serving.static_files import CONTENT_TYPES
from scorer.system.rate_limit import RateLimit
from scorer.system.sd_notify import Notifier
from tools.bench.hall.processes import BARE_PAGE

_MANY = 3000  # connections
_CHUNK = 1 << 16
_HEADERS = {"Content-Type": CONTENT_TYPES[".json"], "Cache-Control": "no-store"}
_ANSWER = b'{"last":1000}'


async def take(request: Request) -> Response:
    """Read the body, which nothing parses, and answer as the hub does."""
    await request.body()
    return Response(_ANSWER, 200, _HEADERS)


async def serve_http(tls: ssl.SSLContext, folder: Path) -> None:
    """The hub's server with its limits and its TLS, without its store.

    GET answers the bytes of ``BARE_PAGE`` in ``folder``, if there is one.
    """
    routes = [Route(path, take, methods=["POST"]) for path in (wire.GREET_PATH, wire.ROWS_PATH)]
    if (folder / BARE_PAGE).exists():
        page = Response((folder / BARE_PAGE).read_bytes(), 200, _HEADERS)
        routes.append(Route("/{path:path}", page, methods=["GET"]))
    app = Starlette(routes=routes)
    guard = GuardOptions("hub", long_bodies=LONG_BODIES)
    guarded = HostGuard(app, allowed_hosts(()), RateLimit(_MANY, _MANY), guard)
    connections = connection_class(Places(_MANY, _MANY), tls)
    listener = open_socket("127.0.0.1", 0)
    print(listener.getsockname()[1], flush=True)
    server = Server(server_config(guarded, connections, keep_alive=120), lambda: None)
    await serve([Listening(server, listener)], [], Notifier())


async def serve_echo(tls: ssl.SSLContext, _: Path) -> None:
    """Every byte back."""
    server = await asyncio.start_server(_echo, "127.0.0.1", 0, ssl=tls, backlog=128)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    writer.close()


def _tls(folder: Path) -> ssl.SSLContext:
    database = Database.open(sqlite_url(folder / "hub.sqlite"))
    with database.write() as connection:
        identity = load_identity(connection, random_hex)
    database.close()
    return server_context(identity, folder)


if __name__ == "__main__":
    kind, state = sys.argv[1], Path(sys.argv[2])
    run_until_signal({"http": serve_http, "echo": serve_echo}[kind](_tls(state), state))
