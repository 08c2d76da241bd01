"""What a paired phone may do over HTTP: be paired, press, be forgotten, ask how it stands.

It passes wishes on to the table, which knows the phones and judges every press; here is decided who
may send one at all and how often. A phone's key stands in a cookie that no script can read.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scorer.api.error_codes import ErrorCode
from scorer.rules import Action, Rules
from scorer.session import phone_press
from scorer.session.record import Record
from scorer.session.settings import Settings
from scorer.session.state import new_session
from scorer.web import csrf, static_files
from scorer.web.middleware import client_address
from scorer.web.rate_limit import RateLimit
from scorer.web.snapshot import Reporter
from scorer.web.table_link import Message, TableUnavailable

COOKIE: Final = "truco"
COOKIE_LIFETIME: Final = 180 * 24 * 3600  # seconds that a browser keeps it
_LONGEST_COOKIE = 100
# Statuses of what the table refuses; whatever else it says is a conflict with how things stand.
_STATUS: Final[dict[str, int]] = {
    ErrorCode.UNPAIRED: 401,
    ErrorCode.UNREADABLE: 400,
    ErrorCode.NAME: 400,
    ErrorCode.STORE: 503,
}
_RETRY_SOON: Final = {"Retry-After": "5", "Cache-Control": "no-store"}
_UNPAIRED: Final[Message] = {"error": ErrorCode.UNPAIRED, "text": "this phone is not paired"}
_ERROR_KEYS: Final = ("error", "text", "say", "side", "word", "seq", "tries")
_PRESS_KEYS: Final = ("side", "button", "hold", "seq", "question")


class PhoneKey(NamedTuple):
    """What a phone's cookie holds."""

    phone: str
    key: str


class PhoneRoutes:
    """The paths of phones. ``clock``: seconds of any clock that never goes back."""

    def __init__(self, reporter: Reporter, clock: Callable[[], float] = time.monotonic) -> None:
        self._reporter, self._clock = reporter, clock
        # Five tries are all that digits take; who has more has another address.
        self._pairing = RateLimit(rate=5 / 60, burst=5)
        self._pressing = RateLimit(rate=5, burst=20)
        self._asking = RateLimit(rate=5, burst=30)
        self._lit_buttons: tuple[Record, dict[str, tuple[str, ...]]] | None = None

    def routes(self) -> list[Route]:
        """Every path of theirs."""
        posts = {"pair": self.pair, "press": self.press, "unpair": self.unpair}
        return [
            Route("/api/v1/phone", self.phone, methods=["GET"]),
            *(Route(f"/api/v1/{name}", act, methods=["POST"]) for name, act in posts.items()),
        ]

    async def phone(self, request: Request) -> Response:
        """Is this phone paired, under which name, and which buttons would count now?"""
        self._check_rate(request, self._asking)
        key = _key_of(request)
        if key is None:
            return _json_response({"paired": False})
        told = await self._request(do="phone", **key._asdict())
        if not told.get("ok"):
            return _without_cookie(_json_response({"paired": False}))
        return _json_response(
            {"paired": True, "name": told["name"], "seq": told["seq"], **self._buttons()}
        )

    async def pair(self, request: Request) -> Response:
        """The digits of the panel and a name for a key, which goes into the cookie."""
        wish = await self._read_body(request, self._pairing)
        told = await self._request(do="pair", code=wish.get("code", ""), name=wish.get("name", ""))
        if not told.get("ok"):
            return _error_response(told)
        answer = _json_response({"ok": True, "name": told["name"]})
        value = f"{told['phone']}.{told['key']}"
        answer.set_cookie(
            COOKIE, value, COOKIE_LIFETIME, path="/", httponly=True, samesite="strict"
        )
        return answer

    async def press(self, request: Request) -> Response:
        """One press of a button, on the score that this phone has seen."""
        wish = await self._read_body(request, self._pressing)
        key = _key_of(request)
        if key is None:
            return _error_response(_UNPAIRED)
        given = {name: wish[name] for name in _PRESS_KEYS if name in wish}
        told = await self._request(do="press", **key._asdict(), **given)
        return _json_response(_without_id(told)) if told.get("ok") else _error_response(told)

    async def unpair(self, request: Request) -> Response:
        """This phone wants to be forgotten."""
        await self._read_body(request, self._pressing)
        key = _key_of(request)
        if key is not None:
            await self._request(do="unpair", **key._asdict())
        return _without_cookie(_json_response({"ok": True}))

    def _check_rate(self, request: Request, limit: RateLimit) -> None:
        seconds = limit.acquire(client_address(request.scope), self._clock())
        if seconds:
            after = {"Retry-After": str(int(seconds) + 1), "Cache-Control": "no-store"}
            raise HTTPException(429, "too fast", after)

    async def _read_body(self, request: Request, limit: RateLimit) -> dict[str, Any]:
        """The body of a request that may change something. Raises HTTPException."""
        # Somebody else's page must not use up what this address may do.
        why_not = csrf.refusal(request.headers)
        if why_not is not None:
            raise HTTPException(*why_not)
        self._check_rate(request, limit)
        try:
            wish = json.loads(await request.body())
            # What cannot be written again (half a character, a number without end) is no JSON.
            json.dumps(wish, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError):
            raise HTTPException(400, "the body is one object in JSON") from None
        if not isinstance(wish, dict):
            raise HTTPException(400, "the body is one object in JSON")
        return wish

    async def _request(self, **fields: object) -> Message:
        try:
            return await self._reporter.link.request(**fields)
        except TableUnavailable:
            raise HTTPException(503, "the table cannot be asked now", _RETRY_SOON) from None

    def _buttons(self) -> dict[str, Any]:
        """Which buttons would count, reckoned once for all phones."""
        story = self._reporter.journal.timeline
        if story is None:
            return {"buttons": {}, "words": {}, "at": 0}
        record = story.record
        if self._lit_buttons is None or self._lit_buttons[0] is not record:
            self._lit_buttons = (
                record,
                phone_press.lit_buttons(new_session(record, Settings(consoles=3)), 0.0),
            )
        told = {"buttons": self._lit_buttons[1], "words": _bet_words(record.game.rules)}
        return {**told, "at": self._reporter.journal.seq}


def _bet_words(rules: Rules) -> dict[str, str]:
    """What the variant calls its bets; one that it has not is left out."""
    word = rules.variant.word
    told = {} if rules.flor is None else {"flor": word(Action.FLOR)}
    if not rules.bids:
        return told
    return {**told, "envido": word(rules.bids[0].action), "falta": word(rules.bids[-1].action)}


def _key_of(request: Request) -> PhoneKey | None:
    value = request.cookies.get(COOKIE, "")
    phone, dot, key = value.partition(".")
    return PhoneKey(phone, key) if dot and len(value) <= _LONGEST_COOKIE else None


def _without_id(answer: Message) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "id"}


def _error_response(refusal: Message) -> Response:
    """What the table said no to, in its words."""
    answer = {"ok": False} | {name: refusal[name] for name in _ERROR_KEYS if name in refusal}
    response = _json_response(answer, _STATUS.get(str(refusal.get("error")), 409))
    return _without_cookie(response) if refusal.get("error") == ErrorCode.UNPAIRED else response


def _without_cookie(response: Response) -> Response:
    """The same, and the browser drops a key that opens nothing."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


def _json_response(document: object, status: int = 200) -> Response:
    body = json.dumps(document, sort_keys=True, ensure_ascii=False)
    headers = {"Content-Type": static_files.CONTENT_TYPES[".json"], "Cache-Control": "no-store"}
    return Response(body, status, headers)
