"""A closed tournament is saved as a signed evening at the desk, in Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorer.i18n import translator
from scorer.season.evening import NamesKind
from scorer.season.evening_file import HallKey, SignedEvening, read_evening
from tests.hub.pages.test_organise_page import open_page
from tests.hub.test_tournament import Director, begin
from tests.web.browser import blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
SAY = translator("es-AR")


@pytest.mark.parametrize("names", NamesKind)
def test_the_archive_saves_an_evening_with_one_click(
    director: Director, browser: Browser, names: NamesKind, tmp_path: Path
) -> None:
    begin(director)
    number = director.tournament["id"]
    link = f"#paper a[href*='evening/{names.value}.json']"
    with blank(browser, "desktop", ignore_https_errors=True) as page:
        open_page(page, director.hub)
        page.wait_for_selector("#paper a[href*='tournament.json']")
        assert page.locator("#paper a[href*='evening/']").count() == 0, "it is open"
        director.act("t.close", tournament=number)
        page.context.clear_cookies()
        open_page(page, director.hub, f"?t={number}")
        page.wait_for_selector(link)
        words = {"public": "desk.o.file.evening", "all": "desk.o.file.evening.all"}
        assert page.inner_text(link) == SAY(words[names.value])
        with page.expect_download() as saved:
            page.click(link)
        path = tmp_path / "evening.json"
        saved.value.save_as(path)
    key = director.hub.run("tournament", "keys").stdout.strip()
    found = read_evening(path.read_bytes(), [HallKey(key)])
    assert isinstance(found, SignedEvening), found
    assert (found.evening.names, len(found.evening.teams)) == (names, 6)
    # The desk has not said yet whether these are names of people.
    is_named = names is NamesKind.ALL
    assert {each.is_named for each in found.evening.teams} == {is_named}
