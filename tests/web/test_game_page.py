"""The page of a shared game: picture, files and steps, in a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from scorer.web.audience import Audience
from scorer.web.shared_game import shared_document, sheet_digits
from tests.web.browser import Habits, axe_violations, blank, visit
from tests.web.fake_reports import serving
from tests.web.page_states import ARGENTINE_HANDS, HOSTILE, PAGE_STATES, hands, to_the_end
from tests.web.test_phone_page import OUTSIDE, Bar, opened_bar
from tests.web.test_timeline import story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SMOOTH: Habits = {"reduced_motion": "reduce"}
LONG = ("Los Invencibles del Club Social y Deportivo", "Sociedad de Fomento La Esperanza F. C.")
# How many pixels of the picture differ from its ground.
PAINTED = """() => {
    const canvas = document.getElementById("picture");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const at = 4 * (30 * canvas.width + 30);
    let painted = 0;
    for (let each = 0; each < data.length; each += 4) {
        if (data[each] !== data[at] || data[each + 1] !== data[at + 1]) painted += 1;
    }
    return painted;
}"""


def document(
    language: str = "es-AR", names: tuple[str, str] = ("Los Pibes", "La Yunta")
) -> dict[str, Any]:
    header = '[Variant "argentine"]\n'
    told = story(*to_the_end(), header=header)
    shown = shared_document(told, dict(zip("AB", names, strict=True)), Audience(language, ""))
    sent: dict[str, Any] = json.loads(json.dumps(shown))
    return sent


@pytest.mark.parametrize("size", ["phone", "desktop", "zoom400"])
def test_a_game_is_a_picture_two_files_a_code_and_its_steps(
    browser: Browser, size: str, tmp_path: Path
) -> None:
    with serving() as server:
        server.documents["/api/v1/shared"] = shown = document()
        with visit(browser, f"{server.address}/game", size, **SMOOTH) as page:
            assert page.evaluate(PAINTED) > 30_000
            label = page.get_attribute("#picture", "aria-label") or ""
            assert label.startswith("Los Pibes 30, La Yunta 12 · ¡ganaron Los Pibes!")
            assert label.endswith("mano 7: truco, retruco, vale cuatro")
            page.locator("#code img").evaluate("img => img.decode()")
            for button, name, magic in (
                ("#save", "truco-30-12.png", b"\x89PNG"),
                ("#sheet", "truco-30-12.truco", b'[Variant "argentine"]'),
            ):
                with page.expect_download() as started:
                    page.click(button)
                assert started.value.suggested_filename == name
                body = Path(started.value.path()).read_bytes()
                assert body.startswith(magic)
            assert body.decode() == shown["sheet"]
            assert page.inner_text("#score") == "30 : 12"
            assert page.is_disabled("#next")
            for _ in shown["scores"][1:]:
                page.click("#back")
            assert page.inner_text("#score") == "0 : 0"
            assert page.is_disabled("#back")
            assert page.locator("#entries [aria-current=step]").count() == 1
            assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("theme", ["dark", "light", "night"])
def test_the_page_of_a_game_can_be_read_by_everybody(browser: Browser, theme: str) -> None:
    with serving() as server:
        server.documents["/api/v1/shared"] = document("en")
        with visit(browser, f"{server.address}/game?theme={theme}&lang=en", **SMOOTH) as page:
            assert axe_violations(page) == []


@pytest.mark.parametrize("names", [LONG, HOSTILE])
def test_names_of_any_kind_are_text(browser: Browser, names: tuple[str, str]) -> None:
    with serving() as server:
        server.documents["/api/v1/shared"] = document(names=names)
        with visit(browser, f"{server.address}/game", "phone", **SMOOTH) as page:
            assert names[0] in (page.get_attribute("#picture", "aria-label") or "")
            assert page.evaluate(OUTSIDE) == []


def test_a_game_without_a_code_says_that_it_is_a_file(browser: Browser) -> None:
    with serving() as server:
        server.documents["/api/v1/shared"] = {**document(), "digits": ""}
        with visit(browser, f"{server.address}/game", **SMOOTH) as page:
            assert page.locator("#code img").count() == 0
            assert page.inner_text("#code") == "este partido no entra en un QR: guardá la planilla"


def test_the_board_of_a_game_that_is_over_leads_to_its_page(browser: Browser) -> None:
    with serving() as server:
        with visit(browser, f"{server.address}/?lang=en", **SMOOTH) as page:
            assert page.locator("#share a").count() == 0
        server.report = PAGE_STATES["match-over"]
        server.documents["/api/v1/shared"] = document("en")
        with visit(browser, f"{server.address}/?lang=en", **SMOOTH) as page:
            page.locator("#share img").evaluate("img => img.decode()")
            page.click("#share a")
            page.wait_for_selector("html[data-ready=yes]", state="attached")
            assert page.url == f"{server.address}/game?lang=en"


@pytest.fixture
def bar(tmp_path: Path) -> Iterator[Bar]:
    with opened_bar(tmp_path) as opened:
        yield opened


def text_of(page: Page, url: str) -> str:
    page.goto(url, wait_until="domcontentloaded")
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    text: str = page.inner_text("main")
    return text


def test_an_address_and_a_file_are_opened_by_the_box(
    bar: Bar, browser: Browser, tmp_path: Path
) -> None:
    sheet = (
        '[Variant "argentine"]\n[NameA "Ñandúes"]\n\n' + "\n".join(hands(*ARGENTINE_HANDS)) + "\n"
    )
    with blank(browser, "phone") as page:
        shown = text_of(page, f"{bar.url}game#{sheet_digits(sheet)}")
        assert "Ñandúes" in (page.get_attribute("#picture", "aria-label") or "")
        assert page.locator("#code img").count() == 0
        score = page.inner_text("#score")
        assert "undefined" not in shown
        for bad in ("123", "9" * 4000, sheet_digits(sheet)[:-4]):
            page.goto("about:blank")
            text_of(page, f"{bar.url}game#{bad}")
            wanted = "demasiado grande" if len(bad) == 4000 else "No es un partido"
            assert wanted in page.inner_text("#said")
            assert page.is_hidden("#shown")
        path = tmp_path / "game.truco"
        path.write_text(sheet, "utf-8")
        page.set_input_files("#file", path)
        page.wait_for_selector("#shown:not([hidden])")
        assert page.inner_text("#score") == score
        path.write_text("\n" * 40_000, "utf-8")
        page.set_input_files("#file", [])
        page.set_input_files("#file", path)
        page.wait_for_selector("#said:not(:empty)")
        assert "demasiado grande" in page.inner_text("#said")


def test_the_game_of_the_table_opens_from_its_digits_as_it_was(bar: Bar, browser: Browser) -> None:
    for button in ("A.truco", "B.quiero", "A.tantos"):
        bar.told.press(button)
        bar.told.wait(10.0)
    with blank(browser, "phone") as page:
        text_of(page, f"{bar.url}game")
        entries = page.inner_text("#entries")
        assert page.inner_text("#score") == "2 : 0"
        read = "fetch('/api/v1/shared').then((answer) => answer.json())"
        digits = page.evaluate(read)["digits"]
        page.goto("about:blank")
        text_of(page, f"{bar.url}game#{digits}")
        assert (page.inner_text("#score"), page.inner_text("#entries")) == ("2 : 0", entries)


def test_the_code_on_the_page_is_read_from_its_pixels(browser: Browser) -> None:
    cv2 = pytest.importorskip("cv2", reason="opencv is not installed")
    with serving() as server:
        server.documents["/api/v1/shared"] = document()
        with visit(browser, f"{server.address}/game", "phone", **SMOOTH) as page:
            page.locator("#code img").evaluate("img => img.decode()")
            picture = page.locator("#code img").screenshot(scale="device")
            grey = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
            large = cv2.resize(grey, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
            text, _, _ = cv2.QRCodeDetector().detectAndDecode(large)
            assert text == f"{server.address}/game#{'9' * 1300}"
