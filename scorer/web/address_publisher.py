"""Report the address of the web pages to the table, which shows it on its panel.

Reports address, network and number of viewers when they change, after the table reconnects, and at
intervals.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from scorer.api.table_source import Message, TableUnavailable
from scorer.serving.avahi import base_name, published_name
from scorer.table_link import LinkStatus, TableLink
from scorer.web.network import NetworkStatus, joining_mark, mdns_name

VIEWERS_INTERVAL = 2.0  # seconds between checks of the viewers
FIRST_INTERVAL = 0.5  # the same until the first report was accepted
NETWORK_INTERVAL = 30.0  # seconds between checks of the network
REPEAT_INTERVAL = 60.0  # seconds until a report is repeated: a restarted table has lost it

_NAME = re.compile(r"(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+")


class Entrance(NamedTuple):
    """How browsers reach the pages.

    ``name``: the host of a certificate or a proxy; "" for the address of this machine.
    """

    port: int
    is_secure: bool = False
    name: str = ""


def notice_fields(network: NetworkStatus, entrance: Entrance, clients: int, name: str) -> Message:
    """The fields of the report (socket.md#notice). ``name``: the mDNS name."""
    # A certificate is not for the mDNS name, and a proxy does not answer to it.
    is_shown = not entrance.is_secure and _NAME.fullmatch(name)
    return {
        "address": network_url(network, entrance),
        "clients": clients,
        "name": name if is_shown else "",
        "network": network.state,
        # An SSID from the owner's file may contain unprintable characters.
        "wifi": network.wifi if network.wifi.isprintable() else "",
        **({"password": network.password} if network.password else {}),
        **({"target": network.target} if network.target.isprintable() and network.target else {}),
        **({"fault": network.fault} if network.fault is not None else {}),
    }


def network_url(network: NetworkStatus, entrance: Entrance) -> str:
    """The URL of the pages in a network; "" without one."""
    return page_url(network.address, entrance) if network.address else ""


def page_url(address: str, entrance: Entrance) -> str:
    """The URL for browsers: "http://192.168.1.7:8080/"."""
    host = entrance.name or (f"[{address}]" if ":" in address else address)
    scheme, usual = ("https", 443) if entrance.is_secure else ("http", 80)
    port = "" if entrance.port == usual else f":{entrance.port}"
    return f"{scheme}://{host}{port}/"


class AddressPublisher:
    """Reports to one table. ``run`` never ends."""

    def __init__(
        self,
        link: TableLink,
        viewers: Callable[[], int],
        detect: Callable[[], NetworkStatus],
        entrance: Entrance,
        clock: Callable[[], float] = time.monotonic,
        *,
        published_name: Callable[[str], Awaitable[str]] = published_name,
        joining_mark: Callable[[], int] = joining_mark,
    ) -> None:
        """``published_name``: the name that Avahi gives to an address.

        ``joining_mark`` changes with what ``detect`` finds of the Wi-Fi.
        """
        self._link, self._viewers, self._detect = link, viewers, detect
        self._entrance, self._published_name = entrance, published_name
        self._clock, self._name = clock, mdns_name()
        self._network, self._detect_at = NetworkStatus(), float("-inf")
        self._joining_mark, self._mark = joining_mark, 0
        self._sent: tuple[Message, int] | None = None  # and the connection, by its number
        self._sent_at = float("-inf")

    async def run(self) -> None:
        """Check and report until cancelled."""
        while True:
            await self.publish_if_due()
            await asyncio.sleep(FIRST_INTERVAL if self._sent is None else VIEWERS_INTERVAL)

    def address(self) -> str:
        """The URL of the pages, as last detected; "" without a network."""
        return network_url(self._network, self._entrance)

    async def publish_if_due(self) -> None:
        """Check once; report to the table if something is new."""
        now = self._clock()
        mark = self._joining_mark()
        if now >= self._detect_at or mark != self._mark:
            self._mark = mark
            self._detect_at = now + NETWORK_INTERVAL
            # Out of file descriptors: assume that the address is unchanged.
            with contextlib.suppress(OSError):
                self._network = self._detect()
            # With a number where another box of the network has the same name.
            own, address = mdns_name(), self._network.address
            found = await self._published_name(address) if address else ""
            self._name = found if base_name(found) == base_name(own) else own
        newest = (
            notice_fields(self._network, self._entrance, self._viewers(), self._name),
            self._link.greetings,
        )
        is_new = newest != self._sent or now >= self._sent_at + REPEAT_INTERVAL
        if self._link.status is not LinkStatus.ONLINE or not is_new:
            return
        try:
            answer = await self._link.request(do="notice", **newest[0])
        except TableUnavailable:
            return
        # An older table does not know the request: try again at the next change.
        self._sent, self._sent_at = (
            newest,
            now if answer.get("ok") else now + NETWORK_INTERVAL - REPEAT_INTERVAL,
        )
