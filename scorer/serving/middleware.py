"""Host check, request limit, body limit and headers of every response.

A page on the internet may point its own host name at this machine and let a browser in the bar read
it (DNS rebinding). So the Host header must be one of our names, on every request.
"""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import json
import math
import re
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from email.utils import formatdate
from types import MappingProxyType
from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scorer.serving.avahi import base_name
from scorer.serving.prices import Rank
from scorer.serving.turnstile import Turnstile
from scorer.system.rate_limit import RateLimit

MAX_BODY = 4096  # bytes of a request

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


class GuardOptions(NamedTuple):
    """What differs between the processes that serve.

    ``section``: of the configuration that lists host names; ``framed_paths``: pages that other
    sites may embed; ``monitored_paths``: never limited on this machine; ``long_bodies``: the bytes
    allowed to the paths that take more than MAX_BODY; ``report_long_body``: called with a request
    whose body is too long, and the sentence of the answer; ``limit_of``: the limit of a request,
    None for the usual one; ``refusal_delay``: seconds until a request beyond its limit is
    answered, so that a client which asks again at once costs little; ``rank_of``: whose share a
    request takes; ``turnstile``: where those of visitors wait for their turn, if they do.
    """

    section: str
    framed_paths: tuple[str, ...] = ()
    monitored_paths: tuple[str, ...] = ()
    long_bodies: Mapping[str, int] = MappingProxyType({})
    report_long_body: Callable[[Scope, str], None] | None = None
    limit_of: Callable[[Scope], RateLimit | None] = lambda scope: None
    refusal_delay: float = 0.0
    rank_of: Callable[[Scope], Rank] = lambda scope: Rank.VISITORS
    turnstile: Turnstile | None = None


class HostGuard:
    """Wraps the whole application."""

    def __init__(
        self,
        app: ASGIApp,
        names: frozenset[str],
        limit: RateLimit,
        options: GuardOptions,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``limit``: requests per address, in seconds of ``clock``."""
        self._app, self._names = app, names
        self._base_names = frozenset(map(base_name, names))
        self._limit, self._options, self._clock = limit, options, clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = {name: value for name, value in scope["headers"]}
        path = scope["path"]
        carried = (
            *_COMMON_HEADERS,
            *(_FRAMED_HEADERS if path in self._options.framed_paths else _UNFRAMED_HEADERS),
        )
        longest = self._options.long_bodies.get(path, MAX_BODY)

        async def telling(message: Message) -> None:
            if message["type"] == "http.response.start":
                date = _date(int(time.time()))
                message["headers"] = [*message.get("headers", ()), date, *carried]
            await send(message)

        wait = 0.0
        if not (path in self._options.monitored_paths and is_local(scope)):
            limit = self._options.limit_of(scope) or self._limit
            wait = limit.acquire(client_address(scope), self._clock())
        if wait:
            await asyncio.sleep(self._options.refusal_delay)
            soon = [(b"retry-after", str(math.ceil(wait)).encode())]
            await send_error(telling, 429, "too many requests from this address", soon)
        elif not self._is_allowed(headers.get(b"host", b""), scope.get("server")):
            sentence = f"this name is not ours; add it to hosts in [{self._options.section}]"
            await send_error(telling, 421, sentence)
        elif _has_long_body(headers, longest):
            sentence = f"{longest} bytes at most"
            if self._options.report_long_body is not None:
                self._options.report_long_body(scope, sentence)
            await send_error(telling, 413, sentence)
        else:
            turnstile = self._options.turnstile
            if turnstile is not None and self._options.rank_of(scope) is Rank.VISITORS:
                await turnstile.enter(client_address(scope))
            await self._app(scope, receive, telling)

    def _is_allowed(self, host: bytes, server: tuple[str, int | None] | None) -> bool:
        """Whether the host is one of our names or the address of this connection.

        A name that Avahi numbered because two machines share it is one of them.
        """
        name = host_name(host)
        if name in self._names or base_name(name) in self._base_names:
            return True
        requested, mine = _address(name), _address(server[0] if server else "")
        return requested is not None and requested == mine


def client_address(scope: Scope) -> str:
    """The address group that the client counts for."""
    client = scope.get("client")
    return address_group(str(client[0])) if client else ""


def is_local(scope: Scope) -> bool:
    """Whether the client is on this machine."""
    client = scope.get("client")
    address = _address(str(client[0])) if client else None
    return address is not None and address.is_loopback


@functools.lru_cache(maxsize=1024)
def address_group(text: str) -> str:
    """The unit of the limits: an IPv4 address, or the /64 network of an IPv6 one.

    A single IPv6 host has all addresses of its /64 (RFC 4291, 2.5.1).
    """
    address = _address(text)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((address, 64), strict=False))
    return text if address is None else str(address)


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


@functools.lru_cache(maxsize=1)
def _date(now: int) -> Header:
    """The Date header at ``now``, in seconds since 1970."""
    return b"date", formatdate(now, usegmt=True).encode("ascii")


def _has_long_body(headers: dict[bytes, bytes], longest: int) -> bool:
    """Whether a body is longer, or could be because it names no length."""
    length = headers.get(b"content-length", b"0")
    too_long = not length.isdigit() or len(length) > 9 or int(length) > longest
    return too_long or b"transfer-encoding" in headers


async def send_error(send: Send, status: int, text: str, more: Iterable[Header] = ()) -> None:
    """Answer a refused request with a sentence, and close its connection."""
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
