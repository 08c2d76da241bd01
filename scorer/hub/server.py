"""The hub process: the wall over HTTP, boxes and desk over HTTPS."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from collections.abc import Sequence
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Scope

from scorer.hall import result_code
from scorer.hall.fields import MAX_BODY
from scorer.hub.announcing import announce
from scorer.hub.copies import newest_result
from scorer.hub.decisions import DecisionError
from scorer.hub.desk import (
    ACT_PATH,
    MAX_FILE_BYTES,
    DeskRoutes,
    gone,
    refused,
    unavailable,
)
from scorer.hub.desk_files import FILE_PATH
from scorer.hub.hub import Hub
from scorer.hub.link_routes import LONG_BODIES, LinkRoutes
from scorer.hub.page_addresses import PageAddresses
from scorer.hub.presence import ACKNOWLEDGE_SECONDS
from scorer.hub.store.database import DatabaseError
from scorer.hub.tournament_routes import tournament_routes
from scorer.hub.visitor_routes import desk_elsewhere, page_links, reader_of, visitor_routes
from scorer.hub.wall import Pages, PublicFile, WallReporter, wall_routes
from scorer.serving.broadcaster import Broadcaster
from scorer.serving.connection import Places, Strangers, connection_class
from scorer.serving.error_pages import ErrorPages
from scorer.serving.middleware import GuardOptions, HostGuard, allowed_hosts, client_address
from scorer.serving.prices import PricedRoute, Rank, rank_in
from scorer.serving.server import Listening, Server, run_until_signal, serve, server_config
from scorer.serving.turnstile import Turnstile
from scorer.system.rate_limit import RateLimit
from scorer.system.sd_notify import Notifier

_GUARD = GuardOptions(
    "hub",
    monitored_paths=("/healthz",),
    refusal_delay=1.0,
    long_bodies={**LONG_BODIES, ACT_PATH: MAX_BODY, FILE_PATH: MAX_FILE_BYTES},
)
_SPARE, _SPARE_EACH = 64, 16  # connections of viewers besides the streams
# Of boxes and desks. A box has two; all of a hall may be behind one address, which is known then.
_BOX_PLACES = Places(3000, 2500)
_STRANGER_PLACES = 96
_STRANGER_HANDSHAKES = (8.0, 32)  # a second and at once, of one address
_TRUSTED_PATHS = ("/link/", "/desk", result_code.PATH)
_BOX_REQUESTS = (500.0, 2500)  # a second and at once, of one address
# A row passes from the thread of the event loop to that of the store and back. Each waits until the
# other has computed for this long: 5 ms by default, several times while a round is decided.
_SWITCH_SECONDS = 0.0005
_BOX_KEEP_ALIVE = 120  # seconds: a table may be quiet for minutes
# What answers an error that a route raises, besides those of HTTP.
_ANSWERS = {
    DecisionError: refused,
    DatabaseError: unavailable,
    ClientDisconnect: gone,
}
_IDLE_LOOKS = 4  # for connections, in the time after which an idle hub ends
FOLLOW_SECONDS = 20.0  # between two looks at what other processes decided


class HubOptions(NamedTuple):
    """What the configuration says about serving."""

    hosts: tuple[str, ...] = ()
    viewers: int = 200
    viewers_each: int = 40
    language: str = "es-AR"
    is_announced: bool = False
    # Seconds without a connection after which the process ends, if systemd holds its sockets.
    idle_seconds: float | None = None


class Sockets(NamedTuple):
    """Listening sockets of the wall and of boxes and desk, and the TLS of the latter."""

    wall: socket.socket
    boxes: socket.socket
    tls: ssl.SSLContext


class HubRoutes(NamedTuple):
    """The routes of the port of the wall, and of that of boxes and desk."""

    wall: list[PricedRoute]
    boxes: list[PricedRoute]
    link: LinkRoutes


def run(hub: Hub, options: HubOptions, sockets: Sockets, notifier: Notifier) -> None:
    """Serve until SIGTERM or SIGINT."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    run_until_signal(serve_hub(hub, options, sockets, notifier))


async def serve_hub(hub: Hub, options: HubOptions, sockets: Sockets, notifier: Notifier) -> None:
    """The same, inside a running event loop."""
    await hub.load()
    feed: Broadcaster[str] = Broadcaster(options.viewers, options.viewers_each)
    reporter, pages = WallReporter(hub, feed), Pages(options.language)
    names = allowed_hosts(options.hosts)
    addresses = PageAddresses(*(each.getsockname()[1] for each in (sockets.wall, sockets.boxes)))
    routes = build_routes(hub, feed, reporter, pages, addresses)
    errors = ErrorPages(reader_of(pages), page_links(addresses))
    each = options.viewers_each
    viewing, trusted = RateLimit(each / 2, 20 + 10 * each), RateLimit(*_BOX_REQUESTS)
    is_known = hub.addresses.is_known

    def limit_of(scope: Scope) -> RateLimit | None:
        """Known addresses may do more, but not with what is for viewers."""
        is_trusted = scope["path"].startswith(_TRUSTED_PATHS) and is_known(client_address(scope))
        return trusted if is_trusted else None

    find_rank = rank_in(routes.boxes)

    def rank_of(scope: Scope) -> Rank:
        """A known address goes first, but not with what is for viewers."""
        known = is_known(client_address(scope))
        return find_rank(scope) if known else Rank.VISITORS

    visiting = _GUARD._replace(turnstile=Turnstile())
    wall_app = _guarded(routes.wall, errors, names, viewing, visiting)
    guard = visiting._replace(
        report_long_body=routes.link.report_long_body, limit_of=limit_of, rank_of=rank_of
    )
    boxes_app = _guarded(routes.boxes, errors, names, viewing, guard)
    strangers = Strangers(
        is_known, _STRANGER_PLACES, RateLimit(*_STRANGER_HANDSHAKES), RateLimit(*_BOX_REQUESTS)
    )
    wall_places = Places(2 * options.viewers + _SPARE, 2 * each + _SPARE_EACH)
    # A box without power is noticed by its beats, which nothing acknowledges.
    sockets.boxes.setsockopt(
        socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(ACKNOWLEDGE_SECONDS * 1000)
    )

    def end_streams() -> None:
        feed.close()
        hub.close()

    servers = [
        Listening(
            Server(server_config(wall_app, connection_class(wall_places)), end_streams),
            sockets.wall,
        ),
        Listening(
            Server(
                server_config(
                    boxes_app,
                    connection_class(_BOX_PLACES, sockets.tls, strangers),
                    keep_alive=_BOX_KEEP_ALIVE,
                ),
                end_streams,
            ),
            sockets.boxes,
        ),
    ]
    beside = [reporter.run(), hub.follow_others(FOLLOW_SECONDS)]
    if options.idle_seconds is not None:
        beside.append(end_when_idle([each.server for each in servers], options.idle_seconds))
    if options.is_announced:
        beside.append(announce(hub.name, sockets.boxes.getsockname()[1]))
    if hub.copies is not None:
        beside.append(hub.copies.run(lambda: newest_result(hub.state.tournaments)))
    if hub.publisher is not None:
        beside.append(hub.publisher.run(lambda: hub.state.tournaments))
    await serve(servers, beside, notifier)
    hub.closed.close()
    hub.state.thread.close()


async def end_when_idle(servers: Sequence[Server], seconds: float) -> None:
    """Stop the first of ``servers`` when none has had a connection for ``seconds``.

    A connection that comes meanwhile waits in the socket, for which systemd starts the hub again.
    """
    loop, step = asyncio.get_running_loop(), seconds / _IDLE_LOOKS
    seen = loop.time()
    while True:
        await asyncio.sleep(step)
        if any(each.server_state.connections for each in servers):
            seen = loop.time()
        elif loop.time() - seen >= seconds:
            servers[0].should_exit = True
            return


def build_routes(
    hub: Hub,
    feed: Broadcaster[str],
    reporter: WallReporter,
    pages: Pages,
    addresses: PageAddresses,
) -> HubRoutes:
    """Build all routes, each with what an answer to a stranger costs at most."""
    public = PublicFile(hub)
    wall = [
        *wall_routes(hub, feed, reporter, pages, public),
        *tournament_routes(hub, pages, public, addresses),
        *visitor_routes(hub, pages, public, addresses),
    ]
    link, desk = LinkRoutes(hub), DeskRoutes(hub, pages, addresses)
    there = desk_elsewhere(pages, public, addresses)
    return HubRoutes([*wall, *there], [*wall, *link.routes(), *desk.routes()], link)


def _guarded(
    routes: list[PricedRoute],
    errors: ErrorPages,
    names: frozenset[str],
    limit: RateLimit,
    options: GuardOptions,
) -> ASGIApp:
    answers = {HTTPException: errors.answer, **_ANSWERS}
    app = Starlette(routes=[*routes], exception_handlers=answers)
    app.router.redirect_slashes = False
    return HostGuard(app, names, limit, options)
