"""HTTP paths of phones: pair, press, unpair, status.

Forwards requests to the table, which knows the phones and judges every press; limits how often an
address may send one. A phone's key is kept in an HttpOnly cookie.
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
# Status of the table's error codes; all others are a conflict with the current state.
_STATUS: Final[dict[str, int]] = {
    ErrorCode.UNPAIRED: 401,
    ErrorCode.UNREADABLE: 400,
    ErrorCode.NAME: 400,
    ErrorCode.STORE: 503,
}
_RETRY_SOON: Final = {"Retry-After": "5", "Cache-Control": "no-store"}
_UNPAIRED: Final[Message] = {"error": ErrorCode.UNPAIRED, "text": "this phone is not paired"}
_ERROR_KEYS: Final = ("error", "text", "say", "side", "word", "seq", "tries")
_PHONE_KEYS: Final = ("name", "seq", "pairs")
_PRESS_KEYS: Final = ("side", "button", "hold", "seq", "question")


class PhoneKey(NamedTuple):
    """Content of a phone's cookie."""

    phone: str
    key: str


class PhoneRoutes:
    """The paths of phones. ``clock``: seconds of a monotonic clock."""

    def __init__(self, reporter: Reporter, clock: Callable[[], float] = time.monotonic) -> None:
        self._reporter, self._clock = reporter, clock
        # A pairing code allows five attempts; more come from other addresses.
        self._pairing = RateLimit(rate=5 / 60, burst=5)
        self._pressing = RateLimit(rate=5, burst=20)
        self._asking = RateLimit(rate=5, burst=30)
        self._lit_buttons: tuple[Record, dict[str, tuple[str, ...]]] | None = None

    def routes(self) -> list[Route]:
        """All routes of phones."""
        posts = {
            "pair": self.pair,
            "press": self.press,
            "names": self.names,
            "unpair": self.unpair,
        }
        return [
            Route("/api/v1/phone", self.phone, methods=["GET"]),
            *(Route(f"/api/v1/{name}", act, methods=["POST"]) for name, act in posts.items()),
        ]

    async def phone(self, request: Request) -> Response:
        """Whether this phone is paired, its name, and which buttons are valid now."""
        self._check_rate(request, self._asking)
        key = _key_of(request)
        if key is None:
            return _json_response({"paired": False})
        answer = await self._request(do="phone", **key._asdict())
        if not answer.get("ok"):
            return _without_cookie(_json_response({"paired": False}))
        return _json_response(
            {"paired": True, **{key: answer[key] for key in _PHONE_KEYS}, **self._buttons()}
        )

    async def pair(self, request: Request) -> Response:
        """Pair with code and name; the key goes into the cookie."""
        wish = await self._read_body(request, self._pairing)
        reply = await self._request(do="pair", code=wish.get("code", ""), name=wish.get("name", ""))
        if not reply.get("ok"):
            return _error_response(reply)
        response = _json_response({"ok": True, "name": reply["name"]})
        value = f"{reply['phone']}.{reply['key']}"
        response.set_cookie(
            COOKIE, value, COOKIE_LIFETIME, path="/", httponly=True, samesite="strict"
        )
        return response

    async def press(self, request: Request) -> Response:
        """One press of a button, for the score that this phone has seen."""
        return await self._forward(request, "press", _PRESS_KEYS)

    async def names(self, request: Request) -> Response:
        """Name the teams."""
        return await self._forward(request, "names", ("names",))

    async def unpair(self, request: Request) -> Response:
        """Unpair this phone."""
        await self._read_body(request, self._pressing)
        key = _key_of(request)
        if key is not None:
            await self._request(do="unpair", **key._asdict())
        return _without_cookie(_json_response({"ok": True}))

    async def _forward(self, request: Request, do: str, keys: tuple[str, ...]) -> Response:
        """Send these keys of the body to the table as a paired phone's request."""
        wish = await self._read_body(request, self._pressing)
        key = _key_of(request)
        if key is None:
            return _error_response(_UNPAIRED)
        given = {name: wish[name] for name in keys if name in wish}
        answer = await self._request(do=do, **key._asdict(), **given)
        return _json_response(_without_id(answer)) if answer.get("ok") else _error_response(answer)

    def _check_rate(self, request: Request, limit: RateLimit) -> None:
        seconds = limit.acquire(client_address(request.scope), self._clock())
        if seconds:
            after = {"Retry-After": str(int(seconds) + 1), "Cache-Control": "no-store"}
            raise HTTPException(429, "too fast", after)

    async def _read_body(self, request: Request, limit: RateLimit) -> dict[str, Any]:
        """Read the body of a state-changing request. Raises HTTPException."""
        # Check first: requests of another site must not use up the address's limit.
        why_not = csrf.refusal(request.headers)
        if why_not is not None:
            raise HTTPException(*why_not)
        self._check_rate(request, limit)
        try:
            wish = json.loads(await request.body())
            # Reject what cannot be encoded again (lone surrogates, infinite numbers).
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
        """The valid buttons, computed once for all phones."""
        story = self._reporter.journal.timeline
        if story is None:
            return {"buttons": {}, "words": {}, "at": 0}
        record = story.record
        if self._lit_buttons is None or self._lit_buttons[0] is not record:
            self._lit_buttons = (
                record,
                phone_press.lit_buttons(new_session(record, Settings(consoles=3)), 0.0),
            )
        answer = {"buttons": self._lit_buttons[1], "words": _bet_words(record.game.rules)}
        return {**answer, "at": self._reporter.journal.seq}


def _bet_words(rules: Rules) -> dict[str, str]:
    """The variant's names of its bets; missing bets are left out."""
    word = rules.variant.word
    answer = {} if rules.flor is None else {"flor": word(Action.FLOR)}
    if not rules.bids:
        return answer
    return {**answer, "envido": word(rules.bids[0].action), "falta": word(rules.bids[-1].action)}


def _key_of(request: Request) -> PhoneKey | None:
    value = request.cookies.get(COOKIE, "")
    phone, dot, key = value.partition(".")
    return PhoneKey(phone, key) if dot and len(value) <= _LONGEST_COOKIE else None


def _without_id(answer: Message) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "id"}


def _error_response(refusal: Message) -> Response:
    """The table's error as a response."""
    answer = {"ok": False} | {name: refusal[name] for name in _ERROR_KEYS if name in refusal}
    response = _json_response(answer, _STATUS.get(str(refusal.get("error")), 409))
    return _without_cookie(response) if refusal.get("error") == ErrorCode.UNPAIRED else response


def _without_cookie(response: Response) -> Response:
    """The response, which also deletes an invalid key in the browser."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


def _json_response(document: object, status: int = 200) -> Response:
    body = json.dumps(document, sort_keys=True, ensure_ascii=False)
    headers = {"Content-Type": static_files.CONTENT_TYPES[".json"], "Cache-Control": "no-store"}
    return Response(body, status, headers)
