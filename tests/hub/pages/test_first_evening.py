"""The page "your first evening", done as it says, in each of its languages.

``tests.hub.pictures`` draws its pictures by the same steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pytest

from scorer.i18n import sentences
from tests.hub.pages.test_organise_page import open_page
from tests.hub.pages.test_pages import OUTSIDE
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import SERIES, Director, Table, is_official, join
from tests.paths import ROOT
from tests.web.browser import blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = {"es-AR": "first-evening.es.md", "pt-BR": "first-evening.pt.md", "en": "first-evening.md"}
PICTURES = ("list", "called", "over", "site")
LIST = """Los Pibes del Fondo;Ana Acosta;Luis Benítez
La Yunta;Marta Cabrera;Hugo Duarte
Las Brujas;Elsa Escobar;Rosa Ferreyra
Tres de Copas;Raúl Godoy;Inés Herrera
El Ancho de Espadas;Juan Ibáñez;Pedro Juárez
Barrio Sur;Nora Ledesma;Iván Molina
La Muestra;Sara Núñez;Tito Olivera
Falta Envido;Lidia Peña;Oscar Quiroga"""
Look = Callable[["Page", str], None]


def picture_name(name: str, language: str) -> str:
    """The file of a picture; the English one has no language."""
    suffix = PAGES[language].removeprefix("first-evening").removesuffix("md")
    return f"evening-{name}{suffix}png"


def play_evening(director: Director, browser: Browser, language: str, look: Look) -> None:
    """From list to site; ``look`` is given each page of PICTURES."""
    tables = join(director, [1, 2, 3, 4])
    with blank(browser, "desktop", ignore_https_errors=True) as page:
        open_page(page, director.hub, f"?lang={language}")
        page.select_option("#format", "zones_and_bracket")
        page.fill("#teams", LIST)
        page.click("#check")
        page.wait_for_selector("#report p")
        look(page, "list")
        page.click("#create")
        page.fill("[data-name=seed]", "58214")
        for name in ("draw", "start", "auto"):
            page.click(f"[data-name={name}]")
        page.wait_for_selector("#tables .entry >> nth=3")
        look(page, "called")
        play_phase(director, tables, 0)
        page.click("[data-name=start]")
        wait_for(lambda: director.phase(1)["is_begun"])
        play_phase(director, tables, 1)
        page.wait_for_selector("#champion:not(:empty)")
        look(page, "over")
        page.once("dialog", lambda dialog: dialog.accept())
        page.click("#consent button")
        page.wait_for_selector("#consent button", state="detached")
    folder = director.hub.state / "site"
    assert director.hub.run("publish", str(folder)).returncode == 0
    with blank(browser, "phone") as page:
        number = director.tournament["id"]
        path = folder / "site" / language.partition("-")[0] / f"{number}.html"
        page.goto(path.as_uri())
        look(page, "site")


def play_phase(director: Director, tables: list[Table], phase: int) -> None:
    """Win every match that is called, and agree, until a phase is over."""
    while not director.phase(phase)["is_over"]:
        for each in director.tournament["tables"]:
            if each["match"]["result"] is None:
                table = next(one for one in tables if one.device == each["device"])
                wait_for(lambda table=table: "header" in table.assigned())  # type: ignore[misc]
                lines = SERIES if each["match"]["is_series"] else SERIES[:1]
                table.play(*lines, "A agree", "B agree")
                wait_for(partial(is_official, director, each["match"]["id"]))


@pytest.mark.browser
@pytest.mark.parametrize("language", PAGES)
def test_the_first_evening_goes_as_its_page_says(
    director: Director, browser: Browser, language: str
) -> None:
    seen = list[str]()

    def look(page: Page, name: str) -> None:
        assert page.evaluate(OUTSIDE) == [], name
        if name == "site":
            assert "La Yunta" in page.inner_text("body")
        seen.append(name)

    play_evening(director, browser, language, look)
    assert seen == [*PICTURES]


@pytest.mark.parametrize("language", PAGES)
def test_what_the_page_names_is_on_the_screen(language: str) -> None:
    page = (ROOT / "docs" / "operators" / PAGES[language]).read_text("utf-8")
    shown = {re.sub(r"\{\w+\}", "…", each) for each in sentences(language, "").values()}
    named = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", page)
    assert len(named) > 10
    assert [each for each in named if each not in shown] == []
    assert [picture_name(each, language) in page for each in PICTURES] == [True] * 4
