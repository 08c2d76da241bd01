"""A third party between boxes and the desk of a hall (link.md#proof).

The box is ``scorer.link.joining``, the hub what answers in ``scorer hub``. Persons at panel and
desk compare the digits and say what they see. In one process messages pass by call; between two
network namespaces the hub is the whole program, and all three speak TLS.
"""

from __future__ import annotations

import asyncio
import http.server
import secrets
import ssl
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from scorer.config.link_section import HostAddress
from scorer.hall import joining as messages
from scorer.hall.fields import Malformed
from scorer.hall.joining import (
    BeginRequest,
    CardRequest,
    JoinReply,
    JoinRequest,
    JoinState,
    NonceRequest,
    WaitRequest,
    commitment_to,
    key_of,
)
from scorer.hall.wire import JOIN_PATH
from scorer.hub.joins import Joins
from scorer.link import joining
from scorer.link.https import HttpReply, Opened
from scorer.link.joining import Joiner, JoinFailed
from scorer.link.membership import Membership
from tests.hub.hub_process import Client, HubProcess
from tests.hub.joining_box import log_in
from tests.longrun.attack.checks import Checks
from tests.longrun.attack.namespaces import (
    Namespaces,
    in_namespace,
    joined_namespaces,
    why_no_namespaces,
)
from tests.support.certificate import make_certificate

MACHINE, HALL, PROGRAM = "a91c", "Copa del club", "1.4"
# One try agrees by chance in a million (link.md#proof): two of 10,000 agree for another reason.
MOST_AGREEING = 1
_HUB, _THIRD, _BOX = "10.73.0.1", "10.73.0.2", "10.73.0.3"
_PORT = 8443

AskHub = Callable[[JoinRequest], JoinReply]


class Way(StrEnum):
    """What stands between box and hub."""

    NOTHING = "honest"
    RELAY = "relay"
    OWN_KEY = "relay with a key of its own"
    REPLAY = "replay"
    FALSE_HUB = "false hub"
    FALSE_BOX = "false box"
    BOTH = "false box and false hub"


class ThirdParty:
    """Answers a box in place of the hub, which it may ask in place of a box."""

    def __init__(self, way: Way, ask_hub: AskHub) -> None:
        self._way, self._ask_hub = way, ask_hub
        self._key, self._nonce = key_of(secrets.token_hex(16)), secrets.token_hex(16)
        self.heard: list[JoinRequest] = []  # of the box
        self._recorded: tuple[JoinReply, ...] = ()  # of the hub, to a try of its own
        if way in (Way.REPLAY, Way.FALSE_BOX, Way.BOTH):
            begun = ask_hub(BeginRequest(self._key, MACHINE, PROGRAM))
            self._recorded = begun, ask_hub(NonceRequest(self._key, self._nonce))

    def answer(self, request: JoinRequest) -> JoinReply:
        """Its answer to a step of the box."""
        self.heard.append(request)
        match self._way:
            case Way.NOTHING | Way.RELAY | Way.FALSE_BOX:
                return self._ask_hub(request)
            case Way.OWN_KEY:
                return self._ask_hub(request._replace(key=self._key))
            case Way.REPLAY if not isinstance(request, WaitRequest):
                return self._recorded[isinstance(request, NonceRequest)]
        if isinstance(request, BeginRequest):
            return JoinReply(JoinState.COMMITTED, commitment=commitment_to(self._nonce))
        return JoinReply(JoinState.ACCEPTED, self._nonce, 7, HALL)

    def repeat(self) -> list[JoinReply]:
        """What the hub answers to the steps of the box, sent once more."""
        steps = (each for each in self.heard if not isinstance(each, WaitRequest))
        return [self._ask_hub(each) for each in steps]


class Desk(NamedTuple):
    """What the director sees and presses."""

    digits: Callable[[], dict[str, str]]  # by key
    accept: Callable[[str], None]
    refuse: Callable[[str], None]


class Outcome(NamedTuple):
    """The digits of the panel, tries that the desk accepted, the hall of the box."""

    panel: str
    accepted: int
    member: Membership | None


async def attempt(joiner: Joiner, desk: Desk) -> Outcome:
    """One press at a panel: both persons say yes to digits that they see at both ends."""
    panel: list[str] = []
    shown, same = asyncio.Event(), asyncio.Event()

    def show_digits(digits: str) -> None:
        panel.append(digits)
        shown.set()

    joined = asyncio.ensure_future(joiner.join(show_digits, same.wait))
    looking = asyncio.ensure_future(shown.wait())
    await asyncio.wait((joined, looking), return_when=asyncio.FIRST_COMPLETED)
    looking.cancel()
    accepted = 0
    for key, digits in desk.digits().items():
        if digits in panel:
            desk.accept(key)
            accepted += 1
        else:
            desk.refuse(key)
    if accepted:
        same.set()
    else:
        joined.cancel()
    try:
        return Outcome("".join(panel), accepted, await joined)
    except (JoinFailed, asyncio.CancelledError):
        return Outcome("".join(panel), accepted, None)


class Tally:
    """What became of the attempts, by what stood in between."""

    def __init__(self, checks: Checks, pin: str) -> None:
        """``pin``: of the hub."""
        self._checks, self._pin = checks, pin
        self._tried, self._agreeing = Counter[Way](), 0

    def add(self, way: Way, outcome: Outcome) -> None:
        """Count an attempt, and check it."""
        self._tried[way] += 1
        member = outcome.member
        if way in (Way.NOTHING, Way.FALSE_BOX):
            is_home = member is not None and member.pin == self._pin
            self._checks.check(is_home and outcome.accepted == 1, f"{way}: the box is not in")
            return
        self._checks.check(len(outcome.panel) in (0, 6), f"{way}: {outcome.panel}")
        self._agreeing += bool(outcome.accepted or member)

    def finish(self) -> None:
        """Check what all attempts may have gained together, and note them."""
        self._checks.check(
            self._agreeing <= MOST_AGREEING, f"a third party got {self._agreeing} boxes or tables"
        )
        tried = ", ".join(f"{count} {way}" for way, count in self._tried.items())
        self._checks.note = f"{tried}; {self._agreeing} won by a third party"


def join_through_a_third_party(checks: Checks, share: int) -> None:
    """10,000 attempts in one process."""
    pin, false_pin = "ab" * 32, "cd" * 32
    random, now = Random(54), 0.0
    joins = Joins(pin, lambda digits: f"{random.getrandbits(4 * digits):0{digits}x}")
    tally = Tally(checks, pin)

    def ask_hub(request: JoinRequest) -> JoinReply:
        assert not isinstance(request, CardRequest)
        return joins.answer(request, "10.0.0.1", now)

    desk = Desk(
        digits=lambda: {each.key: each.code for each in joins.candidates(now)},
        accept=lambda key: joins.accept(key, 7, HALL, now),
        refuse=lambda key: joins.refuse(key, now),
    )

    async def run() -> None:
        nonlocal now
        for way in islice(cycle(Way), 10_000 // share):
            now += 1.0  # seconds: the answers of ten minutes are kept
            third = ThirdParty(way, ask_hub)
            is_direct = way in (Way.NOTHING, Way.FALSE_BOX)
            wire = _Wire(third, pin if is_direct else false_pin)
            patch.setattr(joining, "open_connection", wire.open)
            joiner = Joiner(HostAddress("127.0.0.1", _PORT), MACHINE, PROGRAM)
            tally.add(way, await attempt(joiner, desk))
            if way is Way.RELAY:
                repeated = {each.state for each in third.repeat()}
                checks.check(repeated == {JoinState.REFUSED}, f"repeated steps: {repeated}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joining, "POLL", 0.0)
        asyncio.run(run())
    tally.finish()


class _Wire:
    """A connection whose other end is in this process."""

    is_open = True

    def __init__(self, other: ThirdParty, pin: str) -> None:
        self._other, self._pin = other, pin

    async def open(self, hub: HostAddress, pin: str) -> Opened:
        """In place of ``open_connection``: the certificate of the other end."""
        return Opened(self, self._pin)  # type: ignore[arg-type]

    async def post(self, path: str, body: bytes) -> HttpReply:
        return HttpReply(200, answer_bytes(self._other.answer, body))

    def close(self) -> None:
        """Nothing is open."""


def answer_bytes(answer: Callable[[JoinRequest], JoinReply], body: bytes) -> bytes:
    """The reply to a request, both as they are sent."""
    request = messages.parse_join(body)
    assert not isinstance(request, Malformed), request
    return messages.encode(answer(request))


# ---- two network namespaces ---------------------------------------------------------------------


def join_over_a_network(checks: Checks, share: int) -> None:
    """100 attempts of a box in a network namespace of its own."""
    if reason := why_no_namespaces():
        checks.note = f"skipped: {reason}"
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        joined_namespaces((_HUB, _THIRD), (_BOX,)) as ends,
        _hub_in(ends.one, Path(folder)) as hub,
    ):
        _join_in(checks, ends, hub, 100 // share)


def _join_in(checks: Checks, ends: Namespaces, hub: HubProcess, count: int) -> None:
    tally = Tally(checks, hub.pin)
    people = in_namespace(ends.one, lambda: log_in(hub))
    stranger = in_namespace(ends.one, lambda: Client(hub.desk, hub.pin, _THIRD))

    def ask_hub(request: JoinRequest) -> JoinReply:
        while True:
            body = stranger.post(JOIN_PATH, messages.encode(request)).body
            found = messages.parse_join_reply(body)
            assert not isinstance(found, Malformed), found
            if "too many requests" not in found.text:
                return found
            time.sleep(0.2)  # the hub counts the requests of an address

    def act(do: str, key: str) -> None:
        table = {"table": next(tables)} if do == "accept" else {}
        answer = people.desk("/desk/act", {"do": do, "key": key, **table})
        checks.check(answer.status == 200, answer.body)

    tables = iter(range(1, 1000))
    desk = Desk(
        digits=lambda: {
            each["key"]: each["code"] for each in people.get("/desk/state").document["candidates"]
        },
        accept=lambda key: act("accept", key),
        refuse=lambda key: act("refuse", key),
    )
    with _third_party_in(ends.one) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(joining, "POLL", 0.05)
        for way in islice(cycle(Way), count):
            third = ThirdParty(way, ask_hub)
            server.answer = third.answer
            host = _HUB if way in (Way.NOTHING, Way.FALSE_BOX) else _THIRD
            joiner = Joiner(HostAddress(host, _PORT), MACHINE, PROGRAM)
            press = partial(_press, joiner, desk)
            tally.add(way, in_namespace(ends.other, press))
            if way is Way.RELAY:
                repeated = {each.state for each in third.repeat()}
                checks.check(repeated == {JoinState.REFUSED}, f"repeated steps: {repeated}")
    tally.finish()


def _press(joiner: Joiner, desk: Desk) -> Outcome:
    return asyncio.run(attempt(joiner, desk))


@contextmanager
def _hub_in(namespace: str, folder: Path) -> Iterator[HubProcess]:
    config = folder / "scorer.toml"
    config.write_text("[hub]\n")
    hub = HubProcess(folder, config, desk=(_HUB, _PORT))
    words = ["--listen", f"{_HUB}:8090", "--secure", f"{_HUB}:{_PORT}"]
    command = ["ip", "netns", "exec", namespace, *hub.command, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(3)]
        hub.pin = said[2].split()[-1]
        try:
            yield hub
        finally:
            process.terminate()


class _Server(http.server.ThreadingHTTPServer):
    """The third party's own server, with a certificate of its own."""

    daemon_threads = True
    answer: Callable[[JoinRequest], JoinReply]


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        reply = answer_bytes(self.server.answer, body)
        self.send_response(200)
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *values: object) -> None:
        """Say nothing."""


@contextmanager
def _third_party_in(namespace: str) -> Iterator[_Server]:
    with tempfile.TemporaryDirectory() as folder:
        made = make_certificate(Path(folder))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*made)
        server = in_namespace(namespace, lambda: _Server((_THIRD, _PORT), _Handler))
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
