"""The newest look for every page, for as long as it is open (server-sent events).

Latest wins: who reads slowly misses looks in between, never the newest. What they say it does not
know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.types import Receive, Scope, Send

MOST = 16  # pages at a time
_RETRY = "retry: 1000\n\n"  # milliseconds until a browser that was cut off comes back
_HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8")]


class PageViewer:
    """A page that looks on."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._frame = ""
        self._is_closed = False

    def send(self, frame: str) -> None:
        """The newest frame, instead of any that still lies there."""
        self._frame = frame
        self._news.set()

    def close(self) -> None:
        """It has gone, or is to go."""
        self._is_closed = True
        self._news.set()

    async def next(self) -> str | None:
        """The newest frame as soon as there is one; None when it is to go."""
        await self._news.wait()
        self._news.clear()
        return None if self._is_closed else self._frame


class Stream:
    """All the pages of one front panel."""

    def __init__(
        self, on_join: Callable[[], tuple[str, str]], on_leave: Callable[[str], object]
    ) -> None:
        """``joined``: a new page; its name and what it is told first. ``parted``: it has gone."""
        self._on_join, self._on_leave = on_join, on_leave
        self._viewers: set[PageViewer] = set()
        self._newest = ""

    def is_watched(self) -> bool:
        """Does anybody look?"""
        return bool(self._viewers)

    def publish(self, snapshot: str) -> None:
        """``look`` for everybody, if it differs from the one before."""
        if snapshot != self._newest:
            self._newest = snapshot
            for viewer in self._viewers:
                viewer.send(encode_event("look", snapshot))

    def close(self) -> None:
        """Sends everybody away."""
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
        watching = asyncio.create_task(_wait_for_disconnect(receive, viewer))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await _send_text(send, _RETRY + encode_event("hello", first))
            # Nobody may have looked for a while: the next one that is published is news.
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


async def _wait_for_disconnect(receive: Receive, viewer: PageViewer) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    viewer.close()
