"""The side page of a tournament in Chromium, from list to correction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorer.i18n import languages
from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.hub.pages.evening_tools import agreeing, refusing
from tests.hub.pages.test_pages import (
    FOCUSED,
    OUTSIDE,
    desk_of,
    desk_page,
    open_desk,
    press,
    wall_of,
)
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import EIGHT, LIST, Director, begin, join, play_in_circles
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

pytestmark = pytest.mark.browser


def open_page(page: Page, hub: HubProcess, query: str = "") -> None:
    open_desk(page, hub)
    page.goto(desk_of(hub, f"/desk/tournament{query}"))
    page.wait_for_selector("html[data-ready=yes]", state="attached")


@contextmanager
def tournament_page(browser: Browser, hub: HubProcess, size: str) -> Iterator[Page]:
    """The page of the organiser in a window of its own."""
    with blank(browser, size, ignore_https_errors=True) as page:
        open_page(page, hub)
        yield page


def test_a_tournament_is_begun_called_and_corrected_by_keyboard(
    director: Director, browser: Browser
) -> None:
    (table,) = join(director, [1])
    with tournament_page(browser, director.hub, "desktop") as page:
        page.select_option("#format", "zones_and_bracket")
        columns = "nombre; jugadores (2); suplentes (1); club; cabeza de serie."
        assert columns in page.inner_text("#columns")
        page.fill("#teams", f"{LIST}\nEquipo Ana\nEquipo Anna")
        press(page, "#check")
        page.wait_for_selector("#report p")
        assert re.search("(?i)línea 7.*Equipo Ana", page.inner_text("#report"))
        page.fill("#teams", LIST)
        press(page, "#create")
        page.wait_for_selector("#now:not([hidden])")
        page.fill("[data-name=seed]", "20261123")
        press(page, "[data-name=draw]")
        press(page, "[data-name=start]")
        page.wait_for_selector("#queue .entry")
        match = director.tournament["queue"][0]["id"]
        press(page, "#queue [data-name=call]")
        page.wait_for_selector("#tables .entry:has-text('Mesa 1')")
        table.play("A award 30", "A agree", "B agree")
        page.wait_for_selector("#official .entry")
        assert director.tournament["official"][0]["id"] == match
        correct(page)
        wait_for(lambda: director.tournament["official"][0]["result"]["winner"] == 1)
        assert page.locator("#problem").is_hidden()


def correct(
    page: Page,
    entry: str = "#official .entry:first-child",
    points: tuple[int, ...] = (12, 30),
) -> None:
    """Enter other points; the page asks with what follows."""
    asked: list[str] = []

    page.once("dialog", agreeing(asked))
    press(page, f"{entry} [data-name=result]")
    for at, value in enumerate(points):
        page.fill(f"{entry} [data-name='o.points{at}']", str(value))
    page.fill(f"{entry} [data-name=reason]", "planilla mal copiada")
    press(page, f"{entry} [data-name=save]")
    won, lost = max(points), min(points)
    page.wait_for_selector(f"#official .entry:has-text(' {won}–{lost}')")
    assert len(asked) == 1


def test_a_tournament_takes_few_clicks(director: Director, browser: Browser) -> None:
    """From the pasted list to all tables called 6 at most; a round 1; a correction 3."""
    tables = join(director, [1, 2, 3, 4])
    with tournament_page(browser, director.hub, "desktop") as page:
        page.select_option("#format", "swiss")
        page.fill("#teams", EIGHT)
        page.click("#check")
        page.click("#create")
        page.fill("[data-name=seed]", "20261123")
        for name in ("draw", "start", "pair", "auto"):
            page.click(f"[data-name={name}]")
        wait_for(lambda: len(director.tournament["tables"]) == len(tables))
        for table in tables:
            table.play("A award 30", "A agree", "B agree")
        page.click("[data-name=pair]")
        wait_for(lambda: {each["match"]["stage"]["round"] for each in called(director)} == {2})
        correct(page)


def test_a_list_comes_from_a_file_and_what_is_asked_is_read(
    director: Director, browser: Browser, tmp_path: Path
) -> None:
    text = "Pareja;Teléfono\r\n" + "".join(f"{at}. La Peña {at};1155\r\n" for at in range(1, 13))
    asked: list[str] = []

    with tournament_page(browser, director.hub, "phone") as page:
        page.select_option("#format", "swiss")
        for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "cp1252"):
            path = tmp_path / "lista.csv"
            path.write_bytes(text.encode(encoding))
            page.fill("#teams", "")
            page.set_input_files("#list", path)
            page.wait_for_selector("#report:has-text('12 equipos')")
            assert "12. La Peña 12;1155" in page.input_value("#teams"), encoding
        lines = page.locator("#report p").all_text_contents()
        assert lines[:3] == [
            "Encabezado: Pareja = equipo, Teléfono = no se usa",
            "Línea 1: la columna 2, «Teléfono», no se usa",
            "Línea 2: «1. La Peña 1» se anota como «La Peña 1»",
        ]
        assert page.evaluate(OUTSIDE) == []
        path.write_bytes(b"PK\x03\x04 a workbook")
        page.set_input_files("#list", path)
        page.wait_for_selector("#report:has-text('Es una planilla de Excel')")
        page.on("dialog", agreeing(asked))
        page.click("#create")
        page.wait_for_selector("#entered .entry")
        assert asked[0].splitlines()[-3:] == [
            "… y 5 líneas más en la página",
            "",
            "¿Está bien así?",
        ]
    assert [each["name"] for each in director.tournament["teams"]][-1] == "La Peña 12"


def called(director: Director) -> list[dict[str, Any]]:
    """The tables whose match has no result."""
    return [each for each in director.tournament["tables"] if each["match"]["result"] is None]


def test_a_team_is_missing_and_a_television_gets_its_page_by_keyboard(
    director: Director, browser: Browser
) -> None:
    begin(director)
    match = director.tournament["queue"][0]
    name = match["sides"][0]["name"]
    with tournament_page(browser, director.hub, "desktop") as page:
        press(page, f"[data-name=presence][aria-label='Marcar ausente: {name}']")
        page.wait_for_selector(f"#missing .entry:has-text('ausente: {name}')")
        press(page, f"[data-name=presence][aria-label='Llegó: {name}']")
        page.wait_for_selector("#missing", state="hidden")
        page.fill("#code", "tmp")
        page.select_option("#show", "standings")
        page.select_option("#phase", "zonas")
        press(page, "#choose")
        page.wait_for_selector("#screens .entry:has-text('Pantalla TMP')")
        shows = {"show": "standings", "phase": "zonas", "tournaments": [director.tournament["id"]]}
        assert director.tournament["screens"] == {"TMP": shows}
        assert page.locator("#problem").is_hidden()


def test_what_is_typed_stays_while_the_tables_play(director: Director, browser: Browser) -> None:
    one, two = join(director, [1, 2])
    begin(director)
    matches = [each["id"] for each in director.tournament["queue"]][:2]
    for match, table in zip(matches, (one, two), strict=True):
        director.act("t.call", match=match, device=table.device)
    entry = f"#tables [data-key='{matches[0]}']"
    with tournament_page(browser, director.hub, "desktop") as page:
        press(page, f"{entry} details:not(.why) summary")
        page.fill(f"{entry} [data-name='o.points0']", "30")
        one.play("A award 3")
        two.play("A award 4")
        page.wait_for_selector(f"{entry} p:has-text('3–0')")
        assert page.input_value(f"{entry} [data-name='o.points0']") == "30"
        # No team has won by 30 to 30: the refusal leaves the form as it is.
        page.fill(f"{entry} [data-name='o.points1']", "30")
        press(page, f"{entry} [data-name=save]")
        page.wait_for_selector(f"{entry} .problem:has-text('Los dos equipos tienen lo mismo')")
        assert page.input_value(f"{entry} [data-name='o.points1']") == "30"
        press(page, f"{entry} details:not(.why) summary")
        one.play("A award 5", is_new=False)
        page.wait_for_selector(f"{entry} p:has-text('8–0')")


def test_the_director_publishes_and_learns_why_two_teams_meet_by_keyboard(
    director: Director, browser: Browser
) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = director.tournament["queue"][0]["id"]
    director.act("t.call", match=match, device=table.device)
    with tournament_page(browser, director.hub, "desktop") as page:
        page.focus("[data-name=publish]")
        page.keyboard.press("ArrowDown")
        wait_for(lambda: director.tournament["publish_after"] is None)
        press(page, f"#tables [data-key='{match}'] .why summary")
        page.wait_for_selector(".why p:has-text('Todos los equipos de la zona 1 se enfrentan.')")
        press(page, f"#tables [data-key='{match}'] .why summary")
        table.play("A award 30", "A agree", "B agree")
        page.wait_for_selector("#tables small:has-text('mesa ✓ · sala ✓ · publicado –')")
        press(page, "#tables [data-name=publish]")
        page.wait_for_selector("#official small:has-text('publicado ✓')")
        # The focus is on the same match in its new list.
        focused = "document.activeElement.closest('[data-key]')?.dataset.key"
        assert page.evaluate(focused) == match


def test_why_two_teams_meet_stays_open_when_an_action_draws_the_match_again(
    director: Director, browser: Browser
) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = director.tournament["queue"][0]["id"]
    director.act("t.call", match=match, device=table.device)
    with tournament_page(browser, director.hub, "desktop") as page:
        summary = f"#tables [data-key='{match}'] .why summary"
        press(page, summary)
        page.wait_for_selector(".why p:has-text('Todos los equipos de la zona 1 se enfrentan.')")
        # The answer of an action that was sent before the press.
        page.evaluate(
            f"""document.querySelector("#tables [data-key='{match}']").classList.add("before");
            import("/static/organise_actions.js").then(({{ act }}) =>
              act("t.publish_after", {{ minutes: null }}));"""
        )
        page.wait_for_selector(f"#tables [data-key='{match}']:not(.before)")
        assert page.is_visible(".why p:has-text('Todos los equipos de la zona 1 se enfrentan.')")
        assert page.evaluate(FOCUSED, summary)


def test_how_a_match_ended_is_chosen_and_its_reason_shown(
    director: Director, browser: Browser
) -> None:
    begin(director)
    one, two = (each["id"] for each in director.tournament["queue"][:2])
    winner = director.tournament["queue"][1]["sides"][1]["name"]
    with tournament_page(browser, director.hub, "desktop") as page:
        entry = f"#queue [data-key='{one}']"
        press(page, f"{entry} [data-name=result]")
        page.select_option(f"{entry} [data-name=ending]", "absent")
        assert page.locator(f"{entry} [data-name='o.points0']").is_hidden()
        press(page, f"{entry} [data-name=save]")
        page.wait_for_selector(f"{entry} .problem:has-text('Falta el motivo')")
        page.fill(f"{entry} [data-name=reason]", "no llegaron")
        press(page, f"{entry} [data-name=save]")
        page.wait_for_selector("#official small:has-text('faltaron los dos equipos (W.O.)')")
        page.wait_for_selector("#official small:has-text('anotó ana: no llegaron')")
        entry = f"#queue [data-key='{two}']"
        press(page, f"{entry} [data-name=result]")
        page.select_option(f"{entry} [data-name=ending]", "decided1")
        for name, value in (("points0", 12), ("points1", 9)):
            page.fill(f"{entry} [data-name='o.{name}']", str(value))
        page.fill(f"{entry} [data-name=reason]", "conducta")
        press(page, f"{entry} [data-name=save]")
        decided = f"ganó {winner} 9–12 (decidido por el director)"
        page.wait_for_selector(f"#official small:has-text('{decided}')")
        ends = [each["result"] for each in director.tournament["official"]]
        assert [(each["winner"], each["ending"]) for each in ends] == [
            (1, "decided"),
            (None, "walkover"),
        ]


def test_a_match_is_called_to_any_free_table_and_a_result_found_by_keyboard(
    director: Director, browser: Browser
) -> None:
    tables = join(director, [1, 2, 3, 4, 5, 6])
    begin(director)
    one, *_ = director.tournament["queue"]
    won = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "played"}
    names = []
    for _ in range(2):
        match = director.tournament["queue"][1]
        names.append({side["name"] for side in match["sides"]})
        director.event("RecordResult", match=match["id"], result=won)
    with tournament_page(browser, director.hub, "desktop") as page:
        entry = f"#queue [data-key='{one['id']}']"
        assert page.locator(f"{entry} [data-name=table] option").count() == len(tables)
        page.select_option(f"{entry} [data-name=table]", label="Mesa 6")
        press(page, f"{entry} [data-name=call]")
        page.wait_for_selector("#tables .entry:has-text('Mesa 6')")
        assert page.locator("#official .entry").count() == 2
        name = min(names[0] - names[1])
        page.select_option("#of-team", label=name)
        page.wait_for_selector("#official .entry >> nth=1", state="detached")
        assert name in page.inner_text("#official .entry")
        correct(page)
        assert page.locator("#official .entry").count() == 1


def test_teams_are_entered_changed_and_kept_apart_by_keyboard(
    director: Director, browser: Browser
) -> None:
    director.act("t.begin", format="swiss", teams=EIGHT, replaces=0)
    asked: list[str] = []
    with tournament_page(browser, director.hub, "desktop") as page:
        page.on("dialog", agreeing(asked))
        press(page, "#entering summary")
        page.fill("#entering [data-name=team]", "Equipo Anna")
        page.fill("#entering [data-name=players]", "Zoe")
        page.fill("#entering [data-name='players 2']", "Yago")
        press(page, "#entering [data-name=enter]")
        page.wait_for_selector("#entered .entry:has-text('Equipo Anna')")
        assert len(asked) == 1 and "Equipo Ana" in asked[0]
        assert page.input_value("#entering [data-name=team]") == ""
        page.fill("#entering [data-name=team]", "=1+1")
        press(page, "#entering [data-name=enter]")
        page.wait_for_selector("#entering .problem:has-text('signo que no se admite')")
        entry = "#entered [data-key='9']"
        press(page, f"{entry} [data-name=edit]")
        page.fill(f"{entry} [data-name=team]", "Equipo Iris")
        page.fill(f"{entry} [data-name='players 2']", "Uma")
        press(page, f"{entry} [data-name=change]")
        page.wait_for_selector(f"{entry}:has-text('Equipo Iris'):has-text('Zoe, Uma')")
        press(page, f"{entry} [data-name=miss]")
        page.wait_for_selector(f"{entry} strong:has-text('no juega la ronda 1')")
        press(page, f"{entry} [data-name=attend]")
        page.wait_for_selector(f"{entry} strong", state="detached")
        press(page, f"{entry} [data-name=miss]")
        page.wait_for_selector(f"{entry} strong:has-text('no juega la ronda 1')")
        press(page, "#apart summary")
        page.select_option("#apart [data-name=one]", "1")
        page.select_option("#apart [data-name=other]", "3")
        press(page, "#apart [data-name=forbid]")
        page.wait_for_selector("#apart .entry:has-text('Equipo Ana – Equipo Caio')")
        assert director.tournament["forbidden"] == [[1, 3]]
        press(page, "#apart [data-name=allow]")
        wait_for(lambda: director.tournament["forbidden"] == [])
        assert page.locator("#problem").is_hidden()


def test_what_happens_when_a_team_leaves_is_asked_and_taken_back_by_keyboard(
    director: Director, browser: Browser
) -> None:
    begin(director, EIGHT)
    match = director.tournament["queue"][0]
    team, name = match["sides"][0]["team"], match["sides"][0]["name"]
    result = {"winner": 0, "games": [1, 0], "points": [30, 11], "ending": "played"}
    director.event("RecordResult", match=match["id"], result=result)
    asked: list[str] = []
    entry = f"#entered [data-key='{team}']"

    def answer(dialog: Dialog) -> None:
        """Refuse the first question alone."""
        asked.append(dialog.message)
        if len(asked) == 1:
            dialog.dismiss()
        else:
            dialog.accept()

    with tournament_page(browser, director.hub, "phone") as page:
        page.on("dialog", answer)
        press(page, f"{entry} [data-name=leave]")
        page.fill(f"{entry} [data-name=reason]", "lesión")
        page.select_option(f"{entry} [data-name=leaving]", index=2)
        with page.expect_event("dialog"):
            press(page, f"{entry} [data-name=withdraw]")
        assert asked[0].count("30–0 (W.O.)") == 2 and "anulado" not in asked[0]
        assert director.tournament["teams"][team - 1]["withdrawal"] is None
        assert page.evaluate(OUTSIDE) == []
        page.select_option(f"{entry} [data-name=leaving]", index=0)
        press(page, f"{entry} [data-name=withdraw]")
        page.wait_for_selector(f"{entry} .mark:has-text('retirado: lesión')")
        assert asked[1].startswith(f"¿Retirar a {name}?")
        assert f"ganó {name} 30–11 → 30–11 (anulado)" in asked[1]
        assert asked[1].count("sin resultado → anulado") == 2
        official = f"#official [data-key='{match['id']}']"
        page.wait_for_selector(f"{official}:has-text('30–11 (anulado)'):has-text('lesión')")
        assert page.locator(f"{official} [data-name=result]").count() == 0
        press(page, f"{entry} [data-name=leave]")
        press(page, f"{entry} [data-name=withdraw]")
        page.wait_for_selector(f"{official}:has-text('ganó {name} 30–11')")
        assert page.locator("#problem").is_hidden()


def test_a_phase_is_taken_back_and_another_tournament_begun_by_keyboard(
    director: Director, browser: Browser
) -> None:
    director.act("t.begin", format="zones_and_bracket", teams=LIST, replaces=0)
    asked: list[str] = []
    with tournament_page(browser, director.hub, "desktop") as page:
        page.on("dialog", agreeing(asked))
        page.fill("[data-name=seed]", "20261123")
        press(page, "[data-name=commit]")
        page.wait_for_selector("#steps:has-text('El número está sellado. Su código: ')")
        assert "20261123" in asked[-1]
        page.fill("[data-name=seed]", "1")
        press(page, "[data-name=draw]")
        page.wait_for_selector("#steps .problem:has-text('No es el número que se selló')")
        page.fill("[data-name=seed]", "20261123")
        press(page, "[data-name=draw]")
        press(page, "[data-name=start]")
        press(page, "[data-name=undozonas]")
        page.wait_for_selector("[data-name=start]")
        assert director.phase(0)["is_begun"] is False
        assert page.locator("#begin").is_hidden()
        press(page, "#another summary")
        page.select_option("#format", "zones_and_bracket")
        page.fill("#teams", f"{LIST}\nEquipo Anna")
        # The one that is not over stays open, unless it is closed with it.
        assert not page.is_checked("#close")
        page.check("#close")
        del asked[:]
        press(page, "#create")
        page.wait_for_selector("#entered .entry:has-text('Equipo Anna')")
        (similar,) = asked
        assert "Equipo Ana" in similar
        page.wait_for_selector("#begin", state="hidden")
        assert not director.tournament["is_drawn"]


def test_long_names_fit_on_a_phone_on_every_page(director: Director, browser: Browser) -> None:
    (table,) = join(director, [1])
    begin(director, "\n".join(letter * 40 for letter in "ABCWMQ"))
    one, two = (each["id"] for each in director.tournament["queue"][:2])
    director.act("t.call", match=one, device=table.device)
    table.play("A award 30", "A agree")
    result = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "walkover"}
    director.event("RecordResult", match=two, result=result, reason="x" * 60)
    with tournament_page(browser, director.hub, "phone") as page:
        for each in page.locator("main summary").all():
            each.click()
        check_width(page)
        pages = (desk_of(director.hub), *(wall_of(director.hub, path) for path in ("", "e/1")))
        for address in pages:
            page.goto(address)
            page.wait_for_selector(":text('AAAAAAAAAA')")
            check_width(page)


def check_width(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, page.url


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_page_fits_and_is_accessible_in_every_language(
    director: Director, browser: Browser, size: str
) -> None:
    (table,) = join(director, [1])
    begin(director)
    one, two, *_ = (each["id"] for each in director.tournament["queue"])
    director.act("t.call", match=one, device=table.device)
    director.act("t.publish_after", minutes=15)
    table.play("A award 30", "A agree", "B agree")
    wait_for(lambda: director.state_of(one) == "agreed")
    result = {"winner": 0, "games": [1, 0], "points": [30, 12], "ending": "played"}
    director.event("RecordResult", match=two, result=result)
    with desk_page(browser, director.hub, size) as page:
        for language in languages():
            page.goto(desk_of(director.hub, f"/desk/tournament?lang={language}"))
            page.wait_for_selector("html[data-ready=yes]", state="attached")
            page.wait_for_selector("#official .entry")
            for each in page.locator("summary:visible").all():
                each.click()
            # The forms of another tournament are loaded when they are opened.
            page.wait_for_selector("#check:not(:empty)")
            assert page.evaluate(OUTSIDE) == [], language
            assert axe_violations(page) == [], language


def test_a_helper_is_shown_what_the_role_may_do(director: Director, browser: Browser) -> None:
    begin(director)
    one, *_ = (each["id"] for each in director.tournament["queue"])
    result = {"winner": 0, "games": [1, 0], "points": [30, 12], "ending": "played"}
    director.event("RecordResult", match=one, result=result)
    helper = log_in(director.hub, "helper", "desk")
    with blank(browser, "phone", ignore_https_errors=True) as page:
        name, _, value = helper.cookie.partition("=")
        origin = desk_of(director.hub, "/")
        page.context.add_cookies([{"name": name, "value": value, "url": origin, "secure": True}])
        page.goto(desk_of(director.hub, "/desk/tournament"))
        page.wait_for_selector("#official .entry")
        shown = "all => [...new Set(all.map((each) => each.dataset.name))]"
        named = "main [data-name]"
        assert set(page.eval_on_selector_all(named, shown)) & DIRECTORS == set()
        assert {"presence", "result"} <= set(page.eval_on_selector_all(named, shown))
        assert page.locator("#begin").is_hidden()
        assert page.locator("#official details:not(.why)").count() == 0


DIRECTORS = {"draw", "start", "pair", "auto", "publish", "annul", "withdraw"}


def test_a_play_off_is_one_button_and_a_correction_names_its_teams(
    director: Director, browser: Browser
) -> None:
    director.act("t.begin", format="zones_and_playoffs", teams=LIST, replaces=director.replaces)
    director.event("Draw", seed="20261123")
    director.event("StartPhase", phase="zonas")
    play_in_circles(director)
    asked: list[str] = []

    with tournament_page(browser, director.hub, "desktop") as page:
        assert page.inner_text("[data-name=playoff]") == "Jugar el desempate: Zonas"
        press(page, "[data-name=playoff]")
        page.wait_for_selector("#queue .entry:has-text('Zona 1 · Desempate')")
        assert page.locator("[data-name=playoff]").count() == 0
        page.on("dialog", refusing(asked))
        entry = "#official .entry:first-child"
        press(page, f"{entry} [data-name=result]")
        page.fill(f"{entry} [data-name=reason]", "mal anotado")
        with page.expect_event("dialog"):
            press(page, f"{entry} [data-name=annul]")
    assert "Ya no hace falta el desempate en Zonas: Equipo" in asked[0]


def test_paper_opens_and_files_are_saved_from_the_page(
    director: Director, browser: Browser
) -> None:
    begin(director)
    with blank(browser, "phone", ignore_https_errors=True) as page:
        open_page(page, director.hub, "?lang=pt-BR")
        page.wait_for_selector("#paper a:has-text('Grupos')")
        assert page.locator("#paper a:has-text('Chaves')").count() == 0
        with page.expect_popup() as opened:
            page.click("#paper a:has-text('Súmulas para assinar')")
        paper = opened.value
        assert paper.locator("article").count() == 6
        # The style sheet is allowed by the policy of the page.
        assert (
            paper.evaluate("getComputedStyle(document.querySelector('section')).breakAfter")
            == "page"
        )
        with page.expect_download() as saved:
            page.click("#paper a:has-text('JSON')")
        assert saved.value.suggested_filename == "tournament.json"


def test_the_rules_of_a_new_tournament_are_chosen_in_the_form(
    director: Director, browser: Browser
) -> None:
    with blank(browser, "phone", ignore_https_errors=True) as page:
        open_page(page, director.hub, "?lang=pt-BR")
        page.select_option("#format", label="Grupos e chave")
        press(page, "#rules-title")
        page.select_option("[data-name=variant]", "uruguayan")
        assert page.input_value("[data-name=target]") == "40"
        page.select_option("[data-name=series][data-phase=zonas]", label="melhor de 3")
        page.fill("[data-name=zone_size]", "3")
        press(page, "#rules details:has([data-name=tied]) > summary")
        page.select_option("[data-name=tied]", label="ninguém")
        code = page.inner_text("[data-name=tied] option[value='\"mano\"']").split(" · ")[1]
        assert f"{code}: " in page.inner_text("#rules details small"), "the book of the source"
        assert "24: UY5" in page.inner_text("#rules > small")
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []
        page.fill("#teams", LIST)
        press(page, "#check")
        page.wait_for_selector("#report p:has-text('6 equipes, 10 partidas')")
        press(page, "#create")
        page.wait_for_selector("#now:not([hidden])")
        assert page.inner_text("#title") == "Club Tres de Copas · Grupos e chave"
    found = director.client.get("/desk/tournament.json").document["format"]["phase"]
    assert [each["variant"] for each in found] == ["uruguayan", "uruguayan"]
    assert (found[0]["zone_size"], found[0]["best_of"], found[1]["best_of"]) == (3, 3, 3)
    assert found[0]["options"] == {"tied": "none"}


def test_the_sum_of_a_new_tournament_follows_what_is_chosen_and_typed(
    director: Director, browser: Browser
) -> None:
    with tournament_page(browser, director.hub, "phone") as page:
        page.select_option("#format", "zones_and_bracket")
        page.fill("#teams", EIGHT)
        page.select_option("#format", "swiss")
        page.click("#check")
        page.wait_for_selector("#report:has-text('8 equipos, 20 partidos')")
        page.select_option("#format", "zones_and_bracket")
        page.wait_for_selector("#report:has-text('8 equipos, 16 partidos')")
        page.select_option("#format", "swiss")
        page.wait_for_selector("#report:has-text('8 equipos, 20 partidos')")
        page.click("#rules-title")
        page.fill("[data-name=rounds]", "3")
        page.press("[data-name=rounds]", "Tab")
        page.wait_for_selector("#report:has-text('8 equipos, 12 partidos')")
        page.fill("#teams", LIST)
        page.press("#teams", "Tab")
        page.wait_for_selector("#report:has-text('6 equipos, 9 partidos')")
        # What cannot be checked leaves no sum of something else.
        page.fill("[data-name=rounds]", "")
        page.press("[data-name=rounds]", "Tab")
        page.wait_for_selector("#report:empty", state="attached")


def test_links_lead_past_many_teams_to_each_list_by_keyboard(
    director: Director, browser: Browser
) -> None:
    begin(director, "\n".join(f"Equipo {number}" for number in range(1, 41)))
    with tournament_page(browser, director.hub, "phone") as page:
        links = page.locator("#parts a")
        assert links.all_inner_texts() == [
            "Ahora",
            "Esperan mesa",
            "Posiciones",
            "Equipos",
            "Televisores",
            "Compartir",
            "Imprimir y guardar",
        ]
        press(page, "#parts [data-name=paper-title]")
        page.wait_for_function(FOCUSED, arg="#paper-title")
        assert page.evaluate("document.activeElement.getBoundingClientRect().top < innerHeight")
        # The page that is loaded again does not open a form for the name of a list.
        page.reload()
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        assert page.locator("details[open]").count() == 0
        name = director.tournament["queue"][0]["sides"][0]["name"]
        # So many teams are closed until their title or a link is pressed.
        assert page.locator("#entered").is_hidden()
        press(page, "#parts [data-name=entered-title]")
        page.wait_for_function(FOCUSED, arg="#entered-title")
        press(page, f"[data-name=presence][aria-label='Marcar ausente: {name}']")
        page.wait_for_selector("#parts [data-name=missing-title]")
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []


def test_a_file_of_one_hub_is_imported_by_the_page_of_an_empty_one(
    director: Director, browser: Browser, tmp_path: Path
) -> None:
    begin(director)
    play_in_circles(director)
    with (
        running_hub(tmp_path / "empty") as empty,
        blank(browser, "phone", ignore_https_errors=True) as page,
    ):
        open_page(page, director.hub)
        assert not page.is_visible("#file")
        with page.expect_download() as saved:
            page.click("#paper a[href*='tournament.json']")
        path = tmp_path / "tournament.json"
        saved.value.save_as(path)
        data = path.read_bytes()
        other = Director(empty, log_in(empty))
        page.context.clear_cookies()
        open_page(page, empty, "?lang=pt-BR")
        path.write_bytes(data[:-100])
        page.set_input_files("#file", path)
        page.wait_for_selector("#file-report p:has-text('O arquivo está cortado ou danificado')")
        path.write_bytes(data.replace(b"Equipo Bia", b"Equipo Ana"))
        page.set_input_files("#file", path)
        page.wait_for_selector("#file-report p:has-text('Registro 2: O nome está vazio')")
        assert page.locator("#file-report p").count() == 1
        assert page.evaluate(OUTSIDE) == []
        assert other.desk["tournament"] is None
        asked: list[str] = []

        page.once("dialog", agreeing(asked))
        path.write_bytes(data)
        page.set_input_files("#file", path)
        page.wait_for_function(FOCUSED, arg="#title")
        assert asked == ["Trazer “Grupos e chave”, com 6 equipes e 6 resultados?"]
        assert not page.is_visible("#file")
        assert other.client.get("/desk/tournament.json").body == data
