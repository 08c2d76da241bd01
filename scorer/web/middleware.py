"""Host check, request limit, body limit and headers of every response.

A page on the internet may point its own host name at this machine and let a browser in the bar read
it (DNS rebinding). So the Host header must be one of our names, on every request.
"""

from __future__ import annotations

import ipaddress
import json
import math
import re
import socket
import time
from collections.abc import Callable, Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scorer.web.rate_limit import RateLimit

MAX_BODY = 4096  # bytes
FRAMED_PATHS = ("/overlay",)  # pages that other sites may embed, such as OBS or a club's site

Header = tuple[bytes, bytes]

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^:@/\[\]\s]*))(?::[0-9]*)?")
_POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'"
_COMMON_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
_FRAMED_HEADERS = ((b"content-security-policy", _POLICY.encode()),)
_UNFRAMED_HEADERS = (
    (b"content-security-policy", f"{_POLICY}; frame-ancestors 'none'".encode()),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def allowed_hosts(configured: Iterable[str]) -> frozenset[str]:
    """The names under which this machine may be addressed, in lower case."""
    host = socket.gethostname().partition(".")[0]
    return frozenset(name.lower() for name in ("localhost", f"{host}.local", *configured))


class HostGuard:
    """Wraps the whole application."""

    def __init__(
        self,
        app: ASGIApp,
        names: frozenset[str],
        limit: RateLimit,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``limit``: requests per address, in seconds of ``clock``."""
        self._app, self._names = app, names
        self._limit, self._clock = limit, clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = {name: value for name, value in scope["headers"]}
        carried = (
            *_COMMON_HEADERS,
            *(_FRAMED_HEADERS if scope["path"] in FRAMED_PATHS else _UNFRAMED_HEADERS),
        )

        async def telling(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *carried]
            await send(message)

        wait = self._limit.acquire(client_address(scope), self._clock())
        if wait:
            soon = [(b"retry-after", str(math.ceil(wait)).encode())]
            await _send_error(telling, 429, "too many requests from this address", soon)
        elif not self._is_allowed(headers.get(b"host", b""), scope.get("server")):
            await _send_error(telling, 421, "this name is not ours; add it to hosts in [web]")
        elif _has_long_body(headers):
            await _send_error(telling, 413, f"{MAX_BODY} bytes at most")
        else:
            await self._app(scope, receive, telling)

    def _is_allowed(self, host: bytes, server: tuple[str, int | None] | None) -> bool:
        """Whether the host is one of our names or the address of this connection."""
        name = host_name(host)
        if name in self._names:
            return True
        requested, mine = _address(name), _address(server[0] if server else "")
        return requested is not None and requested == mine


def client_address(scope: Scope) -> str:
    """The client's address; an IPv4-mapped IPv6 address becomes IPv4."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def host_name(host: bytes) -> str:
    """The name in a Host header in lower case, without port; "" if invalid."""
    found = _HOST.fullmatch(host.decode("latin-1").lower())
    return (found[1] or found[2]).removesuffix(".") if found else ""


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _has_long_body(headers: dict[bytes, bytes]) -> bool:
    """Requests need no body; one without a length could be endless."""
    length = headers.get(b"content-length", b"0")
    too_long = not length.isdigit() or len(length) > 9 or int(length) > MAX_BODY
    return too_long or b"transfer-encoding" in headers


async def _send_error(send: Send, status: int, text: str, more: Iterable[Header] = ()) -> None:
    body = json.dumps({"error": text}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        # Do not wait for the rest of a body.
        (b"connection", b"close"),
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
