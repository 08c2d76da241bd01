"""The stream: every report as it comes, for as long as somebody looks (server-sent events).

It pours frames from the feed into a connection and ends when either end does. What a frame says it
does not know.
"""

from __future__ import annotations

import asyncio
import json
from typing import Protocol

from starlette.types import Receive, Scope, Send

from scorer.web.broadcaster import Feed, Viewer
from scorer.web.chunked_writer import KEY, Pipe
from scorer.web.middleware import address_of

RETRY = 5  # seconds after which one who was turned away may ask again
_FIRST = b"retry: 2000\n\n"  # milliseconds until a browser that was cut off comes back
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    # A proxy that collects before it passes on would hold the score back.
    (b"x-accel-buffering", b"no"),
]


class Newest(Protocol):
    """What is needed of the reporter."""

    @property
    def id(self) -> str: ...
    def newest(self) -> bytes: ...
    def heartbeat(self) -> bytes: ...


class EventStream:
    """An ASGI application of one path."""

    def __init__(self, broadcaster: Feed, reporter: Newest) -> None:
        self._broadcaster, self._reporter = broadcaster, reporter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await _whole(send, 200, _HEADERS, b"")
            return
        viewer = self._broadcaster.join(address_of(scope))
        if viewer is None:
            await _turned_away(send)
            return
        watching = asyncio.create_task(_until_gone(receive, viewer))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            viewer.send(self._first_frame(scope))
            await _pour(viewer, send, _pipe_of(scope))
        finally:
            watching.cancel()
            self._broadcaster.leave(viewer)

    def _first_frame(self, scope: Scope) -> bytes:
        """A sign of life for who comes back and missed nothing, else the whole report."""
        known = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
        return self._reporter.heartbeat() if known == self._reporter.id else self._reporter.newest()


async def _pour(viewer: Viewer, send: Send, writer: Pipe | None) -> None:
    async def through_the_server(frame: bytes) -> None:
        await send({"type": "http.response.body", "body": frame, "more_body": True})

    await through_the_server(_FIRST)
    later = through_the_server
    if writer is not None:
        later = writer.send
        viewer.use_direct_send(writer.try_send)
    while (frame := await viewer.next()) is not None:
        # Waits while the connection is full; what comes meanwhile replaces what came before.
        await later(frame)
    await send({"type": "http.response.body", "body": b""})


def _pipe_of(scope: Scope) -> Pipe | None:
    """The short way, where the server has one and the browser understands chunks."""
    pipe = scope.get("extensions", {}).get(KEY, {}).get("pipe")
    return pipe if isinstance(pipe, Pipe) and scope["http_version"] == "1.1" else None


async def _until_gone(receive: Receive, viewer: Viewer) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    viewer.close()


async def _turned_away(send: Send) -> None:
    body = json.dumps({"error": "too many viewers; ask /api/v1/state now and then"}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"retry-after", str(RETRY).encode()),
        (b"connection", b"close"),
    ]
    await _whole(send, 503, headers, body)


async def _whole(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
