"""Teams and pages are found, on a phone and at the desk, in Chromium."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from scorer.i18n import languages, translator
from tests.hub.pages.test_organise_page import open_page, tournament_page
from tests.hub.pages.test_pages import FOCUSED, OUTSIDE, desk_of, desk_page, press, wall_of
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import LIST, Director, begin, join
from tests.hub.test_tournament_pages import NO_TEXT
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SHOWN = "#found li:not([hidden])"
SYLLABLES = ("Ba", "Ce", "Di", "Fo", "Gu", "Ja", "Le", "Mi", "No", "Pu", "Qua", "Re", "Si", "To")
MANY = [
    f"{SYLLABLES[at % 14]}{SYLLABLES[at // 14].lower()}rro{' del Álamo' if at % 5 else ''}"
    for at in range(127)
] + ["Ñandú Negro"]
IN_VIEW = """element => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
}"""
# The state of a page, and the whole one; without the time, which goes on.
BOTH = """async () => {
    const { fetchState } = await import("/static/desk_state.js");
    const { state } = await fetchState();
    const whole = await (await fetch("/desk/state?lang=es-AR", { cache: "no-store" })).json();
    return [state, whole].map((each) => JSON.stringify({ ...each, now: "" }, (key, value) =>
        value && typeof value === "object" && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).sort()) : value));
}"""


def on_the_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 664})


def test_a_player_finds_the_team_by_keyboard_while_typing(
    director: Director, browser: Browser
) -> None:
    begin(director, "\n".join(MANY))
    with blank(browser, "phone") as page:
        on_the_phone(page)
        page.goto(wall_of(director.hub, "e/"))
        assert page.locator(SHOWN).count() == 128
        page.locator("#q").press_sequentially("ña")
        assert page.locator(SHOWN).all_inner_texts() == ["Ñandú Negro\nN.º 128"]
        assert page.locator(SHOWN).evaluate(IN_VIEW)
        page.fill("#q", "zorro")
        page.wait_for_selector("#none:not([hidden])")
        # With one wrong letter, as the hub finds it.
        for typed in ("nandi", "nadnu"):
            page.fill("#q", typed)
            assert page.locator(SHOWN).all_inner_texts() == ["Ñandú Negro\nN.º 128"]
            page.fill("#q", "zorro")
        page.fill("#q", "nándu neg")
        press(page, f"{SHOWN} a")
        page.wait_for_selector("h1:text-is('Ñandú Negro')")
        # Back at the search, and from the page of the team to a new one.
        page.go_back()
        page.wait_for_selector(SHOWN)
        assert page.locator(SHOWN).count() == 1
        page.go_forward()
        page.click("#another")
        page.wait_for_selector("#q")


def test_without_scripts_the_form_finds_the_team(director: Director, browser: Browser) -> None:
    begin(director)
    with blank(browser, "phone", java_script_enabled=False) as page:
        page.goto(wall_of(director.hub, "e/"))
        page.fill("#q", "equipo dora")
        page.press("#q", "Enter")
        page.wait_for_url("**q=equipo**")
        assert [each.split("\n")[0] for each in page.locator(SHOWN).all_inner_texts()] == [
            "Equipo Dora"
        ]
        assert page.input_value("#q") == "equipo dora"


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_pages_of_visitors_are_whole_and_accessible_in_every_language(
    director: Director, browser: Browser, size: str
) -> None:
    begin(director, f"{LIST}\n{'W' * 40}")
    with blank(browser, size) as page:
        for language in languages():
            for path in ("e/", "e/?q=zorro&", "none", "desk"):
                page.goto(
                    wall_of(director.hub, f"{path}{'' if '?' in path else '?'}lang={language}")
                )
                text = page.inner_text("body")
                assert re.findall(rf"{NO_TEXT}|visitor\.", text) == [], path
                assert page.evaluate(OUTSIDE) == [], (language, path)
                assert axe_violations(page) == [], (language, path)
                assert page.title() == page.inner_text("h1")


def test_wall_and_television_show_the_code_once_there_are_teams(
    director: Director, browser: Browser
) -> None:
    with blank(browser, "tv") as page:
        for path in ("", "tv"):
            page.goto(wall_of(director.hub, path))
            page.wait_for_selector("h1:not(:empty)")
            assert page.locator("#find").is_hidden()
        page.goto(wall_of(director.hub))
        page.wait_for_selector("h1:not(:empty)")
        join(director, [1, 2])
        begin(director)
        # The page is open since before the tournament.
        page.wait_for_selector("#find:visible")
        for path in ("", "tv"):
            page.goto(wall_of(director.hub, path))
            page.wait_for_selector("#find img:visible")
            assert page.evaluate("document.querySelector('#find img').naturalWidth") > 0
            assert page.inner_text("#find") == translator("es-AR")("hub.find")
            assert page.evaluate(OUTSIDE) == []
            assert axe_violations(page) == []


def test_the_desk_lists_all_addresses_with_their_codes_by_keyboard(
    director: Director, browser: Browser
) -> None:
    begin(director)
    director.act("t.screen", screen="ABC", show="where", phase="")
    for size in ("phone", "desktop"):
        with desk_page(browser, director.hub, size) as page:
            for language in languages():
                page.goto(desk_of(director.hub, f"/desk?lang={language}"))
                press(page, "#addresses summary")
                page.wait_for_selector("#address-list li >> nth=5")
                page.wait_for_function(
                    "() => [...document.querySelectorAll('.qr')].every(each => each.naturalWidth)"
                )
                assert "tv?screen=ABC" in page.inner_text("#address-list")
                assert page.evaluate(OUTSIDE) == []
                assert axe_violations(page) == []


def test_with_128_teams_two_letters_bring_the_line_into_view(
    director: Director, browser: Browser
) -> None:
    tables = join(director, [2, 11])
    begin(director, "\n".join(MANY))
    waiting = director.tournament["queue"]
    mine = next(each for each in waiting if "Ñandú Negro" in str(each["sides"]))
    director.act("t.call", match=waiting[0]["id"], device=tables[1].device)
    director.act("t.call", match=mine["id"], device=tables[0].device)
    with blank(browser, "desktop", ignore_https_errors=True) as page:
        on_the_phone(page)
        open_page(page, director.hub)
        press(page, "#q", "ArrowRight")
        page.locator("#q").press_sequentially("ña")
        line = page.locator("#hits li").first
        assert "Ñandú Negro" in line.inner_text()
        assert "Mesa 2" in line.inner_text()
        assert line.evaluate(IN_VIEW)
        # Many are found: those whose name begins so come first, all in view.
        page.fill("#q", "ba")
        assert page.locator("#hits li >> nth=0").inner_text().startswith("Ba")
        assert page.locator("#hits li").count() == 10
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []
        # A line leads to the match, another one to the team, whose section opens.
        page.fill("#q", "nandu")
        press(page, "#hits [data-name=match]")
        entry = page.locator(f"#tables [data-key='{mine['id']}']")
        assert entry.evaluate("element => element.contains(document.activeElement)")
        assert page.locator("#hits li").count() == 0
        assert page.locator("#entered").is_hidden()
        page.fill("#q", "128")
        press(page, "#hits [data-name=team]")
        entry = page.locator("#entered [data-key='128']")
        assert entry.evaluate("element => element.contains(document.activeElement)")
        assert entry.evaluate(IN_VIEW)
        page.fill("#q", "11")
        assert "Mesa 11" in page.inner_text("#hits li >> nth=0")
        page.fill("#q", "nandi")
        assert "Ñandú Negro" in page.inner_text("#hits")
        page.fill("#q", "zorro")
        assert page.inner_text("#hits") == translator("es-AR")("desk.o.search.none")


def names(page: Page) -> list[str]:
    listed = page.locator("#entered .entry > p").all_inner_texts()
    return [each.split("\n")[0] for each in listed]


def test_teams_stand_by_name_by_table_and_by_number(director: Director, browser: Browser) -> None:
    tables = join(director, [3, 1])
    begin(director, "Zeta\nÁlamo\nbeta\nÑu\nNube\nOmega")
    for match, table in zip(director.tournament["queue"], tables, strict=False):
        director.act("t.call", match=match["id"], device=table.device)
    with tournament_page(browser, director.hub, "desktop") as page:
        assert names(page) == ["Álamo", "beta", "Nube", "Ñu", "Omega", "Zeta"]
        page.select_option("#order", "number")
        page.wait_for_function(
            "() => document.querySelector('#entered .entry').textContent.startsWith('Zeta')"
        )
        assert names(page) == ["Zeta", "Álamo", "beta", "Ñu", "Nube", "Omega"]
        page.select_option("#order", "table")
        at_tables = sorted(director.tournament["tables"], key=lambda each: each["match"]["table"])
        first = {side["name"] for side in at_tables[0]["match"]["sides"]}
        page.wait_for_function(
            "names => names.includes(document.querySelector('#entered p').firstChild.textContent)",
            arg=[*first],
        )
        assert {*names(page)[:2]} == first
        assert [each.split()[1] for each in re.findall(r"Mesa \d", page.inner_text("#tables"))] == [
            "1",
            "3",
        ]


def test_sections_open_and_close_and_stay_so(director: Director, browser: Browser) -> None:
    (table,) = join(director, [1])
    begin(director)
    one = director.tournament["queue"][0]["id"]
    with tournament_page(browser, director.hub, "desktop") as page:
        toggle = "#queue-title button"
        assert page.get_attribute(toggle, "aria-expanded") == "true"
        press(page, toggle)
        assert page.locator("#queue").is_hidden()
        # A redraw, and the page that is loaded again, leave it closed.
        director.act("t.call", match=one, device=table.device)
        page.wait_for_selector("#tables .entry")
        assert page.locator("#queue").is_hidden()
        page.reload()
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        assert page.locator("#queue").is_hidden()
        # A link to the section opens it.
        press(page, "#parts [data-name=queue-title]")
        page.wait_for_function(FOCUSED, arg="#queue-title")
        assert page.locator("#queue").is_visible()
        assert axe_violations(page) == []


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_standings_and_bracket_are_at_the_desk_in_every_language(
    director: Director, browser: Browser, size: str
) -> None:
    begin(director, "\n".join(letter * 40 for letter in "ABCWMQ"))
    win_zones_of(director)
    director.event("StartPhase", phase="llave")
    with desk_page(browser, director.hub, size) as page:
        for language in languages():
            page.goto(desk_of(director.hub, f"/desk/tournament?lang={language}"))
            page.wait_for_selector("html[data-ready=yes]", state="attached")
            for title in ("standings", "bracket"):
                if page.get_attribute(f"#{title}-title button", "aria-expanded") == "false":
                    press(page, f"#{title}-title button")
            page.wait_for_selector("#standings tbody tr >> nth=5")
            page.wait_for_selector("#bracket .match")
            wide = "document.documentElement.scrollWidth <= innerWidth"
            assert page.evaluate(wide), language
            assert page.evaluate(OUTSIDE) == [], language
            assert axe_violations(page) == [], language
            assert re.findall(NO_TEXT, page.inner_text("#standings, #bracket")) == []
        # A result is in the bracket without a click.
        match = director.tournament["queue"][0]
        given = {name: [most, 0] for name, most in match["walkover"].items()}
        result = {"winner": 0, "ending": "walkover", **given}
        director.event("RecordResult", match=match["id"], result=result, reason="no vinieron")
        page.wait_for_selector("#bracket .match.official")


def win_zones_of(director: Director) -> None:
    """Results for all matches of the zones."""
    while waiting := director.tournament["queue"]:
        result = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "played"}
        director.event("RecordResult", match=waiting[0]["id"], result=result)


def test_the_page_has_the_state_of_the_hub_after_many_changes(
    director: Director, browser: Browser
) -> None:
    tables = join(director, [1, 2])
    with desk_page(browser, director.hub, "desktop") as page:
        received: list[str] = []
        page.on("response", lambda answer: received.append(answer.url))

        def check() -> None:
            # What changes between the two requests is the same in the next ones.
            wait_for(lambda: len({*page.evaluate(BOTH)}) == 1)

        check()
        begin(director)
        check()
        for match, table in zip(director.tournament["queue"], tables, strict=False):
            director.act("t.call", match=match["id"], device=table.device)
            check()
            table.play("A award 12", "B award 3")
            check()
        tables[0].play("A award 18", "A agree", "B agree", is_new=False)
        check()
        director.hub.kill()
        director.hub.start()
        # The hub does not know what the page has: it gets the whole state.
        check()
        assert [each for each in received if "since=" in each]
