"""One newest thing for many viewers: latest wins, nobody waits for the slowest.

It knows bytes, who waits for them and from where; what they say, and over what they travel, it does
not.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable


class Viewer:
    """One who looks on. What he has not taken yet is replaced by what is newer."""

    def __init__(self, place: str = "") -> None:
        """``place``: from where he looks on."""
        self.place = place
        self._news = asyncio.Event()
        self._frame = b""
        self._left = False
        self._now: Callable[[bytes], bool] | None = None
        self._taking = False  # a frame that ``next`` gave out may still be on its way

    def at_once(self, now: Callable[[bytes], bool]) -> None:
        """From now on ``now`` is tried first: does a frame go through without waiting?"""
        self._now = now

    def tell(self, frame: bytes) -> None:
        """The newest frame, instead of any that still lies there."""
        if self._now is not None and self.idle and self._now(frame):
            return
        self._frame = frame
        self._news.set()

    def leave(self) -> None:
        """He has gone, or is to go."""
        self._left = True
        self._news.set()

    @property
    def idle(self) -> bool:
        """Has he taken everything? What is newer must not overtake what is on its way."""
        return not (self._frame or self._taking)

    async def next(self) -> bytes | None:
        """The newest frame as soon as there is one; None when he is to go."""
        self._taking = False
        await self._news.wait()
        self._news.clear()
        self._taking = True
        frame, self._frame = self._frame, b""
        return None if self._left else frame


class Feed:
    """All the viewers of one table."""

    def __init__(self, most: int, each: int | None = None) -> None:
        """``most``: viewers at a time; ``each``: of those from one place, None for as many."""
        self._most, self._each = most, most if each is None else each
        self._viewers: set[Viewer] = set()
        self._places: Counter[str] = Counter()
        self._closed = False
        self.turned_away = 0
        self.published = 0

    @property
    def viewers(self) -> int:
        return len(self._viewers)

    def join(self, place: str = "") -> Viewer | None:
        """A new viewer, or None where there is no room for one, or for one more from there."""
        full = len(self._viewers) >= self._most or self._places[place] >= self._each
        if self._closed or full:
            self.turned_away += 1
            return None
        viewer = Viewer(place)
        self._viewers.add(viewer)
        self._places[place] += 1
        return viewer

    def part(self, viewer: Viewer) -> None:
        """The end of a viewer. May be called twice."""
        if viewer not in self._viewers:
            return
        self._viewers.remove(viewer)
        self._places[viewer.place] -= 1
        if not self._places[viewer.place]:
            del self._places[viewer.place]

    def publish(self, frame: bytes) -> None:
        """``frame`` for everybody."""
        self.published += 1
        for viewer in self._viewers:
            viewer.tell(frame)

    def beat(self, frame: bytes) -> None:
        """A sign of life for those who have nothing better waiting."""
        for viewer in self._viewers:
            if viewer.idle:
                viewer.tell(frame)

    def close(self) -> None:
        """Sends everybody away, and whoever comes later."""
        self._closed = True
        for viewer in self._viewers:
            viewer.leave()
