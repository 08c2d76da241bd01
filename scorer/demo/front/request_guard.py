"""Rejects requests from other machines' pages.

A page anywhere can make a browser send requests to 127.0.0.1, and can point its own host name there
(DNS rebinding). So every request must name this machine as host, and a changing request must come
from a page served here. Other sites may link to the page itself, and to nothing else: a request for
the board starts a process, one for the stream registers a page. No other page may frame ours, where
a click meant for something else would press a button (clickjacking).
"""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scorer.serving.middleware import send_error

MAX_BODY = 8192  # bytes
# Any port: it may be forwarded. DNS cannot rebind these two names.
_HOST = re.compile(r"(127\.0\.0\.1|localhost)(:[0-9]{1,5})?")
_SAFE = ("GET", "HEAD")
_OWN_SITES = ("same-origin", "none")  # of Sec-Fetch-Site; "none" is a typed address or a bookmark
_POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; "
    "frame-ancestors 'none'"
)
_RESPONSE_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class LocalGuard:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}

        async def telling(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_RESPONSE_HEADERS]
            await send(message)

        refused = _refusal(scope["method"], scope["path"], headers)
        if refused is None:
            await self._app(scope, receive, telling)
        else:
            await send_error(telling, *refused)


def _refusal(method: str, path: str, headers: dict[bytes, str]) -> tuple[int, str] | None:
    """Status and sentence of a rejected request."""
    host = headers.get(b"host", "").lower()
    if not _HOST.fullmatch(host):
        return 421, "ask for it as 127.0.0.1 or localhost"
    origin = headers.get(b"origin", "").lower()
    if method in _SAFE:
        is_own = headers.get(b"sec-fetch-site", "none") in _OWN_SITES
        is_own = is_own and origin in ("", f"http://{host}")
        return None if is_own or path == "/" else (403, "only the page that is served here may ask")
    if origin != f"http://{host}":
        return 403, "only the page that is served here may touch the buttons"
    length = headers.get(b"content-length", "")
    if not length.isascii() or not length.isdigit() or len(length) > 9:
        return 411, "say how long the body is"
    if int(length) > MAX_BODY:
        return 413, f"{MAX_BODY} bytes at most"
    return None
