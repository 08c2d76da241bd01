"""Many viewers, one newest frame: skipped frames, limits and disconnects."""

from __future__ import annotations

import asyncio

from scorer.serving.broadcaster import Broadcaster, Viewer
from scorer.web.audience import DEFAULT_AUDIENCE, Audience
from tests.support.coroutines import awaited
from tests.web.fake_reports import to_all


def joined(feed: Broadcaster[Audience]) -> Viewer[Audience]:
    viewer = feed.join(DEFAULT_AUDIENCE)
    assert viewer is not None
    return viewer


async def _taken(viewer: Viewer[Audience]) -> bytes | None:
    async with asyncio.timeout(5):
        return await viewer.next()


def test_a_slow_viewer_misses_what_lies_between_and_never_the_last() -> None:
    async def evening() -> list[bytes | None]:
        feed = Broadcaster[Audience](2)
        slow, quick = joined(feed), joined(feed)
        seen = []
        for frame in (b"1", b"2", b"3"):
            feed.publish(to_all(frame))
            seen.append(await _taken(quick))
        return [*seen, await _taken(slow)]

    assert asyncio.run(evening()) == [b"1", b"2", b"3", b"3"]


def test_a_sign_of_life_never_replaces_a_score() -> None:
    async def evening() -> list[bytes | None]:
        feed = Broadcaster[Audience](2)
        waiting, idle = joined(feed), joined(feed)
        feed.publish(lambda _: b"score")
        assert await _taken(idle) == b"score"
        asks_again = asyncio.create_task(_taken(idle))
        await asyncio.sleep(0)
        feed.send_heartbeat(b"beat")
        return [await _taken(waiting), await asks_again]

    assert asyncio.run(evening()) == [b"score", b"beat"]


def test_a_score_replaces_a_pending_heartbeat() -> None:
    async def evening() -> bytes | None:
        feed = Broadcaster[Audience](1)
        viewer = joined(feed)
        feed.send_heartbeat(b"beat")
        feed.publish(lambda _: b"score")
        return await _taken(viewer)

    assert asyncio.run(evening()) == b"score"


def test_one_address_has_no_more_than_its_part_of_the_room() -> None:
    feed = Broadcaster[Audience](4, max_per_address=2)
    first, second = feed.join(DEFAULT_AUDIENCE, "ana"), feed.join(DEFAULT_AUDIENCE, "ana")
    assert first is not None and second is not None
    assert feed.join(DEFAULT_AUDIENCE, "ana") is None
    assert feed.join(DEFAULT_AUDIENCE, "beto") is not None
    feed.leave(first)
    feed.leave(first)
    assert feed.join(DEFAULT_AUDIENCE, "ana") is not None
    assert feed.join(DEFAULT_AUDIENCE, "ana") is None, "who parts twice gives back one place"
    assert (feed.viewer_count, feed.rejected) == (3, 2)


def test_there_is_room_for_so_many_and_again_when_one_has_gone() -> None:
    feed = Broadcaster[Audience](2)
    one = joined(feed)
    joined(feed)
    assert (feed.join(DEFAULT_AUDIENCE), feed.viewer_count, feed.rejected) == (None, 2, 1)
    feed.leave(one)
    feed.leave(one)
    assert feed.join(DEFAULT_AUDIENCE) is not None
    assert feed.viewer_count == 2


def test_a_viewer_who_leaves_is_disconnected_despite_pending_frames() -> None:
    async def evening() -> bytes | None:
        viewer = joined(Broadcaster[Audience](1))
        viewer.send(b"score")
        viewer.close()
        return await _taken(viewer)

    assert asyncio.run(evening()) is None


def test_a_closed_feed_sends_everybody_away() -> None:
    async def evening() -> list[bytes | None]:
        feed = Broadcaster[Audience](3)
        viewers = [joined(feed), joined(feed)]
        feed.close()
        assert feed.join(DEFAULT_AUDIENCE) is None
        return [await _taken(viewer) for viewer in viewers]

    assert asyncio.run(evening()) == [None, None]


class Way:
    """A connection that has room, or has none."""

    def __init__(self) -> None:
        self.room = True
        self.sent: list[bytes] = []

    def now(self, frame: bytes) -> bool:
        if self.room:
            self.sent.append(frame)
        return self.room


@awaited
async def test_where_there_is_room_a_frame_goes_at_once_and_else_it_waits() -> None:
    feed, way = Broadcaster[Audience](1), Way()
    viewer = joined(feed)
    viewer.use_direct_send(way.now)
    feed.publish(lambda _: b"1")
    way.room = False
    feed.publish(lambda _: b"2")
    feed.publish(lambda _: b"3")
    assert way.sent == [b"1"]
    assert await _taken(viewer) == b"3"


@awaited
async def test_nothing_newer_overtakes_what_is_on_its_way() -> None:
    feed, way = Broadcaster[Audience](1), Way()
    viewer = joined(feed)
    viewer.use_direct_send(way.now)
    way.room = False
    feed.publish(lambda _: b"1")
    assert await _taken(viewer) == b"1"
    # It is still on its way when there is room again.
    way.room = True
    feed.publish(lambda _: b"2")
    feed.send_heartbeat(b"beat")
    assert way.sent == []
    assert await _taken(viewer) == b"2"
    waiting = asyncio.create_task(_taken(viewer))
    await asyncio.sleep(0)
    feed.publish(lambda _: b"3")
    assert way.sent == [b"3"]
    viewer.close()
    assert await waiting is None


@awaited
async def test_who_misses_a_change_gets_the_whole_in_its_place() -> None:
    feed = Broadcaster[Audience](2)
    slow, quick = joined(feed), joined(feed)
    taken = []
    for number in (1, 2, 3):
        feed.publish(to_all(b"change %d" % number), to_all(b"whole"))
        taken.append(await _taken(quick))
    assert taken == [b"change 1", b"change 2", b"change 3"]
    assert await _taken(slow) == b"whole"
    feed.publish(to_all(b"change 4"), to_all(b"whole"))
    assert await _taken(slow) == b"change 4"
