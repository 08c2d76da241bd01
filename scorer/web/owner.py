"""HTTP paths of the settings page: the right, all settings, what an owner saves.

Forwards requests to the table, which knows the owners and checks every value. This process writes
no setting and has no further right on the machine. The key of an owner is in an HttpOnly cookie.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from scorer.api.error_codes import ErrorCode
from scorer.api.table_source import Message, TableUnavailable
from scorer.serving.json_responses import json_response
from scorer.serving.middleware import client_address
from scorer.serving.prices import AnswerSource, Price, PricedRoute
from scorer.system.rate_limit import RateLimit
from scorer.system.wifi import state
from scorer.system.wifi.keyfile import OWN_ADDRESS
from scorer.system.wifi.state import JoinStatus
from scorer.table_link import TableLink
from scorer.web.phone import COOKIE as PHONE_COOKIE
from scorer.web.request_body import check_rate, read_body

COOKIE: Final = "truco_owner"
COOKIE_LIFETIME: Final = 180 * 24 * 3600  # seconds that a browser keeps it
_LONGEST_COOKIE = 100
_STATUS: Final[dict[str, int]] = {
    ErrorCode.UNPAIRED: 401,
    ErrorCode.INSECURE: 403,
    ErrorCode.UNREADABLE: 400,
    ErrorCode.NAME: 400,
    ErrorCode.VALUE: 422,
    ErrorCode.STORE: 503,
}
_RETRY_SOON: Final = {"Retry-After": "5", "Cache-Control": "no-store"}
_NO_RIGHT: Final[Message] = {
    "error": ErrorCode.UNPAIRED,
    "text": "this phone has no right to the settings",
}
_ERROR_KEYS: Final = ("error", "text", "tries", "problems", "last")
_SAVE_KEYS: Final = ("section", "values", "back", "rev")


def is_own_network() -> bool:
    """Whether the box has opened a network of its own."""
    found = state.read()
    return found is not None and found.status is JoinStatus.OWN


class OwnerRoutes:
    """The paths of the settings page. ``clock``: seconds of a monotonic clock."""

    def __init__(
        self,
        link: TableLink,
        clock: Callable[[], float] = time.monotonic,
        has_own_network: Callable[[], bool] = is_own_network,
    ) -> None:
        self._link, self._clock, self._has_own_network = link, clock, has_own_network
        # Digits of the panel allow three tries of an address.
        self._pairing = RateLimit(rate=5 / 60, burst=5)
        self._saving = RateLimit(rate=1, burst=10)
        self._asking = RateLimit(rate=5, burst=30)

    def routes(self) -> Iterator[PricedRoute]:
        """All routes; without the key of an owner the table is not asked for a setting."""
        price = Price(4000, 40_000, AnswerSource.LIMITED)
        yield PricedRoute("/api/v1/owner", self.settings, price)
        acts = {
            "pair": self.pair,
            "save": self.save,
            "copies": self.list_copies,
            "restore": self.restore,
            "leave": self.leave,
        }
        for name, act in acts.items():
            yield PricedRoute(f"/api/v1/owner/{name}", act, price, ("POST",))

    async def settings(self, request: Request) -> Response:
        """Whether this browser is an owner's, and all settings then."""
        check_rate(request, self._asking, self._clock())
        key = _key_of(request)
        if key is None:
            return json_response({"owner": False})
        answer = await self._request(do="owner", **key)
        if answer.get("error") == ErrorCode.UNPAIRED:
            return _without_cookie(json_response({"owner": False}))
        if not answer.get("ok"):
            raise _unavailable()
        return json_response({"owner": True, **_own(answer), "private": self._is_private(request)})

    async def pair(self, request: Request) -> Response:
        """Get the right with the digits of the panel; the key goes into the cookie."""
        wish = await read_body(request, self._pairing, self._clock())
        answer = await self._request(
            do="owner_pair",
            code=wish.get("code", ""),
            name=wish.get("name", ""),
            address=client_address(request.scope),
            console=PHONE_COOKIE in request.cookies,
        )
        if not answer.get("ok"):
            return _error_response(answer)
        response = json_response({"ok": True, "name": answer["name"]})
        response.set_cookie(
            COOKIE,
            f"{answer['phone']}.{answer['key']}",
            COOKIE_LIFETIME,
            path="/api/v1",
            secure=request.scope["scheme"] == "https",
            httponly=True,
            samesite="strict",
        )
        return response

    async def save(self, request: Request) -> Response:
        """Save values of one section, and take others back."""
        wish = await read_body(request, self._saving, self._clock())
        given = {name: wish[name] for name in _SAVE_KEYS if name in wish}
        return await self._act(request, "owner_save", **given, private=self._is_private(request))

    async def list_copies(self, request: Request) -> Response:
        """Have the copies on the USB stick listed."""
        await read_body(request, self._saving, self._clock())
        return await self._act(request, "owner_copies")

    async def restore(self, request: Request) -> Response:
        """Put back a copy of that list."""
        wish = await read_body(request, self._saving, self._clock())
        return await self._act(request, "owner_restore", name=wish.get("name", ""))

    async def _act(self, request: Request, do: str, **fields: object) -> Response:
        """All settings after a request of an owner, or the table's error."""
        key = _key_of(request)
        if key is None:
            return _error_response(_NO_RIGHT)
        answer = await self._request(do=do, **key, **fields)
        if not answer.get("ok"):
            return _error_response(answer)
        return json_response({"owner": True, **_own(answer), "private": self._is_private(request)})

    async def leave(self, request: Request) -> Response:
        """Give the right back."""
        await read_body(request, self._saving, self._clock())
        await self.give_back(request)
        return _without_cookie(json_response({"ok": True}))

    async def give_back(self, request: Request) -> None:
        """Give back the right of this browser, if it has one. Raises HTTPException."""
        key = _key_of(request)
        if key is not None:
            await self._request(do="owner_leave", **key)

    def _is_private(self, request: Request) -> bool:
        """Whether the request came by HTTPS, or in the box's own network."""
        if request.scope["scheme"] == "https":
            return True
        address, _ = request.scope.get("server") or ("", None)
        return address == OWN_ADDRESS and self._has_own_network()

    async def _request(self, **fields: object) -> Message:
        try:
            return await self._link.request(**fields)
        except TableUnavailable:
            raise _unavailable() from None


def _own(answer: Message) -> Message:
    return {name: value for name, value in answer.items() if name != "id"}


def _unavailable() -> HTTPException:
    return HTTPException(503, "the table cannot be asked now", _RETRY_SOON)


def _key_of(request: Request) -> dict[str, str] | None:
    value = request.cookies.get(COOKIE, "")
    owner, dot, key = value.partition(".")
    return {"owner": owner, "key": key} if dot and len(value) <= _LONGEST_COOKIE else None


def _error_response(refusal: Message) -> Response:
    """The table's error as a response."""
    answer = {"ok": False} | {name: refusal[name] for name in _ERROR_KEYS if name in refusal}
    response = json_response(answer, _STATUS.get(str(refusal.get("error")), 409))
    return _without_cookie(response) if refusal.get("error") == ErrorCode.UNPAIRED else response


def _without_cookie(response: Response) -> Response:
    """The response, which also deletes an invalid key in the browser."""
    response.delete_cookie(COOKIE, path="/api/v1", httponly=True, samesite="strict")
    return response
