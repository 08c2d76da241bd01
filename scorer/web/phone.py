"""HTTP paths of phones: pair, press, unpair, status.

Forwards requests to the table, which knows the phones and judges every press; limits how often an
address may send one. A phone's key is kept in an HttpOnly cookie.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scorer.api.error_codes import ErrorCode
from scorer.api.replies import notice_fields
from scorer.api.table_source import Message, TableUnavailable
from scorer.i18n import translator
from scorer.rules import Action, Rules
from scorer.serving.json_responses import json_response
from scorer.serving.middleware import client_address
from scorer.serving.prices import AnswerSource, Price, PricedRoute, Rank
from scorer.session import phone_press
from scorer.session.values.record import Record
from scorer.session.values.settings import Settings
from scorer.session.values.state import new_session
from scorer.system.rate_limit import RateLimit
from scorer.table_link import TableLink
from scorer.web.audience import audience_of
from scorer.web.last_hands import last_hands_document
from scorer.web.request_body import check_rate, read_body
from scorer.web.snapshot import Reporter

COOKIE: Final = "truco"
COOKIE_LIFETIME: Final = 180 * 24 * 3600  # seconds that a browser keeps it
_LONGEST_COOKIE = 100
_MAX_KNOWN = 256  # addresses of paired phones
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
_PRESS_KEYS: Final = ("side", "button", "hold", "seq", "number", "question")


async def _nothing(request: Request) -> None:
    """Without a settings page there is no right to give back."""


class PhoneKey(NamedTuple):
    """Content of a phone's cookie."""

    phone: str
    key: str


class PhoneRoutes:
    """The paths of phones. ``clock``: seconds of a monotonic clock."""

    def __init__(
        self,
        reporter: Reporter,
        link: TableLink,
        clock: Callable[[], float] = time.monotonic,
        give_right_back: Callable[[Request], Awaitable[None]] = _nothing,
    ) -> None:
        """``give_right_back``: the right to the settings, of a phone that has been paired."""
        self._reporter, self._link, self._clock = reporter, link, clock
        self._give_right_back = give_right_back
        # A pairing code allows three attempts of an address.
        self._pairing = RateLimit(rate=5 / 60, burst=5)
        self._pressing = RateLimit(rate=5, burst=20)
        self._asking = RateLimit(rate=5, burst=30)
        self._hands: tuple[tuple[Record, tuple[str, ...], str], Message] | None = None
        self._judged: tuple[Record, Message] | None = None  # the buttons of the newest record
        self._known: dict[str, None] = {}  # addresses of paired phones, the newest last

    def routes(self) -> list[PricedRoute]:
        """All routes of phones."""
        posts = {
            "pair": self.pair,
            "press": self.press,
            "correct": self.correct,
            "names": self.names,
            "pair_name": self.pair_name,
            "unpair": self.unpair,
        }
        # Each is limited by address. Those of paired phones do not wait for visitors.
        price = Price(4000, 10_000, AnswerSource.LIMITED, rank=Rank.TABLES)
        return [
            PricedRoute("/api/v1/phone", self.phone, price),
            PricedRoute("/api/v1/hands", self.hands, price),
            *(PricedRoute(f"/api/v1/{name}", act, price, ("POST",)) for name, act in posts.items()),
        ]

    def is_known(self, address: str) -> bool:
        """Whether a paired phone has asked from this address since the start."""
        return address in self._known

    def _know(self, request: Request) -> None:
        address = client_address(request.scope)
        self._known.pop(address, None)
        self._known[address] = None
        if len(self._known) > _MAX_KNOWN:
            del self._known[next(iter(self._known))]

    async def phone(self, request: Request) -> Response:
        """Whether this phone is paired, its name, and which buttons are valid now."""
        check_rate(request, self._asking, self._clock())
        key = _key_of(request)
        if key is None:
            return json_response({"paired": False})
        answer = await self._request(do="phone", **key._asdict())
        if answer.get("error") == ErrorCode.UNPAIRED:
            return _without_cookie(json_response({"paired": False}))
        if not answer.get("ok"):
            # A table without its store does not know its phones: the key may still be valid.
            raise _unavailable()
        self._know(request)
        return json_response(
            {"paired": True, **{key: answer[key] for key in _PHONE_KEYS}, **self._buttons()}
        )

    async def pair(self, request: Request) -> Response:
        """Pair with code and name; the key goes into the cookie."""
        wish = await read_body(request, self._pairing, self._clock())
        code, name = wish.get("code", ""), wish.get("name", "")
        address = client_address(request.scope)
        reply = await self._request(do="pair", code=code, name=name, address=address)
        if not reply.get("ok"):
            return _error_response(reply)
        # A phone that presses changes no setting.
        await self._give_right_back(request)
        self._know(request)
        response = json_response({"ok": True, "name": reply["name"]})
        value = f"{reply['phone']}.{reply['key']}"
        response.set_cookie(
            COOKIE,
            value,
            COOKIE_LIFETIME,
            path="/",
            secure=request.scope["scheme"] == "https",
            httponly=True,
            samesite="strict",
        )
        return response

    async def press(self, request: Request) -> Response:
        """One press of a button, for the score that this phone has seen."""
        return await self._forward(request, "press", _PRESS_KEYS)

    async def hands(self, request: Request) -> Response:
        """The last hands in words, each with its corrections, for a paired phone."""
        check_rate(request, self._asking, self._clock())
        if _key_of(request) is None:
            return _error_response(_UNPAIRED)
        story = self._reporter.journal.timeline
        if story is None:
            raise _unavailable()
        state = self._reporter.link.state or {}
        names = tuple(str(name) for name in state.get("names", {}).values())
        viewer = audience_of(request.query_params)
        language = viewer.language or self._reporter.language
        asked = (story.record, names, language)
        if self._hands is None or self._hands[0] != asked:
            self._hands = (asked, last_hands_document(story.record, names, translator(language)))
        return json_response({**self._hands[1], "at": self._reporter.journal.seq})

    async def correct(self, request: Request) -> Response:
        """Correct one of the last hands."""
        return await self._forward(request, "correct", ("hand", "correction", "seq", "number"))

    async def names(self, request: Request) -> Response:
        """Name the teams."""
        return await self._forward(request, "names", ("names",))

    async def pair_name(self, request: Request) -> Response:
        """Rename a pair of tonight's standings."""
        response = await self._forward(request, "pair_name", ("pair", "name"))
        with contextlib.suppress(TableUnavailable):
            await self._reporter.refresh_standings()
        return response

    async def unpair(self, request: Request) -> Response:
        """Unpair this phone."""
        await read_body(request, self._pressing, self._clock())
        key = _key_of(request)
        if key is not None:
            await self._request(do="unpair", **key._asdict())
        return _without_cookie(json_response({"ok": True}))

    async def _forward(self, request: Request, do: str, keys: tuple[str, ...]) -> Response:
        """Send these keys of the body to the table as a paired phone's request."""
        wish = await read_body(request, self._pressing, self._clock())
        key = _key_of(request)
        if key is None:
            return _error_response(_UNPAIRED)
        given = {name: wish[name] for name in keys if name in wish}
        answer = await self._request(do=do, **key._asdict(), **given)
        return (
            json_response({name: value for name, value in answer.items() if name != "id"})
            if answer.get("ok")
            else _error_response(answer)
        )

    async def _request(self, **fields: object) -> Message:
        try:
            # After a restart of the table one of the two may be back before the other.
            link = self._link if self._link.is_connected else self._reporter.link
            return await link.request(**fields)
        except TableUnavailable:
            raise _unavailable() from None

    def _buttons(self) -> dict[str, Any]:
        """The valid buttons and why the others are not, computed once for all phones."""
        story = self._reporter.journal.timeline
        if story is None:
            return {"buttons": {}, "reasons": {}, "words": {}, "at": 0}
        record = story.record
        if self._judged is None or self._judged[0] is not record:
            rules = record.game.rules
            judged = phone_press.judge_buttons(
                new_session(record, Settings().with_consoles(3)), 0.0
            )
            # By console the buttons that count, and a notice for each other one.
            buttons = {
                place: [key for key, why in keys.items() if why is None]
                for place, keys in judged.items()
            }
            reasons = {
                place: {
                    key: notice_fields(rules, why) for key, why in keys.items() if why is not None
                }
                for place, keys in judged.items()
            }
            self._judged = (record, {"buttons": buttons, "reasons": reasons})
        at = self._reporter.journal.seq
        return {**self._judged[1], "words": _bet_words(record.game.rules), "at": at}


def _bet_words(rules: Rules) -> dict[str, str]:
    """The variant's names of its bets; missing bets are left out."""
    word = rules.variant.word
    answer = {} if rules.flor is None else {"flor": word(Action.FLOR)}
    if not rules.bids:
        return answer
    return {**answer, "envido": word(rules.bids[0].action), "falta": word(rules.bids[-1].action)}


def _unavailable() -> HTTPException:
    return HTTPException(503, "the table cannot be asked now", _RETRY_SOON)


def _key_of(request: Request) -> PhoneKey | None:
    value = request.cookies.get(COOKIE, "")
    phone, dot, key = value.partition(".")
    return PhoneKey(phone, key) if dot and len(value) <= _LONGEST_COOKIE else None


def _error_response(refusal: Message) -> Response:
    """The table's error as a response."""
    answer = {"ok": False} | {name: refusal[name] for name in _ERROR_KEYS if name in refusal}
    response = json_response(answer, _STATUS.get(str(refusal.get("error")), 409))
    return _without_cookie(response) if refusal.get("error") == ErrorCode.UNPAIRED else response


def _without_cookie(response: Response) -> Response:
    """The response, which also deletes an invalid key in the browser."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response
