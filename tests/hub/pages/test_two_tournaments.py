"""An evening of a main draw and its consolation at eight tables, in Chromium.

The tournaments share tables and people; a visitor reads the published site from a static server.
With ``PICTURES=folder`` what the desk, walls and visitors see is saved there, to be looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorer.hub.published.files import INDEX
from scorer.static_site.folder import SITE
from scorer.tournament.names import name_key, plain
from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.hub.pages.evening_tools import check_log, correct_series, play_match
from tests.hub.pages.test_organise_page import open_page
from tests.hub.pages.test_pages import desk_of, open_desk, press, wall_of
from tests.hub.pages.test_tournament_story import SURNAMES, look_at
from tests.hub.test_published import plain_server
from tests.hub.test_server import wait_for
from tests.hub.test_several_tournaments import begun
from tests.hub.test_tournament import LIST, Director, Table, begin, join
from tests.web.browser import blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    Json = dict[str, Any]

pytestmark = pytest.mark.browser

HEADING = "Pareja;Jugador 1;Jugador 2;Publicar"
CONSENTS = dict(zip(SURNAMES, ("sí", "no") * 8, strict=True))
TEAMS = {f"Los {each}": f"Los {each};Ana {each};Luis {each};{CONSENTS[each]}" for each in SURNAMES}
LATE = "Los Tardíos"
CAP = 40  # minutes of a match of the main draw
LISTED = 7  # teams of the consolation, before the late one
LOOK = "() => document.dispatchEvent(new Event('visibilitychange')) && false"
MATCHES = (4 * 6 + 4 + 2 + 2, 3 + 4 + 4)  # of the main draw, of the consolation


@dataclass
class Evening:
    """The hub, its tables, and the pages of desk, wall and visitor."""

    director: Director
    boxes: dict[int, Table]
    desk: Page
    phone: Page
    wall: Page
    site: Page
    main: int
    other: int = 0
    winners: dict[int, dict[str, int]] = field(default_factory=dict)  # as played
    sittings: list[str] = field(default_factory=list)  # as played: tags Hall

    # ---- the tables

    def called(self) -> dict[int, tuple[int, Json]]:
        """The tournament and the match that each box has; no person has two."""
        found: dict[int, tuple[int, Json]] = {}
        people: Counter[str] = Counter()
        for each in self.director.tournaments:
            teams = {team["id"]: team for team in each["teams"]}
            for table in each["tables"]:
                if table["match"]["result"] is None:
                    assert table["device"] not in found
                    found[table["device"]] = (each["id"], table["match"])
                    for side in table["match"]["sides"]:
                        team = teams[side["team"]]
                        people.update(map(name_key, [team["name"], *team["players"]]))
        assert max(people.values(), default=1) == 1
        return found

    def at(self, match: str) -> tuple[int, int, Json]:
        """Where a match is called: the box, its tournament and itself."""
        wait_for(lambda: match in [each["id"] for _, each in self.called().values()])
        called = self.called().items()
        return next((device, *each) for device, each in called if each[1]["id"] == match)

    def win(self, device: int, tournament: int, match: Json, winner: int | None = None) -> None:
        won = self.winners.setdefault(tournament, {})
        won[match["id"]] = len(won) % 2 if winner is None else winner
        self.sittings.append(self.boxes[device].hall)
        play_match(self.director, self.boxes[device], match, won[match["id"]], tournament)

    def play(self, is_done: Callable[[], bool], held: Callable[[Json], bool]) -> None:
        """Play what is called, but for the matches that are held; pair each round."""
        while not is_done():
            for device, (tournament, match) in self.called().items():
                if not held(match):
                    self.win(device, tournament, match)
            if not is_done() and any(each["todo"] == "pair" for each in self.phases):
                self.pair_round()

    def pair_round(self) -> None:
        press(self.desk, "#alarms [data-name=pair]")
        wait_for(lambda: self.phase("suizo")["todo"] != "pair")

    @property
    def phases(self) -> list[Json]:
        return [phase for each in self.director.tournaments for phase in each["phases"]]

    def phase(self, name: str) -> Json:
        return next(each for each in self.phases if each["id"] == name)

    def open(self, page: Page, tournament: int) -> None:
        page.goto(desk_of(self.director.hub, f"/desk/tournament?t={tournament}"))
        page.wait_for_selector("html[data-ready=yes]", state="attached")

    # ---- the story

    def play_zones(self) -> None:
        """One match has twelve minutes left, another one plays over time and ends by it."""
        wait_for(lambda: len(self.called()) == len(self.boxes))
        (slow, (_, going)), (late, (_, over)), *_ = sorted(self.called().items())
        for device, minutes in ((slow, CAP - 12), (late, CAP + 3)):
            box = self.boxes[device]
            self.sittings.append(box.hall)
            box.play("B award 9", "A award 4")
            box.minutes = minutes
            box.play("A award 2", is_new=False)
        self.read_clocks(going, "quedan 1[12] min")
        self.read_clocks(over, "tiempo: [3-5] min de más")
        for page, name in ((self.wall, "wall-1920"), (self.desk, "desk-1280"), (self.phone, "390")):
            look_at(page, f"clock-{name}")
        self.boxes[late].play("- time", "A agree", "B agree", is_new=False)
        self.boxes[slow].play("A award 24", "A agree", "B agree", is_new=False)
        wait_for(lambda: len(self.director.read(self.main)["official"]) == 2)
        self.winners[self.main] = {going["id"]: 0, over["id"]: 1}
        official = {each["id"]: each for each in self.director.read(self.main)["official"]}
        result = official[over["id"]]["result"]
        assert (result["points"], result["ending"]) == ([6, 9], "cap")
        self.play(lambda: self.phase("zonas")["is_over"], held=lambda _: False)

    def read_clocks(self, match: Json, clock: str) -> None:
        self.open(self.phone, self.main)
        name = match["sides"][0]["name"]
        for page, entry in (
            (self.wall, ".table"),
            (self.desk, "#boxes .entry"),
            (self.phone, "#tables .entry"),
        ):
            page.locator(entry, has_text=name).filter(has_text=re.compile(clock)).wait_for()
        # The round lasts as long as the match that may still be played longest.
        assert re.search("Zonas · Fecha 1: quedan 1[12] min", self.phone.inner_text("#clocks"))

    def begin_consolation(self) -> None:
        """Who is out of the main draw plays on, but for one team."""
        press(self.desk, "#alarms [data-name=start]")
        wait_for(lambda: len(self.called()) == 4)
        still_in = {side["name"] for _, each in self.called().values() for side in each["sides"]}
        # Typed by another person, who leaves out accents and writes surnames first.
        out = [
            f"Los {each};{plain(each).upper()}, ANA;Luis {plain(each).title()};{CONSENTS[each]}"
            for each in SURNAMES
            if f"Los {each}" not in still_in
        ]
        self.open(self.desk, self.main)
        self.desk.click("#another summary")
        self.desk.select_option("#format", "swiss")
        self.desk.fill("#name", "Consuelo")
        self.desk.fill("#teams", "\n".join([HEADING, *out[:LISTED]]))
        self.desk.click("#rules-title")
        self.desk.fill("[data-name=rounds]", "3")
        look_at(self.desk, "begin-1280")
        self.desk.click("#create")
        self.desk.wait_for_selector("#title:has-text('Consuelo')")
        self.desk.fill("[data-name=seed]", "20261128")
        for name in ("draw", "start", "pair", "auto"):
            self.desk.click(f"[data-name={name}]")
        wait_for(lambda: len(self.called()) == 4 + 3)
        self.other = self.director.tournaments[-1]["id"]
        # All names are in both tournaments; one answer is for all.
        for page in (self.desk, self.phone):
            page.goto(desk_of(self.director.hub))
            page.wait_for_selector("#alarms [data-name=same]")
        look_at(self.desk, "people-1280")
        look_at(self.phone, "people-390")
        press(self.desk, "#alarms [data-name=same]")
        self.desk.wait_for_selector("#alarms [data-name=same]", state="detached")
        self.wall.wait_for_selector(".event:has-text('Consuelo')")
        shown = Counter(self.wall.locator(".event").all_inner_texts())
        assert shown == {"Apertura": 5, "Consuelo": 3}, "the last game of the free table too"
        look_at(self.wall, "both-wall-1920")

    def enter_late(self, quarterfinal: Json) -> None:
        """A player who is still in the main draw enters the consolation with a friend."""
        player = quarterfinal["sides"][0]["name"].replace("Los", "Ana")
        self.open(self.phone, self.other)
        press(self.phone, "#entering summary")
        self.phone.fill("#entering [data-name=team]", LATE)
        surname = player.removeprefix("Ana ")
        self.phone.fill("#entering [data-name=players]", f"{plain(surname).upper()}, Ana")
        self.phone.fill("#entering [data-name='players 2']", "Zoe Nueva")
        look_at(self.phone, "late-390")
        press(self.phone, "#entering [data-name=enter]")
        self.phone.wait_for_selector(f"#entered .entry:has-text('{LATE}')")
        self.desk.wait_for_selector(f"#alarms .entry:has-text('{player}')")
        press(self.desk, "#alarms [data-name='same ']")
        self.desk.wait_for_selector("#alarms [data-name='same ']", state="detached")

    def play_one_at_a_time(self) -> None:
        """Who is in both waits in each for the other match, beside free tables."""
        quarterfinal, *others = (match for at, match in self.called().values() if at == self.main)
        name = quarterfinal["sides"][0]["name"]
        self.enter_late(quarterfinal)
        self.play(lambda: self.phase("suizo")["todo"] == "pair", held=is_of_bracket)
        self.pair_round()
        wait_for(lambda: len(self.called()) == 4 + 3)
        late = self.later_match(self.other, LATE)
        look_at(self.wall, "later-wall-1920")
        self.win(*self.at(quarterfinal["id"]), winner=0)
        self.at(late)
        for each in others:
            self.win(*self.at(each["id"]))
        self.play(
            lambda: len(self.called()) == 2,
            held=lambda match: match["id"] == late or is_of_bracket(match),
        )
        semifinal = self.later_match(self.main, name)
        self.win(*self.at(late))
        self.at(semifinal)
        (other,) = (
            match["id"]
            for at, match in self.called().values()
            if at == self.main and match["id"] != semifinal
        )
        self.correct_quarterfinal(other)

    def later_match(self, tournament: int, name: str) -> str:
        """The match of a team that is called to no free table: one of its people plays."""
        assert self.director.read(tournament)["free"] != []
        listed = self.director.client.get("/api/v1/screens").document["tournaments"]
        (found,) = (each["where"] for each in listed if each["id"] == tournament)
        (match,) = (each["match"] for each in found if each["name"] == name)
        assert match["state"] == "later"
        return str(match["id"])

    def correct_quarterfinal(self, semifinal: str) -> None:
        """Another team plays the semifinal, which was called; every page has it."""
        _, _, called = self.at(semifinal)
        name = called["sides"][0]["name"]
        official = self.director.read(self.main)["official"]
        (quarterfinal,) = (
            each
            for each in official
            if each["stage"]["key"] == "quarterfinal" and name in names_of(each)
        )
        at = names_of(quarterfinal).index(name)
        other = quarterfinal["sides"][1 - at]
        self.open(self.desk, self.main)
        asked = correct_series(self.desk, quarterfinal["id"], 1 - at)
        (line,) = (each for each in asked.split("\n") if each.startswith("Llave, Semifinal"))
        assert name in line.partition(" → ")[0] and other["name"] in line.partition(" → ")[2]
        self.winners[self.main][quarterfinal["id"]] = 1 - at
        wait_for(lambda: other["name"] in names_of(self.at(semifinal)[2]))
        self.wall.wait_for_selector(f".table:has-text('{other['name']}')")
        public = re.compile(rf"{public_name(other)}\b")
        published = self.site.locator(".bracket li", has_text=public)
        wait_for(partial(is_shown, self.site, published.nth(1)))
        look_at(self.wall, "corrected-wall-1920")
        look_at(self.site, "corrected-site-390")
        self.desk.goto(desk_of(self.director.hub))

    def play_to_the_end(self) -> None:
        self.play(lambda: all(each["is_over"] for each in self.phases), held=lambda _: False)
        self.desk.wait_for_selector("#boxes .entry:has-text('libre') >> nth=7")
        look_at(self.desk, "over-1280")
        assert tuple(len(self.winners[each]) for each in (self.main, self.other)) == MATCHES
        assert len(self.sittings) == len(set(self.sittings)) == sum(MATCHES)
        for number, corrected in ((self.main, 1), (self.other, 0)):
            check_log(self.director, self.winners[number], corrected, number)
            listed = self.director.act("t.results", tournament=number, phase="", team=0)
            found = {each["id"]: each["result"]["winner"] for each in listed["results"]}
            assert found == self.winners[number]

    def read_archive(self, folder: Path) -> Path:
        """Both are closed, read as before, and saved from the archive."""
        champions = {each["id"]: each["champion"] for each in self.director.tournaments}
        self.desk.on("dialog", lambda dialog: dialog.accept())
        for number in (self.main, self.other):
            self.open(self.desk, number)
            press(self.desk, "#steps [data-name=close]")
            self.desk.wait_for_selector("#closed:has-text('Este torneo está cerrado.')")
        assert self.director.tournaments == []
        for page, number, width in ((self.desk, self.main, 1280), (self.phone, self.other, 390)):
            self.open(page, number)
            page.wait_for_selector(f"#champion:has-text('{champions[number]}')")
            look_at(page, f"archive-{width}")
        look_at(self.wall, "archive-wall-1920")
        with self.phone.expect_download() as saved:
            self.phone.click("#paper a[href*='tournament.json']")
        saved.value.save_as(folder / "consuelo.json")
        return folder / "consuelo.json"


def is_of_bracket(match: Json) -> bool:
    return str(match["id"]).startswith("llave")


def names_of(match: Json) -> list[str]:
    return [side["name"] for side in match["sides"]]


def public_name(side: Json) -> str:
    """The name of a team that is called after its players, as the site has it."""
    return str(side["name"]) if CONSENTS[side["name"].split()[1]] == "sí" else f"#{side['team']}"


def is_shown(site: Page, what: Locator) -> bool:
    """Whether a page shows something, which looks for a newer self else."""
    return what.count() > 0 or bool(site.evaluate(LOOK))


def check_site(site: Page, folder: Path, played: Evening) -> None:
    """The visitor finds both tournaments; no file has a name without consent."""
    press(site, "header a")
    site.wait_for_url("**/es/index.html")
    look_at(site, "site-390")
    for each in played.director.tournaments:
        press(site, f"main a[href$='/{each['id']}.html']")
        (champion,) = (team for team in each["teams"] if team["name"] == each["champion"])
        named = public_name({"name": champion["name"], "team": champion["id"]})
        shown = site.locator(".champion", has_text=re.compile(rf"Campeones: {named}$"))
        wait_for(partial(is_shown, site, shown))
        look_at(site, f"site-{each['title']}-390")
        press(site, "header a")
    pages = [each.read_text("utf-8") for each in (folder / SITE).rglob("*") if each.is_file()]
    for name, consent in CONSENTS.items():
        assert any(name in each for each in pages) is (consent == "sí"), name


@contextmanager
def evening(hub: HubProcess, browser: Browser, folder: Path) -> Iterator[Evening]:
    """The evening when the first matches are called and published."""
    director = Director(hub, log_in(hub))
    boxes = {each.device: each for each in join(director, range(1, 9))}
    teams = "\n".join([HEADING, *TEAMS.values()])
    changes = {"every_phase": {"cap": CAP}}
    main = begun(director, teams, name="Apertura", date="2026-11-28", changes=changes)
    wait_for((folder / SITE / INDEX).exists)
    with (
        plain_server(folder / SITE) as server,
        blank(browser, "desktop", ignore_https_errors=True) as desk,
        blank(browser, "phone", ignore_https_errors=True) as phone,
        blank(browser, "tv") as wall,
        blank(browser, "phone") as site,
    ):
        for page in (desk, phone):
            open_desk(page, hub)
        wall.goto(wall_of(hub))
        site.goto(f"http://127.0.0.1:{server.port}/es/{main}.html")
        yield Evening(director, boxes, desk, phone, wall, site, main)


def test_a_main_draw_and_its_consolation_share_an_evening(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "published"
    folder.mkdir()
    settings = f'name = "Club Tres de Copas"\npublish = "{folder}"'
    with (
        running_hub(tmp_path / "hub", settings) as hub,
        evening(hub, browser, folder) as played,
    ):
        played.play_zones()
        played.begin_consolation()
        played.play_one_at_a_time()
        played.play_to_the_end()
        check_site(played.site, folder, played)
        saved = played.read_archive(tmp_path)
        check_other_hub(browser, tmp_path, saved, played)


def check_other_hub(browser: Browser, folder: Path, saved: Path, played: Evening) -> None:
    """The saved tournament opens in another hub, beside the one that is played there."""
    with (
        running_hub(folder / "other") as hub,
        blank(browser, "phone", ignore_https_errors=True) as page,
    ):
        director = Director(hub, log_in(hub))
        begin(director, LIST)
        open_page(page, hub)
        page.once("dialog", lambda dialog: dialog.accept())
        page.click("#another summary")
        page.wait_for_selector("#file-label:not(:empty)")
        page.set_input_files("#file", saved)
        page.wait_for_selector("#title:has-text('Consuelo')")
        own, opened = director.tournaments
        champion = played.director.read(played.other)["champion"]
        page.wait_for_selector(f"#champion:has-text('{champion}')")
        look_at(page, "other-hub-390")
        assert own["champion"] == "" and own["queue"] != []
        again = director.client.get(f"/desk/tournament.json?t={opened['id']}")
        assert again.body == saved.read_bytes()
