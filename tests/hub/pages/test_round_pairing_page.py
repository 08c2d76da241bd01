"""A round that takes its time, as the desk shows it in Chromium."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from tests.hub.pages.evening_tools import agreeing
from tests.hub.pages.test_organise_page import open_page
from tests.hub.pages.test_pages import OUTSIDE, open_desk, press
from tests.hub.test_round_pairing import stop_pairing
from tests.hub.test_tournament import Director
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
DRAWING = "#steps p:has-text('Sorteando la ronda: Suizo…')"


def test_both_desks_show_that_a_round_is_drawn_and_a_failure_can_be_tried_again(
    director: Director, browser: Browser
) -> None:
    teams = "\n".join(f"Equipo {at}" for at in range(1, 201))
    director.act("t.begin", format="swiss", teams=teams, replaces=0)
    director.event("Draw", seed="1")
    director.event("StartPhase", phase=director.phase(0)["id"])
    with (
        blank(browser, "phone", ignore_https_errors=True) as ana,
        blank(browser, "desktop", ignore_https_errors=True) as other,
        blank(browser, "desktop", ignore_https_errors=True) as desk,
    ):
        for page in (ana, other):
            open_page(page, director.hub)
            page.on("dialog", agreeing([]))
            page.wait_for_selector("#steps [data-name=pair]")
        press(ana, "#steps [data-name=pair]")
        child = stop_pairing(director.hub.pid)
        for page in (ana, other):
            page.wait_for_selector(DRAWING)
            assert page.locator("#steps [data-name=pair]").count() == 0
        open_desk(desk, director.hub)
        assert desk.locator("#alarms [data-name=pair]").count() == 0
        assert ana.evaluate(OUTSIDE) == []
        assert axe_violations(ana) == []
        os.kill(child, signal.SIGKILL)
        desk.wait_for_selector("#alarms [data-name=pair]")
        ana.wait_for_selector("text=La ronda no se pudo sortear: no cambió nada.")
        other.wait_for_selector("#steps [data-name=pair]")
        press(other, "#steps [data-name=pair]")
        other.wait_for_selector("#queue [data-key]")
        assert director.phase(0)["paired"] == 1
        ana.wait_for_selector("#queue [data-key]")
