"""The event stream: every report as a server-sent event."""

from __future__ import annotations

import asyncio
import json
from typing import Protocol

from starlette.datastructures import QueryParams
from starlette.types import Receive, Scope, Send

from scorer.web.audience import DEFAULT_AUDIENCE, Audience, audience_of
from scorer.web.broadcaster import Broadcaster, Viewer
from scorer.web.chunked_writer import EXTENSION_KEY, ChunkedWriter
from scorer.web.middleware import client_address

RETRY = 5  # seconds until a rejected client may retry
_RETRY_LINE = b"retry: 2000\n\n"  # milliseconds until a disconnected browser reconnects
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    # A buffering proxy would delay the score.
    (b"x-accel-buffering", b"no"),
]


class ReportSource(Protocol):
    """The part of the reporter that is needed."""

    @property
    def id(self) -> str: ...
    def newest(self, viewers: Audience = DEFAULT_AUDIENCE) -> bytes: ...
    def heartbeat(self) -> bytes: ...


class EventStream:
    """ASGI application of one path."""

    def __init__(self, broadcaster: Broadcaster, reporter: ReportSource) -> None:
        self._broadcaster, self._reporter = broadcaster, reporter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await _send_response(send, 200, _HEADERS, b"")
            return
        viewers = audience_of(QueryParams(scope.get("query_string", b"")))
        viewer = self._broadcaster.join(client_address(scope), viewers)
        if viewer is None:
            await _send_rejection(send)
            return
        watching = asyncio.create_task(_wait_for_disconnect(receive, viewer))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            viewer.send(self._first_frame(scope, viewers))
            await _send_frames(viewer, send, _writer_of(scope))
        finally:
            watching.cancel()
            self._broadcaster.leave(viewer)

    def _first_frame(self, scope: Scope, viewers: Audience) -> bytes:
        """A heartbeat for a client that missed nothing, else the whole report."""
        known = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
        if known == self._reporter.id:
            return self._reporter.heartbeat()
        return self._reporter.newest(viewers)


async def _send_frames(viewer: Viewer, send: Send, writer: ChunkedWriter | None) -> None:
    async def through_the_server(frame: bytes) -> None:
        await send({"type": "http.response.body", "body": frame, "more_body": True})

    await through_the_server(_RETRY_LINE)
    later = through_the_server
    if writer is not None:
        later = writer.send
        viewer.use_direct_send(writer.try_send)
    while (frame := await viewer.next()) is not None:
        # Waits while the connection is full; newer frames replace pending ones.
        await later(frame)
    await send({"type": "http.response.body", "body": b""})


def _writer_of(scope: Scope) -> ChunkedWriter | None:
    """The direct writer, if the server has one and the client supports chunks."""
    pipe = scope.get("extensions", {}).get(EXTENSION_KEY, {}).get("pipe")
    return pipe if isinstance(pipe, ChunkedWriter) and scope["http_version"] == "1.1" else None


async def _wait_for_disconnect(receive: Receive, viewer: Viewer) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    viewer.close()


async def _send_rejection(send: Send) -> None:
    body = json.dumps({"error": "too many viewers; ask /api/v1/state now and then"}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"retry-after", str(RETRY).encode()),
        (b"connection", b"close"),
    ]
    await _send_response(send, 503, headers, body)


async def _send_response(
    send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes
) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
