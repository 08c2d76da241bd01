"""Screens and pages of teams: words, size, and what they show in Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import scorer.hub.pages
import scorer.serving.pages
from scorer.hub.match_cache import MatchCache
from scorer.hub.match_place import HallTournament, MatchPlace, MatchPlaces
from scorer.hub.pages import DESK_WORDS, WALL_WORDS
from scorer.hub.tournament_documents import match_document, table_documents, tournament_document
from scorer.i18n import languages, sentences
from scorer.serving.static_files import compressed
from scorer.tournament.events import ChangeTeam, StartPhase
from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.joining_box import JoiningBox, join_box, log_in
from tests.hub.open_tournaments import waiting
from tests.hub.pages.test_pages import OUTSIDE, open_desk, wall_of
from tests.hub.tournament_pages import (
    at_tables,
    bracket,
    bracket_of,
    entered,
    give,
    phrases_of,
    swiss,
    whole_state,
    zones,
)
from tests.tournament.play import Played, coin
from tests.web.browser import axe_violations, blank
from tests.web.test_page_files import LATER_CSS, LATER_JS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

FOLDER = Path(scorer.hub.pages.__file__).parent
MOST = 32 * 1024  # bytes of a page with all that it asks for, as they are sent
MOST_OF_ALL = 48 * 1024  # of the page of the tournament, which a desk opens once in an evening
CUT = """() => {
    const low = document.getElementById("view").getBoundingClientRect().bottom + 1;
    const all = [...document.querySelectorAll("#view li, #view tr, #view .match, #view p")];
    const cut = all.filter((each) => each.getBoundingClientRect().bottom > low);
    return cut.map((each) => each.textContent);
}"""
LONGEST = "Los Primos Hermanos de la Calle Belgrano"
CUT_NAMES = """() => [...document.querySelectorAll(".where .who b")]
    .filter((b) => b.scrollWidth > b.clientWidth || b.scrollHeight > b.clientHeight + 2)
    .map((b) => b.textContent)"""
CUT_TABLES = """() => [...document.querySelectorAll(".wide")]
    .filter((each) => each.scrollWidth > each.clientWidth)
    .map((each) => each.textContent)"""
NO_TEXT = r"undefined|null|NaN|\{|\[object|(?:hub|phrase)\."


def file(name: str) -> Path:
    path = FOLDER / name
    return path if path.exists() else Path(scorer.serving.pages.__file__).parent / name


def loaded(name: str) -> set[str]:
    """The files that a file asks for, and those that they ask for."""
    text = file(name).read_text("utf-8")
    found = set(re.findall(r'(?:/static/|from "\./)([\w.]+)', text))
    return found.union(*(loaded(each) for each in found))


@pytest.mark.parametrize("page", ["wall", "tv", "team", "teams", "desk", "organise"])
@pytest.mark.parametrize("language", languages())
def test_a_page_weighs_little_with_all_that_it_asks_for(page: str, language: str) -> None:
    names = {"page.html", f"{page}.html", f"{page}.css", f"{page}.js", "hall.css", "felt.css"}
    names |= loaded(f"{page}.css") | loaded(f"{page}.js")
    groups = DESK_WORDS if page in ("desk", "organise") else WALL_WORDS
    words = json.dumps(sentences(language, *groups), ensure_ascii=False)
    bodies = [words.encode(), *(file(name).read_bytes() for name in names)]
    most = MOST_OF_ALL if page == "organise" else MOST
    assert sum(len(compressed(body)) for body in bodies) <= most


@pytest.mark.parametrize("page", ["wall", "tv", "team"])
def test_a_television_of_2018_reads_all_that_a_page_asks_for(page: str) -> None:
    sheets = {f"{page}.css", "hall.css", "felt.css", *loaded(f"{page}.css")}
    scripts = {f"{page}.js", *loaded(f"{page}.js")}
    assert len(scripts) > 5
    for names, later in ((sheets, LATER_CSS), (scripts, LATER_JS)):
        codes = {name: re.sub(r"//.*", "", file(name).read_text("utf-8")) for name in names}
        found = [(name, each) for name in names for each in later if re.search(each, codes[name])]
        assert found == []


DESK_FILES = ["desk.js", *sorted(each.name for each in FOLDER.glob("organise*.js"))]
WORDLESS = {
    *("organise_actions.js", "organise_sections.js"),
    *("organise_share.js", "organise_standings.js"),
}
VIEWERS_FILES = ["wall.js", "tv.js", "team.js"]


@pytest.mark.parametrize("file", VIEWERS_FILES + DESK_FILES)
def test_a_page_asks_only_for_words_that_it_is_given(file: str) -> None:
    code = (FOLDER / file).read_text("utf-8")
    asked = re.findall(r'say\("([\w.]+)"', code)
    assert asked or file in WORDLESS
    given = sentences("en", *(DESK_WORDS if file in DESK_FILES else WALL_WORDS))
    assert [key for key in asked if key not in given] == []


# ---- in Chromium --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("hub"), 'name = "Club Tres de Copas"') as running:
        yield running


def open_page(page: Page, hub: HubProcess, path: str) -> None:
    page.goto(wall_of(hub, path))
    page.wait_for_selector("html[data-ready=yes]", state="attached")


VIEWS: dict[str, tuple[Callable[[], Played], str]] = {
    "where": (zones, "where"),
    "zones": (zones, "standings"),
    "swiss": (swiss, "standings"),
    "bracket": (bracket, "bracket"),
    "large bracket": (partial(bracket, 64), "bracket"),
}


@pytest.mark.browser
@pytest.mark.parametrize("name", VIEWS)
def test_a_screen_shows_all_of_a_page_at_once(name: str, hub: HubProcess, browser: Browser) -> None:
    play, show = VIEWS[name]
    played = play()
    with blank(browser, "tv") as page:
        give(page, played, at_tables(played), {"ABC": {"show": show}})
        open_page(page, hub, "tv?screen=ABC")
        of = re.search(r"1/(\d+)", page.inner_text("#place"))
        for _ in range(int(of[1]) if of else 1):
            assert page.evaluate(CUT) == []
            assert page.evaluate(OUTSIDE) == []
            page.keyboard.press("ArrowRight")
        assert axe_violations(page) == []


@pytest.mark.browser
def test_a_screen_without_a_choice_shows_its_code_and_all_in_turn(
    hub: HubProcess, browser: Browser
) -> None:
    played = zones()
    with blank(browser, "tv") as page:
        open_page(page, hub, "tv")
        assert "Todavía no empezó ningún torneo" in page.inner_text("h1")
        code = page.inner_text("#place")
        assert re.fullmatch(r"Pantalla [A-Z]{3}", code)
        give(page, played, at_tables(played))
        open_page(page, hub, "tv")
        assert page.inner_text("#place").endswith(code)
        titles = set()
        for _ in range(8):
            titles.add(page.inner_text("h1"))
            page.keyboard.press("ArrowRight")
        assert titles == {"Quién juega dónde", "Posiciones · Zonas"}


@pytest.mark.browser
@pytest.mark.parametrize("size", ["tv", "desktop"])
def test_who_plays_where_shows_every_name_whole(
    size: str, hub: HubProcess, browser: Browser
) -> None:
    played = entered("zones_and_bracket", 24)
    for team, name in ((2, "W" * 13), (3, "El Quintuple Ancho D"), (4, LONGEST)):
        played.do(ChangeTeam(team, name))
    played.do(StartPhase("zonas"))
    with blank(browser, size) as page:
        give(page, played, at_tables(played))
        open_page(page, hub, "tv?screen=ABC")
        names = []
        for _ in range(2):
            names += page.locator(".where .who b").all_inner_texts()
            assert page.evaluate(CUT_NAMES) == []
            assert page.evaluate(CUT) == []
            page.keyboard.press("ArrowRight")
        assert {"El Quintuple Ancho D", LONGEST} <= {*names}


SCORES = """() => [...document.querySelectorAll(".bracket .team")].map((team) => {
    const score = team.querySelector("b");
    const letter = parseFloat(getComputedStyle(score).fontSize);
    const high = score.getBoundingClientRect().height / letter;
    return [team.querySelector(".name").textContent.length, score.textContent, high];
})"""


@pytest.mark.browser
@pytest.mark.parametrize("size", ["tv", "desktop"])
def test_a_score_of_two_digits_is_one_line_beside_any_name(
    size: str, hub: HubProcess, browser: Browser
) -> None:
    played = entered("zones_and_bracket", 24)
    for team in played.state.teams:
        length = 40 if team % 2 else 16 + team
        played.do(ChangeTeam(team, f"Equipo {'x' * team}{'y' * 40}"[:length]))
    played = bracket_of(played)
    places = {
        match: MatchPlace(at, "playing", (0, 0), (22, 28), running=(22, 28))
        for at, match in enumerate(played.open_matches("llave"), 1)
    }
    with blank(browser, size) as page:
        give(page, played, places, {"ABC": {"show": "bracket"}})
        open_page(page, hub, "tv?screen=ABC")
        found = page.evaluate(SCORES)
    assert {score for _, score, _ in found} >= {"0 | 22", "0 | 28"}
    assert max(length for length, _, _ in found) == 40
    assert [each for each in found if each[2] > 1.5] == []


def team_at_a_table(played: Played, places: MatchPlaces) -> int:
    return next(filter(None, played.reader.sides(next(iter(places)))))


@pytest.mark.browser
@pytest.mark.parametrize("language", languages())
def test_a_team_finds_its_table_and_its_results_in_every_language(
    language: str, hub: HubProcess, browser: Browser
) -> None:
    played = bracket()
    places = at_tables(played)
    team = team_at_a_table(played, places)
    with blank(browser, "phone") as page:
        give(page, played, places)
        open_page(page, hub, f"e/{team}?lang={language}")
        assert page.inner_text("h1") == played.state.teams[team].name
        assert "1" in page.inner_text("#next .table")
        assert page.locator("#results li").count() >= 3
        page.click("summary")
        assert page.inner_text("details p")
        assert page.locator(".standings .own").count() == 1
        assert page.evaluate(OUTSIDE) == []
        assert re.findall(NO_TEXT, page.inner_text("body")) == []
        if language == languages()[0]:
            assert axe_violations(page) == []


NAMES_CUT = """() => [...document.querySelectorAll(".standings .name")]
    .filter((each) => each.scrollWidth > each.clientWidth || each.getBoundingClientRect().left < 0)
    .map((each) => each.textContent)"""


@pytest.mark.browser
def test_names_are_whole_on_a_phone_beside_the_ten_values_of_a_swiss(
    hub: HubProcess, browser: Browser
) -> None:
    played = swiss(21)
    with blank(browser, "phone") as page:
        give(page, played, at_tables(played))
        open_page(page, hub, "e/11")
        table = page.locator(".wide")
        assert "Los Primos de la Calle Belgrano" in table.inner_text()
        assert page.evaluate(NAMES_CUT) == []
        # The values at the end are reached sideways, and the names stay beside them.
        table.evaluate("each => each.scrollTo(each.scrollWidth, 0)")
        last = page.locator(".standings thead th").last.bounding_box()
        assert last is not None and last["x"] + last["width"] <= 390
        assert page.evaluate(NAMES_CUT) == []
        assert page.evaluate(OUTSIDE) == []


@pytest.mark.browser
def test_a_team_without_a_match_reads_who_has_won(hub: HubProcess, browser: Browser) -> None:
    played = bracket()
    loser = next(each for each in played.state.teams if not open_matches_of(played, each))
    with blank(browser, "phone") as page:
        give(page, played, {})
        open_page(page, hub, f"e/{loser}")
        assert page.inner_text("#next") == "Por ahora no hay partido"
        assert page.evaluate(CUT_TABLES) == []
        while played.play_open("llave", coin(6)):
            pass
        give(page, played, {})
        open_page(page, hub, f"e/{loser}")
        name = tournament_document(phrases_of(played), {})["champion"]
        assert page.inner_text("#next-title") == "Campeones"
        assert page.inner_text("#next") == name


def open_matches_of(played: Played, team: int) -> list[str]:
    return [each for each in played.open_matches("llave") if team in played.reader.sides(each)]


@pytest.mark.browser
def test_a_team_that_is_not_entered_is_said(hub: HubProcess, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        give(page, zones(), {})
        open_page(page, hub, "e/99")
        assert page.inner_text("h1") == "No existe ese equipo"
        assert axe_violations(page) == []


def give_desk(page: Page, played: Played, places: MatchPlaces) -> None:
    """Add the matches of a tournament to what the desk is shown."""
    phrases = phrases_of(played)
    matches = table_documents(phrases, HallTournament(1, played.reader, places), MatchCache())
    ready, _, _ = waiting(played, places)
    queue = [{**match_document(phrases, each, places), "waits_at": []} for each in ready]
    lists = ("tables", "missing", "next", "phases", "teams", "official", "free", "unjudged")
    empty: dict[str, object] = {key: [] for key in lists}
    tournament = {**empty, "queue": queue, "is_drawn": True, "publish_after": 0, "seq": 1}

    def answer(route: Route) -> None:
        found = whole_state(route)
        if not found.ok:
            route.fulfill(response=found)
            return
        document = found.json()
        boxes = [{**box, "match": matches.get(box["table"])} for box in document["boxes"]]
        route.fulfill(response=found, json={**document, "boxes": boxes, "tournament": tournament})

    page.route("**/desk/state?**", answer)


@pytest.mark.browser
def test_the_desk_names_the_match_of_each_table_and_what_waits(
    hub: HubProcess, browser: Browser
) -> None:
    client = log_in(hub)
    for table in (1, 5):
        join_box(hub, client, str(table) * 32, table)
    played = zones(8)
    places = {match: at for match, at in at_tables(played).items() if at.table in (1, 5)}
    with blank(browser, "phone", ignore_https_errors=True) as desk:
        give_desk(desk, played, places)
        open_desk(desk, hub)
        desk.wait_for_selector("#boxes .entry >> nth=1")
        assert "Zona 1, fecha 2 · jugando" in desk.inner_text("#boxes .entry >> nth=0")
        assert "reclamado" in desk.inner_text("#boxes .alarm")
        assert desk.locator("#queue .entry").count() == 2, "one of each zone"
        assert desk.evaluate(OUTSIDE) == []
        assert re.findall(NO_TEXT, desk.inner_text("body")) == []
        assert axe_violations(desk) == []


@pytest.mark.browser
def test_a_director_is_shown_no_button_of_an_administrator(
    tmp_path: Path, browser: Browser
) -> None:
    with running_hub(tmp_path / "hub") as hub:
        join_box(hub, log_in(hub, "eva"), "1" * 32, 1)
        log_in(hub, "ana", "director")
        JoiningBox(hub.client(), hub.pin, "2" * 32).show_digits()
        with blank(browser, "phone", ignore_https_errors=True) as desk:
            open_desk(desk, hub)
            desk.wait_for_selector("#candidates:has-text('La acepta un administrador')")
            desk.click("summary")
            names = "buttons => buttons.map((each) => each.dataset.name)"
            assert desk.eval_on_selector_all("#desk button", names) == ["renew"]
            assert axe_violations(desk) == []
