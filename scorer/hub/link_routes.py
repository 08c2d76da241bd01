"""The routes of link/v1: greet, rows, call, join and the events of a box."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from scorer.hall import joining, wire
from scorer.hall.events import BEAT_SECONDS, Beat, format_event
from scorer.hall.fields import MAX_BODY, Malformed
from scorer.hall.joining import CardRequest, JoinReply, JoinState, key_of
from scorer.hall.wire import RefusedReply, WireStatus
from scorer.hub.alarms import Counted
from scorer.hub.hub import Hub
from scorer.hub.intake import Body, Submission
from scorer.hub.presence import BoxStream
from scorer.hub.store.database import DatabaseError
from scorer.serving.middleware import client_address
from scorer.serving.prices import AnswerSource, Price, PricedRoute, Rank
from scorer.serving.static_files import CONTENT_TYPES
from scorer.system.rate_limit import RateLimit

LONG_BODIES = {wire.GREET_PATH: MAX_BODY, wire.ROWS_PATH: MAX_BODY}
_BOX_PATHS = (wire.GREET_PATH, wire.ROWS_PATH, wire.CALL_PATH)
_TOKEN = re.compile(rf"Bearer ([0-9a-f]{{{wire.TOKEN_DIGITS}}})")
_NO_TOKEN = RefusedReply(WireStatus.UNKNOWN_DEVICE, "this box is not of this hall")
_UNAVAILABLE = RefusedReply(WireStatus.UNAVAILABLE, "the hub cannot store now; send it again")
_EVENT_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class LinkRoutes:
    """One method per path."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        # A box asks once a second while it waits for the desk.
        self._join_limit = RateLimit(rate=3.0, burst=30)

    def routes(self) -> list[PricedRoute]:
        price = Price(1000, 4000, AnswerSource.REFUSED, rank=Rank.TABLES)
        joining_price = Price(1000, 4000, AnswerSource.LIMITED, rank=Rank.TABLES)
        return [
            PricedRoute(wire.GREET_PATH, self._taking(wire.parse_greet), price, ("POST",)),
            PricedRoute(wire.ROWS_PATH, self._taking(wire.parse_rows), price, ("POST",)),
            PricedRoute(wire.CALL_PATH, self._taking(wire.parse_call), price, ("POST",)),
            PricedRoute(wire.JOIN_PATH, self.join, joining_price, ("POST",)),
            PricedRoute(wire.EVENTS_PATH, BoxEvents(self._hub), price),
        ]

    def report_long_body(self, scope: Scope, sentence: str) -> None:
        """Let the desk know that a box sends a body that is too long, which is not read."""
        key = _key_of(scope)
        if key is not None and scope["path"] in _BOX_PATHS:
            self._hub.refuse_unread(key, Malformed(f"a message is too long: {sentence}"))

    def _taking(self, parse: Callable[[bytes], Body]) -> Callable[[Request], object]:
        async def take(request: Request) -> Response:
            key = key_in(request.headers.get("authorization", ""))
            address = client_address(request.scope)
            try:
                if key is None or not await self._hub.knows(key, self._hub.rank_of(address)):
                    return _unread(_NO_TOKEN)
            except DatabaseError:
                return _unread(_UNAVAILABLE)
            outcome = await self._hub.submit(Submission(key, parse(await request.body())))
            if outcome.device:
                self._hub.know_address(address)
            return _response(outcome.reply)

        return take

    async def join(self, request: Request) -> Response:
        """The steps of a box that wants to join; the answer is always 200."""
        now = time.monotonic()
        if wait := math.ceil(self._join_limit.acquire(client_address(request.scope), now)):
            text = f"too many requests to join from this address; wait {wait} s"
            refused = JoinReply(JoinState.REFUSED, text=text, wait=wait)
            return _json(WireStatus.OK, joining.encode(refused))
        found = joining.parse_join(await request.body())
        if isinstance(found, Malformed):
            return _json(WireStatus.UNREADABLE, wire.encode(RefusedReply(422, found.text)))
        if isinstance(found, CardRequest):
            try:
                reply = await self._hub.join_by_card(found)
            except DatabaseError:
                return _response(_UNAVAILABLE)
        else:
            reply = self._hub.joins.answer(found, client_address(request.scope), now)
            if reply.wait:
                self._hub.counted[Counted.JOINS] += 1
        return _json(WireStatus.OK, joining.encode(reply))


class BoxEvents:
    """ASGI application: the stream of events to one box."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key, rank = _key_of(scope), self._hub.rank_of(client_address(scope))
        try:
            device = None if key is None else await self._hub.find_device(key, rank)
            first = None if device is None else await self._hub.state.desired(device)
        except DatabaseError:
            await _response(_UNAVAILABLE)(scope, receive, send)
            return
        if key is None or device is None:
            await _response(_NO_TOKEN)(scope, receive, send)
            return
        self._hub.know_address(client_address(scope))
        stream = self._hub.state.presence.join(key, device)
        self._hub.state.changed.set()
        leaving = asyncio.create_task(_wait_for_disconnect(receive, stream))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _EVENT_HEADERS})
            if first is not None:
                stream.send(first)
            await _send_events(stream, send)
        finally:
            leaving.cancel()
            self._hub.state.presence.leave(stream)
            self._hub.state.changed.set()


async def _send_events(stream: BoxStream, send: Send) -> None:
    # The first beat tells the box that it is connected.
    await _send_frame(send, format_event(Beat()))
    while True:
        try:
            event = await asyncio.wait_for(stream.next(), until_beat(time.monotonic()))
        except TimeoutError:
            event = Beat()
        if event is None:
            break
        await _send_frame(send, format_event(event))
    await send({"type": "http.response.body", "body": b""})


def until_beat(now: float) -> float:
    """Seconds until the next beat of a box.

    It is on a whole second, so that the beats of many boxes share a wake-up of the hub.
    """
    return math.floor(now + BEAT_SECONDS) - now


async def _send_frame(send: Send, frame: bytes) -> None:
    await send({"type": "http.response.body", "body": frame, "more_body": True})


async def _wait_for_disconnect(receive: Receive, stream: BoxStream) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    stream.close()


def _key_of(scope: Scope) -> str | None:
    headers = dict(scope["headers"])
    return key_in(headers.get(b"authorization", b"").decode("latin-1"))


def key_in(authorization: str) -> str | None:
    """SHA-256 of the bearer token, or None."""
    found = _TOKEN.fullmatch(authorization)
    return key_of(found[1]) if found else None


def _response(reply: wire.Reply) -> Response:
    return _json(wire.status_of(reply), wire.encode(reply))


def _unread(reply: wire.Reply) -> Response:
    """The reply to a request whose body is not read."""
    response = _response(reply)
    response.headers["Connection"] = "close"
    return response


def _json(status: int, body: bytes) -> Response:
    headers = {"Content-Type": CONTENT_TYPES[".json"], "Cache-Control": "no-store"}
    return Response(body, status, headers)
