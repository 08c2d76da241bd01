"""Boxes without a table, which send rows of real games over TLS."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from scorer.hall import wire
from scorer.hall.joining import key_of
from scorer.hall.rows import Batch, Opening, Row, digest_in
from scorer.hall.wire import EPOCH_DIGITS, TOKEN_DIGITS, GreetRequest, RowsRequest, Shown
from scorer.hub.decisions import Desk, NewDevice
from scorer.hub.store.database import Database
from scorer.hub.store.log import Author
from scorer.hub.times import WallClock
from scorer.link.https import client_context
from scorer.rules import apply, parse_step, read_header

HAND = ("A truco", "B no_quiero", "- new_hand")  # a point for A
HANDS = 25  # of a game, which ends before one side has won
_DIRECTOR = Author("bench", "director")
_HEAD_END = b"\r\n\r\n"
_LENGTH = b"content-length: "


class Address(NamedTuple):
    """Where a server listens."""

    host: str
    port: int


@cache
def scores(header: str) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    """The lines of a game, each with the score that a panel shows after it."""
    game, found = read_header(header).game(), []
    for line in HAND * HANDS:
        game = apply(game, parse_step(line, game.rules))
        sides = (side.value for side in game.rules.scoring_sides)
        found.append((line, tuple(zip(sides, game.score, strict=True))))
    return tuple(found)


class Box:
    """The stream of one box, and its connection to one server."""

    def __init__(self, number: int, header: str = '[Variant "argentine"]') -> None:
        """``number``: of its table, from 1."""
        self.number = number
        self.token = sha256(b"token %d" % number).hexdigest()[:TOKEN_DIGITS]
        self.epoch = sha256(b"epoch %d" % number).hexdigest()[:EPOCH_DIGITS]
        self.last = 0  # acknowledged or under way
        self._header, self._digest = header, ""

    @property
    def address(self) -> str:
        """Each box has an address of its own on the loopback network."""
        return f"127.1.{self.number // 200}.{1 + self.number % 200}"

    def greeting(self) -> bytes:
        """The request that is sent on every connection."""
        greeting = GreetRequest(
            self.epoch, 1, f"machine {self.number}", self.last, self._digest, "bench"
        )
        return self.request(wire.GREET_PATH, wire.encode(greeting))

    def next_rows(self, count: int) -> bytes:
        """A request with the next rows of the stream."""
        prev, rows, openings = self._digest, list[Row](), list[Opening]()
        played = scores(self._header)
        for seq in range(self.last + 1, self.last + count + 1):
            game, place = divmod(seq - 1, len(played))
            wall = "2026-11-21T21:00:00Z"
            if not place:
                openings.append(Opening(game + 1, seq, self._header))
            rows.append(
                Row(seq, game + 1, seq, played[place][0], "console A", "b0c7", seq, wall, True)
            )
        self.last, self._digest = rows[-1].seq, digest_in(rows[-1], openings)
        shown = Shown(rows[-1].game, self.last, self.last, dict(self.score))
        batch = Batch(rows[0].seq, tuple(rows), tuple(openings))
        body = wire.encode(RowsRequest(self.epoch, prev, batch, shown))
        return self.request(wire.ROWS_PATH, body)

    @property
    def score(self) -> tuple[tuple[str, int], ...]:
        """The points of each side after the newest row."""
        played = scores(self._header)
        return played[(self.last - 1) % len(played)][1]

    def request(self, path: str, body: bytes = b"") -> bytes:
        """A whole request; a GET without ``body``."""
        lines = [
            f"{'POST' if body else 'GET'} {path} HTTP/1.1",
            "Host: 127.0.0.1",
            f"Authorization: Bearer {self.token}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        ]
        return "\r\n".join(lines).encode() + _HEAD_END + body


class BoxConnection:
    """A TLS connection of a box.

    Requests raise ConnectionError unless the answer is 200.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self._writer = reader, writer

    @classmethod
    async def open(cls, box: Box, to: Address, tls: ssl.SSLContext | None) -> BoxConnection:
        """``tls``: None for a connection in the clear."""
        return cls(
            *await asyncio.open_connection(
                *to, ssl=tls, server_hostname="" if tls else None, local_addr=(box.address, 0)
            )
        )

    async def ask(self, request: bytes) -> bytes:
        """Send a request; the body of the answer."""
        self._writer.write(request)
        head = await self.reader.readuntil(_HEAD_END)
        length = int(head[head.index(_LENGTH) + len(_LENGTH) :].split(b"\r\n", 1)[0])
        body = await self.reader.readexactly(length)
        if not head.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(f"{head.splitlines()[0]!r}: {body!r}")
        return body

    async def hear(self, request: bytes) -> None:
        """Send a request whose answer is a stream; return with its head."""
        self._writer.write(request)
        await self.reader.readuntil(_HEAD_END)

    async def echo(self, sent: bytes) -> None:
        """Send bytes and read as many."""
        self._writer.write(sent)
        await self.reader.readexactly(len(sent))

    def close(self) -> None:
        self._writer.transport.abort()


def tls_of_boxes() -> ssl.SSLContext:
    """As scorer link connects, for all boxes of this process."""
    return client_context()


def accept_boxes(database: Database, boxes: Sequence[Box]) -> None:
    """Let the boxes belong to the hall; the hub is not running."""
    with database.write() as connection:
        desk = Desk(connection, WallClock(), _DIRECTOR)
        for box in boxes:
            device = NewDevice(key_of(box.token), box.number, f"machine {box.number}", "bench")
            desk.accept(device)
