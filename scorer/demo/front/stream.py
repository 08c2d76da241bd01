"""Server-sent events: the newest state for every open page.

Latest wins: a slow reader misses intermediate states, never the newest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.types import Receive, Scope, Send

from scorer.serving.events import close_after_disconnect

MOST = 16  # pages at a time
_RETRY = "retry: 1000\n\n"  # milliseconds until a disconnected browser reconnects
_HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8")]


class PageViewer:
    """A connected page."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._frame = ""
        self._is_closed = False

    def send(self, frame: str) -> None:
        """Replace the pending frame, if any."""
        self._frame = frame
        self._news.set()

    def close(self) -> None:
        """Mark it as closed."""
        self._is_closed = True
        self._news.set()

    async def next(self) -> str | None:
        """Wait for the newest frame; None when closed."""
        await self._news.wait()
        self._news.clear()
        return None if self._is_closed else self._frame


class PageStream:
    """All pages of one front panel."""

    def __init__(
        self, on_join: Callable[[], tuple[str, str]], on_leave: Callable[[str], object]
    ) -> None:
        """``on_join`` returns a page's id and first message; ``on_leave`` gets its id."""
        self._on_join, self._on_leave = on_join, on_leave
        self._viewers: set[PageViewer] = set()
        self._newest = ""

    def is_watched(self) -> bool:
        """Whether any page is connected."""
        return bool(self._viewers)

    def publish(self, snapshot: str) -> None:
        """Send ``snapshot`` to every page, if it differs from the last one."""
        if snapshot != self._newest:
            self._newest = snapshot
            for viewer in self._viewers:
                viewer.send(encode_event("look", snapshot))

    def close(self) -> None:
        """Disconnect every page."""
        for viewer in self._viewers:
            viewer.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self._viewers) >= MOST:
            await send({"type": "http.response.start", "status": 503, "headers": []})
            await send({"type": "http.response.body", "body": b"too many pages"})
            return
        viewer = PageViewer()
        self._viewers.add(viewer)
        page, first = self._on_join()
        watching = asyncio.create_task(close_after_disconnect(receive, viewer.close))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await _send_text(send, _RETRY + encode_event("hello", first))
            # Nothing was published without a page: the next snapshot counts as new.
            self._newest = ""
            while (frame := await viewer.next()) is not None:
                await _send_text(send, frame)
            await send({"type": "http.response.body", "body": b""})
        finally:
            watching.cancel()
            self._viewers.discard(viewer)
            self._on_leave(page)


def encode_event(name: str, data: str) -> str:
    """One event; ``data`` is one line."""
    return f"event: {name}\ndata: {data}\n\n"


async def _send_text(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
