"""What the link reports to the table: its hall and its standing (socket.md#hall)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from scorer.api.table_source import TableUnavailable
from scorer.link.link_log import write_log
from scorer.link.sender import Standing
from scorer.table_link import TableLink

Fields = dict[str, Any]

STATES: Final = {
    Standing.OFFLINE: "offline",
    Standing.ONLINE: "online",
    Standing.HELD: "held",
    Standing.REFUSED: "refused",
    Standing.VERSION: "version",
    # The same on the panel: everything is stored in the box.
    Standing.UNSENT: "offline",
}
MAX_NAME_CHARS: Final = 40
MAX_TABLE: Final = 999
MAX_HALLS, MAX_ID_CHARS = 32, 64
MAX_DONE: Final = 8
MAX_WAIT: Final = 60  # minutes until a box may try to join again


def clean_name(text: str) -> str:
    """A name from the network as the table takes it; "" if nothing is left."""
    return one_line(text).strip()[:MAX_NAME_CHARS]


def one_line(text: str) -> str:
    """A text from the network without its characters of control."""
    return "".join(each for each in text if each.isprintable())


class StatusPublisher:
    """Sends the newest status to the table. ``run`` never ends."""

    def __init__(self, table: TableLink, fields: Callable[[], Fields]) -> None:
        self._table, self._fields = table, fields
        self._changed = asyncio.Event()
        self._sent: tuple[Fields, int] | None = None  # and the connection, by its number

    def changed(self) -> None:
        """Something in it may have changed."""
        self._changed.set()

    async def run(self) -> None:
        """Send every change, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            newest = (self._fields(), self._table.greetings)
            if newest == self._sent or not self._table.is_connected:
                continue
            try:
                answer = await self._table.request(do="hall", **newest[0])
            except TableUnavailable:
                continue
            self._sent = newest
            if not answer.get("ok"):
                write_log(f"the table refuses: {answer.get('text')}")
