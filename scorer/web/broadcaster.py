"""One newest thing for many viewers: latest wins, nobody waits for the slowest.

It knows bytes, who waits for them and from where; what they say, and over what they travel, it does
not.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

from scorer.web.audience import EVERYBODY, Audience


class Viewer:
    """One who looks on. What he has not taken yet is replaced by what is newer."""

    def __init__(self, address: str = "", audience: Audience = EVERYBODY) -> None:
        """``address``: from where he looks on. ``audience``: who is sent the same frames."""
        self.address, self.audience = address, audience
        self._news = asyncio.Event()
        self._frame = b""
        self._is_closed = False
        self._send_now: Callable[[bytes], bool] | None = None
        self._is_taking = False  # a frame that ``next`` gave out may still be on its way

    def use_direct_send(self, send_now: Callable[[bytes], bool]) -> None:
        """From now on ``now`` is tried first: does a frame go through without waiting?"""
        self._send_now = send_now

    def send(self, frame: bytes) -> None:
        """The newest frame, instead of any that still lies there."""
        if self._send_now is not None and self.is_idle and self._send_now(frame):
            return
        self._frame = frame
        self._news.set()

    def close(self) -> None:
        """He has gone, or is to go."""
        self._is_closed = True
        self._news.set()

    @property
    def is_idle(self) -> bool:
        """Has he taken everything? What is newer must not overtake what is on its way."""
        return not (self._frame or self._is_taking)

    async def next(self) -> bytes | None:
        """The newest frame as soon as there is one; None when he is to go."""
        self._is_taking = False
        await self._news.wait()
        self._news.clear()
        self._is_taking = True
        frame, self._frame = self._frame, b""
        return None if self._is_closed else frame


class Broadcaster:
    """All the viewers of one table."""

    def __init__(self, max_viewers: int, max_per_address: int | None = None) -> None:
        """``most``: viewers at a time; ``each``: of those from one place, None for as many."""
        self._max_viewers, self._max_per_address = (
            max_viewers,
            max_viewers if max_per_address is None else max_per_address,
        )
        self._viewers: set[Viewer] = set()
        self._per_address: Counter[str] = Counter()
        self._is_closed = False
        self.rejected = 0
        self.published = 0

    @property
    def viewer_count(self) -> int:
        return len(self._viewers)

    def join(self, address: str = "", audience: Audience = EVERYBODY) -> Viewer | None:
        """A new viewer, or None where there is no room for one, or for one more from there."""
        full = (
            len(self._viewers) >= self._max_viewers
            or self._per_address[address] >= self._max_per_address
        )
        if self._is_closed or full:
            self.rejected += 1
            return None
        viewer = Viewer(address, audience)
        self._viewers.add(viewer)
        self._per_address[address] += 1
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """The end of a viewer. May be called twice."""
        if viewer not in self._viewers:
            return
        self._viewers.remove(viewer)
        self._per_address[viewer.address] -= 1
        if not self._per_address[viewer.address]:
            del self._per_address[viewer.address]

    def publish(self, frame_for: Callable[[Audience], bytes]) -> None:
        """A frame for every viewer, made once for each audience."""
        self.published += 1
        frames: dict[Audience, bytes] = {}
        for viewer in self._viewers:
            if viewer.audience not in frames:
                frames[viewer.audience] = frame_for(viewer.audience)
            viewer.send(frames[viewer.audience])

    def send_heartbeat(self, frame: bytes) -> None:
        """A sign of life for those who have nothing better waiting."""
        for viewer in self._viewers:
            if viewer.is_idle:
                viewer.send(frame)

    def close(self) -> None:
        """Sends everybody away, and whoever comes later."""
        self._is_closed = True
        for viewer in self._viewers:
            viewer.close()
