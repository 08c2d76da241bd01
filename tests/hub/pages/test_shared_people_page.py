"""Persons whom two lists write in two ways, asked about at the desk, in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.hub.pages.test_pages import desk_of, open_desk, press
from tests.hub.pages.test_tournament_story import look_at
from tests.hub.test_several_tournaments import begun
from tests.hub.test_tournament import Director, join
from tests.web.browser import blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
AUTUMN = """Los Uno;José Pérez;Ana Ruiz
Los Dos;Luis Gil;Eva Sol
Los Tres;Juan Ledesma;Caio Luna
Los Cuatro;Hugo Roca;Dora Mar
Los Cinco;Nico Sala;Rita Puig
Los Seis;Omar Tur;Pía Cruz"""
SPRING = """Azules;Jose Perez;Mía Rey
Rojos;Gíl, Luis;Tomás Ríos
Verdes;Juan Ledezma;Zoe Paz
Grises;Ciro Cal;Lía Mur
Negros;Teo Bru;Ada Fe
Pardos;Raúl Dos;Noé Vas"""
WORDS = {
    "es": ("José Pérez / Jose Perez", "Juan Ledesma", "Dos personas", "Preguntar de nuevo"),
    "pt-BR": ("José Pérez / Jose Perez", "Juan Ledesma", "Duas pessoas", "Perguntar de novo"),
    "ca": ("José Pérez / Jose Perez", "Juan Ledesma", "Dues persones", "Torna a preguntar"),
    "en": ("José Pérez / Jose Perez", "Juan Ledesma", "Two people", "Ask again"),
}


@pytest.mark.parametrize(
    ("language", "size"), [("es", "desktop"), *((language, "phone") for language in WORDS)]
)
def test_a_wrong_answer_about_two_persons_is_taken_back(
    director: Director, browser: Browser, language: str, size: str
) -> None:
    both, alike, two, again = WORDS[language]
    join(director, [1, 2, 3])
    begun(director, AUTUMN, name="Otoño")
    begun(director, SPRING, name="Primavera")
    with blank(browser, size, ignore_https_errors=True) as page:
        open_desk(page, director.hub, f"/desk?lang={language}")
        asked = "#alarms .entry:has([data-name=each])"
        press(page, f"{asked} [data-name=each]")
        page.wait_for_selector(f"{asked}:has-text('{both}')")
        # Those with a wrong letter are asked about apart.
        one = page.locator("#alarms .entry", has_text=alike)
        assert "Juan Ledezma" in one.inner_text()
        look_at(page, f"people-asked-{language}-{size}")
        press(page, f"{asked} [data-name='two jose perez']")
        page.wait_for_selector("#people .entry")
        press(page, "#people [data-name=answers]")
        assert two in page.inner_text("#people")
        look_at(page, f"people-answered-{language}-{size}")
        assert page.inner_text("#people [data-name='ask jose perez']") == again
        press(page, "#people [data-name='ask jose perez']")
        page.wait_for_selector("#people", state="hidden")
        page.goto(desk_of(director.hub, f"/desk?lang={language}"))
        page.wait_for_selector(asked)
        press(page, f"{asked} [data-name=same]")
        page.wait_for_selector(asked, state="detached")
        press(page, "#alarms [data-name='same ']")
        page.wait_for_selector("#people .entry >> nth=1")
    assert director.desk["people"] == []
    answers = [each for pair in director.desk["people_answered"] for each in pair["names"]]
    assert [each["is_same_person"] for each in answers] == [True, True, True]
