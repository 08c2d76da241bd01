"""Connected boxes, when each was heard, and their pending events."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable

from scorer.hall.events import Event

SILENT_SECONDS = 60.0  # after which a box is grey on the wall
LATELY_SECONDS = 600.0  # a box that was heard within them, and is silent, is missed
# A box whose machine lost its power is noticed by missing acknowledgements of the beats: at most
# 20 s until a beat, and this. With the pause to reconnect that is less than SILENT_SECONDS.
ACKNOWLEDGE_SECONDS = 25.0
RECONNECT_SECONDS = 15.0
_MAX_EVENTS = 16  # that wait for one box


class BoxStream:
    """The stream of events to one box."""

    def __init__(self, key: str, device: int) -> None:
        self.key, self.device = key, device
        self._events: deque[Event] = deque(maxlen=_MAX_EVENTS)
        self._news = asyncio.Event()
        self._is_closed = False

    def send(self, event: Event) -> None:
        self._events.append(event)
        self._news.set()

    def close(self) -> None:
        self._is_closed = True
        self._news.set()

    async def next(self) -> Event | None:
        """The next event as soon as there is one; None after ``close``."""
        while not self._events and not self._is_closed:
            self._news.clear()
            await self._news.wait()
        return self._events.popleft() if self._events and not self._is_closed else None


class Presence:
    """All boxes of this process."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock``: seconds, monotonic."""
        self._clock = clock
        self._streams: dict[int, list[BoxStream]] = defaultdict(list)
        self._heard: dict[int, float] = {}
        self._began = clock()
        # The boxes that another process of the hub has heard since this one did.
        self._elsewhere: set[int] = set()
        self._is_closed = False

    def heard(self, device: int) -> None:
        """The box has sent a request."""
        self._heard[device] = self._clock()
        self._elsewhere.discard(device)

    def heard_elsewhere(self, device: int, *, is_greeting: bool = True) -> None:
        """Another process of the hub has heard the box, and knows whether it is connected.

        Rows tell that only of a box that this process has never heard: it may have stored them
        itself a moment ago.
        """
        if is_greeting or device not in self._heard:
            self._elsewhere.add(device)

    def join(self, key: str, device: int) -> BoxStream:
        """Add a stream of a box; an older one of the same token ends."""
        for other in self._streams[device]:
            if other.key == key:
                other.close()
        stream = BoxStream(key, device)
        if self._is_closed:
            stream.close()
        self._streams[device].append(stream)
        self.heard(device)
        return stream

    def leave(self, stream: BoxStream) -> None:
        self._streams[stream.device].remove(stream)
        # It has a while to reconnect before it counts as silent.
        self._heard[stream.device] = self._clock() - SILENT_SECONDS + RECONNECT_SECONDS

    def send(self, device: int, event: Event) -> None:
        """Send an event to the box, if it is connected."""
        for stream in self._streams[device]:
            stream.send(event)

    def send_all(self, event: Event) -> None:
        for device in [*self._streams]:
            self.send(device, event)

    def is_silent(self, device: int) -> bool:
        if self._streams[device]:
            return False
        heard = self._heard.get(device)
        return heard is None or self._clock() - heard >= SILENT_SECONDS

    def minutes_since(self, device: int) -> int | None:
        """Minutes since the box was heard; 0 while it is connected.

        None: it was not heard since the hub started.
        """
        if self._streams[device]:
            return 0
        heard = self._heard.get(device)
        return None if heard is None else int((self._clock() - heard) / 60)

    def is_missed(self, device: int, *, has_match: bool) -> bool:
        """Whether a silent box should be connected: it has a match, or was heard lately.

        After a start of the hub boxes have a while to connect.
        """
        if not self.is_silent(device) or device in self._elsewhere:
            return False
        heard, now = self._heard.get(device), self._clock()
        if has_match:
            return heard is not None or now - self._began >= SILENT_SECONDS
        return heard is not None and now - heard < LATELY_SECONDS

    def silent_at(self, now: float) -> float | None:
        """When the next box falls silent, in seconds of the clock; None if none will."""
        ends = [
            heard + SILENT_SECONDS
            for device, heard in self._heard.items()
            if not self._streams[device] and heard + SILENT_SECONDS > now
        ]
        return min(ends, default=None)

    def drop(self, device: int) -> None:
        """Disconnect a box, whose token is no longer valid."""
        for stream in self._streams[device]:
            stream.close()

    def close(self) -> None:
        """Disconnect all boxes, and later ones too."""
        self._is_closed = True
        for device in [*self._streams]:
            self.drop(device)
