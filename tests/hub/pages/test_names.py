"""Consent and a blanked name at the desk, in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.hub.pages.evening_tools import agreeing
from tests.hub.pages.test_pages import OUTSIDE, desk_of, desk_page, press
from tests.hub.test_blanked_names import TEAMS
from tests.hub.test_tournament import Director, begin
from tests.web.browser import axe_violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
WORDS = {
    "es": ("aceptan que se publiquen", "¿Borrar el nombre de «Los Ñandúes»?"),
    "pt-BR": ("aceitam que os nomes", "Apagar o nome de “Los Ñandúes”?"),
    "en": ("agree to be named", "Blank the name of “Los Ñandúes”?"),
}


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("language", WORDS)
def test_a_team_takes_its_consent_back_and_is_forgotten(
    director: Director, browser: Browser, language: str, size: str
) -> None:
    consented, question = WORDS[language]
    begin(director, TEAMS)
    number = director.tournament["id"]
    with desk_page(browser, director.hub, size) as page:
        page.goto(desk_of(director.hub, f"/desk/tournament?lang={language}"))
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        entry, edit = (
            "#entered .entry:has-text('#1')",
            "#entered [data-name=edit][aria-label$=Ñandúes]",
        )
        page.wait_for_selector(f"{entry}:has-text('{consented}')")
        press(page, edit)
        assert page.is_checked(f"{entry} [data-name=consents]")
        tick, text = (
            page.locator(f"{entry} label.check > {each}").bounding_box()
            for each in ("input", "span")
        )
        assert tick and text and tick["x"] + tick["width"] <= text["x"], "beside its words"
        assert axe_violations(page) == []
        assert page.evaluate(OUTSIDE) == []
        page.focus(f"{entry} [data-name=consents]")
        page.keyboard.press("Space")
        press(page, "#entered [data-name=change]")
        page.wait_for_selector(f"{entry}:has-text('{consented}')", state="detached")
        assert [each["consents"] for each in director.tournament["teams"]] == [False] * 6
        page.once("dialog", lambda dialog: dialog.accept())
        press(page, "#consent [data-name=consent]")
        page.wait_for_selector("#consent [data-name=consent]", state="detached")
        assert [each["consents"] for each in director.tournament["teams"]] == [True] * 6
        # Also once it is closed.
        director.act("t.close", tournament=number, seen=director.desk["seq"])
        page.goto(desk_of(director.hub, f"/desk/tournament?t={number}&lang={language}"))
        page.wait_for_selector("#closed:not([hidden])")
        press(page, edit)
        assert page.locator(f"{entry} [data-name=change]").count() == 0
        asked: list[str] = []

        page.once("dialog", agreeing(asked))
        press(page, "#entered [data-name=blank]")
        page.wait_for_selector("#entered:has-text('Los Ñandúes')", state="detached")
        assert asked[0].startswith(question)
        assert "Ana Ruiz" not in page.content()
        assert page.evaluate(OUTSIDE) == []
