"""Fetch a file of another machine by https, bounded in redirects, size and time.

The address of a name is looked up once, and that address is connected to: a name that changes
meanwhile leads nowhere else.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urljoin, urlsplit

MOST_REDIRECTS: Final = 2
MOST_SECONDS: Final = 30.0  # for one file, with its redirects
_CHUNK: Final = 64 * 1024
_REDIRECTS: Final = (301, 302, 303, 307, 308)


class NotFetched(Exception):
    """No file; the text says why and what to do."""


class FetchRules(NamedTuple):
    """What is allowed. ``context``: the authorities that are trusted."""

    context: ssl.SSLContext
    private_addresses: bool = False
    most_bytes: int = 4_000_000
    most_seconds: float = MOST_SECONDS
    clock: Callable[[], float] = time.monotonic


def trusted_authorities() -> ssl.SSLContext:
    """The authorities that this machine trusts."""
    return ssl.create_default_context()


def fetch(address: str, rules: FetchRules) -> bytes:
    """The file at an address. Raises NotFetched."""
    deadline = rules.clock() + rules.most_seconds
    for _ in range(MOST_REDIRECTS + 1):
        found = _get(_parts(address), rules, deadline)
        if isinstance(found, bytes):
            return found
        address = urljoin(address, found)
    raise NotFetched(f"it has more than {MOST_REDIRECTS} redirects; write the last address")


def _parts(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        is_usable = parts.scheme == "https" and bool(parts.hostname) and parts.port != 0
        is_usable = is_usable and address.isascii() and address.isprintable() and " " not in address
    except ValueError:
        is_usable = False
    if not is_usable:
        raise NotFetched(f"{address[:200]!r} is no address like https://club.example/evening.json")
    return parts


def _get(parts: SplitResult, rules: FetchRules, deadline: float) -> bytes | str:
    """The file, or the address to which a redirect leads."""
    connection = _Connection(parts, rules, deadline)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    # A server that sends its answer byte by byte never exceeds the time of one read.
    end = threading.Timer(max(0.0, deadline - rules.clock()), connection.abort)
    end.start()
    try:
        connection.request("GET", path, headers={"Accept-Encoding": "identity"})
        with connection.getresponse() as reply:
            if reply.status in _REDIRECTS and (location := reply.getheader("Location")):
                return location
            if reply.status != 200:
                raise NotFetched(f"the server answers {reply.status} {reply.reason[:80]}")
            return _body(reply, rules.most_bytes)
    except ssl.SSLCertVerificationError as error:
        raise NotFetched(f"its certificate is not trusted: {error.verify_message}") from None
    except (OSError, http.client.HTTPException, NotFetched) as error:
        if connection.is_aborted or isinstance(error, TimeoutError):
            raise NotFetched(f"it takes more than {rules.most_seconds:g} seconds") from None
        if isinstance(error, NotFetched):
            raise
        if isinstance(error, OSError):
            raise NotFetched(f"it cannot be reached: {error.strerror or error}") from None
        raise NotFetched(f"its answer is no HTTP ({type(error).__name__})") from None
    finally:
        end.cancel()
        connection.close()


def _body(reply: http.client.HTTPResponse, most_bytes: int) -> bytes:
    received = bytearray()
    while chunk := reply.read1(_CHUNK):
        received += chunk
        if len(received) > most_bytes:
            raise NotFetched(f"it has more than {most_bytes} bytes: no evening has")
    if reply.length:
        raise NotFetched("the connection ended before the file did; try again")
    return bytes(received)


class _Connection(http.client.HTTPSConnection):
    """A connection to an address that was looked up and judged."""

    def __init__(self, parts: SplitResult, rules: FetchRules, deadline: float) -> None:
        assert parts.hostname is not None
        super().__init__(parts.hostname, parts.port, context=rules.context)
        self._name, self._rules, self._deadline = parts.hostname, rules, deadline
        self.is_aborted = False

    def abort(self) -> None:
        """End what waits for the server, from another thread."""
        self.is_aborted = True
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)

    def connect(self) -> None:
        found = socket.getaddrinfo(self._name, self.port, type=socket.SOCK_STREAM)
        hosts = [*dict.fromkeys(str(each[4][0]) for each in found)]
        for each in hosts:
            address = ipaddress.ip_address(each.partition("%")[0])
            if not (address.is_global or self._rules.private_addresses):
                raise NotFetched(
                    f"{each} is an address of a private network; write private_addresses = true in "
                    "[season] if it is meant"
                )
        self.sock = self._connected(hosts)
        self.sock = self._rules.context.wrap_socket(self.sock, server_hostname=self._name)

    def _connected(self, hosts: list[str]) -> socket.socket:
        """A connection to the first of them that answers. Raises OSError."""
        *others, last = hosts
        for host in others:
            with suppress(OSError):
                return socket.create_connection((host, self.port), timeout=self._left())
        return socket.create_connection((last, self.port), timeout=self._left())

    def _left(self) -> float:
        left = self._deadline - self._rules.clock()
        if left <= 0:
            raise TimeoutError
        return left
