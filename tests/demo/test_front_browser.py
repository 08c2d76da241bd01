"""The front panel in a real Chromium: clicks, touches and keys; the board follows.

The demo, its table and its board are separate processes, some of which are killed during play.
"""

from __future__ import annotations

import os
import signal
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.demo.front_process import child_processes, open_page, running_front
from tests.web.browser import window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "has_touch": True,
    "is_mobile": True,
}
SIDEWAYS: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}


def front(context: BrowserContext, url: str) -> Page:
    """A page of the front panel that has drawn its first state."""
    page = context.new_page()
    page.goto(url, wait_until="domcontentloaded")
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    return page


def press(page: Page, line: str) -> None:
    page.locator(f'[data-line="{line}"]').click()


def says(page: Page, words: str) -> None:
    """Wait until the panels show these words."""
    page.wait_for_selector(f'canvas[aria-label*="{words}"]')


def shows(page: Page, *scores: int) -> None:
    """Wait until the board shows these scores, from left to right."""
    for place, points in enumerate(scores):
        page.wait_for_selector(f".side-{place} .score span:text-is('{points}')")


def test_the_board_follows_a_hand_over_a_power_cut_and_its_own_restart(
    browser: Browser, tmp_path: Path
) -> None:
    with running_front(tmp_path / "store") as here, window(browser, **DESK) as context:
        page = front(context, here.url)
        with context.expect_page() as opening:
            page.locator("#board").click()
        board = opening.value
        shows(board, 0, 0)

        press(page, "A.truco")
        says(page, "responde: Ellos")
        page.wait_for_selector('[data-lamp="B"].on')
        assert page.inner_text("#verdict") == "anotado"
        board.wait_for_selector(".word")
        assert board.inner_text(".word").lower() == "¡truco!"

        # Power cut while the truco is pending: SIGKILL, and a new table.
        (table,) = child_processes(here.process.pid, "run")
        page.locator("#power").click()
        page.wait_for_selector("html[data-dark=yes]", state="attached")
        assert page.locator(".lamp.on").count() == 0
        page.wait_for_selector("html[data-dark=no]", state="attached")
        assert child_processes(here.process.pid, "run") != [table]
        says(page, "responde: Ellos")

        press(page, "B.quiero")
        says(page, "vale 2")
        (web,) = child_processes(here.process.pid, "web")
        os.kill(web, signal.SIGKILL)
        press(page, "A.tantos")
        says(page, "+2 Nosotros")
        # The board restarts at its address, and the open page recovers.
        shows(board, 2, 0)
        assert board.get_attribute("html", "data-stale") == "no"
        assert web not in child_processes(here.process.pid, "web")


def test_a_hand_by_keys_with_holds_and_double_presses(browser: Browser, tmp_path: Path) -> None:
    with running_front(tmp_path / "store") as here, window(browser, **DESK) as context:
        page = front(context, here.url)
        # Alt and a letter press both consoles: both TANTOS ask whether all was tied.
        page.keyboard.press("Alt+l")
        page.wait_for_selector('[data-verdict="question"]')
        page.keyboard.press("z")
        says(page, "pregunta cancelada")
        page.keyboard.press("q")
        says(page, "responde: Ellos")
        page.keyboard.press("k")
        says(page, "+1 Nosotros")
        # Held as long as the key: a fold, and its question.
        page.keyboard.down("s")
        says(page, "¿en la primera?")
        page.keyboard.up("s")
        page.wait_for_selector('[data-line="A.no_quiero"]:not(.pressed)')
        page.keyboard.press("z")
        says(page, "pregunta cancelada")
        page.wait_for_timeout(1200)  # an answer to it may be late: settings.guards.offer
        # A capital is a hold of fixed length, as in the terminal.
        page.keyboard.press("Shift+S")
        says(page, "¿en la primera?")
        page.wait_for_selector('[data-line="A.no_quiero"]:not(.pressed)')
        page.keyboard.press("Backspace")
        says(page, "pregunta cancelada")


def test_a_touch_holds_and_releases_even_if_it_slides_off(browser: Browser, tmp_path: Path) -> None:
    with (
        running_front(tmp_path / "store", "--layout", "compact") as here,
        window(browser, **DESK) as context,
    ):
        page = front(context, here.url)
        press(page, "A.envido")
        says(page, "responde: Ellos")
        middle = page.locator('[data-line="B.quiero"]').bounding_box()
        assert middle is not None
        page.mouse.move(middle["x"] + 20, middle["y"] + 20)
        page.mouse.down()
        page.wait_for_selector('[data-line="B.quiero"].pressed')
        # QUIERO held is NO QUIERO in the compact layout.
        says(page, "envido n.q.")
        page.mouse.move(5, 790)
        page.mouse.up()
        page.wait_for_selector('[data-line="B.quiero"]:not(.pressed)')


def test_a_closed_page_releases_its_buttons(browser: Browser, tmp_path: Path) -> None:
    with (
        running_front(tmp_path / "store") as here,
        window(browser, **DESK) as context,
        open_page(here.url) as other,
    ):
        page = front(context, here.url)
        page.keyboard.down("m")
        other.wait_for(lambda look: look["down"] == ["menu"])
        page.close()
        other.wait_for(lambda look: look["down"] == [])


def test_unplugging_a_panel_does_not_affect_the_other(browser: Browser, tmp_path: Path) -> None:
    with running_front(tmp_path / "store") as here, window(browser, **DESK) as context:
        page = front(context, here.url)
        lit = drawn(page, "B")
        page.keyboard.press("F8")
        page.wait_for_selector('[data-panel="A"].unplugged')
        assert "1" not in drawn(page, "A")
        assert drawn(page, "B") == lit
        page.locator('[data-cable="A"]').click()
        page.wait_for_selector('[data-panel="A"]:not(.unplugged)')
        # The table checks periodically whether it is back.
        page.wait_for_function(LIT, arg="A")


DRAWN = """(name) => {
  const canvas = document.querySelector(`[data-panel="${name}"] canvas`);
  const all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let told = "";
  for (let at = 0; at < all.length; at += 4) told += all[at + 1] > 100 ? "1" : "0";
  return told;
}"""
LIT = f"(name) => ({DRAWN})(name).includes('1')"


def drawn(page: Page, panel: str) -> str:
    """The pixels that the page has drawn, row by row, as 0 and 1."""
    pixels: str = page.evaluate(DRAWN, panel)
    return pixels


def test_the_page_draws_exactly_the_pixels_of_both_panels(browser: Browser, tmp_path: Path) -> None:
    with (
        running_front(tmp_path / "store") as here,
        window(browser, **DESK) as context,
        open_page(here.url) as other,
    ):
        page = front(context, here.url)
        # Nothing blinks before the first call.
        for name, panel in other.snapshot["panels"].items():
            bits = "".join(f"{byte:08b}" for byte in b64decode(panel["bits"]))
            page.wait_for_function(f"([name, bits]) => ({DRAWN})(name) === bits", arg=[name, bits])


def test_the_buzzer_plays_new_phrases_only(browser: Browser, tmp_path: Path) -> None:
    with running_front(tmp_path / "store") as here, window(browser, **DESK) as context:
        first = front(context, here.url)
        press(first, "A.truco")
        first.wait_for_selector("html[data-buzzes='1']", state="attached")
        late = front(context, here.url)
        assert late.get_attribute("html", "data-buzzes") == "0"


def test_the_page_reconnects_when_the_demo_is_restarted(browser: Browser, tmp_path: Path) -> None:
    store = tmp_path / "store"
    with window(browser, **DESK) as context:
        with running_front(store) as here:
            page = front(context, here.url)
            press(page, "A.tantos")
            says(page, "+1 Nosotros")
            port = httpx.URL(here.url).port
            (table,) = child_processes(here.process.pid, "run")
            os.kill(table, signal.SIGKILL)
            assert here.process.wait(timeout=60) == 1
            page.wait_for_selector("#lost:not([hidden])")
            assert page.inner_text("#lost") == "La demo se cerró: volvé a arrancarla."
        with running_front(store, "--front", str(port)):
            page.wait_for_selector("#lost", state="hidden")
            says(page, "1")
            press(page, "A.truco")
            says(page, "responde: Ellos")


def test_a_page_of_another_origin_can_neither_press_nor_frame_it(
    browser: Browser, tmp_path: Path
) -> None:
    with running_front(tmp_path / "store") as here, window(browser, **DESK) as context:
        page = context.new_page()
        # Another origin: the same machine by its other name.
        page.goto(here.url.replace("127.0.0.1", "localhost"), wait_until="domcontentloaded")
        result = page.evaluate(
            """async (url) => {
              const send = (type) => fetch(`${url}/plugs`, {
                method: "POST", mode: "no-cors", headers: {"Content-Type": type},
                body: '{"wall": true}'}).then(() => "sent", () => "kept");
              return [await send("text/plain"), await send("application/x-www-form-urlencoded")];
            }""",
            here.url,
        )
        assert set(result) <= {"sent", "kept"}
        (table,) = child_processes(here.process.pid, "run")
        own = front(context, here.url)
        assert own.get_attribute("html", "data-dark") == "no"
        press(own, "A.tantos")
        says(own, "+1 Nosotros")
        assert child_processes(here.process.pid, "run") == [table]


LAYOUTS = (
    # name            options of the demo
    ("full",          ()),
    ("compact",       ("--layout", "compact")),
    ("three",         ("--variant", "destantado", "--names", "Ana", "Beto", "Caro")),
    ("three-compact", ("--variant", "destantado", "--layout", "compact")),
    ("one-panel",     ("--variant", "paulista", "--panels", "1", "--language", "pt-BR")),
    ("valencian",     ("--variant", "valencian", "--language", "ca")),
)  # fmt: skip
WINDOWS: dict[str, dict[str, Any]] = {
    "desk": DESK,
    "phone": PHONE,
    "sideways": SIDEWAYS,
    "zoom200": {"viewport": {"width": 960, "height": 540}, "device_scale_factor": 2},
    "zoom400": {"viewport": {"width": 480, "height": 270}, "device_scale_factor": 4},
}

MEASURED = """() => {
  const box = (each) => each.getBoundingClientRect();
  const labels = [...document.querySelectorAll(".label")];
  const buttons = [...document.querySelectorAll("[data-line]")];
  const canvases = [...document.querySelectorAll("canvas")];
  const over = (one, other) => {
    const [a, b] = [box(one), box(other)];
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1
      && b.top < a.bottom - 1;
  };
  return {
    wide: document.documentElement.scrollWidth - window.innerWidth,
    scales: canvases.map((each) => box(each).width * devicePixelRatio / each.width),
    cut: labels.filter((each) => each.scrollWidth > each.clientWidth + 1
      || box(each).right > box(each.closest(".console")).right + 1
      || box(each).left < box(each.closest(".console")).left - 1).map((each) => each.textContent),
    small: buttons.filter((each) => box(each).width < 44 || box(each).height < 44)
      .map((each) => each.dataset.line),
    overlapping: buttons.filter((one) => buttons.some((other) => one !== other && over(one, other)))
      .map((each) => each.dataset.line),
    text: Math.min(...labels.map((each) => parseFloat(getComputedStyle(each).fontSize)))
      * devicePixelRatio,
    low: Math.max(...buttons.map((each) => box(each).bottom)) - window.innerHeight,
  };
}"""


@pytest.mark.parametrize(("name", "options"), LAYOUTS, ids=lambda each: str(each))
def test_nothing_is_cut_off_and_every_pixel_is_a_square(
    browser: Browser, tmp_path: Path, name: str, options: tuple[str, ...]
) -> None:
    at_desk = 0.0
    with running_front(tmp_path / "store", *options) as here:
        for size, habits in WINDOWS.items():
            with window(browser, **habits) as context:
                page = front(context, here.url)
                measured = page.evaluate(MEASURED)
                folder = os.environ.get("PICTURES")
                if folder is not None:
                    page.screenshot(path=f"{folder}/{name}-{size}.png", full_page=True)
                assert measured["wide"] <= 0, size
                assert all(abs(each - round(each)) < 0.01 for each in measured["scales"]), size
                assert min(measured["scales"]) >= 4, size
                assert (measured["cut"], measured["small"], measured["overlapping"]) == (
                    [],
                    [],
                    [],
                ), size
                if size == "desk":
                    assert measured["low"] <= 0, "every button without scrolling"
                if size.startswith("zoom"):
                    assert measured["text"] >= 2 * at_desk, size
                at_desk = measured["text"] if size == "desk" else at_desk


def test_high_contrast_tells_a_lamp_that_is_lit_and_a_button_that_is_down(
    browser: Browser, tmp_path: Path
) -> None:
    style = "(e, name) => getComputedStyle(e)[name]"
    with (
        running_front(tmp_path / "store") as here,
        window(browser, **DESK, forced_colors="active") as context,
    ):
        page = front(context, here.url)
        press(page, "A.truco")
        lit, dark = page.locator("[data-lamp].on").first, page.locator("[data-lamp]:not(.on)").first
        grounds = {each.evaluate(style, "backgroundColor") for each in (lit, dark)}
        assert len(grounds) == 2
        assert dark.evaluate(style, "borderTopWidth") == "2px"
        dome = page.locator(".button .dome").first
        assert dome.evaluate(style, "borderTopStyle") == "solid"
