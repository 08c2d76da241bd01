"""A refused click is answered where it was made, in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.hub.joining_box import log_in
from tests.hub.pages.evening_tools import refusing
from tests.hub.pages.test_organise_page import tournament_page
from tests.hub.pages.test_pages import FOCUSED, OUTSIDE, desk_page, press
from tests.hub.pages.test_two_directors import freeze
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin, join
from tests.web.browser import axe_violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

MANY = "\n".join(f"Equipo {number}" for number in range(1, 49))
IN_VIEW = """(selector) => {
    const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight + 1;
}"""
NEXT_LOOK = "**/desk/state?**"


def result_of(winner: int, points: list[int]) -> dict[str, Any]:
    games = [1, 0] if winner == 0 else [0, 1]
    return {"winner": winner, "games": games, "points": points, "ending": "played"}


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_missing_reason_is_said_at_its_field_far_down_the_page(
    director: Director, browser: Browser, size: str
) -> None:
    begin(director, MANY)
    match = director.tournament["queue"][-1]
    entry = f"#queue [data-key='{match['id']}']"
    with tournament_page(browser, director.hub, size) as page:
        page.locator(f"{entry} [data-name=result]").click()
        page.select_option(f"{entry} [data-name=ending]", "absent")
        page.locator(f"{entry} [data-name=save]").click()
        problem = f"{entry} .fields > .problem[role=alert]"
        page.wait_for_selector(problem)
        sides = " – ".join(side["text"] for side in match["sides"])
        said = f"{sides}, {match['title']}: Falta el motivo."
        assert page.inner_text(problem) == said
        assert page.evaluate(IN_VIEW, problem)
        reason = f"{entry} [data-name=reason]"
        assert page.evaluate(FOCUSED, f"{reason}[aria-invalid=true][aria-describedby^=refusal]")
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []
        # It stays while the page looks again, and while another match is decided.
        other = director.tournament["queue"][0]
        director.event("RecordResult", match=other["id"], result=result_of(0, [30, 4]))
        page.wait_for_selector(f"#official [data-key='{other['id']}']")
        assert page.inner_text(problem) == said
        page.fill(reason, "no llegaron")
        page.locator(f"{entry} [data-name=save]").click()
        page.wait_for_selector(f"#official [data-key='{match['id']}']")
        assert page.locator(".problem:visible").count() == 0


def test_what_is_wrong_with_a_result_is_said_and_an_unusual_one_is_asked_about(
    director: Director, browser: Browser
) -> None:
    begin(director)
    match = director.tournament["queue"][0]
    entry = f"#queue [data-key='{match['id']}']"
    asked: list[str] = []

    def fill(page: Page, *points: str) -> None:
        for at, value in enumerate(points):
            page.fill(f"{entry} [data-name='o.points{at}']", value)
        page.locator(f"{entry} [data-name=save]").click()

    with tournament_page(browser, director.hub, "phone") as page:
        page.once("dialog", refusing(asked))
        page.locator(f"{entry} [data-name=result]").click()
        assert page.locator(f"{entry} [data-name='o.games0']").count() == 0
        name = match["sides"][1]["text"]
        fill(page, "30", "")
        page.wait_for_selector(f"{entry} .problem:has-text('Tantos: {name}: falta el número.')")
        assert page.evaluate(FOCUSED, f"{entry} [data-name='o.points1'][aria-invalid=true]")
        fill(page, "5", "5")
        page.wait_for_selector(f"{entry} .problem:has-text('Los dos equipos tienen lo mismo')")
        fill(page, "31", "5")
        page.wait_for_selector(f"{entry} .problem:has-text('Son demasiados tantos')")
        assert page.locator(f"{entry} .problem").count() == 1
        with page.expect_event("dialog"):
            fill(page, "29", "8")
        wait_for(lambda: bool(asked))
        assert "29–8 solo puede ser si un equipo abandonó" in asked[0]
        assert director.tournament["official"] == []
        page.once("dialog", lambda dialog: dialog.accept())
        fill(page, "29", "8")
        page.wait_for_selector(f"#official [data-key='{match['id']}']:has-text('29–8')")


def test_a_form_whose_match_another_director_has_decided_says_so(
    director: Director, browser: Browser
) -> None:
    begin(director)
    match = director.tournament["queue"][0]
    entry = f"[data-key='{match['id']}']"
    winner = match["sides"][0]["text"]
    eva = Director(director.hub, log_in(director.hub, "eva", "director"))
    with tournament_page(browser, director.hub, "phone") as page:
        page.locator(f"#queue {entry} [data-name=result]").click()
        page.fill(f"#queue {entry} [data-name='o.points0']", "30")
        page.fill(f"#queue {entry} [data-name='o.points1']", "12")
        freeze(page, director)
        eva.event("RecordResult", match=match["id"], result=result_of(0, [30, 22]))
        page.locator(f"#queue {entry} [data-name=save]").click()
        problem = f"{entry} .problem"
        said = f"cargó el resultado: ganó {winner} 30–22. Hay que mirarlo de nuevo."
        page.wait_for_selector(f"#queue {problem}:has-text('{said}')")
        assert ": eva, " in page.inner_text(problem)
        # The next look moves the match, and what was said with it.
        page.unroute(NEXT_LOOK)
        page.wait_for_selector(f"#official {problem}:has-text('{said}')")
        assert page.evaluate(IN_VIEW, f"#official {problem}")


def test_the_desk_answers_at_the_table_that_was_changed(
    director: Director, browser: Browser
) -> None:
    tables = join(director, [1, 2])
    with desk_page(browser, director.hub, "phone") as page:
        entry = f"#boxes [data-key='{tables[1].device}']"
        page.locator(f"{entry} [data-name=edit]").click()
        page.fill(f"{entry} [data-name=table]", "1")
        page.locator(f"{entry} [data-name=save]").click()
        problem = f"{entry} .fields > .problem[role=alert]"
        page.wait_for_selector(f"{problem}:has-text('Mesa 2: Esa mesa ya tiene una caja')")
        assert page.evaluate(FOCUSED, f"{entry} [data-name=table][aria-invalid=true]")
        assert page.evaluate(IN_VIEW, problem)
        # A click without a network is answered there too.
        page.route("**/desk/act", lambda route: route.abort())
        press(page, f"{entry} [data-name=save]")
        page.wait_for_selector(f"{problem}:not(:has-text('Esa mesa'))")
        page.unroute("**/desk/act")
        page.fill(f"{entry} [data-name=table]", "3")
        page.locator(f"{entry} [data-name=save]").click()
        page.wait_for_selector("#boxes p:has-text('Mesa 3')")
        assert page.locator(".problem:visible").count() == 0
