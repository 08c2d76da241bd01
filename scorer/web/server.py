"""The web process: HTTP server and table link, until a signal stops it."""

from __future__ import annotations

import socket
import ssl
from functools import partial
from pathlib import Path
from typing import NamedTuple

from scorer.serving.broadcaster import Broadcaster
from scorer.serving.connection import Places, connection_class
from scorer.serving.middleware import address_group, allowed_hosts
from scorer.serving.server import Listening, Server, run_until_signal, server_config
from scorer.serving.server import serve as serve_all
from scorer.session.values.shown import LinkState
from scorer.system.sd_notify import Notifier
from scorer.table_link import TableLink
from scorer.web.address_publisher import AddressPublisher, Entrance
from scorer.web.app import WebContext, build_app
from scorer.web.audience import Audience
from scorer.web.network import NetworkStatus, detect
from scorer.web.replay_process import ReplayProcess
from scorer.web.snapshot import Reporter

_SPARE = 64  # connections besides the streams: pages, files, rejected clients
_SPARE_EACH = 16  # the same per address; a browser opens six


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
    is_narrowed: bool = False  # wrong settings: listens on this machine alone
    tls: ssl.SSLContext | None = None
    proxies: tuple[str, ...] = ()  # addresses whose X-Forwarded headers are believed
    owners_table: Path | None = None  # its socket for the settings page; None: that of all rights


def run(options: WebOptions, listener: socket.socket, notifier: Notifier) -> None:
    """Serve until SIGTERM or SIGINT."""
    run_until_signal(serve(options, listener, notifier))


async def serve(options: WebOptions, listener: socket.socket, notifier: Notifier) -> None:
    """The same, inside a running event loop."""
    feed: Broadcaster[Audience] = Broadcaster(options.viewers, options.viewers_each)
    # Presses have a connection of their own: no other request delays them.
    link, phone_link = TableLink(options.table), TableLink(options.table)
    owner_link = TableLink(options.owners_table or options.table)
    reporter = Reporter(link, feed, options.language)
    announcer = AddressPublisher(
        link,
        lambda: feed.viewer_count,
        partial(_network_status, options),
        _entrance(options, listener.getsockname()[1]),
    )
    replays = ReplayProcess()
    app = build_app(
        WebContext(
            reporter=reporter,
            feed=feed,
            names=allowed_hosts(options.hosts),
            folder=options.folder,
            replays=replays,
            viewers_each=options.viewers_each,
            phone_link=phone_link,
            owner_link=owner_link,
            address=announcer.address,
        )
    )
    places = Places(
        2 * options.viewers + _SPARE,
        2 * options.viewers_each + _SPARE_EACH,
        frozenset(map(address_group, options.proxies)),
    )
    config = server_config(app, connection_class(places, options.tls), proxies=options.proxies)
    try:
        await serve_all(
            [Listening(Server(config, feed.close), listener)],
            [link.run(), phone_link.run(), owner_link.run(), reporter.run(), announcer.run()],
            notifier,
        )
    finally:
        replays.close()


def _entrance(options: WebOptions, port: int) -> Entrance:
    name = options.hosts[0] if options.hosts else ""
    if options.proxies:
        return Entrance(443, is_secure=True, name=name)
    if options.tls is not None:
        return Entrance(port, is_secure=True, name=name)
    return Entrance(port)


def _network_status(options: WebOptions) -> NetworkStatus:
    if options.is_narrowed:
        return NetworkStatus(state=LinkState.LOCAL)
    return detect(options.address)
