"""Events by HTTP POST to real servers: what they get, and what a bad one delays."""

from __future__ import annotations

import asyncio
import hmac
import json
import re
import socket
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jinja2
import pytest

from scorer.config.hook_section import EVENTS, SAMPLE, HookSection
from scorer.display.light_frames import COLOURS
from scorer.link import hooks
from scorer.link.events import COLORS, TableEvent, event_document, events_between
from scorer.link.hooks import MAX_AGE, MAX_WAITING, Hook, body_of, is_private, signature_of
from scorer.session.values.settings import LampColour
from tests.support.coroutines import awaited

PAGE = (Path(__file__).parents[2] / "docs/operators/link.md").read_text("utf-8")
STATE: dict[str, Any] = {
    "score": {"A": 12, "B": 9}, "games": {"A": 0, "B": 0}, "winner": None, "pending": None,
    "match": None, "names": {"A": 'Los "Ñatos"', "B": "La Yunta"},
    "lamps": {"A": "yellow", "B": "sky_blue"},
}  # fmt: skip
TRUCO = {**STATE, "pending": {"by": "B", "call": "truco", "quiero": 2, "no_quiero": 1}}
OFFERED = {"id": "Z1-R1-M1", "rev": 17, "phase": "offered", "names": ["Los Ñatos", "Ana y Beto"]}


class Receiver:
    """A server that answers with ``statuses`` in turn, and the last one from then on."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = [*statuses] or [200]
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        self.news = threading.Condition()
        self.port = 0

    def wait_for(self, count: int) -> list[tuple[str, dict[str, str], bytes]]:
        with self.news:
            assert self.news.wait_for(lambda: len(self.received) >= count, 30)
            return self.received[:count]

    @contextmanager
    def serving(self) -> Iterator[Receiver]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.news:
                    status = receiver.statuses[0]
                    receiver.statuses = receiver.statuses[1:] or receiver.statuses
                    receiver.received.append((self.path, dict(self.headers), body))
                    receiver.news.notify_all()
                self.send_response(status)
                self.send_header("Location", "http://127.0.0.1:1/")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.port = server.server_address[1]
            yield self
            server.shutdown()


def document(event: TableEvent, state: dict[str, Any] = STATE) -> dict[str, Any]:
    return event_document(event, state, "truco", 7)


@contextmanager
def running(*found: Hook) -> Iterator[None]:
    tasks = [asyncio.get_running_loop().create_task(each.run()) for each in found]
    try:
        yield
    finally:
        for each in tasks:
            each.cancel()


def hook(
    receiver: Receiver, number: int = 1, events: tuple[str, ...] = EVENTS, secret: str = ""
) -> Hook:
    section = HookSection(f"http://127.0.0.1:{receiver.port}/in", events, secret)
    return Hook(number, section, pauses=(0.0, 0.0))


# ---- events -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "change", "found"),
    [
        ({}, {}, []),
        ({}, {"pending": TRUCO["pending"]}, [TableEvent("call.truco", "B")]),
        (
            {"pending": TRUCO["pending"]},
            {"pending": {"by": "A", "call": "retruco"}},
            [TableEvent("call.retruco", "A")],
        ),
        ({"pending": TRUCO["pending"]}, {"pending": None}, [TableEvent("answer", "B")]),
        ({}, {"score": {"A": 14, "B": 9}}, [TableEvent("score", "A", 2)]),
        ({}, {"score": {"A": 11, "B": 9}}, [TableEvent("score", "A", -1)]),
        (
            {},
            {"score": {"A": 30, "B": 9}, "winner": "A"},
            [TableEvent("score", "A", 18), TableEvent("game.over", "A")],
        ),
        # The next game of a series begins at nothing.
        ({}, {"score": {"A": 0, "B": 0}, "games": {"A": 1, "B": 0}}, []),
        ({}, {"match": OFFERED}, [TableEvent("match.called")]),
        ({"match": OFFERED}, {"match": {**OFFERED, "rev": 18}}, [TableEvent("match.called")]),
        ({"match": OFFERED}, {"match": {**OFFERED, "phase": "accepted"}}, []),
        (
            {"match": {**OFFERED, "phase": "ended"}},
            {"match": {**OFFERED, "phase": "agreed"}},
            [TableEvent("match.over")],
        ),
    ],
)
def test_an_event_is_what_changes_between_two_states(
    before: dict[str, Any], change: dict[str, Any], found: list[TableEvent]
) -> None:
    first = {**STATE, **before}
    assert [*events_between(first, {**first, **change})] == found
    assert [*events_between(None, {**first, **change})] == [], "the link has just begun"


def test_an_event_says_who_it_is_about() -> None:
    found = document(TableEvent("call.truco", "B"), TRUCO)
    assert (found["team"], found["color"], found["call"]) == ("La Yunta", "0096FF", "truco")
    called = document(TableEvent("match.called"), {**STATE, "match": OFFERED})
    assert called["teams"] == ["Los Ñatos", "Ana y Beto"]
    assert (called["match"], called["table"], called["side"]) == ("Z1-R1-M1", 7, "")


def test_colours_are_those_of_a_light_strip() -> None:
    shown = {name: "".join(f"{part:02X}" for part in colour) for name, colour in COLOURS.items()}
    assert {each.value: shown[each.value] for each in LampColour} == COLORS


def test_the_page_has_every_key_of_an_event() -> None:
    section = PAGE.partition('id="events"')[2].partition("With `secret`")[0]
    keys = {
        key
        for line in section.partition("| key |")[2].splitlines()
        if line.startswith("| `")
        for key in re.findall(r"`([a-z]+)`", line.split("|")[1])
    }
    assert keys == {*document(TableEvent("answer")), "id"}
    assert {*SAMPLE} == set(re.findall(r"\$([a-z]+)", PAGE)) - {"colour"}


# ---- sending ------------------------------------------------------------------------------------


@awaited
async def test_an_address_gets_what_it_wants_signed() -> None:
    with Receiver().serving() as receiver:
        wanted = hook(receiver, events=("call.truco",), secret="long")
        with running(wanted):
            for each in (TableEvent("score", "A", 2), TableEvent("call.truco", "A")):
                wanted.publish(document(each))
            [(path, headers, body)] = await asyncio.to_thread(receiver.wait_for, 1)
    assert path == "/in"
    assert headers["X-Truco-Event"] == "call.truco"
    assert headers["Content-Type"] == "application/json"
    expected = "sha256=" + hmac.new(b"long", body, sha256).hexdigest()
    assert headers["X-Truco-Signature"] == signature_of("long", body) == expected
    found = json.loads(body)
    assert re.fullmatch("[0-9a-f]{32}", found.pop("id"))
    assert found == document(TableEvent("call.truco", "A"))


@awaited
async def test_tries_are_bounded_and_have_one_id(capfd: pytest.CaptureFixture[str]) -> None:
    with Receiver(500, 503, 200, 500, 429, 500, 200).serving() as receiver:
        wanted = hook(receiver)
        with running(wanted):
            for at in range(3):
                wanted.publish(document(TableEvent("score", "A", at)))
            received = await asyncio.to_thread(receiver.wait_for, 7)
    points = [json.loads(body)["points"] for *_, body in received]
    # The second event was given up after its third try.
    assert points == [0, 0, 0, 1, 1, 1, 2]
    assert len({json.loads(body)["id"] for *_, body in received}) == 3
    said = capfd.readouterr().err
    assert "hook 1: it answers 500" in said and "hook 1: it takes events again" in said


@pytest.mark.parametrize("status", [302, 404])
@awaited
async def test_a_redirect_or_a_refusal_is_not_tried_again(status: int) -> None:
    with Receiver(status, 200).serving() as receiver:
        wanted = hook(receiver)
        with running(wanted):
            for at in range(2):
                wanted.publish(document(TableEvent("score", "A", at)))
            received = await asyncio.to_thread(receiver.wait_for, 2)
    assert [json.loads(body)["points"] for *_, body in received] == [0, 1]


@awaited
async def test_an_address_that_hangs_delays_no_other_one() -> None:
    # Connections wait to be accepted.
    with socket.create_server(("127.0.0.1", 0)) as silent, Receiver().serving() as receiver:
        port = silent.getsockname()[1]
        stuck = Hook(1, HookSection(f"http://127.0.0.1:{port}/"), pauses=(0.0, 0.0))
        good = hook(receiver, 2)
        with running(stuck, good):
            for at in range(5):
                for each in (stuck, good):
                    each.publish(document(TableEvent("score", "A", at)))
            received = await asyncio.to_thread(receiver.wait_for, 5)
    assert [json.loads(body)["points"] for *_, body in received] == [*range(5)]


@awaited
async def test_what_waits_is_bounded_and_old_events_are_dropped() -> None:
    now = [0.0]
    with Receiver().serving() as receiver:
        section = HookSection(f"http://127.0.0.1:{receiver.port}/")
        wanted = Hook(1, section, monotonic=lambda: now[0])
        wanted.publish(document(TableEvent("score", "A", 1)))
        now[0] = MAX_AGE + 1
        for at in range(MAX_WAITING + 10):
            wanted.publish(document(TableEvent("score", "A", 100 + at)))
        with running(wanted):
            received = await asyncio.to_thread(receiver.wait_for, MAX_WAITING)
    assert [json.loads(body)["points"] for *_, body in received] == [*range(110, 110 + MAX_WAITING)]


@pytest.mark.parametrize(
    ("host", "is_it"),
    [
        *((each, True) for each in ("127.0.0.1", "10.1.2.3", "192.168.1.9", "172.16.0.1", "::1")),
        *((each, True) for each in ("169.254.1.1", "fe80::1%eth0", "fd12::1", "::ffff:10.0.0.1")),
        *((each, False) for each in ("8.8.8.8", "172.32.0.1", "2001:4860::1", "::ffff:8.8.8.8")),
    ],
)
def test_private_addresses_are_those_of_a_house(host: str, *, is_it: bool) -> None:
    assert is_private(host) is is_it


@awaited
async def test_an_address_outside_gets_nothing_unless_the_owner_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Receiver().serving() as receiver:
        # The name leads to this machine, which counts as outside here.
        monkeypatch.setattr(hooks, "is_private", lambda _: False)
        section = HookSection(f"http://localhost:{receiver.port}/")
        with pytest.raises(hooks.HookFailed, match="public = true"):
            await hooks.post(section, "answer", b"{}")
        assert receiver.received == []
        assert await hooks.post(section._replace(public=True), "answer", b"{}") == 200


@pytest.mark.parametrize("answer", [b"", b"\0" * 40_000, b"HTTP/1.1 200\r\n" + b"a: b\r\n" * 9000])
@awaited
async def test_an_answer_that_is_none_is_a_fault_and_nothing_more(answer: bytes) -> None:
    ended = asyncio.Event()

    async def reply(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            writer.write(answer)
            await writer.drain()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        ended.set()

    server = await asyncio.start_server(reply, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    section = HookSection(f"http://127.0.0.1:{port}/")
    wanted = Hook(1, section, pauses=())
    wanted.publish(document(TableEvent("answer")))
    with running(wanted):
        while wanted._said == "":
            await asyncio.sleep(0)
    await ended.wait()
    server.close()


def test_a_name_stays_in_its_text() -> None:
    body = '{"team": "$team", "on": true}'
    found = body_of(
        HookSection("http://127.0.0.1/", body=body), document(TableEvent("call.truco", "A"))
    )
    assert json.loads(found) == {"team": 'Los "Ñatos"', "on": True}


# ---- the recipes of the page --------------------------------------------------------------------


def recipe(anchor: str) -> list[HookSection]:
    """The hooks of a recipe of docs/operators/link.md."""
    text = PAGE.partition(f'<a id="{anchor}"></a>')[2]
    toml = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0]
    return [
        HookSection(**{**each, "events": tuple(each["events"])})
        for each in tomllib.loads(toml)["hook"]
    ]


def sent_by(written: list[HookSection], *events: TableEvent) -> list[tuple[str, bytes]]:
    """What a server at these addresses gets of events: paths and bodies."""
    state = {**TRUCO, "match": OFFERED}

    async def send() -> list[tuple[str, bytes]]:
        with Receiver().serving() as receiver:
            moved = [
                Hook(
                    at, each._replace(address=f"http://127.0.0.1:{receiver.port}{each.target.path}")
                )
                for at, each in enumerate(written, 1)
            ]
            with running(*moved):
                for at, event in enumerate(events, 1):
                    for each in moved:
                        each.publish(document(event, state))
                    received = await asyncio.to_thread(receiver.wait_for, at)
        return [(path, body) for path, _, body in received]

    return asyncio.run(send())


def test_the_recipe_for_wled_blinks_in_the_colour_of_the_team_and_ends() -> None:
    sent = sent_by(recipe("wled"), TableEvent("call.truco", "B"), TableEvent("answer", "B"))
    assert [path for path, _ in sent] == ["/json/state"] * 2
    first, then = (json.loads(body) for _, body in sent)
    # https://kno.wled.ge/interfaces/json-api/: a colour may be six hexadecimal digits; effect 1 is
    # Blink; ps is the id of a preset.
    [segment] = first["seg"]
    assert segment["col"][0] == COLORS["sky_blue"] and segment["fx"] == 1 and first["on"] is True
    assert set(first) <= {"on", "bri", "tt", "seg"} and set(segment) <= {"id", "fx", "sx", "col"}
    assert 0 <= segment["sx"] <= 255 and 0 <= first["bri"] <= 255
    assert then == {"ps": 1}


def test_the_recipe_for_home_assistant_names_table_and_teams() -> None:
    [(path, body)] = sent_by(recipe("home-assistant"), TableEvent("match.called"))
    yaml = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[0]
    assert path == f"/api/webhook/{re.findall('webhook_id: (.+)', yaml)[0]}"
    template = re.findall('message: "(.+)"', yaml)[0]
    made = jinja2.Template(template).render(trigger={"json": json.loads(body)})
    assert made == "Mesa 7: Los Ñatos - Ana y Beto"
