"""The page of a team rings when its match is called, in Chromium."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorer.i18n import translator
from tests.hub.pages.test_pages import OUTSIDE, press, wall_of
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin, join
from tests.web.browser import axe_violations, blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
SAY = translator("es-AR")
# What a page does with the phone, counted: the phone of the test has no loudspeaker to listen to.
COUNTED = """
    window.did = { tones: 0, vibrations: 0, locks: 0, released: 0 };
    class Part {
        constructor() {
            this.frequency = this;
            this.gain = { setValueAtTime() {}, linearRampToValueAtTime() {} };
        }
        connect() {}
        stop() {}
        start() { window.did.tones += 1; }
    }
    window.AudioContext = class {
        constructor() { this.currentTime = 0; this.destination = null; }
        resume() {}
        createOscillator() { return new Part(); }
        createGain() { return new Part(); }
    };
    navigator.vibrate = () => { window.did.vibrations += 1; return true; };
    class Lock {
        release() { this.released = true; window.did.released += 1; }
    }
    const request = () => { window.did.locks += 1; return Promise.resolve(new Lock()); };
    const value = IS_SECURE ? { request } : undefined;
    Object.defineProperty(navigator, "wakeLock", { value });
"""
BUTTON = "#wake button"


def opened(page: Page, director: Director, team: int, *, is_secure: bool = True) -> None:
    page.add_init_script(COUNTED.replace("IS_SECURE", "true" if is_secure else "false"))
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(wall_of(director.hub, f"e/{director.tournament['id']}/{team}"))
    page.wait_for_selector("html[data-ready=yes]", state="attached")


def did(page: Page, what: str) -> int:
    return int(page.evaluate(f"did.{what}"))


def test_a_team_that_asked_for_it_hears_its_call_until_it_says_that_it_comes(
    director: Director, browser: Browser
) -> None:
    [table] = join(director, [7])
    begin(director)
    match = director.tournament["queue"][0]
    team = match["sides"][0]["team"]
    with blank(browser, "phone") as page, blank(browser, "phone") as other:
        opened(page, director, team)
        opened(other, director, match["sides"][1]["team"])
        assert page.inner_text(BUTTON) == SAY("hub.wake.begin")
        assert SAY("hub.wake.limits") in page.inner_text("#wake")
        press(page, BUTTON)
        # The first ring shows how loud it is, and the screen stays on.
        wait_for(lambda: did(page, "locks") == 1)
        assert (did(page, "tones"), did(page, "vibrations")) == (3, 0)
        assert page.inner_text(BUTTON) == SAY("hub.wake.end")
        director.act("t.call", match=match["id"], device=table.device)
        page.wait_for_selector("#wake[data-ringing=yes]")
        assert page.inner_text("#wake [role=alert]") == SAY("hub.wake.called")
        assert did(page, "vibrations") >= 1
        assert axe_violations(page) == [] and page.evaluate(OUTSIDE) == []
        if pictures := os.environ.get("PICTURES"):
            page.screenshot(path=str(Path(pictures) / "team-wake.png"), full_page=True)
        assert page.inner_text(BUTTON) == SAY("hub.wake.stop")
        press(page, BUTTON)
        page.wait_for_selector("#wake[data-ringing='']")
        rung = did(page, "vibrations")
        # The same call rings no more; who asked for nothing hears nothing.
        other.wait_for_selector("#next:has-text('7')")
        assert did(page, "vibrations") == rung
        assert (did(other, "vibrations"), did(other, "tones")) == (0, 0)
        press(page, BUTTON)
        wait_for(lambda: did(page, "released") == 1)


def test_without_https_the_page_says_that_the_screen_goes_off(
    director: Director, browser: Browser
) -> None:
    begin(director)
    with blank(browser, "phone") as page:
        opened(page, director, 1, is_secure=False)
        assert SAY("hub.wake.screen") not in page.inner_text("#wake")
        press(page, BUTTON)
        assert SAY("hub.wake.screen") in page.inner_text("#wake")
        assert did(page, "tones") == 3


def test_the_code_of_a_team_is_opened_and_leads_to_its_page(
    director: Director, browser: Browser
) -> None:
    begin(director)
    with blank(browser, "phone") as page:
        opened(page, director, 1)
        assert page.is_hidden("#page"), "there is no published site"
        press(page, "#code summary")
        wait_for(lambda: page.evaluate("document.getElementById('code-picture').naturalWidth > 0"))
        assert axe_violations(page) == [] and page.evaluate(OUTSIDE) == []
