"""The idle screen of the board in Chromium: evening, curves, name and code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.browser import Habits, axe_violations, blank
from tests.web.fake_reports import Report, Server, report, serving
from tests.web.page_states import PAGE_STATES, to_the_end

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SMOOTH: Habits = {"reduced_motion": "reduce"}
WAIT = 90_000  # milliseconds without a press
ADDRESS = "http://192.168.1.7:8080/"
NAMES = ("Los Pibes", "La Yunta", "")


def curve(number: int, names: tuple[str, str]) -> dict[str, object]:
    played = report(lines=to_the_end())["hands"][: 3 + number]
    return {
        "game": number,
        "sides": ["A", "B"],
        "names": dict(zip("AB", names, strict=True)),
        "winner": "A",
        "target": 30,
        "half": 15,
        "hands": played,
    }


PAIRS = [
    {
        **{"name": "Los Pibes", "key": "", "won": 5, "played": 6, "streak": 3, "best_streak": 3},
        **{"called": 41, "refused": 12, "envidos": 9, "comeback": 11, "longest": 38},
    },
    {
        **{"name": "La Yunta", "key": "", "won": 2, "played": 5, "streak": 0, "best_streak": 2},
        **{"called": 28, "refused": 7, "envidos": 14, "comeback": 4, "longest": 38},
    },
    {"name": "", "key": "B", "won": 1, "played": 5, "streak": 0, "called": 9},
]
EVENING = {"games": 8, "longest": 38, "rows": PAIRS}
GAMES = [curve(number, (NAMES[number % 3], NAMES[(number + 1) % 3])) for number in range(1, 9)]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as opened:
        opened.documents = {
            "/api/v1/address": {"address": ADDRESS},
            "/api/v1/night/games": {"games": GAMES},
        }
        yield opened


def opened(page: Page, server: Server, shown: Report, query: str = "") -> None:
    """The board with ``shown``, and the clock of the page stopped."""
    server.report = shown
    page.clock.install()
    page.goto(f"{server.address}/{query}")
    page.wait_for_selector("html[data-ready=yes]", state="attached")


def is_loaded(page: Page) -> bool:
    """Whether the code has been loaded and drawn."""
    seen = "(image) => image.decode().then(() => image.naturalWidth > 0)"
    return bool(page.locator("#idle-code img").evaluate(seen))


@pytest.mark.parametrize("language", ["es-AR", "pt-BR", "ca"])
@pytest.mark.parametrize("size", ["tv", "4k", "desktop", "phone", "zoom200", "zoom400"])
def test_after_a_game_the_evening_is_shown(
    browser: Browser, server: Server, size: str, language: str
) -> None:
    with blank(browser, size, **SMOOTH) as page:
        over = report(lines=to_the_end(), night=EVENING)
        opened(page, server, over, f"?lang={language}")
        page.clock.run_for(WAIT - 30_000)
        assert page.locator("#board").is_visible()
        page.clock.run_for(30_000)
        page.wait_for_selector("#idle:not([hidden]) svg")
        assert page.locator("#board").is_hidden()
        assert page.inner_text("#idle-name") == "truco"
        phrases = page.evaluate("fetch('/api/v1/state' + location.search).then((it) => it.json())")
        night = phrases["phrases"]["night"]
        assert page.inner_text("#idle-sum") == night["sum"]
        heads = [
            each.inner_text() for each in page.locator("#idle-pairs tr").first.locator("th").all()
        ]
        assert heads == night["figures"]
        assert page.locator("#idle-pairs .who").all_inner_texts() == [
            row["name"] for row in night["rows"]
        ]
        assert "41" in page.locator("#idle-pairs tr").nth(1).inner_text()
        assert page.locator("#idle-curves figure").count() == 8
        assert page.locator("#idle-curves .run").count() == 16
        assert page.get_attribute("#idle-code img", "alt") == ADDRESS
        wide, high = (
            page.evaluate(f"document.documentElement.scroll{each}") for each in ("Width", "Height")
        )
        view = page.viewport_size
        assert view is not None
        assert wide <= view["width"]
        assert high <= view["height"] or size not in ("tv", "4k", "desktop")
        if size.startswith("zoom"):
            page.evaluate("document.querySelector('#idle table').remove()")  # it is scrolled
        parts = "#idle th, #idle td, #idle h1, #idle-sum, #idle-curves figure, #idle-code"
        cut = page.evaluate(
            """(parts) => [...document.querySelectorAll(parts)].filter((each) => {
                const box = each.getBoundingClientRect();
                return box.right > innerWidth + 1 || box.left < -1;
            }).length""",
            parts,
        )
        assert cut == 0
        if size != "phone":
            assert is_loaded(page)
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=f"{folder}/idle-{size}-{language}.png")
        assert axe_violations(page) == []


def test_a_press_ends_it_at_once(browser: Browser, server: Server) -> None:
    with blank(browser, **SMOOTH) as page:
        opened(page, server, report(lines=to_the_end(), night=EVENING))
        page.clock.run_for(WAIT)
        page.wait_for_selector("#idle:not([hidden])")
        server.publish(PAGE_STATES["truco"] | {"rev": 90, "id": "test-90"})
        page.wait_for_selector("html[data-shown=test-90]", state="attached")
        assert page.locator("#idle").is_hidden()
        assert page.locator(".side .score").all_inner_texts() == ["12", "9"]
        page.clock.run_for(2 * WAIT)
        assert page.locator("#board").is_visible(), "a call is open"


def test_a_new_game_ends_it_before_its_first_press(browser: Browser, server: Server) -> None:
    with blank(browser, **SMOOTH) as page:
        over = report(lines=to_the_end(), night=EVENING)
        opened(page, server, over)
        page.clock.run_for(WAIT)
        page.wait_for_selector("#idle:not([hidden])")
        fresh = report(night=EVENING) | {"rev": 90, "id": "test-90"}
        fresh["state"] |= {"seq": over["state"]["seq"], "number": over["state"]["number"] + 1}
        server.publish(fresh)
        page.wait_for_selector("html[data-shown=test-90]", state="attached")
        assert page.locator("#board").is_visible()


@pytest.mark.parametrize("ours", ["A", "B"])
def test_a_curve_has_its_sides_in_the_order_of_the_board(
    browser: Browser, server: Server, ours: str
) -> None:
    with blank(browser, **SMOOTH) as page:
        opened(page, server, report(lines=to_the_end(), night=EVENING), f"?ours={ours}")
        page.clock.run_for(WAIT)
        page.wait_for_selector("#idle:not([hidden]) svg")
        first = page.locator("#idle-curves figure").first.locator("li").all_inner_texts()
        names = ["La Yunta", "Ellos"] if ours == "A" else ["Nosotros", "La Yunta"]
        assert [text.splitlines()[0] for text in first] == names


@pytest.mark.parametrize("query", ["?idle=0", "?idle=never"])
def test_an_address_without_it_keeps_the_board(
    browser: Browser, server: Server, query: str
) -> None:
    with blank(browser, **SMOOTH) as page:
        opened(page, server, report(lines=to_the_end(), night=EVENING), query)
        page.clock.run_for(4 * WAIT)
        assert page.locator("#board").is_visible()
        assert "/api/v1/address" not in server.requested


def test_before_the_first_game_it_shows_name_and_code(browser: Browser, server: Server) -> None:
    server.documents["/api/v1/night/games"] = {"games": []}
    with blank(browser, **SMOOTH) as page:
        opened(page, server, report(), "?idle=5")
        page.clock.run_for(5000)
        page.wait_for_selector("#idle-code img")
        assert page.locator("#idle-pairs tr").count() == 0
        assert page.inner_text("#idle-name") == "truco"


def test_the_code_is_the_address(browser: Browser, server: Server) -> None:
    cv2: Any = pytest.importorskip("cv2", reason="no decoder: pip install opencv-python-headless")
    with blank(browser, **SMOOTH) as page:
        opened(page, server, report(), "?idle=5")
        page.clock.run_for(5000)
        assert is_loaded(page)
        picture = page.locator("#idle-code img").screenshot()
    numpy: Any = pytest.importorskip("numpy")
    pixels = cv2.imdecode(numpy.frombuffer(picture, "uint8"), cv2.IMREAD_GRAYSCALE)
    assert cv2.QRCodeDetector().detectAndDecode(pixels)[0] == server.address


def test_a_server_that_does_not_answer_leaves_the_board(browser: Browser, server: Server) -> None:
    server.documents = {}
    with blank(browser, **SMOOTH) as page:
        opened(page, server, report(lines=to_the_end(), night=EVENING))
        page.clock.run_for(2 * WAIT)
        page.wait_for_timeout(1)
        assert page.locator("#board").is_visible()
