"""Several tournaments at the desk, on a television and for a team, in Chromium."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

import pytest

from scorer.i18n import languages
from tests.hub.pages.test_pages import OUTSIDE, desk_of, desk_page, open_desk, press, wall_of
from tests.hub.test_server import wait_for
from tests.hub.test_several_tournaments import CONSOLATION, begun
from tests.hub.test_tournament import LIST, Director, join
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
NO_TEXT = r"undefined|null|NaN|\{|\[object|(?:hub|desk|phrase)\."
WORDS = {
    "es": ("Torneos cerrados", "Este torneo está cerrado."),
    "pt-BR": ("Torneios encerrados", "Este torneio está encerrado."),
}


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("language", WORDS)
def test_a_director_goes_from_one_tournament_to_another_and_closes_one(
    director: Director, browser: Browser, language: str, size: str
) -> None:
    archive, closed = WORDS[language]
    join(director, [1, 2])
    main = begun(director, LIST, name="Copa de otoño", date="2026-11-28", category="Damas")
    other = begun(director, CONSOLATION, name="Consuelo")
    for number in (main, other):
        director.act("t.by_itself", tournament=number, on=False)
    with blank(browser, size, ignore_https_errors=True) as page:
        open_desk(page, director.hub, f"/desk?lang={language}")
        # Equal names are asked about, once.
        page.wait_for_selector("#alarms .entry:has-text('Copa de otoño · Damas')")
        assert axe_violations(page) == []
        assert page.evaluate(OUTSIDE) == []
        press(page, "#alarms [data-name=same]")
        page.wait_for_selector("#alarms [data-name=same]", state="detached")
        assert director.desk["people"] == []
        page.goto(desk_of(director.hub, f"/desk/tournament?t={other}&lang={language}"))
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        assert "Consuelo" in page.inner_text("#title")
        press(page, f"#tournaments [data-name='tournament {main}']")
        page.wait_for_selector("#title:has-text('28/11/2026')")
        assert page.inner_text("[aria-current=page]") == "Copa de otoño · Damas · 28/11/2026"
        assert axe_violations(page) == []
        assert page.evaluate(OUTSIDE) == []
        press(page, "[data-name=naming]")
        page.fill("#naming [data-name=name]", "Copa de invierno")
        press(page, "#naming [data-name=rename]")
        page.wait_for_selector("#title:has-text('Copa de invierno')")
        page.select_option("[data-name=priority]", "1")
        page.wait_for_function("document.querySelector('[data-name=priority]').value === '1'")
        page.once("dialog", lambda dialog: dialog.accept())
        free_tables(director, main)
        press(page, "#steps [data-name=close]")
        page.wait_for_selector(f"#closed:has-text('{closed}')")
        assert page.inner_text("[data-name=archive]") == archive
        assert page.locator("#queue .entry").count() == 0
        assert axe_violations(page) == []
        press(page, "#steps [data-name=reopen]")
        page.wait_for_selector("#closed", state="hidden")
        page.wait_for_selector("#queue .entry")
    with blank(browser, "tv") as screen:
        screen.goto(wall_of(director.hub, f"tv?lang={language}"))
        screen.wait_for_selector("#place:has-text('Copa de invierno')")
        names = set()
        for _ in range(8):
            names.add(screen.inner_text("#place").partition(" · ")[0])
            screen.keyboard.press("ArrowRight")
        assert {"Copa de invierno", "Consuelo"} <= names
        assert screen.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_several_tournaments_fit_and_are_accessible_in_every_language(
    director: Director, browser: Browser, size: str
) -> None:
    boxes = join(director, [1, 2, 3])
    cap = {"every_phase": {"cap": 40}}
    closed = begun(director, LIST, name="Copa de otoño", category="Damas")
    director.act("t.by_itself", tournament=closed, on=False)
    free_tables(director, closed)
    director.act("t.close", tournament=closed)
    main = begun(director, LIST, name="Copa de invierno", date="2026-11-28", changes=cap)
    other = begun(director, CONSOLATION, name="Consuelo", changes=cap)
    wait_for(lambda: all("header" in box.assigned() for box in boxes))
    # One plays over time, one has twelve minutes left.
    for box, minutes in zip(boxes, (43, 28), strict=False):
        box.play("A award 4")
        box.minutes = minutes
        box.play("B award 2", is_new=False)
    of_desk = ["/desk", *(f"/desk/tournament?t={each}" for each in (main, other, closed))]
    addresses = [desk_of(director.hub, each) for each in of_desk]
    addresses += [wall_of(director.hub, each) for each in ("", "e/", f"e/{main}/1")]
    with desk_page(browser, director.hub, size) as page:
        for language, address in product(languages(), addresses):
            page.goto(f"{address}{'&' if '?' in address else '?'}lang={language}")
            page.wait_for_selector(".table, html[data-ready=yes]", state="attached")
            assert page.evaluate(OUTSIDE) == [], page.url
            assert re.findall(NO_TEXT, page.inner_text("body")) == [], page.url
            if size == "phone":
                assert axe_violations(page) == [], page.url


LONG = "Torneo de Primavera Club Tres de Copas"
OVERLAPS = """() => {
    const boxes = [...document.querySelectorAll("header > *")]
        .filter((each) => each.checkVisibility())
        .map((each) => each.getBoundingClientRect());
    return boxes.some((one, at) => boxes.slice(at + 1).some((other) => other.left < one.right));
}"""
CUT = """() => [...document.querySelectorAll(".table")]
    .filter((each) => each.scrollHeight > each.clientHeight + 1)
    .map((each) => each.textContent)"""


@pytest.mark.parametrize("size", ["desktop", "phone", "tv"])
def test_wall_and_television_name_the_tournament_of_each_table(
    director: Director, browser: Browser, size: str
) -> None:
    begun(director, LIST, category="Damas de la provincia, fase previa")
    with blank(browser, size) as page:
        page.goto(wall_of(director.hub))
        page.wait_for_selector("#next:has-text('Siguen: 1. Equipo ')")
        assert page.inner_text("#next").count(" – ") == 2
        assert page.evaluate(OUTSIDE) == []
        join(director, range(1, 9))
        page.wait_for_selector(".table:has-text('Equipo')")
        page.wait_for_selector("#next", state="hidden")
        assert page.locator(".event").count() == 0
        begun(director, CONSOLATION, name=LONG, date="2026-11-28", category="Consuelo")
        page.wait_for_selector(f".event:has-text('{LONG} · Consuelo')")
        shown = set(page.locator(".event").all_inner_texts())
        own = "Zonas y llave · Damas de la provincia, fase previa"
        assert shown == {own, f"{LONG} · Consuelo"}
        free = page.locator(".table:has-text('libre')")
        assert free.count() and free.locator(".event").count() == 0
        assert page.evaluate(CUT) == []
        assert page.evaluate(OUTSIDE) == []
        page.goto(wall_of(director.hub, "tv"))
        page.wait_for_selector(f"#place:has-text('{own}')")
        for _ in range(6):
            assert page.evaluate(OUTSIDE) == []
            assert not page.evaluate(OVERLAPS)
            page.keyboard.press("ArrowRight")
        page.wait_for_selector("html[data-ready=yes]", state="attached")


def free_tables(director: Director, number: int) -> None:
    """Take the matches of a tournament from their tables."""
    for each in director.read(number)["tables"]:
        if each["match"]["result"] is None:
            director.act("t.take_back", tournament=number, match=each["match"]["id"])
