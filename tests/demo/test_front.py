"""The front panel without a browser: input, labels, request guard, whole hands.

The server is real, on a real socket; time is simulated, except in the last tests, which use the
real table.
"""

from __future__ import annotations

import json
import signal
import socket
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import httpx
import pytest

from scorer.demo import command, keys
from scorer.demo.button_labels import button_words, legend, unused_buttons
from scorer.demo.buttons import BOUNCE
from scorer.demo.demo_table import DemoTable
from scorer.demo.finger_model import SHORTEST, FingerModel
from scorer.demo.front import server as serving
from scorer.demo.front.page_input import (
    MAX_GAP,
    PageEdge,
    PageFingers,
    WrongRequest,
    parse_edges,
    parse_object,
)
from scorer.demo.live_demo import LiveDemo
from scorer.i18n import languages, translator
from scorer.rules import find_variant, rules_for, variant_ids
from tests.demo.demo_rigs import FakeCommand
from tests.demo.front_process import JsonObject, child_processes, open_page, running_front
from tests.support.coroutines import awaited_in
from tests.web.server_process import events as board_events
from tests.web.server_process import first_event

SAY = translator("es-AR")
CONSOLE = ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
FEW = ("truco", "envido", "quiero", "tantos")
FULL = [*(f"{side}.{key}" for side in "AB" for key in CONSOLE), "undo", "menu"]
COMPACT = [*(f"{side}.{key}" for side in "AB" for key in FEW), "undo"]
THREE = [*FULL[:-2], *(f"C.{key}" for key in FEW), *FULL[-2:]]


# ---- buttons -------------------------------------------------------------------------------------


def test_a_touched_button_is_down_until_it_is_lifted() -> None:
    hands = FingerModel(Random(3))
    hands.touch("undo", 1.0)
    assert hands.touched(50.0) == hands.held() == frozenset({"undo"})
    assert [edge.level for edge in hands.due(50.0)][-1] == 0
    hands.lift("undo", 51.0)
    assert [edge.level for edge in hands.due(60.0)][-1] == 1
    assert hands.touched(51.0 + 2 * BOUNCE) == hands.held() == frozenset()


def test_a_programmatic_click_has_the_minimum_length() -> None:
    hands = FingerModel(Random(3))
    hands.touch("undo", 1.0)
    hands.lift("undo", 1.0)
    edges = hands.due(2.0)
    assert edges[0].time == 1.0
    assert edges[-1].time >= 1.0 + SHORTEST


def test_without_power_edges_are_dropped_and_touched_buttons_stay_down() -> None:
    hands = FingerModel(Random(3))
    hands.touch("undo", 1.0)
    hands.touch("menu", 1.0)
    hands.clear()
    assert hands.due(9.0) == []
    hands.lift("menu", 9.0)
    assert hands.held() == frozenset({"undo"})
    assert {edge.line for edge in hands.due(10.0)} == {"menu"}


class Clock:
    """A manually advanced clock."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def pages(*names: str) -> tuple[PageFingers, FingerModel, Clock]:
    hands, clock = FingerModel(Random(3)), Clock()
    fingers = PageFingers(hands, clock)
    for name in names:
        fingers.add_page(name)
    return fingers, hands, clock


def test_the_length_of_a_press_is_the_pages_whenever_it_arrives() -> None:
    fingers, hands, _ = pages("one")
    fingers.move("one", [PageEdge(5000.0, "undo", True), PageEdge(5900.0, "undo", False)])
    assert [edge.level for edge in hands.due(100.5)][-1] == 0
    assert hands.due(100.8) == []
    assert [edge.level for edge in hands.due(101.0)][-1] == 1


def test_later_edges_of_a_page_happen_later() -> None:
    fingers, hands, _ = pages("one")
    fingers.move("one", [PageEdge(0.0, "undo", True), PageEdge(600.0, "undo", False)])
    fingers.move("one", [PageEdge(601.0, "menu", True)])
    first, *_, last = hands.due(200.0)
    assert (first.line, last.line) == ("undo", "menu")


def test_a_button_is_down_while_any_page_holds_it() -> None:
    fingers, hands, _ = pages("one", "two")
    for page in ("one", "two"):
        fingers.move(page, [PageEdge(0.0, "undo", True)])
    fingers.move("one", [PageEdge(1.0, "undo", False)])
    assert hands.held() == frozenset({"undo"})
    fingers.remove_page("two")
    assert hands.held() == frozenset()


def test_a_page_that_disconnects_releases_its_buttons() -> None:
    fingers, hands, clock = pages("one")
    fingers.move("one", [PageEdge(0.0, "undo", True), PageEdge(0.0, "menu", True)])
    hands.due(101.0)
    clock.now = 130.0
    fingers.remove_page("one")
    fingers.remove_page("one")
    assert {edge.line for edge in hands.due(131.0)} == {"undo", "menu"}
    with pytest.raises(WrongRequest, match="load it again"):
        fingers.move("one", [])


def test_a_page_cannot_schedule_presses_far_ahead() -> None:
    fingers, hands, _ = pages("one")
    fingers.move("one", [PageEdge(0.0, "undo", True), PageEdge(1e14, "undo", False)])
    assert [edge.level for edge in hands.due(100.0 + MAX_GAP + 1)][-1] == 1


WRONG = (
    # edges                                   part of the message
    (None,                                    "edges are"),
    ([[1, "undo"]],                           "edges are"),
    ([[1, "undo", 1]],                        "edges are"),
    ([[True, "undo", True]],                  "edges are"),
    ([["1", "undo", True]],                   "edges are"),
    ([[float("nan"), "undo", True]],          "edges are"),
    ([[float("inf"), "undo", True]],          "edges are"),
    ([[10**400, "undo", True]],               "edges are"),
    ([[1, ["undo"], True]],                   "edges are"),
    ([[1, "C.truco", True]],                  "no button 'C.truco'; there are A.envido"),
    ([[1, "undo", True], [2, "", False]],     "no button ''"),
)  # fmt: skip


@pytest.mark.parametrize(("value", "sentence"), WRONG, ids=lambda each: str(each)[:30])
def test_invalid_edges_are_rejected_with_a_reason(value: object, sentence: str) -> None:
    with pytest.raises(WrongRequest) as wrong:
        parse_edges(value, FULL)
    assert sentence in str(wrong.value)


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_object_is_rejected(body: bytes) -> None:
    with pytest.raises(WrongRequest, match="one JSON object"):
        parse_object(body)


# ---- labels of the buttons -----------------------------------------------------------------------

LABELS = (
    # variant       language  lines    button         word         small
    ("argentine",   "es-AR",  FULL,    "A.truco",     "TRUCO",     ""),
    ("argentine",   "es-AR",  FULL,    "B.tantos",    "TANTOS",    ""),
    ("argentine",   "es-UY",  FULL,    "B.tantos",    "PUNTOS",    ""),
    ("argentine",   "en",     FULL,    "A.quiero",    "QUIERO",    ""),
    ("argentine",   "es-AR",  FULL,    "undo",        "UNDO",      "deshacer"),
    ("argentine",   "es-AR",  COMPACT, "undo",        "UNDO",      "mantener: MENU"),
    ("argentine",   "es-AR",  COMPACT, "A.quiero",    "QUIERO",    "mantener: NO QUIERO"),
    ("argentine",   "es-AR",  COMPACT, "A.envido",    "ENVIDO",    ""),
    ("uruguayan",   "es-UY",  COMPACT, "A.envido",    "ENVIDO",    "mantener: FLOR"),
    ("paulista",    "pt-BR",  COMPACT, "A.envido",    "NÃO QUERO", ""),
    ("paulista",    "es-AR",  COMPACT, "B.quiero",    "QUIERO",    ""),
    ("paulista",    "pt-BR",  FULL,    "A.envido",    "ENVIDO",    ""),
    ("valencian",   "en",     FULL,    "A.truco",     "TRUCO",     ""),
    ("valencian",   "es-AR",  FULL,    "A.no_quiero", "NO QUIERO", ""),
    ("destantado",  "es-AR",  THREE,   "C.truco",     "TRUCO",     ""),
    ("destantado",  "es-AR",  THREE,   "C.quiero",    "QUIERO",    "mantener: NO QUIERO"),
    ("destantado",  "es-AR",  THREE,   "A.quiero",    "QUIERO",    ""),
)  # fmt: skip


@pytest.mark.parametrize(("variant", "language", "lines", "line", "word", "small"), LABELS)
def test_a_button_has_its_printed_label(
    variant: str, language: str, lines: list[str], line: str, word: str, small: str
) -> None:
    words = button_words(lines, rules_for(find_variant(variant)), translator(language))
    assert words[line] == [word, small]


@pytest.mark.parametrize("language", languages())
def test_every_button_of_every_variant_has_a_short_word(language: str) -> None:
    for variant in variant_ids():
        for lines in (FULL, COMPACT, THREE):
            words = button_words(lines, rules_for(find_variant(variant)), translator(language))
            assert list(words) == lines
            assert all(0 < len(word) <= 10 for word, _ in words.values()), (variant, words)


LEGENDS = (
    # variant, language, lines, console, entries
    ("argentine", "es-AR", FULL,    "A", "q TRUCO|w ENVIDO|a QUIERO|s NO QUIERO|d TANTOS"),
    ("uruguayan", "es-UY", FULL,    "B", "u TRUCO|i ENVIDO|o FLOR|j QUIERO|k NO QUIERO|l PUNTOS"),
    ("paulista", "pt-BR", FULL,    "A", "q TRUCO|a QUERO|s NÃO QUERO|d TENTOS"),
    ("uruguayan", "es-UY", COMPACT, "A", "q TRUCO|w ENVIDO|W FLOR|a QUIERO|A NO QUIERO|d PUNTOS"),
    ("paulista", "pt-BR", COMPACT, "A", "q TRUCO|w NÃO QUERO|a QUERO|d TENTOS"),
    ("argentine", "es-AR", COMPACT, "", "z UNDO|Z MENU"),
)  # fmt: skip


@pytest.mark.parametrize(("variant", "language", "lines", "console", "entries"), LEGENDS)
def test_the_legend_has_the_labels_of_the_buttons_that_the_truco_uses(
    variant: str, language: str, lines: list[str], console: str, entries: str
) -> None:
    letters = keys.lines_by_letter(lines)
    found = legend(letters, rules_for(find_variant(variant)), translator(language))
    assert found[console] == entries.split("|")
    assert list(found)[-1] == ""


def test_buttons_without_a_call_of_the_truco_are_unused() -> None:
    paulista = rules_for(find_variant("paulista"))
    assert unused_buttons(FULL, paulista) == {
        f"{c}.{key}" for c in "AB" for key in ("envido", "flor")
    }
    assert unused_buttons(COMPACT, paulista) == unused_buttons(FULL, None) == frozenset()


def test_a_table_with_unknown_rules_has_labels() -> None:
    assert button_words(COMPACT, None, SAY)["A.envido"] == ["ENVIDO", "mantener: FLOR"]


# ---- the server, with a table that only counts presses -------------------------------------------


class Server:
    """A front panel on a real socket, in simulated time."""

    def __init__(self, playing: LiveDemo, clock: Clock, client: httpx.AsyncClient) -> None:
        self.playing, self.clock, self.client = playing, clock, client

    async def turn(self, seconds: float = 1.0) -> None:
        """Advance the time and the table."""
        self.clock.now += seconds
        await self.playing.step()

    async def send(self, path: str, document: object, **headers: str) -> httpx.Response:
        own = {"Origin": str(self.client.base_url)} | headers
        return await self.client.post(path, json=document, headers=own)


@asynccontextmanager
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    clock = Clock()
    with DemoTable(FakeCommand(str(tmp_path))) as desk, serving.open_socket(0) as made:
        playing = LiveDemo(desk, clock)
        playing.power_on()
        front = serving.FrontPanel(playing, "es-AR")
        async with (
            serving.serve_front(front, playing, made) as url,
            httpx.AsyncClient(base_url=url, timeout=60) as client,
        ):
            yield Server(playing, clock, client)


class Watching:
    """The stream of a page, without the page."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.aiter_lines()

    async def next(self) -> JsonObject:
        """The next event's data."""
        async for line in self._lines:
            if line.startswith("data: "):
                message: JsonObject = json.loads(line.removeprefix("data: "))
                return message
        raise AssertionError("the stream has ended")


served = awaited_in(server)


@served
async def test_a_button_of_a_page_moves_a_pin_and_the_page_shows_the_result(here: Server) -> None:
    async with here.client.stream("GET", "/looks") as response:
        page = Watching(response)
        hello = await page.next()
        await here.turn()
        before = await page.next()
        assert (before["presses"], before["down"], before["buzzes"]) == (0, [], [])
        edges = [[0, "A.truco", True]]
        sent = {"finger": hello["finger"], "edges": edges}
        assert (await here.send("/fingers", sent)).status_code == 204
        await here.turn()
        after = await page.next()
        assert (after["presses"], after["verdict"]) == (1, "taken")
        assert after["down"] == ["A.truco"]
        assert after["buzzes"] == [[1, [[0.02, 0.02]]]]
        assert b64decode(after["panels"]["A"]["bits"]) != b64decode(before["panels"]["A"]["bits"])
    # The page has disconnected, so its button is released.
    await until(here, lambda: not here.playing.fingers.held())


async def until(here: Server, seen: Callable[[], bool]) -> None:
    """Step until ``seen`` is true, yielding to the event loop."""
    for _ in range(1000):
        if seen():
            return
        await here.turn(0.01)
    raise AssertionError("it never was so")


@served
async def test_panels_can_be_unplugged_and_the_power_cut(
    here: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorer.demo.live_demo.NO_POWER", 0.0)
    async with here.client.stream("GET", "/looks") as response:
        page = Watching(response)
        hello = await page.next()
        await here.turn()
        lit = (await page.next())["panels"]
        assert (await here.send("/plugs", {"panel": "A"})).status_code == 204
        await here.turn()
        loose = (await page.next())["panels"]
        assert (loose["A"]["plugged"], set(b64decode(loose["A"]["bits"]))) == (False, {0})
        assert loose["B"] == lit["B"]
        await here.send("/plugs", {"panel": "A"})
        await here.turn()
        assert (await page.next())["panels"] == lit
        pid = here.playing.table.ready.pid
        held = {"finger": hello["finger"], "edges": [[0, "undo", True]]}
        await here.send("/fingers", held)
        assert (await here.send("/plugs", {"wall": True})).status_code == 204
        await here.turn()
        assert (here.playing.is_powered_off, here.playing.table.ready.pid != pid) == (
            False,
            True,
        )
        # A button held during power-on is down from the start.
        assert here.playing.table.report.state["down"] == ["undo"]


REFUSED: tuple[tuple[str, object, dict[str, str], int], ...] = (
    # path          body                                  extra headers              status
    ("/fingers",    {"finger": "x", "edges": []},         {},                            400),
    ("/fingers",    {"edges": [[0, "D.truco", True]]},    {},                            400),
    ("/fingers",    [],                                   {},                            400),
    ("/plugs",      {"panel": "C"},                       {},                            400),
    ("/plugs",      {"wall": False},                      {},                            400),
    ("/plugs",      {"wall": True},                       {"Origin": "null"},            403),
    ("/plugs",      {"wall": True},                       {"Origin": "http://bar.example"}, 403),
    ("/plugs",      {"wall": True},                       {"Origin": "http://127.0.0.1"}, 403),
    ("/plugs",      {"wall": True},                       {"Origin": ""},                403),
    ("/plugs",      {"wall": True, "pad": "x" * 9000},    {},                            413),
    ("/plugs",      {"wall": True},                       {"Host": "bar.example"},       421),
    ("/plugs",      {"wall": True},                       {"Host": "127.0.0.1.bar.example"}, 421),
    ("/plugs",      {"wall": True},                       {"Host": "localhost@bar.example"}, 421),
    ("/nothing",    {},                                   {},                            404),
    ("/",           {},                                   {},                            405),
)  # fmt: skip


@served
async def test_only_pages_served_here_may_press_buttons(here: Server) -> None:
    pid = here.playing.table.ready.pid
    for path, body, headers, status in REFUSED:
        answer = await here.send(path, body, **headers)
        assert answer.status_code == status, (path, body, headers)
        assert status in (404, 405) or answer.json()["error"]
    await here.turn()
    assert (here.playing.activity.presses, here.playing.table.ready.pid) == (0, pid)


@served
async def test_reading_needs_the_host_name_of_this_machine_and_framing_is_denied(
    here: Server,
) -> None:
    for path in ("/", "/page/front.js", "/looks"):
        answer = await here.client.get(path, headers={"Host": "bar.example"})
        assert answer.status_code == 421
    page = await here.client.get("/")
    assert 'lang="es-AR"' in page.text
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert (await here.client.get("/page/..%2fserving.py")).status_code == 404
    assert (await here.client.get("/board")).status_code == 404
    forwarded = await here.client.get("/", headers={"Host": "localhost:9000"})
    assert forwarded.status_code == 200


FOREIGN: tuple[dict[str, str], ...] = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},  # another port of this machine
    {"Origin": "http://bar.example"},
    {"Origin": "null"},
)


@served
async def test_another_site_may_link_to_the_page_and_starts_nothing(here: Server) -> None:
    for headers in FOREIGN:
        for path in ("/board", "/looks", "/page/front.js"):
            answer = await here.client.get(path, headers=headers)
            assert answer.status_code == 403, (path, headers)
        assert (await here.client.get("/", headers=headers)).status_code == 200
    for site in ("same-origin", "none"):
        answer = await here.client.get("/page/front.js", headers={"Sec-Fetch-Site": site})
        assert answer.status_code == 200


@served
async def test_every_file_of_the_page_has_its_content_type(here: Server) -> None:
    folder = Path(serving.__file__).with_name("page")
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    for file in folder.iterdir():
        if file.suffix in kinds:
            answer = await here.client.get(f"/page/{file.name}")
            assert answer.content == file.read_bytes()
            assert answer.headers["content-type"].startswith(kinds[file.suffix])


@served
async def test_the_number_of_pages_is_limited(
    here: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorer.demo.front.stream.MOST", 1)
    async with here.client.stream("GET", "/looks") as response:
        await Watching(response).next()
        assert (await here.client.get("/looks")).status_code == 503


# ---- the command ---------------------------------------------------------------------------------

USED_WRONGLY = (
    (("--front", "0", "--script", "-"), "use one of them"),
    (("--front", "off"), "or --front for a browser"),
)


@pytest.mark.parametrize(("arguments", "sentence"), USED_WRONGLY)
def test_conflicting_options_are_reported(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([*arguments]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("port", ["http", "65536", "-1", "1.5", "²"])
def test_an_invalid_port_is_reported(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main([f"--front={port}"])
    assert ended.value.code == 2
    assert "write --front 8081 or --front off" in capsys.readouterr().err


def test_a_port_in_use_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert command.main(["--front", str(port), "--store", str(tmp_path)]) == 2
    stderr = capsys.readouterr().err
    assert f"cannot listen at 127.0.0.1:{port} (Address already in use)" in stderr
    assert "choose another with --front PORT" in stderr


# ---- the real table ------------------------------------------------------------------------------


@pytest.mark.sampled(0)
def test_a_hand_is_played_over_http_and_the_board_follows(tmp_path: Path) -> None:
    with running_front(tmp_path / "store") as here, open_page(here.url) as page:
        assert page.snapshot["buttons"]["A.truco"] == ["TRUCO", ""]
        page.tap("A.truco")
        called = page.wait_for(lambda look: look["lamps"] == {"A": False, "B": True})
        assert "responde: Ellos" in " ".join(called["panels"]["A"]["said"])
        assert called["buzzes"], "a call sounds"
        page.tap("B.quiero")
        page.wait_for_words("vale 2")
        answer = page.get("/board")
        assert answer.status_code == 303
        page.tap("A.tantos")
        page.wait_for_words("+2 Nosotros")
        board = answer.headers["location"].partition("?")[0]
        with httpx.stream("GET", f"{board}events", timeout=60) as response:
            won = {"A": 2, "B": 0}
            first_event(board_events(response), lambda event: _score(event.data) == won)
        web = child_processes(here.process.pid, "web")
        here.process.send_signal(signal.SIGINT)
        assert here.process.wait(timeout=60) == 0
        assert web and not any(Path(f"/proc/{pid}").exists() for pid in web)


def _score(report: JsonObject) -> object:
    return report["state"] and report["state"]["score"]
