"""Texts for a messenger, shared from the desk, the page of a team and the search."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from scorer.i18n import languages
from tests.hub.pages.test_organise_page import open_page
from tests.hub.pages.test_pages import OUTSIDE, press, wall_of
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin, join
from tests.hub.test_tournament_pages import NO_TEXT
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

# What the page is given instead of the sheet and the clipboard of the machine.
SHEET = "navigator.share = async (each) => { window.shared = each.text; };"
NO_SHEET = "navigator.share = undefined;"
CLOSED_SHEET = (
    """navigator.share = async () => { throw new DOMException("closed", "AbortError"); };"""
)
CLIPBOARD = """Object.defineProperty(navigator, "clipboard", { configurable: true, value: {
    writeText: async (text) => { window.copied = text; } } });"""
NO_CLIPBOARD = """Object.defineProperty(navigator, "clipboard", { value: undefined });"""
MARKED = """() => { const field = document.activeElement;
    const marked = field.value?.slice(field.selectionStart, field.selectionEnd);
    return field.matches("#share textarea") && marked; }"""


def called_hall(director: Director) -> None:
    """Matches at two tables."""
    join(director, [1, 2])
    begin(director)
    director.act("t.by_itself", on=True)


def text_of(director: Director, path: str = "messages/1") -> dict[str, Any]:
    answer = director.client.get(f"/{path}?lang=es-AR")
    assert answer.status == 200
    return dict(json.loads(answer.body))


def shared(page: Page, name: str, key: str) -> object:
    """Share a kind by keyboard; what ``window`` has of it then."""
    page.evaluate("delete window.shared; delete window.copied;")
    press(page, f"#share [data-name={name}]")
    wait_for(lambda: page.evaluate(f"window.{key} !== undefined"))
    return page.evaluate(f"window.{key}")


def tournament_id(director: Director) -> int:
    return int(director.tournament["id"])


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_desk_shares_copies_or_marks_a_text(
    director: Director, browser: Browser, size: str
) -> None:
    called_hall(director)
    texts = text_of(director, f"messages/{tournament_id(director)}")
    assert texts["pairings"].startswith("Zonas y llave · Partidos\nMesa 1: ")
    with blank(browser, size, ignore_https_errors=True) as page:
        page.add_init_script(SHEET + CLIPBOARD)
        open_page(page, director.hub)
        page.wait_for_selector("#share button >> nth=2")
        assert shared(page, "pairings", "shared") == texts["pairings"]
        assert page.evaluate(MARKED) == texts["pairings"], "it is there to be read too"
        page.evaluate(f"() => {{ {CLOSED_SHEET} }}")
        assert shared(page, "standings", "copied") == texts["standings"]
        page.evaluate(f"() => {{ {NO_SHEET} }}")
        assert shared(page, "pairings", "copied") == texts["pairings"]
        assert page.inner_text("#share [role=status]") == "Copiado: listo para pegar en un mensaje."
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []
        press(page, "#share [data-name=results]")
        page.wait_for_selector("#share:has-text('Todavía no hay nada para compartir.')")
        assert page.locator("#share textarea").is_hidden()


def test_players_share_from_pages_without_https(director: Director, browser: Browser) -> None:
    called_hall(director)
    number = tournament_id(director)
    with blank(browser, "phone") as page:
        # On HTTP a phone has neither; 127.0.0.1 counts as secure, so that they are taken away.
        page.add_init_script(NO_SHEET + NO_CLIPBOARD)
        page.goto(wall_of(director.hub, "e/"))
        page.wait_for_selector("#share button >> nth=2")
        press(page, "#share [data-name=pairings]")
        page.wait_for_selector("#share textarea:not([hidden])")
        address = page.url.partition("e/")[0]
        texts = text_of(director, f"messages/{number}")
        marked = str(page.evaluate(MARKED)).splitlines()
        assert marked[:-1] == texts["pairings"].splitlines()[:-1]
        assert marked[-1].endswith("/e/") and marked[-1].startswith("http://")
        assert page.inner_text("#share [role=status]") == "El texto está marcado para copiarlo."
        assert page.evaluate(OUTSIDE) == []
        page.goto(wall_of(director.hub, f"e/{number}/1"))
        press(page, "#share [data-name=team]")
        said = str(page.evaluate(MARKED)).splitlines()
        assert said[0].startswith(page.inner_text("h1"))
        assert said[-1] == f"{address}e/{number}/1"
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []


def test_a_hub_that_is_gone_is_said(director: Director, browser: Browser) -> None:
    called_hall(director)
    with blank(browser, "phone") as page:
        page.goto(wall_of(director.hub, "e/"))
        page.wait_for_selector("#share button >> nth=2")
        page.route("**/messages**", lambda route: route.abort())
        press(page, "#share [data-name=standings]")
        page.wait_for_selector("#share [role=status]:has-text('Sin conexión')")


@pytest.mark.parametrize("language", languages())
def test_the_buttons_are_in_the_language_of_the_page(
    director: Director, browser: Browser, language: str
) -> None:
    called_hall(director)
    with blank(browser, "phone") as page:
        for path in ("e/", f"e/{tournament_id(director)}/1"):
            page.goto(wall_of(director.hub, f"{path}?lang={language}"))
            page.wait_for_selector("#share button")
            text = page.inner_text("main")
            assert NO_TEXT not in text
            assert page.evaluate(OUTSIDE) == []
