"""Connection to the table's socket, reopened whenever it is lost.

Keeps the newest state and sends requests (socket.md#requests).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from scorer.api.server import MAX_LINE_BYTES
from scorer.api.table_source import Message, TableUnavailable

PAUSE = 0.5  # seconds before reconnecting
GRACE = 1.0  # seconds from the greeting to the first state; after that there is none
PATIENCE = 5.0  # seconds for an answer; a slower table counts as hanging


class LinkStatus(StrEnum):
    """Status of the connection to the table."""

    ONLINE = "here"
    OFFLINE = "gone"  # cannot be reached
    NO_STATE = "trouble"  # connected, but without a score


class TableLink:
    """One connection to one table. ``run`` never ends; other methods work at any time."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._clock = path, clock
        self.news = asyncio.Event()  # set after every state and every loss; its reader clears it
        self._is_online = False
        self._changed_at = clock()  # when the connection status last changed
        self._greeted_at: float | None = None  # the table has sent no state
        self.device = ""
        self.state: Message | None = None  # the newest one, kept while the table is gone
        self.wishes: list[Message] = []  # of players, sent beside that state to the link alone
        self.greetings = 0  # number of connections so far
        self._writer: asyncio.StreamWriter | None = None
        self._pending: dict[int, asyncio.Future[Message]] = {}
        self._number = 0

    @property
    def is_connected(self) -> bool:
        """Whether a request can be sent now."""
        return self._writer is not None

    @property
    def seq(self) -> int:
        """The journal row of the newest state; -1 without one."""
        return -1 if self.state is None else int(self.state["seq"])

    @property
    def status(self) -> LinkStatus:
        """The current status; not a fault between the greeting and the first state."""
        if self._is_online:
            return LinkStatus.ONLINE
        greeted = self._greeted_at
        waited = greeted is not None and self._clock() - greeted >= GRACE
        return LinkStatus.NO_STATE if waited else LinkStatus.OFFLINE

    def age(self) -> float:
        """Seconds since the table went online or offline."""
        return self._clock() - self._changed_at

    async def run(self) -> None:
        """Connect, read and reconnect until cancelled."""
        while True:
            # A broken table counts as none: ValueError is an invalid line.
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                await self._listen()
            self._on_lost()
            await asyncio.sleep(PAUSE)

    async def request(self, **fields: object) -> Message:
        """The answer to one request. Raises TableUnavailable."""
        writer = self._writer
        if writer is None:
            raise TableUnavailable("there is no table to ask")
        self._number += 1
        number = self._number
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._pending[number] = answer
        writer.write(json.dumps({"id": number, **fields}).encode() + b"\n")
        try:
            async with asyncio.timeout(PATIENCE):
                return await answer
        except TimeoutError:
            # The table still holds its end; closing ours notifies ``run``.
            writer.close()
            raise TableUnavailable("the table did not answer") from None
        finally:
            self._pending.pop(number, None)

    async def _listen(self) -> None:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=MAX_LINE_BYTES + 1)
        self._writer = writer
        try:
            while line := await reader.readline():
                self._receive(json.loads(line))
        finally:
            self._writer = None
            writer.close()

    def _receive(self, message: object) -> None:
        if not isinstance(message, dict):
            raise ValueError("a table says one object a line")
        if "state" in message:
            int(message["state"]["seq"])
            self.state, self._greeted_at = message["state"], None
            self.wishes = message.get("wishes", [])
            self._set_online(is_online=True)
            self.news.set()
        elif "hello" in message:
            self.device = str(message["device"])
            self.greetings += 1
            self._greeted_at = self._clock()
        elif (answer := self._pending.get(message.get("id", 0))) is not None and not answer.done():
            answer.set_result(message)

    def _on_lost(self) -> None:
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(TableUnavailable("the table went away"))
        self._greeted_at = None
        if self._is_online:
            self._set_online(is_online=False)
            self.news.set()

    def _set_online(self, *, is_online: bool) -> None:
        if is_online is not self._is_online:
            self._is_online, self._changed_at = is_online, self._clock()
