"""Two directors with their pages open at once, in Chromium."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.hub.pages.test_organise_page import open_page
from tests.hub.pages.test_pages import press
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin, join
from tests.web.browser import blank

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def freeze(page: Page, director: Director) -> None:
    """Let the page show what it shows."""
    state = director.desk
    page.route("**/desk/state?**", lambda route: route.fulfill(json=state))


def test_a_stale_click_is_refused_and_says_who_changed_what_and_when(
    director: Director, browser: Browser
) -> None:
    one, two = join(director, [1, 2])
    begin(director)
    match = director.tournament["queue"][0]["id"]
    entry = f"[data-key='{match}']"
    with (
        blank(browser, "desktop", ignore_https_errors=True) as ana,
        blank(browser, "phone", ignore_https_errors=True) as other,
    ):
        open_page(ana, director.hub)
        open_page(other, director.hub, "?lang=pt-BR")
        freeze(other, director)
        ana.select_option(f"#queue {entry} [data-name=table]", str(one.device))
        press(ana, f"#queue {entry} [data-name=call]")
        wait_for(lambda: director.tournament["tables"])
        other.select_option(f"#queue {entry} [data-name=table]", str(two.device))
        press(other, f"#queue {entry} [data-name=call]")
        other.wait_for_selector(f"{entry} .problem")
        called_to = r": ana, .+: chamou uma partida: Mesa 1: Equipo .+ – Equipo .+\."
        assert re.search(called_to, other.inner_text(f"{entry} .problem"))
        (called,) = director.tournament["tables"]
        assert called["device"] == one.device
        # It shows the present state again, and the next click counts.
        other.unroute("**/desk/state?**")
        press(other, f"#tables {entry} [data-name=back]")
        ana.wait_for_selector(f"#queue {entry}")
        assert director.tournament["tables"] == []
