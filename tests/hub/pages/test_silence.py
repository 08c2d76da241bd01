"""Pages that follow a hub through a network that fails; their clock is advanced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import httpx
import pytest

from tests.hub.boxes import HEADER
from tests.hub.hub_process import HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.hub.pages.test_pages import open_desk, wall_of
from tests.hub.test_tournament import LIST, Director, Table, join
from tests.support.faulty_network import FaultyNetwork, faulty_network
from tests.web.browser import blank, window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

driving = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.browser

MOST = 30  # seconds until a page says that it is old
MOST_STEPS = 100  # of a second
ANSWER = 400  # milliseconds for an answer of the hub
WALL = ("", "tv?screen=ABC", "e/1")
DESK = ("/desk", "/desk/tournament")
# Notes the time of the page at which it says that it is old.
WATCH = """() => {
    const stale = document.getElementById("stale");
    window.staleAfter = null;
    const began = Date.now();
    const look = () => {
        if (!stale.hidden && window.staleAfter === null) window.staleAfter = Date.now() - began;
    };
    new MutationObserver(look).observe(stale, { attributes: true });
}"""
# A browser without a window hides no page.
HIDE = """(isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def advance(page: Page, selector: str, milliseconds: int = 0) -> None:
    """Let seconds pass in the page until it has such an element.

    ``milliseconds``: that an answer of the hub may take after each of them.
    """
    for _ in range(MOST_STEPS):
        if milliseconds:
            with suppress(driving.TimeoutError):
                page.wait_for_selector(selector, state="attached", timeout=milliseconds)
        if page.locator(selector).count():
            return
        page.clock.run_for(1000)
    raise AssertionError(selector)


def check_silence(
    page: Page, network: FaultyNetwork, fail: Callable[[FaultyNetwork], None]
) -> None:
    """The page says in time that it is old, and is new again after the fault."""
    assert page.locator("#stale").is_hidden()
    page.evaluate(WATCH)
    fail(network)
    advance(page, "#stale:not([hidden])")
    assert page.evaluate("window.staleAfter") <= 1000 * MOST
    assert page.inner_text("#stale") == "Sin conexión con la sala"
    network.mend()
    # Idle connections of the browser are dead too; each of them costs a request.
    advance(page, "#stale[hidden]", ANSWER)


class Hall(NamedTuple):
    """A running hub, and a table of it."""

    hub: HubProcess
    table: Table

    def score(self) -> None:
        """A point for the first team."""
        # The hub has closed the connection, if it was idle for two minutes.
        self.table.box.client = self.hub.client()
        self.table.play("A award 1", is_new=False)


FAULTS = [FaultyNetwork.vanish, FaultyNetwork.refuse]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A tournament that has begun, and a table that plays."""
    with running_hub(tmp_path_factory.mktemp("hub"), 'name = "Club Tres de Copas"') as hub:
        director = Director(hub, log_in(hub))
        (table,) = join(director, [5])
        director.act("t.begin", format="swiss", teams=LIST, replaces=0)
        director.event("Draw", seed="4711")
        director.event("StartPhase", phase="suizo")
        table.play("A truco", "B quiero", "A hand_won", header=HEADER)
        yield Hall(hub, table)


@pytest.mark.parametrize("fail", FAULTS, ids=["vanish", "refuse"])
@pytest.mark.parametrize("path", WALL)
def test_a_page_of_viewers_says_that_it_is_old(
    path: str, fail: Callable[[FaultyNetwork], None], hall: Hall, browser: Browser
) -> None:
    with faulty_network(hall.hub.wall) as network, blank(browser, "desktop") as page:
        page.clock.install()
        page.goto(f"http://127.0.0.1:{network.port}/{path}")
        page.wait_for_selector("h1:not(:empty)")
        check_silence(page, network, fail)


@pytest.mark.parametrize("fail", FAULTS, ids=["vanish", "refuse"])
@pytest.mark.parametrize("path", DESK)
def test_a_page_of_the_desk_says_that_it_is_old(
    path: str, fail: Callable[[FaultyNetwork], None], hall: Hall, browser: Browser
) -> None:
    with (
        faulty_network(hall.hub.desk) as network,
        blank(browser, "desktop", ignore_https_errors=True) as page,
    ):
        open_desk(page, hall.hub)
        page.clock.install()
        page.goto(f"https://127.0.0.1:{network.port}{path}")
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        check_silence(page, network, fail)


def points_of(page: Page) -> list[str]:
    return [*page.locator(".score").all_text_contents()]


def test_a_stream_that_died_is_reopened_when_the_page_is_seen_again(
    hall: Hall, browser: Browser
) -> None:
    with faulty_network(hall.hub.wall) as network, blank(browser, "desktop") as page:
        # Its clock stands: nothing but its being seen makes the page ask.
        page.clock.install()
        page.goto(f"http://127.0.0.1:{network.port}/")
        page.wait_for_selector(".score")
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
        ours, theirs = points_of(page)
        network.wait_for_open(1)  # that of the stream
        network.vanish()
        page.evaluate(HIDE, arg=True)
        hall.score()
        network.mend()
        assert points_of(page) == [ours, theirs]
        page.evaluate(HIDE, arg=False)
        page.wait_for_selector(f".side-0 .score:text-is('{int(ours) + 1}')")


def test_eight_pages_of_one_browser_show_every_score(hall: Hall, browser: Browser) -> None:
    with window(browser) as context:
        pages = [context.new_page() for _ in range(8)]
        for page in pages:
            page.goto(wall_of(hall.hub), wait_until="commit")
        for page in pages:
            page.wait_for_selector(".score")
        (ours, _) = points_of(pages[0])
        hall.score()
        for page in pages:
            page.wait_for_selector(f".side-0 .score:text-is('{int(ours) + 1}')")
        team = context.new_page()
        team.goto(wall_of(hall.hub, "e/1"))
        team.wait_for_selector("h1:not(:empty)")


@pytest.mark.parametrize("path", WALL)
def test_a_page_is_loaded_once_after_an_update_of_the_hub(
    path: str, hall: Hall, browser: Browser
) -> None:
    def update(route: Route) -> None:
        document = httpx.get(route.request.url).json()
        route.fulfill(json={**document, "version": "99.0"})

    loads: list[str] = []
    with blank(browser, "desktop") as page:
        page.clock.install()
        # Without a stream the page polls.
        page.route("**/events**", lambda route: route.fulfill(status=503))
        page.on("domcontentloaded", lambda _: loads.append(page.url))
        page.goto(wall_of(hall.hub, path))
        page.wait_for_selector("h1:not(:empty)")
        assert len(loads) == 1
        page.route("**/drawn/**", update)
        with page.expect_event("domcontentloaded"):
            page.clock.run_for(6000)
        # The document goes on saying so, as behind two hubs.
        for _ in range(4):
            page.wait_for_selector("h1:not(:empty)")
            with page.expect_response("**/drawn/**"):
                page.clock.run_for(6000)
        assert len(loads) == 2
