"""A table's socket and a hub over TLS on loopback, both in memory."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import h11

from scorer.api.request import Request
from scorer.api.rights import Right
from scorer.api.server import TableServer, listen
from scorer.hall.events import Event, format_event
from scorer.hall.fields import Malformed
from scorer.hall.joining import (
    BeginRequest,
    CardRequest,
    JoinReply,
    JoinState,
    NonceRequest,
    code,
    commitment_to,
    encode,
    key_of,
    parse_join,
)
from scorer.hall.wire import (
    CALL_PATH,
    EVENTS_PATH,
    GREET_PATH,
    JOIN_PATH,
    ROWS_PATH,
    CallRequest,
    RefusedReply,
    WireStatus,
    parse_call,
    parse_greet,
    parse_rows,
    status_of,
)
from scorer.hall.wire import encode as encode_reply
from scorer.link.https import open_connection
from scorer.link.table_page import Epoch
from tests.link.reference_hub import MemoryHub
from tests.support.certificate import Certificate
from tests.support.honest_box import Journal

HUB_NONCE = "5a" * 16


class SocketTable:
    """A table with a journal behind a real socket."""

    def __init__(self, path: Path) -> None:
        self.memory, self.path = Journal(), path
        self.reports: list[dict[str, Any]] = []
        self.decisions: list[dict[str, Any]] = []
        self.decision: dict[str, Any] | None = None  # of the journal; later ones are stale
        self.wishes: list[dict[str, Any]] = []
        self.match: dict[str, Any] | None = None  # of the state
        self.compares = False  # QUIERO at the panel says that the desk shows its digits
        self.done: set[str] = set()  # wishes that were carried out, which the table drops
        self._number = 1000
        self._server: TableServer | None = None

    def start(self) -> None:
        self._server = TableServer({Right.HALL: listen(self.path)}, "mesa 4", self._answer)
        self._server.start()
        self.show()

    def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def press(self, count: int = 1) -> None:
        self.memory.press(count)
        self.show()

    def show(self) -> None:
        """Send the state."""
        self._number += 1
        seq = len(self.memory.rows)
        state: dict[str, Any] = {
            "seq": seq, "number": self._number, "score": {"A": 12, "B": 9}, "variant": "argentine",
            "hand": 1, "winner": None, "games": {"A": len(self.memory.openings), "B": 0},
            "sides": ["A", "B"], "match": self.match,
        }  # fmt: skip
        if self._server is not None:
            self._server.set_wishes(self.wishes)
            self._server.publish(state, seq)

    def say_same(self, digits: str) -> None:
        """QUIERO at the panel: the desk shows these digits."""
        self.wishes = [*self.wishes, {"id": f"5a{digits}", "do": "same", "digits": digits}]
        self.show()

    @property
    def report(self) -> dict[str, Any]:
        """The newest report of the link."""
        return self.reports[-1] if self.reports else {}

    def _answer(self, request: Request) -> None:
        message = request.message
        answer: dict[str, Any] = {"id": message.get("id"), "ok": True}
        match message["do"]:
            case "journal":
                page = self.memory.read(message["from"], message["limit"])
                answer |= {
                    "epoch": {"id": page.epoch.id, "from": page.epoch.first},
                    "decision": self.decision,
                    "rows": [row._asdict() for row in page.rows],
                    "games": [game._asdict() for game in page.openings],
                }
            case "hall":
                self.reports.append(message)
                self.done |= set(message["done"])
                if self.compares and "digits" in message:
                    self.say_same(message["digits"])
                elif left := [wish for wish in self.wishes if wish["id"] not in self.done]:
                    self.wishes = left
                elif self.wishes:
                    self.wishes = []
                    self.show()
            case "epoch":
                self.memory.epoch = Epoch("93d1b5c87aa0e214", 1)
            case "assign" | "release":
                self.decisions.append(message)
                if self.decision is not None and message["rev"] <= self.decision["rev"]:
                    stale = {"ok": False, "error": "STALE", "text": "a newer one is stored"}
                    answer |= {**stale, "rev": self.decision["rev"]}
        assert self._server is not None
        self._server.reply(request.client, answer)


Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class TlsHub:
    """A hub on loopback. ``handler`` replaces its behaviour for a connection."""

    def __init__(self, certificate: Certificate) -> None:
        self.memory = MemoryHub()
        self.tokens: set[str] = set()
        self.calls: list[CallRequest] = []
        self.streams: list[asyncio.StreamWriter] = []
        self.connections = 0
        self.decision = JoinState.WAITING
        self.digits = ""
        self.handler: Handler | None = None
        self.join_requests: list[object] = []
        self.wait = 0  # seconds, in its refusals
        self.is_silent_after_nonce = False
        self.cards: set[str] = set()
        self.is_closing_after_reply = False
        self.port = 0
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate.certificate, certificate.key)
        self._server: asyncio.Server | None = None
        self._pin = ""
        self.hub_nonce = HUB_NONCE  # that it tells; it has committed to HUB_NONCE
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        self._server = await asyncio.start_server(
            self._serve, "127.0.0.1", self.port, ssl=self._context
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close the port and every connection."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in tuple(self._writers):
            writer.transport.abort()
        self.streams.clear()

    async def send(self, event: Event) -> None:
        for stream in self.streams:
            stream.write(h11_chunk(format_event(event)))

    async def pin(self) -> str:
        if not self._pin:
            from scorer.config.link_section import parse_host

            connection, self._pin = await open_connection(parse_host(self.address, 0), "")
            connection.close()
        return self._pin

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        try:
            with contextlib.suppress(OSError, h11.RemoteProtocolError):
                await (self.handler or self._serve_http)(reader, writer)
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _serve_http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        http = h11.Connection(h11.SERVER)
        while True:
            request = await _next(http, reader)
            if not isinstance(request, h11.Request):
                return
            body = b""
            while isinstance(event := await _next(http, reader), h11.Data):
                body += bytes(event.data)
            headers = {name.decode(): value.decode() for name, value in request.headers}
            token = headers.get("authorization", "").removeprefix("Bearer ")
            path = request.target.decode()
            if path == EVENTS_PATH and self.knows(token):
                head = h11.Response(status_code=200, headers=[("Transfer-Encoding", "chunked")])
                writer.write(http.send(head) or b"")
                self.streams.append(writer)
                await reader.read()
                return
            status, reply = self._answer(path, body, token)
            if self.is_silent_after_nonce and isinstance(self.join_requests[-1], NonceRequest):
                return
            sent = [
                h11.Response(status_code=status, headers=[("Content-Length", str(len(reply)))]),
                h11.Data(data=reply),
                h11.EndOfMessage(),
            ]
            writer.write(b"".join(http.send(each) or b"" for each in sent))
            await writer.drain()
            if self.is_closing_after_reply or http.our_state is not h11.DONE:
                return
            http.start_next_cycle()

    def _answer(self, path: str, body: bytes, token: str) -> tuple[int, bytes]:
        if path == JOIN_PATH:
            return 200, encode(self._join(body))
        if not self.knows(token):
            return 401, b'{"text": "not of this hall"}'
        if path == CALL_PATH:
            call = parse_call(body)
            assert not isinstance(call, Malformed)
            self.calls.append(call)
            return 200, b"{}"
        if path == GREET_PATH:
            greeting = parse_greet(body)
            assert not isinstance(greeting, Malformed), greeting
            reply: Any = self.memory.greet(greeting)
        else:
            assert path == ROWS_PATH
            rows = parse_rows(body)
            if isinstance(rows, Malformed):
                reply = RefusedReply(WireStatus.UNREADABLE, rows.text)
            else:
                reply = self.memory.take(rows)
        return status_of(reply), encode_reply(reply)

    def _join(self, body: bytes) -> JoinReply:
        request = parse_join(body)
        self.join_requests.append(request)
        match request:
            case BeginRequest():
                return JoinReply(JoinState.COMMITTED, commitment=commitment_to(HUB_NONCE))
            case NonceRequest(key, nonce):
                self.digits = code(self._pin, key, nonce, HUB_NONCE)
                reply = JoinReply(self.decision, self.hub_nonce, wait=self.wait)
                if self.decision is not JoinState.ACCEPTED:
                    return reply
                self.keys = {key}
                return reply._replace(table=7, hall="Copa del club")
            case CardRequest():
                if request.card not in self.cards:
                    return JoinReply(JoinState.REFUSED, text="this key was used before")
                self.cards.discard(request.card)
                self.decision = JoinState.ACCEPTED
        if self.decision is JoinState.ACCEPTED:
            assert not isinstance(request, Malformed)
            self.keys = {request.key}
            return JoinReply(JoinState.ACCEPTED, table=7, hall="Copa del club")
        return JoinReply(self.decision)

    def knows(self, token: str) -> bool:
        """Accept a token whose key has joined."""
        if key_of(token) in getattr(self, "keys", ()):
            self.tokens.add(token)
        return token in self.tokens


def h11_chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


async def _next(http: h11.Connection, reader: asyncio.StreamReader) -> object:
    while (event := http.next_event()) is h11.NEED_DATA:
        http.receive_data(await reader.read(65536))
    return event


@contextlib.asynccontextmanager
async def running(certificate: Certificate) -> AsyncIterator[TlsHub]:
    """A hub for the block."""
    hub = TlsHub(certificate)
    await hub.start()
    try:
        yield hub
    finally:
        await hub.stop()
