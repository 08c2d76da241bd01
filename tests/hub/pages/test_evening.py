"""An evening of 48 teams at 8 tables in Chromium, with faults, to the champion.

One table is a process with its link, pressed through every fault; seven boxes send whole matches.
With ``PICTURES=folder`` what directors, walls and viewers see is saved there, to be looked at.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorer.hall import wire
from tests.hub.boxes import greet
from tests.hub.driven_table import DrivenTable
from tests.hub.joining_box import log_in
from tests.hub.pages.evening_tools import check_log, correct_series, play_match
from tests.hub.pages.test_old_television import OUTSIDE, save
from tests.hub.pages.test_pages import desk_of, open_desk, wall_of
from tests.hub.pages.test_tournament_story import look_at
from tests.hub.test_server import wait_for
from tests.hub.test_stored_or_not import limit_files
from tests.hub.test_tournament import Director, Table, is_official, join, restart
from tests.support.faulty_network import FaultyNetwork, faulty_network
from tests.web.browser import blank
from tests.web.old_chromium import is_installed, old_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    Json = dict[str, Any]

pytestmark = pytest.mark.browser

# The trouble before may still be shown to a slow page.
ONE_THING = """[...document.querySelectorAll("#stale, #alarms .entry")]
    .filter((each) => each.checkVisibility()).length === 1"""
CLUBS = "Las Brujas,La Yunta,Ñandú Negro,El Ancho,Barrio Sur,Tres de Copas".split(",")
TEAMS = "\n".join(f"{CLUBS[at % 6]} {at // 6 + 1}" for at in range(48))
MATCHES = 12 * 6 + 24  # twelve zones of four; a bracket of 24 with a match for the third place
PRESSED = 8  # the table that is pressed
ALARM = "#alarms .entry > p"


# What the two directors read, each in her language.
WORDS = {
    "calm": ("Todo en orden", "Tudo em ordem"),
    "offline": ("Sin conexión con la sala", "Sem conexão com o salão"),
    "full": ("La sala no puede guardar nada ahora", "O salão não consegue guardar nada agora"),
    "missed": ("Mesa 8 sin conexión", "Mesa 8 sem conexão"),
    "corrected": (
        "las jugadas dicen otro resultado que el aceptado",
        "as jogadas dizem outro resultado que o aceito",
    ),
    "start": ("Falta empezar: ", "Falta começar: "),
}


@dataclass
class Evening:
    """The hub, its tables, and the pages of two directors and the wall."""

    director: Director
    network: FaultyNetwork
    pressed: DrivenTable
    boxes: list[Table]
    ana: Page
    bia: Page
    wall: Page
    winners: dict[str, int] = field(default_factory=dict)  # as played, by match
    is_corrected: bool = False

    def __post_init__(self) -> None:
        self.desks = (self.ana, self.bia)
        self.faults = [self.hub_killed, self.network_cut, self.store_full, self.contested]

    def play(self) -> None:
        """Play what is called until every phase is over."""
        while open_phases := [
            each for each in self.director.tournament["phases"] if not each["is_over"]
        ]:
            if open_phases[0]["todo"] == "start":
                self.start()
            self.play_boxes()
            if match := self.pressed.open_match:
                self.press(match, self.faults.pop(0) if self.faults else nullcontext)

    def start(self) -> None:
        """Begin a phase at the desk, which says until then that this is to be done."""
        self.read(ALARM, "start")
        self.ana.click("#alarms [data-name=start]")
        self.read("#alarms [data-key=empty]", "calm")

    def play_boxes(self) -> None:
        called = {each["device"]: each["match"] for each in self.director.tournament["tables"]}
        for box in self.boxes:
            match = called.get(box.device)
            if not match or match["result"]:
                continue
            self.winners[match["id"]] = winner = len(self.winners) % 2
            play_match(self.director, box, match, winner)
            self.correct_semifinal()

    def press(self, match: str, fault: Callable[[], AbstractContextManager[None]]) -> None:
        """Win a match at the table that is pressed, in a fault that is over after it."""
        self.pressed.accept()
        wait_for(lambda: self.director.state_of(match) == "accepted")
        self.greet()
        with fault():
            self.pressed.win_match("A")
            (self.pressed.contest if fault == self.contested else self.pressed.agree)()
        self.winners[match] = 0
        wait_for(partial(is_official, self.director, match))
        if fault != nullcontext:
            self.check_calm()
        self.correct_semifinal()

    @contextmanager
    def hub_killed(self) -> Iterator[None]:
        self.director.hub.kill()
        self.check_fault("#stale", "offline")
        self.wall.wait_for_selector("#stale:visible")
        look_at(self.wall, "offline-1920")
        yield
        restart(self.director)

    @contextmanager
    def network_cut(self) -> Iterator[None]:
        self.network.refuse()
        self.greet()
        self.check_fault(ALARM, "missed")
        self.check_old_wall()
        yield
        self.network.mend()

    @contextmanager
    def store_full(self) -> Iterator[None]:
        limit_files(self.director.hub, 1)
        self.check_fault(ALARM, "full")
        yield
        limit_files(self.director.hub, resource.RLIM_INFINITY)

    @contextmanager
    def contested(self) -> Iterator[None]:
        """Let the other director decide what one team contests."""
        yield
        for page in self.desks:
            page.wait_for_selector("#alarms .entry:has-text('Mesa 8') [data-name=at_table]")
        self.look("contested")
        self.bia.click("#alarms [data-name=at_table]")

    def check_fault(self, place: str, line: str) -> None:
        self.read(place, line)
        self.look(line)

    def read(self, place: str, line: str) -> None:
        for page, words in zip(self.desks, WORDS[line], strict=True):
            page.wait_for_selector(f"{place}:has-text('{words}')")

    def look(self, name: str) -> None:
        """One thing is to be done, which each director reads, and all is not well."""
        for page, width, calm in zip(self.desks, (1280, 390), WORDS["calm"], strict=True):
            page.wait_for_function(ONE_THING)
            assert not page.is_visible(f"text={calm}")
            look_at(page, f"{name}-{width}")

    def check_calm(self) -> None:
        self.greet()
        self.read("#alarms [data-key=empty]", "calm")
        for page in (*self.desks, self.wall):
            page.wait_for_selector("#stale", state="hidden")

    def greet(self) -> None:
        """Let the boxes be heard that keep no connection."""
        for box in self.boxes:
            client, message = self.director.hub.client(), wire.encode(greet(box.seq, box.prev))
            assert client.post(wire.GREET_PATH, message, box.box.token).status == 200

    def check_old_wall(self) -> None:
        """Chromium 79 shows the tables and names of the newest one."""
        text = self.wall.inner_text("#view")
        if not is_installed():
            return
        with old_chromium() as television, television.page() as page:
            page.goto(wall_of(self.director.hub))
            page.wait_for("document.querySelectorAll('.table').length === 8")
            shown = page.evaluate("document.getElementById('view').innerText")
            assert shown.split() == text.split()
            assert page.evaluate(OUTSIDE) == []
            save(page, "evening-1920")

    def correct_semifinal(self) -> None:
        """Correct one as soon as both are official: another team plays the final."""
        official = self.director.tournament["official"]
        semifinals = [each for each in official if each["stage"]["key"] == "semifinal"]
        if len(semifinals) < 2 or self.is_corrected:
            return
        self.is_corrected = True
        match, page = semifinals[0]["id"], self.ana
        self.winners[match] = winner = 1 - self.winners[match]
        page.goto(desk_of(self.director.hub, "/desk/tournament"))
        asked = correct_series(page, match, winner)
        (line,) = (each for each in asked.split("\n") if each.startswith("Llave, Final: "))
        assert semifinals[0]["sides"][winner]["name"] in line.partition(" → ")[2]
        page.goto(desk_of(self.director.hub))
        self.check_fault(ALARM, "corrected")
        page.click("#alarms [data-name=ignore]")
        self.check_calm()


@contextmanager
def evening(director: Director, browser: Browser, folder: Path) -> Iterator[Evening]:
    """The evening when its first matches are called."""
    hub, boxes = director.hub, join(director, range(1, PRESSED))
    director.act("t.begin", format="zones_and_bracket", teams=TEAMS, replaces=0)
    director.event("Draw", seed="20261127")
    director.act("t.by_itself", on=True)
    name, _, value = log_in(hub, "bia").cookie.partition("=")
    with (
        faulty_network(hub.desk) as network,
        blank(browser, "desktop", ignore_https_errors=True) as ana,
        blank(browser, "phone", ignore_https_errors=True) as bia,
        blank(browser, "tv") as wall,
    ):
        table = DrivenTable(replace(hub, desk=(hub.desk[0], network.port)), PRESSED, folder / "8")
        try:
            table.start()
            wait_for(lambda: len(director.desk["boxes"]) == PRESSED)
            open_desk(ana, hub)
            bia.context.add_cookies([{"name": name, "value": value, "url": desk_of(hub)}])
            bia.goto(desk_of(hub, "/desk?lang=pt-BR"))
            wall.goto(wall_of(hub))
            yield Evening(director, network, table, boxes, ana, bia, wall)
        finally:
            table.close()


def test_an_evening_of_faults_ends_with_one_champion(
    director: Director, browser: Browser, tmp_path: Path
) -> None:
    with evening(director, browser, tmp_path) as played:
        played.play()
        played.check_calm()
        phases = [each["id"] for each in director.tournament["phases"]]
        results = [director.act("t.results", phase=each, team=0)["results"] for each in phases]
        official = [match for each in results for match in each]
        found = {each["id"]: each["result"]["winner"] for each in official}
        assert (found, len(found)) == (played.winners, MATCHES)
        (final,) = (each for each in official if each["stage"]["key"] == "final")
        champion = final["sides"][final["result"]["winner"]]
        played.ana.wait_for_selector("#boxes .entry:has-text('libre') >> nth=7")
        look_at(played.ana, "over-1280")
        look_at(played.wall, "over-1920")
        assert f"Gana {champion['name']}" in played.wall.inner_text("#view")
    check_log(director, found, corrected=1)
    check_champion(director, browser, champion)


def check_champion(director: Director, browser: Browser, champion: Json) -> None:
    """Television, team page and paper name the champion."""
    hub, paper = director.hub, director.hub.state / "brackets.html"
    words = ("paper", str(hub.state / "evening.json"), "--pages", "brackets", "--out", str(paper))
    assert hub.run("tournament", *words).returncode == 0
    director.act("t.screen", screen="ABC", show="bracket")
    titled = ":is(h1, h2):text-is('Campeones')"
    for size, address, title, place in (
        ("tv", wall_of(hub, "tv?screen=ABC"), titled, "#view"),
        ("phone", wall_of(hub, f"e/{champion['team']}"), titled, "#next"),
        ("desktop", paper.as_uri(), "text='Final'", ".round:has(:text-is('Final')) .won"),
    ):
        with blank(browser, size) as page:
            page.goto(address)
            page.wait_for_selector(title)
            assert page.inner_text(place).strip() == champion["name"]
            if folder := os.environ.get("PICTURES"):
                page.screenshot(path=Path(folder) / f"champion-{size}.png", full_page=True)
