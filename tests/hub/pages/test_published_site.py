"""A published site in Chromium, from a plain static server and from files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorer.static_site.folder import SITE
from tests.hub.pages.test_pages import OUTSIDE, press
from tests.hub.test_published import AT, LATER, named, plain_server, with_result, written
from tests.hub.tournament_pages import bracket, swiss, zones
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
LANGUAGES = {
    "es": ("Tercer puesto", "Escrito el", "Rondas anteriores", "Sin conexión"),
    "pt": ("Terceiro lugar", "Escrito em", "Rodadas anteriores", "Sem conexão"),
    "en": ("Third place", "Written", "Earlier rounds", "No connection"),
    "ca": ("Tercer lloc", "Escrit el", "Rondes anteriors", "Sense connexió"),
}
TITLES = {"es": "Zonas y llave", "pt": "Grupos e chave", "en": "Zones", "ca": "Zones"}
GROUND = "getComputedStyle(document.body).backgroundColor"
LOOK = "() => document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written(tmp_path, bracket(24), swiss(21), named(), now=AT)
    return tmp_path


def is_fit(page: Page) -> None:
    assert axe_violations(page) == []
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize(
    ("language", "size"),
    [("es", "desktop"), ("es", "zoom400"), *((each, "phone") for each in LANGUAGES)],
)
def test_a_visitor_goes_by_keyboard_from_the_list_to_a_match(
    folder: Path, browser: Browser, language: str, size: str
) -> None:
    third, time, earlier, _ = LANGUAGES[language]
    with plain_server(folder / SITE) as server, blank(browser, size) as page:
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        page.goto(f"http://127.0.0.1:{server.port}/")
        is_fit(page)
        if language != "es":
            press(page, f"footer a[hreflang^={language}]")
            page.wait_for_url(f"**/{language}/index.html")
        press(page, f"main a[href$='{'es/' if language == 'es' else f'{language}/'}1.html']")
        page.wait_for_url(f"**/{language}/1.html")
        assert TITLES[language] in page.inner_text("h1")
        assert third in page.inner_text("#main")
        assert time in page.inner_text("footer")
        press(page, "main nav a[href='#phase-zonas']")
        assert page.url.endswith("#phase-zonas")
        press(page, "#matches-zonas-1 > summary")
        page.wait_for_selector("#matches-zonas-1 li >> nth=0")
        is_fit(page)
        press(page, "header a")
        page.wait_for_url(f"**/{language}/index.html")
        press(page, f"main a[href$='{language}/2.html']")
        page.wait_for_url(f"**/{language}/2.html")
        press(page, "details > summary")
        assert earlier in page.inner_text("details > summary")
        is_fit(page)
        assert faults == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_opens_from_files_and_without_scripts(
    folder: Path, browser: Browser, language: str
) -> None:
    address = (folder / SITE / "index.html").as_uri()
    for has_scripts in (True, False):
        with blank(browser, "phone", java_script_enabled=has_scripts) as page:
            page.goto(address)
            page.click(f"footer a[hreflang^={language}]") if language != "es" else None
            page.click("main li >> nth=0 >> a")
            page.wait_for_url(f"**/{language}/1.html")
            assert page.evaluate(GROUND) == "rgb(15, 61, 44)"
            assert page.locator(".bracket li").count() == 12
            page.click("#matches-zonas-2 > summary")
            assert page.is_visible("#matches-zonas-2 li >> nth=0")


def test_a_page_shows_a_newer_result_by_itself_and_keeps_what_is_open(
    folder: Path, browser: Browser
) -> None:
    with plain_server(folder / SITE) as server, blank(browser, "phone") as page:
        page.goto(f"http://127.0.0.1:{server.port}/es/1.html")
        before = page.locator("h2 small").all_inner_texts()[0]
        press(page, "#matches-zonas-1 > summary")
        focused = page.evaluate("() => document.activeElement.parentElement.id")
        scrolled = page.evaluate("() => scrollY")
        written(folder, with_result(bracket(24)), swiss(21), named(), now=LATER)
        page.evaluate(LOOK)
        page.wait_for_function(
            "text => document.querySelector('h2 small').innerText !== text", arg=before
        )
        assert page.get_attribute("#written time", "datetime") == LATER
        assert page.evaluate("() => document.activeElement.parentElement.id") == focused
        assert page.evaluate("() => document.getElementById('matches-zonas-1').open")
        assert page.evaluate("() => scrollY") == scrolled
        assert not page.is_visible("#stale")
        is_fit(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_says_that_its_server_is_gone(folder: Path, browser: Browser, language: str) -> None:
    with blank(browser, "phone") as page:
        with plain_server(folder / SITE) as server:
            page.goto(f"http://127.0.0.1:{server.port}/{language}/1.html")
        page.evaluate(LOOK)
        page.wait_for_selector("#stale:not([hidden])")
        assert LANGUAGES[language][3] in page.inner_text("#stale")
        is_fit(page)


def test_the_longest_names_and_most_teams_fit_a_phone(tmp_path: Path, browser: Browser) -> None:
    written(tmp_path, zones(128), bracket(128), now=AT)
    with plain_server(tmp_path / SITE) as server, blank(browser, "phone") as page:
        for number in (1, 2):
            page.goto(f"http://127.0.0.1:{server.port}/es/{number}.html")
            is_fit(page)
