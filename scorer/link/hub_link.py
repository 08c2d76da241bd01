"""The connection to the hub: carries out actions of the sender, hears events.

It ends with HubUnreachable as soon as any part of it fails; the caller opens another.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from scorer.api.table_source import TableUnavailable
from scorer.config.link_section import HostAddress
from scorer.hall.events import (
    HALL_DIGITS,
    SILENT_SECONDS,
    Beat,
    Desired,
    Event,
    EventReader,
    Release,
    RenewEpoch,
    Resend,
)
from scorer.hall.fields import Malformed
from scorer.hall.wire import (
    CALL_PATH,
    EVENTS_PATH,
    GREET_PATH,
    ROWS_PATH,
    WireStatus,
    encode,
    parse_greet_reply,
    parse_rows_reply,
)
from scorer.link.https import HttpReply, HubConnection, HubUnreachable, open_connection
from scorer.link.sender import (
    RETRY,
    Action,
    Greet,
    KeepToken,
    Lost,
    ReadJournal,
    RequestEpoch,
    Sender,
    SendRows,
)
from scorer.link.table_page import parse_page
from scorer.link.wishes import Wishes
from scorer.table_link import TableLink

CALL_PAUSE = 5.0  # seconds until a call is repeated


class HubContext(NamedTuple):
    """What a connection uses.

    ``keep_token`` stores a token; ``assign`` passes a decision of the hub to the table; ``changed``
    is called whenever the status has changed; ``poked`` is set when the sender has news.
    """

    table: TableLink
    sender: Sender
    wishes: Wishes
    poked: asyncio.Event
    keep_token: Callable[[str], None]
    assign: Callable[[Desired | Release], None]
    changed: Callable[[], None]


class HubLink:
    """Two connections to one hub: for requests, and for its events."""

    def __init__(self, context: HubContext, hub: HostAddress, pin: str, token: str) -> None:
        self._context, self._hub, self._pin, self._token = context, hub, pin, token
        self._requests: HubConnection | None = None
        self._turn = asyncio.Lock()  # one request at a time

    async def run(self) -> None:
        """Send and hear until something fails. Raises HubUnreachable."""
        sender = self._context.sender
        with contextlib.ExitStack() as stack:
            stack.callback(self._close)
            self._requests = (await open_connection(self._hub, self._pin)).connection
            sender.connected()
            stack.callback(sender.disconnected)
            tasks = [
                asyncio.create_task(each)
                for each in (self._send(), self._hear(), self._send_calls())
            ]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            for task in done:
                task.result()

    # ---- requests -------------------------------------------------------------------------------

    async def _send(self) -> None:
        sender, poked = self._context.sender, self._context.poked
        while True:
            poked.clear()
            while (action := sender.next(time.monotonic())) is not None:
                await self._carry_out(action)
                self._context.changed()
            if sender.is_slowed:
                self._context.changed()
            wait = sender.wake_at - time.monotonic()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait if wait > 0 else None):
                    await poked.wait()

    async def _carry_out(self, action: Action) -> None:
        sender = self._context.sender
        match action:
            case ReadJournal():
                await self._read_journal(action)
            case RequestEpoch(old):
                with contextlib.suppress(TableUnavailable):
                    await self._context.table.request(do="epoch", old=old)
                sender.renewed()
            case KeepToken(token):
                self._context.keep_token(token)
                self._token = token
                sender.token_kept()
            case Greet(request):
                greeted = parse_greet_reply(*await self._post(GREET_PATH, encode(request)))
                if isinstance(greeted, Malformed):
                    sender.greeted(Lost(), time.monotonic())
                    raise HubUnreachable(f"its reply to the greeting: {greeted.text}")
                sender.greeted(greeted, time.monotonic())
            case SendRows(rows):
                sent = parse_rows_reply(*await self._post(ROWS_PATH, encode(rows)))
                if isinstance(sent, Malformed):
                    sender.sent(Lost(), time.monotonic())
                    raise HubUnreachable(f"its reply to rows: {sent.text}")
                sender.sent(sent, time.monotonic())

    async def _read_journal(self, wanted: ReadJournal) -> None:
        fields = {"from": wanted.first, "limit": wanted.limit}
        try:
            answer = await self._context.table.request(do="journal", **fields)
            page = parse_page(answer, self._pin[:HALL_DIGITS])
        except (TableUnavailable, KeyError, TypeError, ValueError):
            # A table without its store, or one that is too old, has no journal for us.
            self._context.sender.unread()
        else:
            self._context.sender.page(page, time.monotonic())

    async def _send_calls(self) -> None:
        """Repeat each call until the hub knows of it."""
        wishes = self._context.wishes
        while True:
            wishes.new_call.clear()
            for call in tuple(wishes.calls.values()):
                reply = await self._post(CALL_PATH, encode(call))
                if reply.status == WireStatus.OK:
                    wishes.call_answered(call.id)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CALL_PAUSE if wishes.calls else None):
                    await wishes.new_call.wait()

    async def _post(self, path: str, body: bytes) -> HttpReply:
        async with self._turn:
            connection = self._requests
            if connection is not None and connection.is_open:
                was_used = connection.is_used
                try:
                    return await connection.post(path, body, self._token)
                except HubUnreachable:
                    # The hub closes idle connections, perhaps in the moment in which one is used.
                    if not was_used:
                        raise
            self._close()
            self._requests = (await open_connection(self._hub, self._pin)).connection
            return await self._requests.post(path, body, self._token)

    def _close(self) -> None:
        if self._requests is not None:
            self._requests.close()
            self._requests = None

    # ---- events ---------------------------------------------------------------------------------

    async def _hear(self) -> None:
        """Hear events until the hub is silent. Raises HubUnreachable."""
        while True:
            opened = await open_connection(self._hub, self._pin)
            with contextlib.closing(opened.connection):
                pieces = await opened.connection.stream(EVENTS_PATH, self._token)
                if not isinstance(pieces, HttpReply):
                    await self._hear_events(pieces)
            # A refused box learns the reason from its greeting.
            await asyncio.sleep(RETRY)

    async def _hear_events(self, pieces: AsyncIterator[bytes]) -> None:
        reader, loop = EventReader(), asyncio.get_running_loop()
        try:
            async with asyncio.timeout(SILENT_SECONDS) as silence:
                async for piece in pieces:
                    for event in reader.feed(piece):
                        silence.reschedule(loop.time() + SILENT_SECONDS)
                        self._on_event(event)
        except TimeoutError:
            raise HubUnreachable(f"the hub is silent for {SILENT_SECONDS} s") from None
        raise HubUnreachable("the hub has ended its events")

    def _on_event(self, event: Event | Malformed) -> None:
        sender = self._context.sender
        match event:
            case Malformed(text):
                raise HubUnreachable(f"an event of the hub: {text}")
            case Desired() | Release():
                self._context.assign(event)
            case Resend():
                sender.greet_again()
            case RenewEpoch(old):
                sender.renew_epoch(old)
            case Beat():
                return
        self._context.poked.set()
