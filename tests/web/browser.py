"""Chromium of Debian for the tests, driven by playwright; skipped without one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import pytest

if TYPE_CHECKING:
    from typing import Literal

    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

CHROMIUM = shutil.which("chromium")
PATIENCE = 60_000  # milliseconds for anything; a loaded machine takes its time

SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 390, "height": 844},
    "desktop": {"width": 1280, "height": 800},
    "tv": {"width": 1920, "height": 1080},
    "4k": {"width": 3840, "height": 2160},
    # "tv" zoomed; its pixels are those of the window with this device_scale_factor: 2 and 4
    "zoom200": {"width": 960, "height": 540},
    "zoom400": {"width": 480, "height": 270},
}


class Habits(TypedDict, total=False):
    """Settings of the browser's user."""

    reduced_motion: Literal["reduce", "no-preference"]
    java_script_enabled: bool
    ignore_https_errors: bool
    device_scale_factor: float
    forced_colors: Literal["active", "none"]


@contextmanager
def chromium(*options: str) -> Iterator[Browser]:
    """A browser without a window; ``options`` are more of its command line."""
    driving = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")
    with driving.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", *options]
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def profile_page(browser: Browser, folder: Path, *options: str) -> Iterator[Page]:
    """A page of a browser that keeps a profile in ``folder``, like a person's."""
    kept = browser.browser_type.launch_persistent_context(
        folder, executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", *options]
    )
    try:
        yield kept.pages[0]
    finally:
        kept.close()


@contextmanager
def window(browser: Browser, **habits: Any) -> Iterator[BrowserContext]:  # noqa: ANN401 - playwright's
    """A browser context, in Spanish by default; any error in its pages fails the test."""
    errors: list[str] = []
    context = browser.new_context(**{"locale": "es-AR", **habits})
    context.set_default_timeout(PATIENCE)
    context.on("weberror", lambda error: errors.append(str(error.error)))
    try:
        yield context
    finally:
        context.close()
    assert errors == []


@contextmanager
def blank(browser: Browser, size: str = "tv", **habits: Unpack[Habits]) -> Iterator[Page]:
    """A page that shows nothing yet. Whatever goes wrong in it fails the test."""
    opened = browser.new_context(
        viewport=SIZES[size], locale="es-AR", timezone_id="Asia/Tokyo", **habits
    )
    page = opened.new_page()
    page.set_default_timeout(PATIENCE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        yield page
    finally:
        opened.close()
    assert errors == []


@contextmanager
def visit(
    browser: Browser, address: str, size: str = "tv", **habits: Unpack[Habits]
) -> Iterator[Page]:
    """A page that has drawn its first report (the plain one is drawn at once)."""
    with blank(browser, size, **habits) as page:
        page.goto(address, wait_until="domcontentloaded")
        if "/plain" not in address:
            page.wait_for_selector("html[data-ready=yes]", state="attached")
        yield page


def axe_violations(page: Page) -> list[tuple[str, str]]:
    """What axe finds wrong (contrast, names, landmarks): the rule, and an element."""
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    axe = resources.files("axe_playwright_python").joinpath("axe.min.js")
    page.evaluate(axe.read_text("utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    return [(each["id"], each["nodes"][0]["html"]) for each in found]
