"""The roll of the teams, and rounds changed by hand, in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.hub.pages.evening_tools import agreeing
from tests.hub.pages.test_organise_page import tournament_page
from tests.hub.pages.test_pages import FOCUSED, OUTSIDE, press
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import EIGHT, Director
from tests.web.browser import axe_violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


def test_the_roll_is_called_before_the_draw_by_keyboard(
    director: Director, browser: Browser
) -> None:
    director.act("t.begin", format="swiss", teams=EIGHT, replaces=0)
    asked: list[str] = []
    with tournament_page(browser, director.hub, "phone") as page:
        page.on("dialog", agreeing(asked))
        press(page, "#presence [data-name=roll]")
        page.wait_for_selector("#presence p:has-text('Todavía faltan 8 de 8 equipos:')")
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []
        press(page, "#presence [data-name=came2]")
        page.wait_for_selector("#presence p:has-text('Todavía faltan 7 de 8 equipos:')")
        page.fill("[data-name=seed]", "1")
        press(page, "#steps [data-name=draw]")
        wait_for(lambda: director.tournament["is_drawn"])
        assert asked[0].startswith("Faltan: Equipo Ana, Equipo Caio,")
        press(page, "#presence [data-name=here]")
        page.wait_for_selector("#presence p", state="detached")
        assert not any(each["is_missing"] for each in director.tournament["teams"])
        press(page, "#steps [data-name=start]")
        page.wait_for_selector("#steps [data-name=pair]")
        assert len(asked) == 1
        assert page.locator("#presence button").count() == 0


def test_a_round_is_changed_paired_and_ended_by_hand(director: Director, browser: Browser) -> None:
    director.act("t.begin", format="swiss", teams=EIGHT, replaces=0)
    director.event("Draw", seed="1")
    phase = director.phase(0)["id"]
    director.event("StartPhase", phase=phase)
    director.event("PairRound", phase=phase)
    first, second = director.tournament["queue"][:2]
    one, other = (str(each["sides"][0]["team"]) for each in (first, second))
    asked: list[str] = []
    with tournament_page(browser, director.hub, "phone") as page:
        page.on("dialog", agreeing(asked))
        press(page, "#ways summary")
        page.select_option("#ways [data-name=swap0]", one)
        page.select_option("#ways [data-name=swap1]", other)
        press(page, "#ways [data-name=swap]")
        page.wait_for_selector("#ways .problem[role=alert]:has-text('Falta el motivo.')")
        assert page.evaluate(FOCUSED, "#ways [data-name=reason][aria-invalid=true]")
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []
        page.fill("#ways [data-name=reason]", "llegaron juntos")
        press(page, "#ways [data-name=swap]")
        queue = f"#queue [data-key='{first['id']}']"
        page.wait_for_selector(f"{queue}:has-text('{second['sides'][0]['text']}')")
        page.fill("#ways [data-name=reason]", "no había cruces")
        won = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "played"}
        for match in director.phase(0)["matches"]:
            director.event("RecordResult", match=match, result=won)
        # The form is open, and has what can be done now.
        page.wait_for_selector("#ways [data-name=hand]")
        assert page.input_value("#ways [data-name=reason]") == "no había cruces"
        teams = director.phase(0)["may_miss"]  # in the order of the form
        press(page, "#ways [data-name=hand]")
        wait_for(lambda: director.phase(0)["paired"] == 2)
        pairs = [[side["team"] for side in each["sides"]] for each in director.tournament["queue"]]
        assert pairs == [[*pair] for pair in zip(teams[::2], teams[1::2], strict=True)]
        page.wait_for_selector("#ways [data-name=end]")
        page.fill("#ways [data-name=reason]", "se hizo tarde")
        press(page, "#ways [data-name=end]")
        page.wait_for_selector("#steps [data-name^=undo]:has-text('Anular el final anticipado')")
        assert asked == ["Terminar ya, sin las otras rondas: Suizo?"]
