"""A tournament of 16 teams in Chromium, from the pasted list to the champion.

The director works at the page, by keyboard alone; four table processes are pressed, and their links
send the rows. With ``PICTURES=folder`` every page and print is saved there, to be looked at.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hub.driven_table import DrivenTable, driven_tables
from tests.hub.pages.test_organise_page import correct, open_page
from tests.hub.pages.test_pages import OUTSIDE, desk_of, press, wall_of
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, check_export, is_official, restart
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SURNAMES = (
    "Acosta Benítez Cabrera Duarte Escobar Ferreyra Godoy Herrera "
    "Ibáñez Juárez Ledesma Molina Núñez Ojeda Páez Quiroga"
).split()
TEAMS = "\n".join(f"Los {each};Ana {each};Luis {each}" for each in SURNAMES)
PRINTS = ("set", "zones", "fixtures", "sheets", "standings", "brackets", "posters", "labels")
TV = ("where", "standings", "bracket", "scores")
CORRECTED = (1, 0, 30, 29)  # games and points
PICTURES = os.environ.get("PICTURES", "")


class Evening:
    """The director's page, the tables, and what happens at them."""

    def __init__(self, director: Director, page: Page, tables: list[DrivenTable]) -> None:
        self.director, self.page, self.tables = director, page, tables
        self.played = 0
        # What happens in the match with this number; the others are played and agreed.
        self.incidents: dict[int, Callable[[DrivenTable, str], None]] = {
            1: self.contest,
            4: self.walkover,
            6: self.break_box,
            9: self.kill_hub,
            27: self.kill_hub,
        }

    def play(self, spare: Callable[[int], DrivenTable]) -> None:
        """Play what is assigned until every phase is over."""
        self.spare = spare
        while not all(each["is_over"] for each in self.director.tournament["phases"]):
            for phase in self.director.tournament["phases"]:
                if phase["todo"] == "start":
                    press(self.page, "[data-name=start]")
                    wait_for(partial(self.is_begun, phase["id"]))
            for at in range(len(self.tables)):
                self.play_at(self.tables[at])

    def is_begun(self, phase: str) -> bool:
        return any(
            each["is_begun"] for each in self.director.tournament["phases"] if each["id"] == phase
        )

    def play_at(self, table: DrivenTable) -> None:
        if not (match := table.open_match):
            return
        self.played += 1
        self.incidents.get(self.played, self.agree)(table, match)
        wait_for(partial(is_official, self.director, match))

    def agree(self, table: DrivenTable, _: str) -> None:
        table.accept()
        table.win_match("A")
        table.agree()

    def contest(self, table: DrivenTable, match: str) -> None:
        """Contest at the table; the director enters the result."""
        table.accept()
        table.win_match("A")
        table.contest()
        entry = f"#tables [data-key='{match}']"
        self.page.wait_for_selector(f"{entry} p:has-text('reclamado')")
        look_at(self.page, "contest")
        press(self.page, f"{entry} [data-name=result]")
        for name, value in (("points0", 30), ("points1", 18)):
            self.page.fill(f"{entry} [data-name='o.{name}']", str(value))
        press(self.page, f"{entry} [data-name=save]")

    def walkover(self, _: DrivenTable, match: str) -> None:
        """Wait for a team that does not come."""
        entry = f"#tables [data-key='{match}']"
        press(self.page, f"{entry} [data-name=result]")
        self.page.select_option(f"{entry} [data-name=ending]", "walkover1")
        self.page.fill(f"{entry} [data-name=reason]", "no llegó")
        press(self.page, f"{entry} [data-name=save]")

    def break_box(self, table: DrivenTable, match: str) -> None:
        """Lose a box in a match; the desk gives its table to a spare one, which goes on."""
        table.accept()
        table.win("A", 12)
        table.win("B", 9)
        wait_for(lambda: (self.score_of(table.number) or {}) == {"A": 12, "B": 9})
        table.close()
        spare = self.tables[self.tables.index(table)] = self.spare(table.number)
        wait_for(lambda: bool(self.director.desk["candidates"]))
        (waiting,) = self.director.desk["candidates"]
        boxes = self.director.desk["boxes"]
        broken = next(each["device"] for each in boxes if each["table"] == table.number)
        self.director.act("accept", key=waiting["key"], table=table.number, replaces=broken)
        wait_for(lambda: spare.open_match == match)
        spare.accept()
        assert spare.score == (12, 9)
        spare.win_match("B")
        spare.agree()

    def score_of(self, table: int) -> dict[str, int] | None:
        """The points at a table, as the hub knows them."""
        game = next(each["game"] for each in self.director.desk["boxes"] if each["table"] == table)
        return game and {side["side"]: side["score"] for side in game["sides"]}

    def kill_hub(self, table: DrivenTable, match: str) -> None:
        """Kill the hub while a match is played; its rows come when it is back."""
        table.accept()
        restart(self.director)
        table.win_match("A")
        table.agree()
        self.page.wait_for_selector("#problem", state="hidden")


def look_at(page: Page, name: str) -> None:
    """Check a page, and save its picture."""
    assert page.evaluate(OUTSIDE) == [], name
    assert axe_violations(page) == [], name
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def begin_by_keyboard(page: Page) -> None:
    """Paste the list, check it, draw, start and let the hub call."""
    page.select_option("#format", "zones_and_bracket")
    page.fill("#teams", TEAMS)
    press(page, "#check")
    page.wait_for_selector("#report p:has-text('16 equipos')")
    press(page, "#create")
    page.wait_for_selector("#now:not([hidden])")
    page.fill("[data-name=seed]", "20261124")
    for name in ("draw", "start", "auto"):
        press(page, f"[data-name={name}]")
    page.wait_for_selector("#tables .entry >> nth=3")


def test_sixteen_teams_play_from_the_list_to_the_champion(
    director: Director, browser: Browser, tmp_path: Path
) -> None:
    with (
        driven_tables(director.hub, tmp_path) as hall,
        blank(browser, "desktop", ignore_https_errors=True) as page,
    ):
        tables = [hall.add(number) for number in (1, 2, 3, 4)]
        wait_for(lambda: len(director.desk["boxes"]) == len(tables))
        open_page(page, director.hub)
        begin_by_keyboard(page)
        look_at(page, "begun")
        Evening(director, page, tables).play(hall.add)
        page.wait_for_selector("#champion:has-text('Campeones: Los ')")
        # There is nothing left to call or to publish.
        assert page.locator("#steps [data-name=auto], #steps [data-name=publish]").count() == 0
        # A long list begins closed.
        press(page, "#official-title button[aria-expanded=false]")
        correct(page, f"#official [data-key='{harmless(director)}']", CORRECTED[2:])
        look_at(page, "over")
        champion = director.tournament["official"]
        final = next(each for each in champion if each["stage"]["key"] == "final")
        name = final["sides"][final["result"]["winner"]]["name"]
        page.goto(desk_of(director.hub))
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        look_at(page, "desk")
    check_screens(director, browser, name)
    check_prints(director, browser, tmp_path)
    check_export(director)


def harmless(director: Director) -> str:
    """A match of the zones whose correction exchanges no team of the bracket."""
    games, points = CORRECTED[:2], CORRECTED[2:]
    result = {"winner": 0, "games": games, "points": points, "ending": "played"}
    for match in director.tournament["official"]:
        if match["stage"]["key"] == "zone" and match["result"]["winner"] == 0:
            found = director.act("t.consequences", match=match["id"], result=result)
            if not (
                found["consequences"]["blocking"] or "→" in "".join(found["consequences"]["lines"])
            ):
                return str(match["id"])
    raise AssertionError("every correction exchanges teams")


def check_screens(director: Director, browser: Browser, champion: str) -> None:
    hub = director.hub
    with blank(browser, "tv") as page:
        for show in TV:
            director.act("t.screen", screen="ABC", show=show)
            page.goto(wall_of(hub, "tv?screen=ABC"))
            page.wait_for_selector("html[data-ready=yes]", state="attached")
            look_at(page, f"tv-{show}")
            if show == "bracket":
                assert champion in page.inner_text("#view")
        page.goto(wall_of(hub))
        page.wait_for_selector(".table >> nth=3")
        fits = "document.documentElement.scrollHeight <= window.innerHeight"
        assert page.evaluate(fits), "a table with two notes too"
        look_at(page, "wall")
    with blank(browser, "phone") as page:
        for team in (1, 16):
            page.goto(wall_of(hub, f"e/{team}"))
            page.wait_for_selector("html[data-ready=yes]", state="attached")
            assert page.locator("#results li").count() >= 3
            look_at(page, f"team-{team}")


def check_prints(director: Director, browser: Browser, folder: Path) -> None:
    """Every print is a PDF with the names of the teams."""
    file = folder / "tournament.json"
    assert director.hub.run("tournament", "export", str(file)).returncode == 0
    with blank(browser, "desktop") as page:
        for kind in PRINTS:
            out = folder / f"{kind}.html"
            words = ("tournament", "paper", str(file), "--pages", kind, "--out", str(out))
            assert director.hub.run(*words).returncode == 0
            page.goto(out.as_uri())
            if kind != "labels":
                assert re.search("Los (Acosta|Quiroga|Páez)", page.inner_text("body")), kind
            pdf = page.pdf(prefer_css_page_size=True)
            assert pdf.startswith(b"%PDF")
            if PICTURES:
                (Path(PICTURES) / f"{kind}.pdf").write_bytes(pdf)
