"""Streams of server-sent events: the newest report of a source, to many viewers."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Generic, Protocol, TypeVar

from starlette.datastructures import QueryParams
from starlette.types import Receive, Scope, Send

from scorer.serving.broadcaster import Audience, Broadcaster, Viewer
from scorer.serving.chunked_writer import EXTENSION_KEY, ChunkedWriter, Pack
from scorer.serving.middleware import client_address

RETRY = 5  # seconds until a rejected client may retry
_RETRY_LINE = b"retry: 2000\n\n"  # milliseconds until a disconnected browser reconnects
_GZIP = 16  # added to the bits of the window: a stream with the header of gzip
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    # A buffering proxy would delay the score.
    (b"x-accel-buffering", b"no"),
]


_Viewers = TypeVar("_Viewers", contravariant=True)


class ReportSource(Protocol[_Viewers]):
    """Makes the frames. ``id`` is the id of the newest report."""

    @property
    def id(self) -> str: ...
    def newest(self, viewers: _Viewers) -> bytes: ...
    def heartbeat(self) -> bytes: ...


class EventStream(Generic[Audience]):
    """ASGI application of one path."""

    def __init__(
        self,
        broadcaster: Broadcaster[Audience],
        reporter: ReportSource[Audience],
        audience_of: Callable[[Mapping[str, str]], Audience],
        rejection: str = "too many viewers",
        *,
        compresses: bool = False,
    ) -> None:
        """``audience_of``: of a query; ``rejection``: the sentence without a place.

        ``compresses``: for clients that accept it, what repeats is sent once.
        """
        self._broadcaster, self._reporter = broadcaster, reporter
        self._audience_of, self._rejection = audience_of, rejection
        self._compresses = compresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_compressed = self._compresses and b"gzip" in _header(scope, b"accept-encoding")
        headers = [*_HEADERS, *([(b"vary", b"accept-encoding")] if self._compresses else [])]
        headers += [(b"content-encoding", b"gzip")] if is_compressed else []
        if scope["method"] == "HEAD":
            await _send_response(send, 200, headers, b"")
            return
        viewers = self._audience_of(QueryParams(scope.get("query_string", b"")))
        viewer = self._broadcaster.join(viewers, client_address(scope))
        if viewer is None:
            await _send_rejection(send, self._rejection)
            return
        watching = asyncio.create_task(close_after_disconnect(receive, viewer.close))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            # A heartbeat for a client that missed nothing, else the whole report.
            known = _header(scope, b"last-event-id").decode("latin-1")
            reporter = self._reporter
            is_newest = known == reporter.id
            viewer.send(reporter.heartbeat() if is_newest else reporter.newest(viewers))
            packed = _Packing() if is_compressed else None
            # The direct writer, if the server has one and the client supports chunks.
            pipe = scope.get("extensions", {}).get(EXTENSION_KEY, {}).get("pipe")
            is_direct = isinstance(pipe, ChunkedWriter) and scope["http_version"] == "1.1"
            await _send_frames(viewer, send, pipe if is_direct else None, packed)
        finally:
            watching.cancel()
            self._broadcaster.leave(viewer)


class _Packing:
    """Compresses the frames of one viewer.

    Each can be read as soon as it comes, and repeats nothing of those before. It takes 48 KB.
    """

    def __init__(self) -> None:
        self._stream = zlib.compressobj(6, zlib.DEFLATED, _GZIP + 13, 5)

    def __call__(self, frame: bytes) -> bytes:
        return self._stream.compress(frame) + self._stream.flush(zlib.Z_SYNC_FLUSH)


async def _send_frames(
    viewer: Viewer[Audience], send: Send, writer: ChunkedWriter | None, packed: _Packing | None
) -> None:
    pack: Pack = packed or bytes

    async def through_the_server(frame: bytes) -> None:
        await send({"type": "http.response.body", "body": pack(frame), "more_body": True})

    await through_the_server(_RETRY_LINE)
    later = through_the_server
    if writer is not None:
        later = partial(writer.send, pack=pack)
        viewer.use_direct_send(partial(writer.try_send, pack=pack))
    while (frame := await viewer.next()) is not None:
        # Waits while the connection is full; newer frames replace pending ones.
        await later(frame)
    await send({"type": "http.response.body", "body": b""})


def encode_event(event: str, document: object, name: str = "") -> bytes:
    """Encode one server-sent event. ``name``: its id."""
    data = json.dumps(document, sort_keys=True, ensure_ascii=False, allow_nan=False)
    head = f"id: {name}\n" if name else ""
    return f"event: {event}\n{head}data: {data}\n\n".encode()


def _header(scope: Scope, name: bytes) -> bytes:
    """The value of a header of the request; b"" without it."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    return headers.get(name, b"")


async def close_after_disconnect(receive: Receive, close: Callable[[], object]) -> None:
    """Wait until the client is gone, then ``close`` its viewer."""
    while (await receive())["type"] != "http.disconnect":
        continue
    close()


async def _send_rejection(send: Send, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
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
