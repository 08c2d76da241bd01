"""Host names, sizes and headers: what the guard accepts, and adds to responses."""

from __future__ import annotations

import asyncio
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from scorer.serving.middleware import MAX_BODY, GuardOptions, HostGuard, allowed_hosts, host_name
from scorer.system.rate_limit import RateLimit

MINE = ("192.168.1.34", 8080)
OPTIONS = GuardOptions("web", framed_paths=("/overlay",), long_bodies={"/rows": 2 * MAX_BODY})


async def _hello(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - an application
    headers = [(b"content-type", b"text/plain")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"hello"})


class Answer:
    """What an application sent."""

    def __init__(self) -> None:
        self.status, self.body = 0, b""
        self.headers: dict[str, str] = {}

    async def take(self, message: Any) -> None:  # noqa: ANN401 - as ASGI has it
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message["body"]


def asked(
    host: str, path: str = "/", server: tuple[str, int] | None = MINE, **headers: str
) -> Answer:
    """The answer of a guarded application that always says hello."""
    sent = [(b"host", host.encode("latin-1"))]
    sent += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": sent, "server": server}
    answer = Answer()

    async def nothing() -> dict[str, Any]:
        return {"type": "http.request"}

    guard = HostGuard(
        _hello, allowed_hosts(["Truco.Club.example", "truco.local"]), RateLimit(1.0, 1), OPTIONS
    )
    asyncio.run(guard(scope, nothing, answer.take))
    return answer


@pytest.mark.parametrize(
    ("host", "server"),
    [
        ("192.168.1.34",            MINE),
        ("192.168.1.34:80",         MINE),
        ("localhost:8080",          MINE),
        ("truco.local",             MINE),
        ("Truco-2.local:8080",      MINE),
        ("truco-12.local",          MINE),
        ("truco.club.example",      MINE),
        ("TRUCO.club.example.:443", MINE),
        ("[fe80::1]:8080",          ("fe80::1%eth0", 8080)),
        ("[FE80:0:0:0::1]",         ("fe80::1", 8080)),
        ("192.168.1.34",            ("::ffff:192.168.1.34", 8080)),
    ],
)  # fmt: skip
def test_our_names_and_the_address_that_was_called_are_let_in(
    host: str, server: tuple[str, int]
) -> None:
    assert asked(host, server=server).body == b"hello"


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "mesa-2.local",
        "truco-2.local.evil.example",
        "truco-x.local",
        "truco.club-2.example",
        "192.168.1.35",            # another machine's address
        "0.0.0.0",                 # what we listen at is not what we are
        "192.168.1.34.evil.example",
        "evil.example:192.168.1.34",
        "localhost:8080:8080",
        "localhost:80x",
        "localhost@evil.example",
        "localhost..",
        "[::1",
        "[::1]x",
        "[]",
        "3232235810",              # the same address, as no browser writes it
        "192.168.1.34\x00",
        "truco.club.example/",
        "loc\u0131lhost".encode().decode("latin-1"),
    ],
)  # fmt: skip
def test_every_other_name_is_misdirected(host: str) -> None:
    answer = asked(host)
    assert (answer.status, answer.headers["connection"]) == (421, "close")
    assert b"hello" not in answer.body


def test_an_address_counts_only_where_a_connection_came_to_one() -> None:
    assert asked("192.168.1.34", server=None).status == 421


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("truco.local", "truco.local"),
        ("Truco.LOCAL:8080", "truco.local"),
        ("truco.local.", "truco.local"),
        ("[::1]:80", "::1"),
        ("[::1]80", ""),
        ("truco.local:", "truco.local"),
        ("truco.local:-1", ""),
        ("a:b", ""),
    ],
)
def test_a_name_is_taken_out_of_its_header(host: str, name: str) -> None:
    assert host_name(host.encode()) == name


@pytest.mark.parametrize("length", [str(MAX_BODY + 1), "-1", "x", "9" * 30, "", "1e3"])
def test_a_body_beyond_the_bound_is_not_read(length: str) -> None:
    assert asked("localhost", content_length=length).status == 413


def test_a_body_without_an_end_is_not_read_either() -> None:
    assert asked("localhost", transfer_encoding="chunked").status == 413
    assert asked("localhost", content_length=str(MAX_BODY)).status == 200


@pytest.mark.parametrize("host", ["localhost", "evil.example"])
@pytest.mark.parametrize("path", ["/", "/overlay", "/events", "/own/x", "/nothing"])
def test_every_answer_carries_the_headers(path: str, host: str) -> None:
    headers = asked(host, path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert parsedate_to_datetime(headers["date"]).tzinfo is UTC
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    framed = path == "/overlay"
    assert ("frame-ancestors 'none'" in policy) is not framed
    assert ("x-frame-options" in headers) is not framed


@pytest.mark.parametrize(
    ("path", "length", "status"),
    [
        ("/",     MAX_BODY,         200),
        ("/",     MAX_BODY + 1,     413),
        ("/rows", 2 * MAX_BODY,     200),
        ("/rows", 2 * MAX_BODY + 1, 413),
    ],
)  # fmt: skip
def test_a_path_may_allow_longer_bodies(path: str, length: int, status: int) -> None:
    assert asked("localhost", path, content_length=str(length)).status == status


def test_too_many_requests_get_the_time_to_wait() -> None:
    now = 100.0
    limit = RateLimit(rate=0.4, burst=2)
    guard = HostGuard(_hello, frozenset({"localhost"}), limit, OPTIONS, lambda: now)

    async def nothing() -> dict[str, Any]:
        return {"type": "http.request"}

    def ask(address: str) -> Answer:
        answer = Answer()
        client, headers = (address, 50_000), [(b"host", b"localhost")]
        scope = {"type": "http", "path": "/", "headers": headers, "client": client, "server": MINE}
        asyncio.run(guard(scope, nothing, answer.take))
        return answer

    assert [ask("192.168.1.7").status for _ in range(3)] == [200, 200, 429]
    assert ask("192.168.1.7").headers["retry-after"] == "3"
    assert ask("192.168.1.8").status == 200, "and nobody else"
    now += 2.5
    assert [ask("192.168.1.7").status for _ in range(2)] == [200, 429]
