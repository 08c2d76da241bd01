"""With HTTPS the phone page is an app: secure cookie, manifest, wake lock."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest

from tests.support.certificate import make_certificate
from tests.table.table_process import running_table, table_on
from tests.web.browser import blank, chromium, profile_page
from tests.web.server_process import web
from tests.web.test_phone_page import Bar, come, pair, tap

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

# What becomes of every lock of the real browser.
WATCH_LOCKS = """
window.locks = [];
const request = navigator.wakeLock.request.bind(navigator.wakeLock);
navigator.wakeLock.request = async (kind) => {
    const lock = await request(kind);
    window.locks.push(`${kind} held`);
    lock.addEventListener("release", () => window.locks.push(`${kind} released`));
    return lock;
};
"""
LOAD = """async (source) => {
    const kind = (await fetch(source)).headers.get("content-type");
    const image = new Image();
    image.src = source;
    await image.decode();
    return [kind, `${image.naturalWidth}x${image.naturalHeight}`];
}"""
LOCKS = "wanted => JSON.stringify(window.locks) === JSON.stringify(wanted)"
HIDE = """hidden => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium("--ignore-certificate-errors") as opened:
        yield opened


@pytest.fixture
def bar(tmp_path: Path) -> Iterator[Bar]:
    path = tmp_path / "table.sock"
    with (
        running_table(table_on(tmp_path / "store", socket=path)) as told,
        web(path, tmp_path, make_certificate(tmp_path).settings) as server,
    ):
        yield Bar(told, server.url, path)


def asked(page: Page, command: str) -> dict[str, Any]:
    """The answer of the browser to a command of its protocol."""
    session = page.context.new_cdp_session(page)
    try:
        return dict(session.send(command))
    finally:
        session.detach()


def test_the_key_of_a_phone_is_in_a_secure_cookie_and_a_hand_is_played(
    bar: Bar, browser: Browser
) -> None:
    with blank(browser, "phone") as page:
        pair(page, bar, "Ana", 0)
        assert page.url.startswith("https://")
        (cookie,) = page.context.cookies()
        assert cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Strict"
        tap(page, bar, "truco")
        assert bar.told.state["pending"]["call"] == "truco"


def test_the_page_can_be_installed(bar: Bar, browser: Browser, tmp_path: Path) -> None:
    with profile_page(browser, tmp_path / "profile", "--ignore-certificate-errors") as page:
        come(page, bar)
        told = asked(page, "Page.getAppManifest")
        assert told["errors"] == []
        assert told["url"] == f"{bar.url}static/phone.webmanifest"
        manifest = json.loads(told["data"])
        assert (manifest["start_url"], manifest["display"]) == ("/phone", "standalone")
        for icon in manifest["icons"]:
            kind, size = page.evaluate(LOAD, urljoin(told["url"], icon["src"]))
            assert kind == icon["type"]
            assert icon["sizes"] in ("any", size)
        assert asked(page, "Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_the_screen_stays_on_while_the_buttons_are_shown(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        page.add_init_script(WATCH_LOCKS)
        come(page, bar)
        assert page.evaluate("window.locks") == [], "a phone that is not paired may sleep"
        pair(page, bar, "Ana", 0)
        page.wait_for_function(LOCKS, arg=["screen held"])
        bar.told.press("A.truco")
        page.wait_for_selector("[data-key=truco].dim")
        page.evaluate(HIDE, True)
        page.wait_for_function(LOCKS, arg=["screen held", "screen released"])
        page.evaluate(HIDE, False)
        page.wait_for_function(LOCKS, arg=["screen held", "screen released", "screen held"])
        page.click("text=cambiar")
        page.wait_for_function("window.locks[3] === 'screen released'")
