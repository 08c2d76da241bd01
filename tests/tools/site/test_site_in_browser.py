"""The built site in a real Chromium, opened from the disk: no server, no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.paths import ROOT
from tests.web.browser import SIZES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

SITE = ROOT / "build" / "site"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="make site builds it first"),
]
DESK: ViewportSize = {"width": 1280, "height": 900}
PAGES = ("index.html", "makers/build/parts.html", "makers/wiring.html", "rules/argentine.html")


def opened(browser: Browser, path: str, size: ViewportSize) -> Page:
    """A page that has loaded; a request to another machine fails the test."""
    page = browser.new_page(viewport=size)
    page.on("request", lambda request: requested.append(request.url))
    requested: list[str] = []
    page.goto((SITE / path).as_uri())
    page.wait_for_load_state("networkidle")
    assert [url for url in requested if not url.startswith(("file:", "data:"))] == []
    return page


@pytest.mark.parametrize("size", [SIZES["phone"], DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("language", ["", "es/", "pt/"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_its_screen_and_loads_nothing_from_elsewhere(
    browser: Browser, path: str, language: str, size: ViewportSize
) -> None:
    page = opened(browser, language + path, size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert page.locator("h1").is_visible()
    page.close()


@pytest.mark.parametrize(
    ("language", "word", "found"),
    [
        ("", "polyfuse", "makers/build/parts.html"),
        ("es/", "chicharra", "es/makers/build/assembly.html"),
        ("pt/", "campainha", "pt/makers/build/assembly.html"),
        # English pages without a translation are found from every language.
        ("es/", "kicad", "makers/board.html"),
    ],
)
def test_the_search_finds_pages_in_the_language_of_the_reader(
    browser: Browser, language: str, word: str, found: str
) -> None:
    page = opened(browser, f"{language}index.html", DESK)
    page.locator(".md-search__input").click()
    page.keyboard.type(word)
    results = page.locator(".md-search-result__item a")
    results.first.wait_for()
    addresses = results.evaluate_all("links => links.map(link => link.href)")
    base = SITE.as_uri() + "/"
    assert any(address.startswith(base + found) or found in address for address in addresses)
    others = {"es/", "pt/"} - {language}
    assert not any(
        address.startswith(tuple(base + each for each in others)) for address in addresses
    )
    page.close()


def test_the_language_menu_leads_to_the_same_page(browser: Browser) -> None:
    page = opened(browser, "makers/build/parts.html", DESK)
    links = page.locator(".md-select__link").evaluate_all("links => links.map(link => link.href)")
    base = SITE.as_uri()
    assert links == [f"{base}/{language}makers/build/parts.html" for language in ("", "es/", "pt/")]
    page.close()
