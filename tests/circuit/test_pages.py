"""The site of a season in a real Chromium, as a phone shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.circuit.few_evenings import evening, made, season_text, team
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

WIDTH = 390  # of a phone, in pixels
LONG = "Los Payadores del Arroyo Seco y sus Primos"


def season(folder: Path) -> Path:
    """A season with long names, a club, a final and two evenings of one day; its site."""
    players = [(f"Maximiliano Echeverría {at}", f"Guadalupe Domínguez {at}") for at in "ABCDEF"]
    teams = [
        team(f"{LONG} {at}", *each, club="Club Social y Deportivo Tres de Copas")
        for at, each in enumerate(players, 1)
    ]
    evenings = [
        evening(
            number,
            [*teams[number % 6 :], *teams[: number % 6]],
            [(1, 2), (3, 4)],
            date="2026-03-01" if number < 3 else "",
        )
        for number in range(1, 16)
    ]
    text = season_text("[clubs]\n[final]\nqualified = 2\n[counting]\nbest = 4\n")
    made(folder, evenings, text)
    return folder / "site"


def test_no_page_is_wider_than_a_phone_or_loads_anything_from_elsewhere(
    browser: Browser, tmp_path: Path
) -> None:
    site = season(tmp_path)
    asked: list[str] = []
    document = json.loads((site / "season.json").read_bytes())
    [first, *_] = document["tables"][0]["rows"]
    paths = [
        "index.html",
        *(f"{language}/index.html" for language in ("es", "pt", "ca", "en")),
        "es/print.html",
        f"pt/team-{first['id']}.html",
        f"es/person-{document['persons'][0]['id']}.html",
        f"ca/evening-{document['evenings'][0]['id']}.html",
    ]
    with blank(browser, "phone") as page:
        page.on("request", lambda request: asked.append(request.url))
        for path in paths:
            page.goto(f"file://{site / path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH, path
            assert axe_violations(page) == [], path
            heights = "all => all.map((each) => each.getBoundingClientRect().height)"
            found = page.eval_on_selector_all("main a", heights)
            assert min(found, default=44) >= 44, path
    assert [each for each in asked if not each.startswith(("file:", "data:"))] == []


def test_from_the_table_a_pair_a_player_and_an_evening_are_found(
    browser: Browser, tmp_path: Path
) -> None:
    site = season(tmp_path)
    with blank(browser, "phone") as page:
        page.goto(f"file://{site}/index.html")
        assert page.locator("tr.qualified").count() == 2
        name = page.locator("tbody th a").first.inner_text()
        page.locator("tbody th a").first.click()
        assert page.locator("h1").inner_text() == name
        graph = page.locator("svg.places circle")
        assert graph.count() == 15
        assert page.locator("svg.places circle.out").count() == 11
        page.locator(".teams a").first.click()
        assert "Guadalupe" in page.locator("h1").inner_text()
        page.locator("#evenings ~ ul a").first.click()
        assert "15/03/2026" in page.locator("h1").inner_text()
        page.locator("footer a[lang=pt-BR]").click()
        assert "Toda a temporada" in page.locator("header").inner_text()
