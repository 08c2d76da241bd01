"""Lists that are shown as they are read, and a field for each player, in Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hub.pages.evening_tools import agreeing
from tests.hub.pages.test_organise_page import open_page, tournament_page
from tests.hub.pages.test_pages import press
from tests.hub.pages.test_tournament_story import look_at
from tests.hub.test_tournament import EIGHT, Director
from tests.web.browser import blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
LISTS = Path(__file__).parents[2] / "tournament" / "lists"
WORDS = {
    "es": (["equipo", "jugadores", "club"], "la columna 4 se toma como club"),
    "pt-BR": (["equipe", "jogadores", "clube"], "a coluna 4 vale como clube"),
    "ca": (["equip", "jugadors", "club"], "la columna 4 es pren com a club"),
    "en": (["team", "players", "club"], "column 4 is taken as the club"),
}


def cells(page: Page, row: int) -> list[str]:
    found: list[str] = page.locator(f".preview tr >> nth={row}").locator("th, td").all_inner_texts()
    return found


@pytest.mark.parametrize(
    ("language", "size"), [("es", "desktop"), *((language, "phone") for language in WORDS)]
)
def test_a_pasted_list_is_shown_as_it_is_read_before_a_button_is_pressed(
    director: Director, browser: Browser, language: str, size: str
) -> None:
    columns, question = WORDS[language]
    with blank(browser, size, ignore_https_errors=True) as page:
        open_page(page, director.hub, f"?lang={language}")
        page.select_option("#format", "zones_and_bracket")
        page.fill("#teams", (LISTS / "four_columns.csv").read_text(encoding="cp1252"))
        page.wait_for_selector(".preview")
        assert cells(page, 0) == columns
        assert cells(page, 1) == ["Los Ñatos", "Ana Ruiz\nBeto Paz", "Norte"]
        assert page.locator(".preview tbody tr").count() == 5
        assert question in page.inner_text("#report")
        look_at(page, f"preview-{language}-{size}")
        # What is typed later is read later.
        page.fill("#teams", "Los Ñatos\nLa Yunta")
        page.wait_for_function("() => document.querySelectorAll('.preview tbody tr').length === 2")
        page.fill("#teams", "")
        page.wait_for_selector(".preview", state="detached")
    assert director.tournaments == []


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_file_with_questions_is_taken_as_it_was_shown(
    director: Director, browser: Browser, size: str
) -> None:
    asked: list[str] = []
    with tournament_page(browser, director.hub, size) as page:
        page.on("dialog", agreeing(asked))
        page.select_option("#format", "swiss")
        page.set_input_files("#list", LISTS / "merged_clubs.csv")
        page.wait_for_selector(".preview")
        look_at(page, f"merged-{size}")
        press(page, "#create")
        page.wait_for_selector("#entered .entry >> nth=4")
    assert "«Los Primos | Gina Roca | Hugo Sala» no tiene club; se toma «Sur»" in asked[0]
    clubs = [each["club"] for each in director.tournament["teams"]]
    assert clubs == ["Norte", "Norte", "Sur", "Sur", ""]


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_player_with_a_comma_is_changed_in_a_field_of_his_own(
    director: Director, browser: Browser, size: str
) -> None:
    teams = (LISTS / "surname_first.csv").read_text(encoding="cp1252")
    director.act("t.begin", format="swiss", teams=f"{teams}\n{EIGHT}", replaces=0)
    asked: list[str] = []
    with tournament_page(browser, director.hub, size) as page:
        page.on("dialog", agreeing(asked))
        entry = "#entered [data-key='1']"
        press(page, f"{entry} [data-name=edit]")
        assert page.input_value(f"{entry} [data-name=players]") == "Pérez, Juan"
        assert page.input_value(f"{entry} [data-name='players 2']") == "Gómez, Luis"
        look_at(page, f"player-fields-{size}")
        page.focus(f"{entry} [data-name=consents]")
        page.keyboard.press("Space")
        press(page, f"{entry} [data-name=change]")
        page.wait_for_selector(f"{entry}:has-text('aceptan')")
        assert asked == [], "no name has changed"
        assert "Pérez, Juan; Gómez, Luis" in page.inner_text(entry)
        press(page, f"{entry} [data-name=edit]")
        page.fill(f"{entry} [data-name='players 2']", "Ana Ruíz")
        press(page, f"{entry} [data-name=change]")
        page.wait_for_selector(f"{entry}:has-text('Ana Ruíz')")
    assert "¿«Ana Ruíz» es otra persona que «Ruiz, Ana»?" in asked[0]
    first, *_ = director.tournament["teams"]
    assert (first["players"], first["consents"]) == (["Pérez, Juan", "Ana Ruíz"], True)


def test_a_missing_player_is_refused_beside_the_fields(
    director: Director, browser: Browser
) -> None:
    director.act("t.begin", format="swiss", teams=EIGHT, replaces=0)
    with tournament_page(browser, director.hub, "phone") as page:
        press(page, "#entering summary")
        page.fill("#entering [data-name=team]", "Los Cinco")
        page.fill("#entering [data-name='players 2']", "Pérez, Juan")
        press(page, "#entering [data-name=enter]")
        page.wait_for_selector("#entering .problem:has-text('jugadores')")
        assert page.get_attribute("#entering [data-name=players]", "aria-invalid") == "true"
        page.fill("#entering [data-name=players]", "Gómez, Luis")
        press(page, "#entering [data-name=enter]")
        page.wait_for_selector("#entered .entry:has-text('Los Cinco')")
    newest = director.tournament["teams"][-1]
    assert newest["players"] == ["Gómez, Luis", "Pérez, Juan"]
