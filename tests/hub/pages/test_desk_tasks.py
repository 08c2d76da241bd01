"""What a tournament asks of the director at the desk, in Chromium."""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from scorer.hall import wire
from scorer.hall.joining import JoinState
from scorer.hall.wire import CallRequest
from scorer.i18n import languages
from tests.hub.joining_box import JoiningBox, log_in
from tests.hub.pages.evening_tools import agreeing
from tests.hub.pages.test_pages import FOCUSED, OUTSIDE, desk_of, desk_page, open_desk, press, send
from tests.hub.test_cards import card_of
from tests.hub.test_server import connected_box, wait_for
from tests.hub.test_stored_or_not import limit_files
from tests.hub.test_tournament import LIST, Director, Table, begin, join, win_zones
from tests.hub.tournament_pages import whole_state
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser

QUIET = "#alarms:has-text('Todo en orden')"


@contextmanager
def connected(*tables: Table) -> Iterator[None]:
    """Boxes that stay connected: after a minute of silence the desk would miss them."""
    with ExitStack() as stack:
        for table in tables:
            stack.enter_context(closing(connected_box(table.hub, table.box.token)))
        yield


def go(page: Page, director: Director, path: str = "/desk") -> None:
    page.goto(desk_of(director.hub, path))
    page.wait_for_selector("html[data-ready=yes]", state="attached")


def test_the_desk_leads_from_the_draw_to_the_bracket_by_keyboard(
    director: Director, browser: Browser
) -> None:
    format_ = {"format": "zones_and_bracket", "teams": LIST}
    director.act("t.begin", **format_, replaces=director.replaces)
    with desk_page(browser, director.hub, "desktop") as page:
        page.wait_for_selector("#alarms .alarm:has-text('Falta el sorteo')")
        assert page.locator("#alarms .alarm").count() == 1
        press(page, "#alarms [data-name=decide]")
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        assert page.evaluate(FOCUSED, "[data-name=seed]")
        director.event("Draw", seed="20261123")
        go(page, director)
        page.wait_for_selector("#alarms .alarm:has-text('Falta empezar: Zonas')")
        press(page, "#alarms [data-name=start]")
        page.wait_for_selector(QUIET)
        assert page.locator("#queue .entry").count() == 2
        win_zones(director)
        page.wait_for_selector("#alarms .alarm:has-text('Falta empezar: Llave')")
        press(page, "#alarms [data-name=start]")
        page.wait_for_selector(QUIET)
        assert page.locator("#problem").is_hidden()


def test_a_contested_an_agreed_and_a_late_match_are_tasks(
    director: Director, browser: Browser
) -> None:
    one, two = join(director, [1, 2])
    begin(director)
    director.act("t.publish_after", minutes=None)
    contested, agreed = (each["id"] for each in director.tournament["queue"][:2])
    director.act("t.call", match=contested, device=one.device)
    with connected(one, two), blank(browser, "desktop", ignore_https_errors=True) as page:
        open_desk(page, director.hub)
        page.wait_for_selector(QUIET)
        assert page.inner_text("#queue button") == "Llamar a la mesa 2"
        press(page, "#queue [data-name=call]")
        wait_for(lambda: director.state_of(agreed) == "offered")
        page.route("**/desk/state?**", late)
        page.wait_for_selector("#alarms .alarm >> nth=1")
        assert page.inner_text("#alarms").count("no empezó dentro de la tolerancia") == 2
        page.unroute("**/desk/state?**")
        two.play("A award 30", "A agree", "B agree")
        page.wait_for_selector("#alarms .alarm:has-text('Se publica al terminar la ronda')")
        press(page, "#alarms [data-name=publish]")
        page.wait_for_selector(QUIET)
        # The game that has ended stays; it is not one that is played there.
        box = "#boxes .entry > p:has-text('Mesa 2')"
        page.wait_for_selector(f"{box}:has-text('libre'):has-text('a 30')")
        press(page, "#queue [data-name=call]")
        page.wait_for_selector(f"{box}:has-text('a la mesa')")
        assert "a 30" not in page.inner_text(box)
        one.play("A award 30", "A agree", "B contest")
        page.wait_for_selector("#alarms .alarm:has-text('Mesa 1: resultado reclamado')")
        # The call of the table is about the same matter.
        send(one.box, wire.CALL_PATH, CallRequest("c1", contested, "contest"))
        page.wait_for_selector("#alarms .alarm:has-text('un equipo no acepta el resultado')")
        page.wait_for_selector("#alarms small:has-text('Zona')")
        assert page.locator("#alarms .alarm").count() == 1
        press(page, "#alarms [data-name=decide]")
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        assert page.evaluate(FOCUSED, f"[data-key='{contested}'] [data-name=result]")
        assert page.locator(f"[data-key='{contested}'] [data-name=save]").is_visible()


def test_the_desk_lists_the_first_matches_that_wait_and_links_to_the_others(
    director: Director, browser: Browser
) -> None:
    begin(director, "\n".join(f"Equipo {number}" for number in range(1, 61)))
    waiting = len(director.tournament["queue"])
    with desk_page(browser, director.hub, "phone") as page:
        page.wait_for_selector("#queue .entry >> nth=12")
        assert page.locator("#queue .entry").count() == 12 + 1
        more = page.locator("#queue .entry").last
        assert more.inner_text() == f"{waiting - 12} más, en la página del torneo"
        assert page.evaluate(OUTSIDE) == []
        more.locator("a").click()
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        assert page.locator("#queue .entry").count() == waiting
        assert page.evaluate(FOCUSED, "#queue-title")


def test_two_tables_exchange_their_matches_by_keyboard(
    director: Director, browser: Browser
) -> None:
    tables = join(director, [1, 2, 3])
    begin(director, f"{LIST}\nEquipo Gina\nEquipo Hugo")
    matches = [each["id"] for each in director.tournament["queue"]][:3]
    for match, table in zip(matches, tables, strict=True):
        director.act("t.call", match=match, device=table.device)
    for at in (0, 2):
        send(tables[at].box, wire.CALL_PATH, CallRequest(f"c{at}", matches[at], "table"))
    asked: list[str] = []

    with connected(*tables), blank(browser, "phone", ignore_https_errors=True) as page:
        page.on("dialog", agreeing(asked))
        open_desk(page, director.hub)
        page.wait_for_selector("#alarms .alarm >> nth=1")
        # The other table that is not theirs is chosen already.
        press(page, "#alarms [data-name=exchange]")
        page.wait_for_selector(QUIET)
        assert at_tables(director) == {1: matches[2], 2: matches[1], 3: matches[0]}
        assert re.match(r"Mesa 1: .+ – .+\. Mesa 3: .+ – .+\. ¿Intercambiar\?", asked[0])
        # Without an alarm, beside a table.
        press(page, "#boxes [data-name=edit]")
        press(page, "#boxes [data-name=other]", "ArrowUp")
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []
        press(page, "#boxes [data-name=exchange]")
        wait_for(lambda: at_tables(director)[1] == matches[1])
        assert at_tables(director) == {1: matches[1], 2: matches[2], 3: matches[0]}
        assert page.locator("#problem").is_hidden()


def at_tables(director: Director) -> dict[int, str]:
    listed = [each["match"] for each in director.tournament["tables"]]
    return {each["table"]: each["id"] for each in listed}


def late(route: Route) -> None:
    """The state of the hub, with every match past its tolerance."""
    state = whole_state(route).json()
    for each in state["tournament"]["tables"]:
        each["is_late"] = True
    route.fulfill(json=state)


def states(director: Director) -> set[str]:
    return {each["match"]["state"] for each in director.tournament["tables"]}


def test_the_desk_is_asked_before_a_box_with_a_card_takes_a_table(
    director: Director, browser: Browser
) -> None:
    (first,) = join(director, [1])
    box = JoiningBox(director.hub.client(), director.hub.pin, "9a" * 16)
    assert box.show_card(card_of(director.hub, 1)).state is JoinState.WAITING
    asked: list[str] = []

    with desk_page(browser, director.hub, "phone") as page:
        page.on("dialog", agreeing(asked))
        entry = "#candidates .entry"
        page.wait_for_selector(f"{entry}:has-text('la tarjeta de la mesa 1')")
        assert page.locator(f"{entry} .code").count() == 0
        assert page.input_value(f"{entry} [data-name=table]") == "1"
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []
        press(page, f"{entry} [data-name=accept]")
        page.wait_for_selector(entry, state="detached")
    assert len(asked) == 1 and "La mesa 1" in asked[0]
    assert box.wait().state is JoinState.ACCEPTED
    (now,) = director.desk["boxes"]
    assert now["table"] == 1 and now["device"] != first.device


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_tasks_fit_and_are_accessible_in_every_language(
    director: Director, browser: Browser, size: str
) -> None:
    one, two = join(director, [1, 2])
    begin(director, f"{LIST}\nEquipo Gina\nEquipo Hugo")
    director.act("t.publish_after", minutes=10)
    first, second, third, _ = director.tournament["queue"]
    director.act("t.call", match=first["id"], device=one.device)
    director.act("t.call", match=second["id"], device=two.device)
    director.event("MarkMissing", team=third["sides"][0]["team"])
    one.play("A award 30", "A agree", "B contest")
    two.play("A award 30", "A agree", "B agree")
    wait_for(lambda: states(director) == {"contested", "agreed"})
    with desk_page(browser, director.hub, size) as page:
        for language in languages():
            go(page, director, f"/desk?lang={language}")
            page.wait_for_selector("#alarms .alarm >> nth=1")
            assert page.locator("#queue .entry").count() == 2
            assert page.evaluate(OUTSIDE) == [], language
            assert axe_violations(page) == [], language
            text = page.inner_text("body")
            assert re.findall(r"undefined|null|NaN|\{|\[object|hub\.", text) == []


def test_a_helper_sees_what_a_director_has_to_begin(director: Director, browser: Browser) -> None:
    director.act("t.begin", format="zones_and_bracket", teams=LIST, replaces=director.replaces)
    log_in(director.hub, "ana", "desk")
    with desk_page(browser, director.hub, "phone") as page:
        page.wait_for_selector("#alarms .alarm:has-text('Lo hace un director')")
        assert page.locator("#alarms button").count() == 0


def test_all_is_well_only_while_the_hub_can_store_and_no_box_waits(
    director: Director, browser: Browser
) -> None:
    with desk_page(browser, director.hub, "phone") as page:
        page.wait_for_selector(QUIET)
        limit_files(director.hub, 1)
        try:
            director.client.get("/healthz")  # tries to write
            page.wait_for_selector("#alarms .alarm:has-text('no puede guardar nada')")
            assert page.locator("#alarms .entry").count() == 1
            assert page.locator(QUIET).count() == 0
            assert page.evaluate(OUTSIDE) == []
        finally:
            limit_files(director.hub, resource.RLIM_INFINITY)
        page.wait_for_selector(QUIET)
        with closing(director.hub.client()) as client:
            box = JoiningBox(client, director.hub.pin, "5" * 32)
            box.show_digits()
            page.wait_for_selector("#alarms:has-text('Una caja quiere entrar')")
            assert page.locator(QUIET).count() == 0
            director.client.desk("/desk/act", {"do": "refuse", "key": box.key})
            page.wait_for_selector(QUIET)
