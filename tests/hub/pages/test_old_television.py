"""Pages of a running tournament in Chromium 79, and without any script."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.hub.pages.test_pages import wall_of
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import LIST, Director, join
from tests.web.old_chromium import OldBrowser, OldPage, old_chromium

pytestmark = pytest.mark.browser

TEAMS = tuple(LIST.split("\n"))
READY = "document.documentElement.dataset.ready === 'yes'"
SHOWN = "document.getElementById('view').innerText"
# Whatever is wider or lower than the screen.
OUTSIDE = """[...document.querySelectorAll("h1, h2, .name, .score, li, td, th")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.right > innerWidth + 1 || box.left < -1;
}).map((each) => each.textContent)"""


class Evening(NamedTuple):
    """A hub, and the teams at its two tables."""

    hub: HubProcess
    teams: tuple[str, ...]


@pytest.fixture(scope="module")
def television() -> Iterator[OldBrowser]:
    with old_chromium() as opened:
        assert "/79." in opened.version
        yield opened


@pytest.fixture(scope="module")
def evening(television: OldBrowser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """Six teams, two tables: 2 to 1 at one of them, called to the other."""
    with running_hub(tmp_path_factory.mktemp("hub"), 'name = "Club Tres de Copas"') as hub:
        director = Director(hub, log_in(hub))
        tables = join(director, [1, 2])
        director.act("t.begin", format="zones_and_bracket", teams=LIST, replaces=0)
        director.event("Draw", seed="4711")
        director.event("StartPhase", phase="zonas")
        director.act("t.by_itself", on=True)
        wait_for(lambda: all("header" in table.assigned() for table in tables))
        tables[0].play("A truco", "B quiero", "A hand_won", "B award 1")
        matches = [each["match"] for each in director.tournament["tables"]]
        names = (side["text"] for match in matches for side in match["sides"])
        yield Evening(hub, tuple(names))


def save(page: OldPage, name: str) -> None:
    """Keep a picture in the folder PICTURES, for people to look at."""
    if folder := os.environ.get("PICTURES"):
        (Path(folder) / f"old-{name}.png").write_bytes(page.screenshot())


def test_the_wall_has_every_table_name_and_score(television: OldBrowser, evening: Evening) -> None:
    with television.page() as page:
        page.goto(wall_of(evening.hub))
        page.wait_for("document.querySelectorAll('.score').length === 2")
        text = page.text
        assert [each for each in ("Mesa 1", "Mesa 2", *evening.teams) if each not in text] == []
        scores = "[...document.querySelectorAll('.score')].map((each) => each.textContent)"
        assert page.evaluate(scores) == ["2", "1"]
        assert page.evaluate(OUTSIDE) == []
        save(page, "wall")


def test_a_screen_shows_every_page(television: OldBrowser, evening: Evening) -> None:
    press = """document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }))"""
    with television.page() as page:
        page.goto(wall_of(evening.hub, "tv?screen=ABC"))
        page.wait_for(READY)
        shown: dict[str, str] = {}
        while (title := page.evaluate("document.querySelector('h1').textContent")) not in shown:
            shown[title] = page.evaluate(SHOWN)
            assert page.evaluate(OUTSIDE) == []
            save(page, f"tv-{len(shown)}")
            page.evaluate(press)
    assert [*shown] == ["Quién juega dónde", "Posiciones · Zonas", "Tanteadores"]
    where, standings, scores = shown.values()
    assert [each for each in ("Mesa 1", "Mesa 2", *TEAMS) if each not in where] == []
    assert [each for each in TEAMS if each not in standings] == []
    assert [each for each in ("Mesa 1", "Mesa 2", *evening.teams) if each not in scores] == []


def test_a_team_reads_its_table_and_score(television: OldBrowser, evening: Evening) -> None:
    team = TEAMS.index(evening.teams[0]) + 1
    with television.page(390, 844) as page:
        page.goto(wall_of(evening.hub, f"e/{team}"))
        page.wait_for(READY)
        text = page.text
        wanted = (evening.teams[0], "Mesa 1", f"contra {evening.teams[1]}", "2–1")
        assert [each for each in wanted if each not in text] == [], text
        assert page.evaluate(OUTSIDE) == []
        save(page, "team")


@pytest.mark.parametrize("path", ["", "tv", "e/1"])
def test_without_scripts_a_plain_page_has_tables_teams_and_scores(
    path: str, television: OldBrowser, evening: Evening
) -> None:
    with television.page() as page:
        page.forbid_scripts()
        page.goto(wall_of(evening.hub, f"{path}?lang=pt-BR"))
        page.wait_for("location.pathname === '/plain'")
        page.wait_for("document.querySelector('.hall')")
        text = page.text
        wanted = ("Mesa 1", "Mesa 2", "2", "1", *evening.teams)
        assert [each for each in wanted if each not in text] == []
        assert page.evaluate("document.documentElement.lang") == "pt-BR"
        refresh = "document.querySelector('meta[http-equiv=refresh]').content"
        assert page.evaluate(refresh) == "10"
        assert page.evaluate(OUTSIDE) == []
        save(page, "plain")
