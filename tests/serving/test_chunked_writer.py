"""The direct writer: HTTP chunks, one at a time, and none if there is no room."""

from __future__ import annotations

import asyncio

import h11
import pytest

from scorer.serving.chunked_writer import ChunkedWriter, encode_chunk
from tests.support.coroutines import awaited


class Wire:
    """A connection and what a server knows of it."""

    def __init__(self) -> None:
        self.written = b""
        self.write_paused = False
        self.closing = False
        self._room = asyncio.Event()

    def write(self, data: bytes) -> None:
        assert not (self.write_paused or self.closing)
        self.written += data

    def is_closing(self) -> bool:
        return self.closing

    async def drain(self) -> None:
        await self._room.wait()

    def has_room(self) -> None:
        self.write_paused = False
        self._room.set()


def test_what_is_written_is_read_by_any_browser() -> None:
    wire = Wire()
    pipe = ChunkedWriter(wire, wire)
    frames = [b"data: 1\n\n", b"data: \xc3\xb1\n\n", b"x" * 70_000]
    assert [pipe.try_send(frame) for frame in frames] == [True, True, True]
    browser = h11.Connection(h11.CLIENT)
    browser.send(h11.Request(method="GET", target="/", headers=[("Host", "x")]))
    browser.send(h11.EndOfMessage())
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    browser.receive_data(head + wire.written + b"0\r\n\r\n")
    read = []
    while not isinstance(event := browser.next_event(), h11.EndOfMessage):
        if isinstance(event, h11.Data):
            read.append(bytes(event.data))
    assert b"".join(read) == b"".join(frames)


@awaited
async def test_without_room_it_says_so_and_waits_when_asked() -> None:
    wire = Wire()
    pipe = ChunkedWriter(wire, wire)
    wire.write_paused = True
    assert pipe.try_send(b"1") is False
    waiting = asyncio.create_task(pipe.send(b"2"))
    await asyncio.sleep(0)
    assert wire.written == b""
    wire.has_room()
    await waiting
    assert wire.written == b"1\r\n2\r\n"


def test_into_a_connection_that_has_ended_nothing_is_written() -> None:
    wire = Wire()
    wire.closing = True
    assert ChunkedWriter(wire, wire).try_send(b"1") is True
    assert wire.written == b""


@pytest.mark.parametrize(("frame", "told"), [(b"x", b"1\r\nx\r\n"), (b"x" * 255, b"ff\r\n")])
def test_a_chunk_begins_with_its_length(frame: bytes, told: bytes) -> None:
    assert encode_chunk(frame).startswith(told)
