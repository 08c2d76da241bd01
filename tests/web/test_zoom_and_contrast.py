"""The pages zoomed, and in the colours of the viewer (Windows high contrast)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.browser import Habits, visit
from tests.web.fake_reports import Server, serving
from tests.web.page_states import PAGE_STATES
from tests.web.test_pages import FULL, OVERFLOWING, tell

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SMOOTH: Habits = {"reduced_motion": "reduce"}
CONTRAST: Habits = {"reduced_motion": "reduce", "forced_colors": "active"}
ZOOMS = (("zoom200", 2), ("zoom400", 4))

# The height of each text in pixels of the screen. Digits of the score fill the page already.
TEXT_SIZES = """() => {
    const sizes = {};
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const box = walker.currentNode.parentElement;
        const isShown = box.getClientRects().length && !box.closest("svg, .unseen, .score");
        if (!isShown || !walker.currentNode.data.trim()) continue;
        const size = parseFloat(getComputedStyle(box).fontSize) * devicePixelRatio;
        const key = walker.currentNode.data.trim();
        sizes[key] = Math.min(size, sizes[key] || Infinity);
    }
    return sizes;
}"""
# Texts that end in an ellipsis.
CUT = """() => [...document.querySelectorAll("main *")].filter((each) =>
    each.getClientRects().length && getComputedStyle(each).textOverflow === "ellipsis"
    && each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"""


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as opened:
        yield opened


def zoomed(factor: float) -> Habits:
    return {**SMOOTH, "device_scale_factor": factor}


@pytest.mark.parametrize(("size", "factor"), ZOOMS)
def test_a_zoomed_board_cuts_nothing(
    browser: Browser, server: Server, size: str, factor: int
) -> None:
    with visit(browser, server.address, size, **zoomed(factor)) as page:
        for name in FULL:
            tell(page, server, PAGE_STATES[name])
            assert page.evaluate(OVERFLOWING, True) == [], name
            if not name.startswith("long-names"):
                assert page.evaluate(CUT) == [], name


@pytest.mark.parametrize(("size", "factor"), ZOOMS)
def test_zoom_makes_the_texts_of_the_board_twice_as_high(
    browser: Browser, server: Server, size: str, factor: int
) -> None:
    names = ("play", "truco", "hand-over", "match-over", "series")
    with visit(browser, server.address, **SMOOTH) as page:
        before = [_sizes(page, server, name) for name in names]
    with visit(browser, server.address, size, **zoomed(factor)) as page:
        after = [_sizes(page, server, name) for name in names]
    for name, small, large in zip(names, before, after, strict=True):
        assert small.keys() == large.keys(), name
        low = {text: large[text] / high for text, high in small.items() if large[text] < 2 * high}
        assert low == {}, name


@pytest.mark.parametrize(("size", "factor"), ZOOMS)
@pytest.mark.parametrize("name", ["truco", "gallo", "match-over"])
def test_zoom_makes_the_texts_of_the_plain_page_twice_as_high(
    browser: Browser, server: Server, name: str, size: str, factor: int
) -> None:
    server.report = PAGE_STATES[name]
    with visit(browser, f"{server.address}/plain", **SMOOTH) as page:
        page.wait_for_load_state("load")  # with its style sheet
        before = page.evaluate(TEXT_SIZES)
    with visit(browser, f"{server.address}/plain", size, **zoomed(factor)) as page:
        page.wait_for_load_state("load")
        after = page.evaluate(TEXT_SIZES)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    low = {text: after[text] / high for text, high in before.items() if after[text] < 1.99 * high}
    assert (low, wide <= 0) == ({}, True)


def _sizes(page: Page, server: Server, name: str) -> dict[str, float]:
    tell(page, server, PAGE_STATES[name])
    found: dict[str, float] = page.evaluate(TEXT_SIZES)
    return found


def test_high_contrast_keeps_arrows_rungs_and_halves(browser: Browser, server: Server) -> None:
    style = "(e, name) => getComputedStyle(e)[name]"
    with visit(browser, server.address, **CONTRAST) as page:
        ink = page.eval_on_selector("body", style, "color")
        ground = page.eval_on_selector("body", style, "backgroundColor")
        assert ink != ground
        tell(page, server, PAGE_STATES["truco"])
        arrow = page.locator(".arrow").first
        borders = ("Left", "Right", "Top", "Bottom")
        drawn = {each: arrow.evaluate(style, f"border{each}Color") for each in borders}
        transparent = "rgba(0, 0, 0, 0)"
        assert drawn == {
            "Left": ink, "Right": drawn["Right"], "Top": transparent, "Bottom": transparent,
        }  # fmt: skip
        assert arrow.evaluate(style, "borderRightWidth") == "0px"
        assert page.locator(".rung.called").evaluate(style, "borderTopStyle") == "dashed"
        assert page.locator(".rung.ahead").first.evaluate(style, "borderTopStyle") == "none"
        assert page.locator(".half").first.evaluate(style, "fill") == ink
        sticks = page.locator("#wood stop").first.evaluate(style, "stopColor")
        assert sticks == ink
        marks = page.locator(".leads .if").evaluate_all(
            "all => all.map((each) => getComputedStyle(each, '::before').content[1])"
        )
        assert marks == ["◄", "►"]
