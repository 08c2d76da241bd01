"""Wall and desk in Chromium: boxes, scores, alarms and results.

The boxes are clients that speak link/v1 with a real hub.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import pytest

from scorer.hall import wire
from scorer.hall.rows import Opening
from scorer.hall.wire import CallRequest
from scorer.i18n import languages
from tests.hub.boxes import HEADER, greet, row, rows_message
from tests.hub.hub_process import Client, HubProcess
from tests.hub.joining_box import JoiningBox, join_box, log_in
from tests.hub.pages.evening_tools import agreeing, refusing
from tests.hub.test_result import HEADER as MATCH_HEADER
from tests.hub.test_result import ROWS, code, playing
from tests.hub.test_server import wait_for
from tests.hub.tournament_pages import whole_state
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser

MOST_STOPS = 200  # of Tab
FOCUSED = "selector => document.activeElement.matches(selector)"
OUTSIDE = """() => {
    const wide = document.documentElement.clientWidth;
    const found = [];
    if (document.documentElement.scrollWidth > wide) found.push("page");
    for (const each of document.querySelectorAll("button, summary, input, p, h1, h2, small")) {
        if (!each.checkVisibility()) continue;
        const box = each.getBoundingClientRect();
        if (box.width && (box.right > wide + 1 || box.left < -1)) found.push(each.textContent);
        if (!each.matches("button, input, summary") || !box.width) continue;
        if (each.scrollWidth > each.clientWidth + 1) found.push(`cut ${each.textContent}`);
        if (box.height < 44) found.push(`low ${each.textContent}`);
    }
    return found;
}"""
GAME = Opening(1, 1, HEADER + '\n[NameA "La Yunta"]\n[NameB "Los Pibes del Fondo de la Calle"]\n')


@pytest.fixture
def client(hub: HubProcess) -> Client:
    """The desk without a browser."""
    return log_in(hub)


def wall_of(hub: HubProcess, query: str = "") -> str:
    return f"http://127.0.0.1:{hub.wall[1]}/{query}"


def desk_of(hub: HubProcess, path: str = "/desk") -> str:
    return f"https://127.0.0.1:{hub.desk[1]}{path}"


def open_desk(page: Page, hub: HubProcess, path: str = "/desk") -> None:
    """Log in by keyboard; the name has the focus."""
    page.goto(desk_of(hub, path))
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    page.keyboard.type("ana")
    page.keyboard.press("Tab")
    page.keyboard.type("secret word")
    page.keyboard.press("Enter")
    page.wait_for_selector("#desk:not([hidden])")


@contextmanager
def desk_page(browser: Browser, hub: HubProcess, size: str) -> Iterator[Page]:
    """The desk in a window of its own."""
    with blank(browser, size, ignore_https_errors=True) as page:
        open_desk(page, hub)
        yield page


def press(page: Page, selector: str, key: str = "Enter") -> None:
    """Reach a control with Tab, and press a key."""
    page.wait_for_selector(selector)
    for _ in range(MOST_STOPS):
        if page.evaluate(FOCUSED, selector):
            page.keyboard.press(key)
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def send(box: JoiningBox, path: str, message: wire.Request) -> None:
    assert box.client.post(path, wire.encode(message), box.token).status == 200


def play(box: JoiningBox) -> None:
    """The first rows: La Yunta leads 1 to 0."""
    send(box, wire.GREET_PATH, greet())
    rows = [row(1), row(2, "B no_quiero"), row(3, "- new_hand")]
    send(box, wire.ROWS_PATH, rows_message(rows, openings=(GAME,)))


def scores(page: Page) -> list[str]:
    return [*page.locator(".table .score").all_text_contents()]


def check_hours(desk: Page) -> None:
    """An alarm shows its hour, or its age while the clock is not trusted."""
    for is_trusted, shown in ((True, "02:30"), (False, "hace 3 minutos")):
        clock = {"clock_is_trusted": is_trusted, "now": "2026-11-22T17:33:10Z"}
        desk.route("**/desk/state?**", partial(answer_with, clock))
        desk.wait_for_selector(f"#alarms small:has-text('{shown}')")
        desk.unroute("**/desk/state?**")


def answer_with(clock: dict[str, object], route: Route) -> None:
    """The state of the hub with another clock and an alarm of 17:30."""
    state = {**whole_state(route).json(), **clock}
    state["alarms"] = [{**each, "at": "2026-11-22T17:30:05Z"} for each in state["alarms"]]
    route.fulfill(json=state)


def test_a_box_joins_and_is_removed_by_keyboard_alone(hub: HubProcess, browser: Browser) -> None:
    log_in(hub)
    with (
        blank(browser, "desktop", ignore_https_errors=True) as desk,
        blank(browser, "desktop") as wall,
    ):
        open_desk(desk, hub)
        assert desk.inner_text("#title") == "Club Tres de Copas · Mesa de control"
        wall.goto(wall_of(hub))
        wall.wait_for_selector("text=Todavía no hay mesas")
        box = JoiningBox(hub.client(), hub.pin)
        digits = box.show_digits()
        desk.wait_for_selector(f".code:text-is('{digits[:3]} {digits[3:]}')")
        press(desk, "#candidates input", "ArrowUp")
        press(desk, "[data-name=accept]")
        desk.wait_for_selector("#boxes >> text=Mesa 2")
        wall.wait_for_selector(".table:has-text('Mesa 2'):has-text('sin conexión')")
        # Greeted, but without rows: the score changes while both pages are open.
        play(box)
        wall.wait_for_selector(".table .score:text-is('1')")
        assert scores(wall) == ["1", "0"]
        desk.wait_for_selector("#boxes .score b:text-is('1')")
        press(desk, "summary")
        press(desk, "#boxes [data-name=label]", "F")
        press(desk, "[data-name=save]")
        wall.wait_for_selector(".table:has-text('Mesa 2 · F')")
        desk.wait_for_selector("#boxes p:has-text('Mesa 2 · F')")
        asked: list[str] = []

        desk.on("dialog", agreeing(asked))
        press(desk, "summary")
        press(desk, "[data-name=revoke]")
        desk.wait_for_selector("#boxes:has-text('Todavía no hay mesas')")
        assert asked == ["La caja de la mesa 2 deja de ser de esta sala. ¿Quitarla?"]
        wall.wait_for_selector("text=Todavía no hay mesas")
    assert box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token).status == 401


def test_a_table_that_has_a_box_is_given_to_another_one_only_after_a_question(
    hub: HubProcess, client: Client, browser: Browser
) -> None:
    play(join_box(hub, client, "8" * 32, 7))
    JoiningBox(hub.client(), hub.pin, "9" * 32, machine="b70e").show_digits()
    asked: list[str] = []

    with blank(browser, "phone", ignore_https_errors=True) as desk:
        open_desk(desk, hub)
        desk.fill("#candidates [data-name=table]", "7")
        desk.once("dialog", refusing(asked))
        desk.click("[data-name=accept]")
        assert asked.pop() == (
            "La mesa 7 ya tiene una caja: caja a91c, conectada ahora.\n"
            "Ahí se juega: La Yunta 1 – Los Pibes del Fondo de la Calle 0.\n"
            "Esa caja pierde la mesa. Queda en «Cajas sin mesa», y desde ahí puede volver.\n"
            "¿Poner la otra caja en la mesa 7?"
        )
        assert desk.locator("#candidates .code").count() == 1
        desk.on("dialog", agreeing(asked))
        desk.click("[data-name=accept]")
        desk.wait_for_selector("#boxes:has-text('caja b70e')")
        desk.wait_for_selector("#replaced:has-text('caja a91c'):has-text('mesa 7')")
        assert axe_violations(desk) == []
        assert desk.evaluate(OUTSIDE) == []
        desk.click("[data-name=reinstate]")
        desk.wait_for_selector("#boxes:has-text('caja a91c')")
        desk.wait_for_selector("#replaced:has-text('caja b70e')")
        assert "caja b70e" in asked[-1]
        desk.fill("#replaced [data-name=table]", "8")
        desk.click("[data-name=reinstate]")
        desk.wait_for_selector("#boxes:has-text('caja b70e')")
        assert desk.locator("#replaced").is_hidden()
        assert len(asked) == 2


def test_a_wrong_password_is_said_in_the_language_of_the_page(
    hub: HubProcess, client: Client, browser: Browser
) -> None:
    with blank(browser, "phone", ignore_https_errors=True) as page:
        page.goto(desk_of(hub, "/desk?lang=pt-BR"))
        page.wait_for_selector("#login:not([hidden])")
        page.fill("#name", "ana")
        page.fill("#password", "another word")
        page.click("#enter")
        page.wait_for_selector("#login .problem:has-text('Nome ou senha incorretos')")
        page.wait_for_function(FOCUSED, arg="#password[aria-invalid=true]")
        assert page.locator("#desk").is_hidden()


def test_a_call_says_why_and_its_one_button_closes_it(
    hub: HubProcess, client: Client, browser: Browser
) -> None:
    box = join_box(hub, client, "5" * 32, 5)
    with blank(browser, "desktop", ignore_https_errors=True) as desk:
        open_desk(desk, hub)
        send(box, wire.CALL_PATH, CallRequest("c41", "Z2-R1-M3", "contest"))
        desk.wait_for_selector("#alarms >> text=Mesa 5: un equipo no acepta el resultado")
        assert "Partido Z2-R1-M3" in desk.inner_text("#alarms")
        check_hours(desk)
        assert desk.locator("#alarms button").all_text_contents() == ["Atendido"]
        press(desk, "#alarms button")
        # Boxes of other tests may be missed by now.
        desk.wait_for_selector("#alarms:not(:has-text('no acepta el resultado'))")
        assert desk.evaluate("document.activeElement.id") == "alarms-title"


def test_a_score_that_changes_takes_no_focus_and_closes_nothing(
    hub: HubProcess, client: Client, browser: Browser
) -> None:
    box = join_box(hub, client, "5" * 32, 5)
    with blank(browser, "desktop", ignore_https_errors=True) as desk:
        open_desk(desk, hub)
        press(desk, "summary")
        press(desk, "#boxes [data-name=label]", "F")
        play(box)
        desk.wait_for_selector("#boxes .score b:text-is('1')")
        assert desk.evaluate(FOCUSED, "[data-name=label]")
        assert desk.input_value("[data-name=label]") == "F"
        assert desk.locator("details[open]").count() == 1


def test_a_silent_box_is_grey_until_it_is_heard(
    hub: HubProcess, client: Client, browser: Browser
) -> None:
    box = join_box(hub, client, "6" * 32, 6)
    play(box)
    with blank(browser, "desktop") as wall:
        wall.goto(wall_of(hub))
        wall.wait_for_selector(".table:not(.silent)")
        hub.kill()
        hub.start()
        wall.wait_for_selector(".table.silent:has-text('sin conexión')")
        assert scores(wall) == ["1", "0"]
        again = hub.client()
        assert again.post(wire.GREET_PATH, wire.encode(greet(0)), box.token).status != 401
        wall.wait_for_selector(".table:not(.silent)")


def test_the_code_of_a_panel_is_accepted_by_who_is_logged_in(
    hub: HubProcess, client: Client, browser: Browser
) -> None:
    token = "7" * 32
    box, rev = playing(hub, client, token, 7)
    text = code(rev, token=token)
    with blank(browser, "phone", ignore_https_errors=True) as desk:
        open_desk(desk, hub, f"/Q/{text}")
        desk.wait_for_selector("#scan:has-text('¿Aceptar este resultado?')")
        assert re.search(r"La Yunta\s*30\s*Ellos\s*0", desk.inner_text("#scan"))
        assert axe_violations(desk) == []
        assert desk.evaluate(OUTSIDE) == []
        press(desk, "#scan [data-name=accept]")
        desk.wait_for_selector("#results:has-text('aceptado por ana')")
        assert desk.url.endswith("/desk")
        assert "las jugadas llegan cuando haya red" in desk.inner_text("#results")
        message = rows_message(ROWS, openings=(Opening(1, 1, MATCH_HEADER),))
        send(box, wire.ROWS_PATH, message)
        desk.wait_for_selector("#results:has-text('las jugadas dicen lo mismo')")
        desk.goto(desk_of(hub, f"/Q/{text}"))
        desk.wait_for_selector("#scan:has-text('ya está aceptado')")
        assert desk.locator("#scan [data-name=accept]").count() == 0
        desk.goto(desk_of(hub, f"/Q/{text[:-1]}"))
        desk.wait_for_selector("#problem:has-text('no está completo')")


def crowd(hub: HubProcess, client: Client) -> None:
    """A hall with something of everything that the pages show."""
    first = join_box(hub, client, "1" * 32, 1)
    play(first)
    second, rev = playing(hub, client, "2" * 32, 2)
    assert client.desk("/desk/act", {"do": "scan", "code": code(rev, token="2" * 32)}).status == 200
    for number, why in enumerate(("director", "table", "contest")):
        send(first, wire.CALL_PATH, CallRequest(f"c{number}", "Z2-R1-M3", why))
    fork = rows_message([row(1, "A envido")], openings=(GAME,))
    assert first.client.post(wire.ROWS_PATH, wire.encode(fork), first.token).status == 423
    gaps = wire.encode(rows_message([row(1)])).replace(b'"first":1', b'"first":9')
    assert second.client.post(wire.ROWS_PATH, gaps, second.token).status == 422
    JoiningBox(hub.client(), hub.pin, "3" * 32).show_digits()
    wait_for(lambda: len(client.get("/desk/state").document["alarms"]) == 5)


def test_every_page_is_whole_in_every_language_and_axe_finds_nothing(
    hub: HubProcess, client: Client, browser: Browser
) -> None:
    with (
        blank(browser, "phone", ignore_https_errors=True) as phone,
        blank(browser, "desktop", ignore_https_errors=True) as desktop,
    ):
        for page in (phone, desktop):
            page.goto(desk_of(hub))
            page.wait_for_selector("#login:not([hidden])")
            assert axe_violations(page) == []
            open_desk(page, hub)
            assert axe_violations(page) == [], "an empty hall"
        crowd(hub, client)
        for language in languages():
            for page in (phone, desktop):
                page.goto(desk_of(hub, f"/desk?lang={language}"))
                page.wait_for_selector("#alarms .alarm >> nth=4")
                page.click("summary >> nth=0")
                assert page.evaluate(OUTSIDE) == [], language
                text = page.inner_text("body")
                assert re.findall(r"undefined|null|NaN|\{|\[object|hub\.", text) == []
                if language == languages()[0]:
                    assert axe_violations(page) == []
        for page in (phone, desktop):
            page.goto(wall_of(hub))
            page.wait_for_selector(".table >> nth=1")
            assert page.evaluate(OUTSIDE) == []
            assert axe_violations(page) == []
