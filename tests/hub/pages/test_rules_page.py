"""The rules of a new tournament in Chromium: tie-breaks, byes, longer rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorer.tournament.export import TournamentFile, decode
from scorer.tournament.format import Criterion, Format
from tests.hub.pages.evening_tools import agreeing
from tests.hub.pages.test_organise_page import tournament_page
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import EIGHT, Director
from tests.web.browser import axe_violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def open_rules(page: Page, format_: str) -> None:
    page.select_option("#format", format_)
    page.click("#rules-title")
    for summary in page.query_selector_all("#rules details > summary"):
        summary.click()


def begun(page: Page, director: Director) -> Format:
    """Begin the tournament that the form describes; its format as the file has it."""
    page.fill("#teams", EIGHT)
    page.on("dialog", agreeing([]))
    page.click("#create")
    wait_for(lambda: director.desk["tournament"] is not None)
    found = decode(director.client.get("/desk/tournament.json").body)
    assert isinstance(found, TournamentFile)
    return found.state.format


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_tie_breaks_byes_and_longer_rounds_are_chosen_at_the_page(
    director: Director, browser: Browser, size: str
) -> None:
    with tournament_page(browser, director.hub, size) as page:
        open_rules(page, "swiss")
        order = "[data-tiebreaks=suizo]"
        up = page.get_by_label("Subir: entre los empatados")
        for _ in range(9):
            up.press("Enter")  # it keeps the focus
        page.get_by_label("Bajar: entre los empatados").press("Enter")
        page.uncheck(f"{order} [data-key=sonneborn_berger] input")
        assert page.is_disabled(f"{order} [data-key=draw] input")
        page.fill("[data-name=bye]", "1")
        page.press("[data-name=bye]", "Tab")
        assert page.is_checked(f"{order} li:first-child[data-key=score] input")
        page.fill("[data-name=rounds]", "3")
        page.press("[data-name=rounds]", "Tab")
        lengths = page.query_selector_all(".lengths label")
        assert [each.inner_text().splitlines()[0] for each in lengths] == [
            "Ronda 3",
            "Ronda 2",
            "Ronda 1",
        ]
        page.locator(".lengths select").nth(0).select_option("3")
        assert axe_violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        (phase,) = begun(page, director).phases
    assert (phase.bye, phase.rounds, phase.best_of, phase.best_of_last) == (1, 3, 1, (3,))
    first = [Criterion.SCORE, Criterion.WINS, Criterion.MET, Criterion.BUCHHOLZ_CUT]
    assert [*phase.tiebreaks[:4]] == first
    assert Criterion.SONNEBORN_BERGER not in phase.tiebreaks
    assert phase.tiebreaks[-1] is Criterion.DRAW


def test_the_final_of_a_bracket_is_longer_and_games_that_are_all_played_are_of_every_round(
    director: Director, browser: Browser
) -> None:
    with tournament_page(browser, director.hub, "desktop") as page:
        open_rules(page, "zones_and_bracket")
        names = [each.inner_text() for each in page.query_selector_all(".lengths label > span")]
        assert names == ["Final", "Semifinales", "Cuartos de final"]
        series = "[data-name=series][data-phase=llave]"
        page.select_option(series, '{"legs":2}')
        assert not page.is_visible(".lengths")
        page.select_option(series, '{"best_of":1}')
        page.locator(".lengths select").nth(0).select_option("5")
        page.locator(".lengths select").nth(1).select_option("3")
        zones, bracket = begun(page, director).phases
    assert (bracket.best_of, bracket.best_of_last) == (1, (5, 3))
    assert zones.best_of_last == ()
