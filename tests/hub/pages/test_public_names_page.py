"""Names that are published and names that are forgotten, in Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hub.hub_process import running_hub
from tests.hub.joining_box import log_in
from tests.hub.pages.test_pages import OUTSIDE, open_desk, press
from tests.hub.test_published import files_in
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
TEAMS = """Equipo;Jugador 1;Jugador 2;Publicar
Pérez, Gómez;;;
Juan con Pedro;;;
Zoilo Quesada;;;
Tía y Sobrina;;;
Falta y Resto;;;
Barro y Oro;Ana Ruiz;Eva Sol;sí"""
WORDS = {
    "es": "¿Cuáles de estos nombres son de personas?",
    "pt-BR": "Quais destes nomes são de pessoas?",
    "ca": "Quins d'estos noms són de persones?",
    "en": "Which of these are names of people?",
}


@pytest.mark.parametrize(
    ("language", "size"), [*((each, "phone") for each in WORDS), ("es", "desktop")]
)
def test_names_are_published_once_a_director_has_ticked_them_and_a_person_is_forgotten(
    browser: Browser, tmp_path: Path, language: str, size: str
) -> None:
    site = tmp_path / "srv"
    site.mkdir()
    with running_hub(tmp_path / "hub", f'name = "Club"\npublish = "{site}"') as hub:
        director = Director(hub, log_in(hub))
        begin(director, TEAMS)
        with blank(browser, size, ignore_https_errors=True) as page:
            page.on("dialog", lambda dialog: dialog.accept())
            open_desk(page, hub, f"/desk?lang={language}")
            press(page, "#alarms a[href$='#judging']")
            page.wait_for_selector("html[data-ready=yes]", state="attached")
            form = page.locator("#judging fieldset")
            assert WORDS[language] in form.inner_text()
            ticked = form.locator("label:has(input:checked)").all_inner_texts()
            assert ticked == ["Pérez, Gómez", "Juan con Pedro", "Zoilo Quesada"]
            assert axe_violations(page) == []
            assert page.evaluate(OUTSIDE) == []
            assert not (site / "site").exists()
            press(page, "#judging [data-name=judged]")
            page.wait_for_selector("#judging fieldset", state="detached")
            wait_for(lambda: (site / "site").exists())
            body = b"".join(files_in(site).values()).decode()
            for name, is_public in (
                *(("Tía y Sobrina", True), ("Falta y Resto", True), ("Barro y Oro", True)),
                *(("Quesada", False), ("Juan con Pedro", False), ("rez, G", False)),
            ):
                assert (name in body) is is_public, name
            # The desk shows who is a number.
            assert "#3" in page.inner_text("#entered [data-key='3']").partition("\n")[2]
            press(page, "#forget-label")
            page.fill("#person", "ana ruiz")
            press(page, "#find-person")
            found = page.locator("#found-person fieldset")
            found.wait_for()
            assert "Ana Ruiz" in found.inner_text()
            assert axe_violations(page) == []
            assert page.evaluate(OUTSIDE) == []
            press(page, "#found-person [data-name=forget]")
            page.wait_for_selector("#found-person .remains")
            assert "hub-*.copy" in page.inner_text("#found-person .remains")
            assert "Ana Ruiz" not in page.inner_text("main")
            assert axe_violations(page) == []
            assert page.evaluate(OUTSIDE) == []
            wait_for(lambda: b"Ana Ruiz" not in b"".join(files_in(site).values()))
            assert b"Eva Sol" in b"".join(files_in(site).values())
            # A whole team, by its entry.
            entry = "#entered [data-key='4']"
            press(page, f"{entry} summary[data-name=edit]")
            press(page, f"{entry} [data-name=forget]")
            page.wait_for_selector("#found-person label:has-text('Tía y Sobrina')")
            press(page, "#found-person [data-name=forget]")
            page.wait_for_selector("#found-person .remains")
            assert director.tournament["teams"][3]["name"] == "#4"
