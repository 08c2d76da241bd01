"""Send the newest frame to many viewers; slow viewers skip frames."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Audience = TypeVar("Audience", bound=Hashable)  # viewers that get the same frames


class Viewer(Generic[Audience]):
    """One viewer. A frame not yet taken is replaced by a newer one."""

    def __init__(self, audience: Audience, address: str = "") -> None:
        """``address``: of the client."""
        self.audience, self.address = audience, address
        self._news = asyncio.Event()
        self._frame = b""
        self._is_closed = False
        self._send_now: Callable[[bytes], bool] | None = None
        self._is_taking = False  # a frame returned by ``next`` may still be in transit

    def use_direct_send(self, send_now: Callable[[bytes], bool]) -> None:
        """Set a function tried first; it returns whether the frame was sent at once."""
        self._send_now = send_now

    def send(self, frame: bytes) -> None:
        """Set the newest frame; replaces a pending one."""
        if self._send_now is not None and self.is_idle and self._send_now(frame):
            return
        self._frame = frame
        self._news.set()

    def close(self) -> None:
        """Disconnect the viewer."""
        self._is_closed = True
        self._news.set()

    @property
    def is_idle(self) -> bool:
        """Whether all frames were sent; a newer one must not overtake a pending one."""
        return not (self._frame or self._is_taking)

    @property
    def is_behind(self) -> bool:
        """Whether a frame waits, which a newer one replaces."""
        return bool(self._frame)

    async def next(self) -> bytes | None:
        """The newest frame as soon as there is one; None after ``close``."""
        self._is_taking = False
        await self._news.wait()
        self._news.clear()
        self._is_taking = True
        frame, self._frame = self._frame, b""
        return None if self._is_closed else frame


class Broadcaster(Generic[Audience]):
    """All viewers of one source."""

    def __init__(self, max_viewers: int, max_per_address: int | None = None) -> None:
        """``max_per_address``: None for no limit but the total."""
        self._max_viewers, self._max_per_address = (
            max_viewers,
            max_viewers if max_per_address is None else max_per_address,
        )
        self._viewers: set[Viewer[Audience]] = set()
        self._per_address: Counter[str] = Counter()
        self._is_closed = False
        self.rejected = 0
        self.published = 0

    @property
    def viewer_count(self) -> int:
        return len(self._viewers)

    def join(self, audience: Audience, address: str = "") -> Viewer[Audience] | None:
        """Add a viewer; None if there is no room in total or for its address."""
        full = (
            len(self._viewers) >= self._max_viewers
            or self._per_address[address] >= self._max_per_address
        )
        if self._is_closed or full:
            self.rejected += 1
            return None
        viewer = Viewer(audience, address)
        self._viewers.add(viewer)
        self._per_address[address] += 1
        return viewer

    def leave(self, viewer: Viewer[Audience]) -> None:
        """Remove a viewer. May be called twice."""
        if viewer not in self._viewers:
            return
        self._viewers.remove(viewer)
        self._per_address[viewer.address] -= 1
        if not self._per_address[viewer.address]:
            del self._per_address[viewer.address]

    def publish(
        self,
        frame_for: Callable[[Audience], bytes],
        whole_for: Callable[[Audience], bytes] | None = None,
    ) -> None:
        """Send a frame to every viewer, made once for each audience.

        ``whole_for``: the same for viewers that miss the frame before, if the frames are changes.
        """
        self.published += 1
        frames: dict[tuple[Audience, bool], bytes] = {}
        for viewer in self._viewers:
            is_whole = whole_for is not None and viewer.is_behind
            key = viewer.audience, is_whole
            if key not in frames:
                make = whole_for if whole_for is not None and is_whole else frame_for
                frames[key] = make(viewer.audience)
            viewer.send(frames[key])

    @property
    def audiences(self) -> set[Audience]:
        """Those that have viewers."""
        return {viewer.audience for viewer in self._viewers}

    def send_heartbeat(self, frame: bytes) -> None:
        """Send a heartbeat to viewers without a pending frame."""
        for viewer in self._viewers:
            if viewer.is_idle:
                viewer.send(frame)

    def close(self) -> None:
        """Disconnect all viewers, and reject later ones."""
        self._is_closed = True
        for viewer in self._viewers:
            viewer.close()
