"""One stream: its first frame, its end, and slow readers."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any

import pytest

from scorer.serving.broadcaster import Broadcaster
from scorer.serving.events import EventStream
from scorer.web.audience import DEFAULT_AUDIENCE, Audience, audience_of
from tests.support.coroutines import awaited
from tests.web.fake_reports import to_all

SOON = 10.0


class Newest:
    """A reporter with one report."""

    id = "e-1"

    def newest(self, viewers: Audience = DEFAULT_AUDIENCE) -> bytes:
        return b"event: state\n\n"

    def heartbeat(self) -> bytes:
        return b"event: beat\n\n"


class Connection:
    """A browser's connection. ``room``: it reads; without it senders have to wait."""

    def __init__(
        self, feed: Broadcaster[Audience], *, compresses: bool = False, **headers: str
    ) -> None:
        self.sent: list[bytes] = []
        self.status, self.headers = 0, dict[bytes, bytes]()
        self.ended = False
        self.room = asyncio.Event()
        self.room.set()
        self._took = asyncio.Event()
        self._hung_up = asyncio.Event()
        named = [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ]
        scope = {"type": "http", "method": "GET", "http_version": "1.1", "headers": named}
        stream = EventStream(feed, Newest(), audience_of, compresses=compresses)
        self.task = asyncio.create_task(stream(scope, self._receive, self._send))

    async def hang_up(self) -> None:
        self._hung_up.set()
        # As a server does: what waits to be sent has nowhere to go any more.
        self.room.set()
        async with asyncio.timeout(SOON):
            await self.task

    async def until(self, frame: bytes) -> None:
        async with asyncio.timeout(SOON):
            while not any(frame in each for each in self.sent):
                self._took.clear()
                await self._took.wait()

    async def _receive(self) -> dict[str, Any]:
        await self._hung_up.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:  # noqa: ANN401 - as ASGI has it
        await self.room.wait()
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
        else:
            self.sent.append(message["body"])
            self.ended = not message.get("more_body", False)
        self._took.set()


@awaited
async def test_a_stream_begins_with_the_newest_report() -> None:
    feed = Broadcaster[Audience](1)
    browser = Connection(feed)
    await browser.until(b"event: state")
    assert browser.sent[0].startswith(b"retry: ")
    assert (browser.status, feed.viewer_count) == (200, 1)
    await browser.hang_up()
    assert feed.viewer_count == 0


@awaited
async def test_who_missed_nothing_gets_a_sign_of_life_and_who_missed_something_all() -> None:
    feed = Broadcaster[Audience](2)
    same, other = Connection(feed, last_event_id="e-1"), Connection(feed, last_event_id="e-0")
    await same.until(b"event: beat")
    await other.until(b"event: state")
    for browser in (same, other):
        await browser.hang_up()


@pytest.mark.sampled(0)
@awaited
async def test_a_reader_that_pauses_delays_no_other_and_gets_the_newest_afterwards() -> None:
    feed = Broadcaster[Audience](2)
    stuck, quick = Connection(feed), Connection(feed)
    await stuck.until(b"event: state")
    await quick.until(b"event: state")
    stuck.room.clear()
    for number in range(1000):
        frame = b"score %d;" % number
        feed.publish(to_all(frame))
        await quick.until(frame)
    feed.send_heartbeat(b"beat")
    stuck.room.set()
    await stuck.until(b"score 999;")
    # One frame was on its way when he stopped; between it and the newest nothing was kept.
    assert len(stuck.sent) <= 4
    for browser in (stuck, quick):
        await browser.hang_up()


@awaited
async def test_who_vanishes_while_nothing_can_be_sent_leaves_his_place() -> None:
    feed = Broadcaster[Audience](1)
    browser = Connection(feed)
    await browser.until(b"event: state")
    browser.room.clear()
    feed.publish(lambda _: b"score")
    await browser.hang_up()
    assert feed.viewer_count == 0


@awaited
async def test_beyond_the_limit_it_is_said_when_to_come_again() -> None:
    feed = Broadcaster[Audience](0)
    browser = Connection(feed)
    async with asyncio.timeout(SOON):
        await browser.task
    assert (browser.status, browser.ended) == (503, True)


@awaited
async def test_a_server_that_ends_ends_its_streams() -> None:
    feed = Broadcaster[Audience](1)
    browser = Connection(feed)
    await browser.until(b"event: state")
    feed.close()
    async with asyncio.timeout(SOON):
        await browser.task
    assert browser.ended


@awaited
async def test_what_repeats_is_sent_once_to_who_reads_gzip_and_each_frame_is_read_at_once() -> None:
    feed = Broadcaster[Audience](2)
    packed = Connection(feed, compresses=True, accept_encoding="gzip, br")
    plain = Connection(feed, compresses=True)
    await plain.until(b"event: state")
    reader, read = zlib.decompressobj(31), b""
    frames = [b"event: table %d of a wall that is long enough" % number for number in range(9)]
    for frame in frames:
        feed.publish(to_all(frame))
        await plain.until(frame)
        async with asyncio.timeout(SOON):
            while not read.endswith(frame):
                read += b"".join(map(reader.decompress, packed.sent))
                packed.sent.clear()
                await asyncio.sleep(0)
    assert packed.headers[b"content-encoding"] == b"gzip"
    assert b"content-encoding" not in plain.headers
    assert read == b"".join(plain.sent)
    for browser in (packed, plain):
        await browser.hang_up()
