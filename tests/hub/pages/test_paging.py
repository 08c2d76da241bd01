"""Wall and televisions of a large hall: every name whole, every page in time."""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorer.hub.drawn.tables import DrawnWall
from scorer.hub.match_place import MatchPlace
from scorer.i18n import translator
from scorer.tournament.events import ChangeTeam, StartPhase
from tests.hub.hub_process import HubProcess
from tests.hub.pages.test_pages import wall_of
from tests.hub.tournament_pages import entered, give
from tests.web.browser import SIZES, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

pytestmark = pytest.mark.browser

SIZES_OF_SCREENS: dict[str, ViewportSize] = {
    "1080": SIZES["tv"],
    "720": {"width": 1280, "height": 720},
}
LEAST = 8  # seconds for which a page stands
AGAIN = 60  # seconds after which a team is shown again
TABLES, TEAMS = 128, 128
LEAST_LETTER = 0.016  # of the height of the screen
# What is not whole: text outside its box, its table or the screen, or a name over a score.
NOT_WHOLE = """() => {
    const found = [];
    const isInside = (one, other) => one.left >= other.left - 1 && one.right <= other.right + 1
        && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (const table of document.querySelectorAll(".table, .where li")) {
        const box = table.getBoundingClientRect();
        if (!isInside(box, screen)) found.push(`off ${table.textContent}`);
        for (const text of table.querySelectorAll(".fit > span, .score, .target, .at b")) {
            const { parentElement: parent } = text;
            const around = parent.matches(".fit") ? parent.getBoundingClientRect() : box;
            const wide = { ...around.toJSON(), top: box.top, bottom: box.bottom };
            if (!isInside(text.getBoundingClientRect(), wide)) found.push(text.textContent);
        }
    }
    return found;
}"""
LETTERS = """() => Math.min(...[...document.querySelectorAll(".name > span, .where b > span")]
    .map((each) => parseFloat(getComputedStyle(each).fontSize))) / innerHeight"""


def save(page: Page, name: str) -> None:
    """Keep a picture in the folder PICTURES, for people to look at."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def name_of(number: int) -> str:
    name = f"Primos del Barrio Norte {number:04}"
    assert len(name) == 28
    return name


def hall_document(tables: int) -> dict[str, Any]:
    """A wall whose tables play; some are called, silent, won or contested."""

    def side(number: int, letter: str) -> dict[str, Any]:
        name = name_of(2 * number - (letter == "A"))
        return {"name": name, "side": letter, "score": 28 - number % 7, "games": number % 2}

    def table(number: int) -> dict[str, Any]:
        game = {
            "game": 1,
            "variant": "Truco argentino",
            "target": 30,
            "best_of": 3,
            "sides": [side(number, "A"), side(number, "B")],
            "winner": "A" if number % 16 == 6 else None,
        }
        is_called = number % 16 == 3
        return {
            "table": number,
            "name": "Salón" if number % 5 == 0 else "",
            "silent": number % 16 == 9,
            "alarm": number % 16 == 12,
            "called": [name_of(2 * number - 1), name_of(2 * number)] if is_called else [],
            "game": game,
            "tournament": 0,
            "time": None,
        }

    numbers = range(1, tables + 1)
    listed = [table(each) for each in numbers]
    return {
        "version": "",
        "hall": "Club",
        "has_teams": True,
        "tournaments": [],
        "queue": [],
        "tables": listed,
    }


def give_hall(page: Page, tables: int) -> None:
    """Answer the requests of the page for the scores; it has no stream."""
    wall = DrawnWall(translator("es-AR")).update(hall_document(tables))
    page.route("**/events**", lambda route: route.fulfill(status=503))
    page.route("**/drawn/hall**", lambda route: route.fulfill(json=wall))


def give_tournament(page: Page, teams: int, tables: int) -> list[str]:
    """Answer its requests for a tournament with matches at tables; all names."""
    played = entered("zones_and_bracket", teams)
    for team in played.state.teams:
        played.do(ChangeTeam(team, name_of(team)))
    played.do(StartPhase("zonas"))
    places = {
        match: MatchPlace(at, "playing", (0, 0), (12, 7))
        for at, match in enumerate(played.open_matches("zonas")[:tables], 1)
    }
    give(page, played, places)
    return [name_of(team) for team in played.state.teams]


def stop_clock(page: Page) -> None:
    """Let time pass in the page by steps alone."""
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))


def check_turns(shown: list[str]) -> None:
    """What a page shows each second stands long enough; the first one began before."""
    turns = [at for at in range(1, len(shown)) if shown[at] != shown[at - 1]]
    assert len(turns) > 3
    pauses = [later - turn for turn, later in itertools.pairwise(turns)]
    assert min(pauses) >= LEAST, shown


@pytest.mark.parametrize("size", SIZES_OF_SCREENS)
def test_the_wall_shows_every_table_of_a_large_hall_whole(
    size: str, hub: HubProcess, browser: Browser
) -> None:
    with blank(browser, "tv") as page:
        page.set_viewport_size(SIZES_OF_SCREENS[size])
        give_hall(page, TABLES)
        page.clock.install()
        page.goto(wall_of(hub))
        page.wait_for_selector(".table")
        stop_clock(page)
        places, numbers = list[str](), set[str]()
        for _ in range(LEAST * (TABLES // 16 + 1)):
            places.append(page.inner_text("#place"))
            if places[-1] not in places[:-1]:
                assert page.evaluate(NOT_WHOLE) == []
                assert page.evaluate(LETTERS) >= LEAST_LETTER
                numbers |= {*page.locator(".table h2 .fit").all_inner_texts()}
                save(page, f"wall-{size}-{places[-1].replace('/', '-of-')}")
            page.clock.run_for(1000)
    check_turns(places)
    assert {int(each.split()[1]) for each in numbers} == {*range(1, TABLES + 1)}


def test_a_wall_of_few_tables_does_not_turn_and_a_phone_scrolls(
    hub: HubProcess, browser: Browser
) -> None:
    with blank(browser, "tv") as page:
        give_hall(page, 16)
        page.goto(wall_of(hub))
        page.wait_for_selector(".table >> nth=15")
        assert page.inner_text("#place") == ""
        assert page.evaluate(NOT_WHOLE) == []
    with blank(browser, "phone") as page:
        give_hall(page, 40)
        page.goto(wall_of(hub))
        page.wait_for_selector(".table >> nth=39")
        assert page.inner_text("#place") == ""
        assert page.evaluate("document.documentElement.scrollWidth") == SIZES["phone"]["width"]
        save(page, "wall-phone")


@pytest.mark.parametrize("size", SIZES_OF_SCREENS)
def test_every_team_is_on_a_television_in_a_minute(
    size: str, hub: HubProcess, browser: Browser
) -> None:
    with blank(browser, "tv") as page:
        page.set_viewport_size(SIZES_OF_SCREENS[size])
        give_hall(page, 32)
        teams = give_tournament(page, TEAMS, 32)
        page.clock.install()
        page.goto(wall_of(hub, "tv?screen=ABC"))
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        stop_clock(page)
        seen_at = dict.fromkeys(teams, 0)
        longest, places, titles = 0, list[str](), set[str]()
        for now in range(3 * AGAIN):
            place = page.inner_text("#place")
            if not places or place != places[-1]:
                titles.add(page.inner_text("h1"))
                assert page.evaluate(NOT_WHOLE) == []
                if page.locator(".where").count():
                    assert page.evaluate(LETTERS) >= LEAST_LETTER
                save(page, f"tv-{size}-{len({*places}):02}")
            places.append(place)
            for name in page.locator(".where .who b").all_inner_texts():
                longest = max(longest, now - seen_at[name])
                seen_at[name] = now
            page.clock.run_for(1000)
        assert max(longest, *(3 * AGAIN - at for at in seen_at.values())) <= AGAIN
        check_turns(places)
        assert len(titles) > 1, "standings have their turn too"


def test_televisions_share_the_teams_by_letter(hub: HubProcess, browser: Browser) -> None:
    played = entered("zones_and_bracket", 24)
    played.do(ChangeTeam(1, "4 de Copas"))
    played.do(StartPhase("zonas"))
    screens = {"ABC": {"show": "where"}}
    shown: dict[str, set[str]] = {}
    with blank(browser, "tv") as page:
        give_hall(page, 2)
        give(page, played, {}, screens)
        for letters in ("a-l", "m-z"):
            page.goto(wall_of(hub, f"tv?screen=ABC&teams={letters}"))
            page.wait_for_selector("html[data-ready=yes]", state="attached")
            assert page.inner_text("h1").endswith(letters.replace("-", "–").upper())
            shown[letters] = set()
            for _ in range(2):
                shown[letters] |= {*page.locator(".where .who b").all_inner_texts()}
                page.keyboard.press("ArrowRight")
    assert shown["a-l"] & shown["m-z"] == set()
    assert shown["a-l"] | shown["m-z"] == {each.name for each in played.state.teams.values()}
    assert {"4 de Copas", "Álamo Viejo"} <= shown["a-l"]
    assert {each for each in shown["m-z"] if not re.match("[M-ZÑ]", each)} == set()
