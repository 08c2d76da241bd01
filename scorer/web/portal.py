"""The page of the box's own Wi-Fi: a captive portal that names another network.

Phones ask a known address after they have joined; what is not the answer of that address makes
them show the page to which it redirects. The page needs no script: the small browsers in which
phones show it may have none. The network is joined by scorer-network.service; this process has no
right to do so.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from scorer.config.wifi_section import (
    MAX_NAME_BYTES,
    MAX_PASSWORD_CHARS,
    MIN_PASSWORD_CHARS,
    WifiNetwork,
)
from scorer.i18n import nearest_language, reader_language, translator
from scorer.plain_values import WrongValues, json_object, read
from scorer.serving.middleware import MAX_BODY, host_name
from scorer.serving.static_files import CONTENT_TYPES
from scorer.serving.templates import Templates
from scorer.system.wifi import requests, state
from scorer.system.wifi.keyfile import OWN_ADDRESS
from scorer.system.wifi.state import JoinStatus, WifiState
from scorer.system.wifi.watch_request import MAX_LINE_BYTES

PAGE_URL: Final = f"http://{OWN_ADDRESS}/"
API_PATH: Final = "/captive-portal"  # RFC 8908; option 114 of DHCP names it (RFC 8910)
JOIN_PATH: Final = "/join"
STYLE_PATH: Final = "/portal.css"
ANSWER_TIMEOUT_S: Final = 5.0
NAMES: Final = (OWN_ADDRESS, "truco", "truco.local")
_TEMPLATES: Final = Templates("scorer.web.pages")
_POLICY: Final = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'"
_HEADERS: Final = {
    "cache-control": "no-store",
    "content-security-policy": _POLICY,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
_MAX_FIELDS: Final = 8


class PortalFault(StrEnum):
    """Why a network was not taken, as the end of a key of words."""

    NAME = "name"
    PASSWORD = "password"
    MALFORMED = "malformed"
    FOREIGN = "foreign"  # of another page
    BUSY = "busy"  # another network is being joined
    FAILED = "failed"  # no answer


# None once it is accepted.
Join = Callable[[WifiNetwork], Awaitable[PortalFault | None]]


class PortalContext(NamedTuple):
    """What the page needs: the state of the Wi-Fi, and who joins a network."""

    join: Join
    state: Callable[[], WifiState | None] = state.read
    board: str = f"http://{OWN_ADDRESS}:8080/"  # the address of the score
    language: str = "es-AR"


def build_portal(context: PortalContext) -> ASGIApp:
    """The application of the page."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        response = await _answer(context, Request(scope, receive))
        response.headers.update(_HEADERS)
        await response(scope, receive, send)

    return app


async def ask_to_join(network: WifiNetwork, path: Path) -> PortalFault | None:
    """Ask the service of the network; None once it is accepted, or why not."""
    fields = {"name": network.name, "password": network.password, "hidden": network.hidden}
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(json.dumps({"do": "join", **fields}).encode() + b"\n")
            answer = json_object(await reader.read(MAX_LINE_BYTES)) or {}
            writer.close()
    except (OSError, TimeoutError):
        return PortalFault.FAILED
    if answer.get("ok") is True:
        return None
    return PortalFault.BUSY if answer.get("why") == requests.BUSY else PortalFault.FAILED


async def _answer(context: PortalContext, request: Request) -> Response:
    path = request.url.path
    # A probe asks for another name than that of this box.
    is_ours = host_name(request.headers.get("host", "").encode("latin-1")) in NAMES
    if path == API_PATH and request.method == "GET":
        # Nothing else is to be had here, and no time ends that.
        fields = {"captive": True, "user-portal-url": PAGE_URL}
        return JSONResponse(fields, media_type="application/captive+json")
    if not is_ours or path not in ("/", JOIN_PATH, STYLE_PATH):
        # 302, not 307: a probe that posts is to get the page.
        return RedirectResponse(PAGE_URL, 302)
    if path == STYLE_PATH:
        style = resources.files("scorer.web.pages").joinpath("portal.css").read_bytes()
        return Response(style, media_type=CONTENT_TYPES[".css"])
    if path == JOIN_PATH and request.method == "POST":
        return await _join(context, request)
    if path == JOIN_PATH:  # a page that is loaded anew after joining
        return RedirectResponse(PAGE_URL, 302)
    return _page(context, request)


async def _join(context: PortalContext, request: Request) -> Response:
    if not _is_from_page(request.headers):
        return _page(context, request, fault=PortalFault.FOREIGN, status=403)
    fields = await _form(request)
    if fields is None:
        return _page(context, request, fault=PortalFault.MALFORMED, status=400)
    try:
        network = read(
            WifiNetwork,
            {
                "name": fields.get("name", ""),
                "password": fields.get("password", ""),
                "hidden": "hidden" in fields,
            },
        )
    except WrongValues as error:
        wrong = {problem.path[-1] for problem in error.problems if problem.path}
        fault = PortalFault.NAME if "name" in wrong else PortalFault.PASSWORD
        return _page(context, request, fields, fault=fault, status=400)
    refused = await context.join(network)
    if refused is not None:
        return _page(context, request, fields, fault=refused, status=503)
    return _page(context, request, joins=network.name)


def _is_from_page(headers: Mapping[str, str]) -> bool:
    """Whether a form of another site has not sent this: phones may hold its page open."""
    origin = headers.get("origin")
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    return origin is None or origin == f"http://{headers.get('host')}"


async def _form(request: Request) -> dict[str, str] | None:
    """The fields of a form, the first of each name; None if it is none, or too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            return None
    try:
        found = parse_qs(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MAX_FIELDS,
        )
    except ValueError:
        return None
    return {name: values[0] for name, values in found.items()}


def _page(
    context: PortalContext,
    request: Request,
    fields: Mapping[str, str] | None = None,
    *,
    fault: PortalFault | None = None,
    joins: str = "",
    status: int = 200,
) -> Response:
    """``fault``: of this request; ``joins``: the network that is joined now."""
    wanted, accepted = request.query_params.get("lang", ""), request.headers.get("accept-language")
    language = reader_language(wanted, accepted or "", nearest_language(context.language))
    now, say = context.state(), translator(language)
    told = ""
    if fault is not None:
        told = say(f"portal.fault.{fault}")
    elif now is not None and now.fault is not None:
        told = say(f"link.{now.fault}", name=now.target)
    text = _TEMPLATES.render(
        "portal.html",
        language=language,
        say=say,
        fields=fields or {},
        fault=told,
        # Another phone has named it.
        closing="" if now is None or told else now.target,
        joins=joins,
        own=now.wifi if now is not None and now.status is JoinStatus.OWN else "Truco",
        style=STYLE_PATH,
        action=f"{JOIN_PATH}?lang={language}" if wanted else JOIN_PATH,
        board=context.board,
        max_name=MAX_NAME_BYTES,
        password_chars=(MIN_PASSWORD_CHARS, MAX_PASSWORD_CHARS),
    )
    return Response(text, status, media_type=CONTENT_TYPES[".html"])
