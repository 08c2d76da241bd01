"""Report the address of the web pages to the table, which shows it on its panel.

Reports address, network and number of viewers when they change, after the table reconnects, and at
intervals.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Callable

from scorer.web.network import NetworkStatus, mdns_name
from scorer.web.table_link import LinkStatus, Message, TableLink, TableUnavailable

VIEWERS_INTERVAL = 2.0  # seconds between checks of the viewers
FIRST_INTERVAL = 0.5  # the same until the first report was accepted
NETWORK_INTERVAL = 30.0  # seconds between checks of the network
REPEAT_INTERVAL = 60.0  # seconds until a report is repeated: a restarted table has lost it

_NAME = re.compile(r"(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+")


def notice_fields(network: NetworkStatus, port: int, clients: int, name: str) -> Message:
    """The fields of the report (socket.md#notice)."""
    return {
        "address": page_url(network.address, port) if network.address else "",
        "clients": clients,
        "name": name if _NAME.fullmatch(name) else "",
        "network": network.state,
        # An SSID from the owner's file may contain unprintable characters.
        "wifi": network.wifi if network.wifi.isprintable() else "",
    }


def page_url(address: str, port: int) -> str:
    """The URL for browsers: "http://192.168.1.7:8080/"."""
    host = f"[{address}]" if ":" in address else address
    return f"http://{host}/" if port == 80 else f"http://{host}:{port}/"


class AddressPublisher:
    """Reports to one table. ``run`` never ends."""

    def __init__(
        self,
        link: TableLink,
        viewers: Callable[[], int],
        detect: Callable[[], NetworkStatus],
        port: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._link, self._viewers, self._detect, self._port = link, viewers, detect, port
        self._clock, self._name = clock, mdns_name()
        self._network, self._detect_at = NetworkStatus(), float("-inf")
        self._sent: tuple[Message, int] | None = None  # and the connection, by its number
        self._sent_at = float("-inf")

    async def run(self) -> None:
        """Check and report until cancelled."""
        while True:
            await self.publish_if_due()
            await asyncio.sleep(FIRST_INTERVAL if self._sent is None else VIEWERS_INTERVAL)

    async def publish_if_due(self) -> None:
        """Check once; report to the table if something is new."""
        now = self._clock()
        if now >= self._detect_at:
            self._detect_at = now + NETWORK_INTERVAL
            # Out of file descriptors: assume that the address is unchanged.
            with contextlib.suppress(OSError):
                self._network = self._detect()
        newest = (
            notice_fields(self._network, self._port, self._viewers(), self._name),
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
