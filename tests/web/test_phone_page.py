"""The page of a phone in real browsers: paired with the code, two play a hand."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from scorer.api.rights import Right, socket_path
from scorer.i18n import languages, translator
from scorer.records.row_source import sender_of
from tests.support.phone_pairing import open_phones, show_new_code
from tests.support.table_client import TableClient
from tests.table.table_process import TableDriver, running_table, table_on
from tests.web.browser import axe_violations, blank
from tests.web.server_process import web
from tests.web.test_pages import CUT_OR_OVERLAPPING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

OUTSIDE = """() => {
    const wide = document.documentElement.clientWidth;
    const found = [];
    if (document.documentElement.scrollWidth > wide) found.push("page");
    for (const each of document.querySelectorAll("button, p, .score")) {
        const box = each.getBoundingClientRect();
        if (box.width && (box.right > wide + 1 || box.left < -1)) found.push(each.textContent);
        if (each.tagName !== "BUTTON" || !box.width) continue;
        if (each.scrollWidth > each.clientWidth + 1) found.push(`cut ${each.textContent}`);
        if (box.height < 44) found.push(`low ${each.textContent}`);
        const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const range = document.createRange();
            for (const word of texts.currentNode.data.matchAll(/\\S+/g)) {
                range.setStart(texts.currentNode, word.index);
                range.setEnd(texts.currentNode, word.index + word[0].length);
                if (range.getClientRects().length > 1) found.push(`broken ${word[0]}`);
            }
        }
    }
    return found;
}"""


# The page has fitted its texts to the width of the window.
FITTED = """() => [...document.querySelectorAll(".who")]
    .every((each) => each.scrollWidth <= each.clientWidth)"""


class Bar(NamedTuple):
    told: TableDriver
    url: str
    path: Path


@pytest.fixture
def bar(tmp_path: Path) -> Iterator[Bar]:
    with opened_bar(tmp_path) as bar:
        yield bar


@contextmanager
def opened_bar(tmp_path: Path, *, rematch: bool = False) -> Iterator[Bar]:
    path = tmp_path / "table.sock"
    table = table_on(tmp_path / "store", socket=path)._replace(rematch=rematch)
    with (
        running_table(table) as told,
        web(socket_path(path, Right.PHONE), tmp_path) as server,
    ):
        yield Bar(told, server.url, path)


def come(page: Page, bar: Bar, query: str = "") -> None:
    page.goto(f"{bar.url}phone{query}", wait_until="domcontentloaded")
    page.wait_for_selector("html[data-ready=yes]", state="attached")


def pair(page: Page, bar: Bar, name: str, console: int, query: str = "") -> None:
    """Pairs a phone as people do, and takes the buttons of a console."""
    come(page, bar, query)
    page.fill("#code", show_new_code(bar.told))
    page.fill("#name", name)
    page.click("#connect")
    page.wait_for_selector("#choose:not([hidden])")
    bar.told.press("menu", duration_s=4.0)
    page.click(f"#sides button >> nth={console}")
    page.wait_for_selector("#play:not([hidden])")


def follow(page: Page, bar: Bar) -> None:
    """Wait until the page shows the newest row of the table."""
    seq = bar.told.wait(0.1).seq
    page.wait_for_selector(f"html[data-at='{seq}']", state="attached")


def tap(page: Page, bar: Bar, key: str) -> None:
    """Taps a button as soon as it is lit, and lets the table live on past its guards."""
    follow(page, bar)
    page.wait_for_selector(f"[data-key='{key}'].lit[aria-disabled=false]")
    page.wait_for_timeout(500)  # a score must have been seen before anything on it is meant
    with page.expect_response("**/api/v1/press") as sent:
        page.click(f"[data-key='{key}']")
    assert sent.value.status == 200, sent.value.text()
    bar.told.wait(5.0)


def score(page: Page) -> list[str]:
    return [each.strip() for each in page.locator(".score b").all_text_contents()]


def test_two_phones_are_paired_and_play_a_hand(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as ana, blank(browser, "phone") as beto:
        pair(ana, bar, "Ana", 0)
        pair(beto, bar, "Beto", 1)
        tap(ana, bar, "envido")
        follow(beto, bar)
        assert "envido" in beto.inner_text("#now")
        tap(beto, bar, "quiero")
        tap(beto, bar, "tantos")
        tap(ana, bar, "truco")
        follow(beto, bar)
        assert beto.locator("[data-key=quiero] b").inner_text() == "2"
        assert beto.locator("[data-key=truco]").inner_text().lower() == "retruco"
        tap(beto, bar, "quiero")
        tap(ana, bar, "tantos")
        follow(ana, bar)
        follow(beto, bar)
        assert (score(ana), score(beto)) == (["2", "2"], ["2", "2"])
        assert bar.told.score == {"A": 2, "B": 2}
        assert ana.evaluate(OUTSIDE) == beto.evaluate(OUTSIDE) == []
    with TableClient(bar.path) as asks:
        rows = asks.ask(do="journal")["rows"]
    assert {sender_of(row["source"]) for row in rows} == {"phone Ana", "phone Beto"}


def test_a_wrong_code_is_refused_and_the_right_one_accepted(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        come(page, bar)
        page.fill("#code", "1")
        page.fill("#name", "<b>Ana</b>")
        page.click("#connect")
        page.wait_for_selector("#said:not(:empty)")
        assert page.inner_text("#said") == "la caja no muestra números ahora"
        shown = show_new_code(bar.told)
        page.fill("#code", "1")
        page.click("#connect")
        page.wait_for_selector("#said:has-text('pantalla')")
        page.fill("#code", f"{shown[:3]} {shown[3:]}")
        page.click("#connect")
        page.wait_for_selector("#choose:not([hidden])")
        assert page.inner_text(".name") == "<b>Ana</b>"
        assert page.evaluate("document.cookie") == "", "no script reads the key"


def test_the_side_is_remembered_and_can_be_changed(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        pair(page, bar, "Ana", 1)
        assert page.inner_text(".score >> nth=0").splitlines()[0] == "Celestes"
        come(page, bar)
        page.wait_for_selector("#play:not([hidden])")
        assert page.inner_text(".score.mine").splitlines()[0] == "Celestes"
        page.click("text=cambiar")
        page.click("#sides button >> nth=0")
        assert page.inner_text(".score.mine").splitlines()[0] == "Amarillos"


def test_a_phone_names_the_teams(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        pair(page, bar, "Ana", 0)
        page.click("#foot >> text=nombres")
        page.wait_for_selector("#naming:not([hidden])")
        assert page.locator("#play").is_hidden()
        page.fill("input[name=A]", "Los <b>Pibes</b>")
        page.fill("input[name=B]", "La Yunta")
        page.click("#save")
        page.wait_for_selector("#play:not([hidden])")
        page.wait_for_selector(".score >> text=La Yunta")
        assert page.inner_text(".score.mine").splitlines()[0] == "Los <b>Pibes</b>"
        bar.told.press("menu", held_s=0.9)
        page.click("#foot >> text=nombres")
        page.fill("input[name=A]", "")
        page.click("#save")
        page.wait_for_selector("#said:not(:empty)")
        assert "Los <b>Pibes</b>" in page.inner_text("#fields")
        bar.told.press("menu")
        page.fill("input[name=B]", "")
        page.click("#save")
        page.wait_for_selector(".score >> text=Amarillos")


@pytest.mark.parametrize("language", languages())
def test_the_longest_names_are_whole_and_legible_on_the_phone(
    bar: Bar, browser: Browser, language: str
) -> None:
    names = ("Los Invencibles del Club", "Sociedad de Fomento La E")
    assert {len(each) for each in names} == {24}
    with blank(browser, "phone") as page:
        pair(page, bar, "Ana", 0, f"?lang={language}")
        page.click(f"#foot >> text={translator(language)('phone.names')}")
        page.wait_for_selector("#naming:not([hidden])")
        for side, name in zip("AB", names, strict=True):
            page.fill(f"input[name={side}]", name)
        page.click("#save")
        page.wait_for_selector(f".score >> text={names[1]}")
        for width in (390, 360):
            page.set_viewport_size({"width": width, "height": 664})
            page.wait_for_function(FITTED)
            assert page.evaluate(OUTSIDE) == []
            assert page.evaluate(CUT_OR_OVERLAPPING) == []
            sizes = page.locator(".who > span").evaluate_all(
                "all => all.map((each) => parseFloat(getComputedStyle(each).fontSize))"
            )
            assert min(sizes) >= 12, (width, sizes)
            if folder := os.environ.get("PICTURES"):
                page.screenshot(path=f"{folder}/phone-names-{language}-{width}.png")


def win(bar: Bar) -> None:
    """A wins the game, four points a hand."""
    for _ in range(8):
        for press in ("A.truco", "B.truco", "A.truco", "B.quiero", "A.tantos"):
            bar.told.press(press)
            bar.told.wait(5.0)
    assert bar.told.state["winner"] == "A"


def test_a_phone_renames_a_pair_of_the_evening(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        pair(page, bar, "Ana", 0)
        page.click("#foot >> text=nombres")
        assert page.locator("#night").is_hidden(), "no game has been won"
        page.click("#leave")
        win(bar)
        follow(page, bar)
        page.wait_for_function(
            "fetch('/api/v1/night').then((it) => it.json()).then((it) => it.games)"
        )
        page.click("#foot >> text=nombres")
        assert page.inner_text("#night-title") == "hoy"
        assert page.evaluate(OUTSIDE) == []
        page.fill("[data-pair=A]", "La Yunta")
        page.fill("[data-pair=B]", "la yunta")
        page.click("#save")
        page.wait_for_selector("#said:has-text('jugaron entre sí')")
        page.fill("[data-pair=B]", "Los Pibes")
        page.click("#save")
        page.wait_for_selector("#naming", state="hidden")
        night = page.evaluate("fetch('/api/v1/night').then((answer) => answer.json())")
        assert sorted(row["name"] for row in night["rows"]) == ["La Yunta", "Los Pibes"]
        page.reload()
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        page.click("#foot >> text=nombres")
        assert page.locator("[data-pair='los pibes']").input_value() == "Los Pibes"


def test_the_rematch_is_offered_on_phone_and_board_and_two_phones_start_it(
    tmp_path: Path, browser: Browser
) -> None:
    with (
        opened_bar(tmp_path, rematch=True) as bar,
        blank(browser, "phone") as ana,
        blank(browser, "phone") as beto,
        blank(browser) as board,
    ):
        pair(ana, bar, "Ana", 0)
        pair(beto, bar, "Beto", 1)
        win(bar)
        board.goto(bar.url, wait_until="domcontentloaded")
        for page, place in ((ana, "#under"), (beto, "#under"), (board, ".bet .line")):
            page.wait_for_selector(f"{place}:has-text('¿la revancha? QUIERO los dos')")
        tap(ana, bar, "quiero")
        tap(beto, bar, "quiero")
        assert bar.told.state["rematches"] == {"A": 1, "B": 0}
        board.wait_for_selector("#kind:has-text('la revancha')")
        assert "¿" not in board.inner_text(".bet")


def test_a_question_is_asked_on_the_phone_too(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        pair(page, bar, "Ana", 1)
        page.click("text=al mazo")
        page.wait_for_selector(".armed")
        page.click("text=otra vez")
        page.wait_for_selector("#now:has-text('primera')")
        page.wait_for_selector("[data-key=quiero].lit[aria-disabled=false]")
        assert "+2" in page.inner_text("[data-key=quiero]")
        page.wait_for_timeout(500)
        page.click("[data-key=quiero]")
        page.wait_for_selector(".score:not(.mine) b:text-is('2')")


def test_a_press_on_a_score_that_just_changed_is_held_back(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        pair(page, bar, "Ana", 1)
        page.evaluate(
            """() => new MutationObserver((_, watching) => {
                watching.disconnect();
                document.querySelector("[data-key=truco]").click();
            }).observe(document.querySelector("#now"), { childList: true, subtree: true })"""
        )
        bar.told.press("A.truco")
        page.wait_for_selector("#said:has-text('cambió')")
        assert bar.told.wait(1.0).seq == 1


def test_a_forgotten_phone_is_asked_to_pair_again(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        pair(page, bar, "Ana", 0)
        open_phones(bar.told)
        bar.told.press("B.tantos")
        bar.told.press("A.quiero", duration_s=4.0)
        bar.told.press("A.quiero", duration_s=4.0)
        bar.told.press("menu", duration_s=4.0)
        page.click("[data-key=truco]")
        page.wait_for_selector("#pair:not([hidden])")
        assert page.inner_text("#said") == "este teléfono ya no está conectado"
        assert bar.told.wait(0.1).seq == 0


def test_a_table_that_is_away_is_said_and_no_button_works(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        pair(page, bar, "Ana", 0)
        bar.told.process.kill()
        page.wait_for_selector("#stale:not([hidden])")
        assert page.locator("#keys button[aria-disabled=false]").count() == 0
        bar.told.power_on()
        page.wait_for_selector("#stale", state="hidden")
        tap(page, bar, "truco")


@pytest.mark.parametrize("language", ["es-AR", "es-VE", "pt-BR", "ca", "en"])
def test_nothing_is_cut_off_in_any_language(bar: Bar, browser: Browser, language: str) -> None:
    with blank(browser, "phone") as page:
        pair(page, bar, "A very long name of one", 0, f"?lang={language}")
        for width in (390, 375, 360, 320):  # 320: 1280 at 400 %
            page.set_viewport_size({"width": width, "height": 664})
            assert page.evaluate(OUTSIDE) == []
        keys = page.locator("#keys button").all()
        heights = {
            key.get_attribute("data-key"): key.evaluate("e => e.offsetHeight") for key in keys
        }
        assert heights["undo"] >= max(heights["tantos"], heights["truco"])
        page.click("[data-key=quiero]", force=True)  # it does not count, and says why
        page.wait_for_selector("#said:not(:empty)")
        assert page.evaluate(OUTSIDE) == []
        assert re.findall(r"undefined|null|NaN|\{|\[object|false", page.inner_text("main")) == []


def test_high_contrast_tells_the_own_side_and_the_buttons_that_count(
    bar: Bar, browser: Browser
) -> None:
    style = "(e, name) => getComputedStyle(e)[name]"
    with blank(browser, "phone", forced_colors="active") as page:
        pair(page, bar, "Ana", 0)
        borders = page.locator(".score").evaluate_all(
            "all => all.map((each) => getComputedStyle(each).borderTopStyle)"
        )
        assert borders == ["double", "none"]
        assert page.locator("[data-key=truco].lit").evaluate(style, "borderTopStyle") == "solid"
        assert page.locator("[data-key=quiero].dim").evaluate(style, "borderTopStyle") == "dashed"


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_reader_of_the_screen_finds_nothing_wrong(bar: Bar, browser: Browser, theme: str) -> None:
    with blank(browser, "phone") as page:
        come(page, bar, f"?theme={theme}")
        assert axe_violations(page) == []
        pair(page, bar, "Ana", 0, f"?theme={theme}")
        assert axe_violations(page) == []


@pytest.mark.parametrize("query", ["", "?lang=pt-BR&theme=light"])
def test_the_last_hands_are_put_right_on_the_phone(query: str, bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as ana, blank(browser, "phone") as beto:
        pair(ana, bar, "Ana", 0, query)
        pair(beto, bar, "Beto", 1, query)
        tap(ana, bar, "truco")
        tap(beto, bar, "quiero")
        tap(ana, bar, "tantos")
        follow(beto, bar)
        beto.click("[data-key=last]")
        beto.wait_for_selector("#hands:not([hidden])")
        assert "2-0" in beto.inner_text("#hands-title")
        assert beto.evaluate(OUTSIDE) == []
        first = beto.locator("#last-hands button").first
        assert first.inner_text().endswith("> 0-2")
        first.click()
        first.click()
        beto.wait_for_selector("#said:not(:empty)")
        assert bar.told.score == {"A": 2, "B": 0}
        # Only the team that loses the points confirms.
        with ana.expect_response("**/api/v1/press"):
            ana.click("[data-key=quiero]", force=True)  # it is dim, and takes presses all the same
        bar.told.wait(1.0)
        follow(ana, bar)
        assert (bar.told.score, score(ana)) == ({"A": 0, "B": 2}, ["0", "2"])
        beto.click("[data-key=last]")
        beto.wait_for_selector("#hands:not([hidden])")
        assert axe_violations(beto) == []


def test_a_phone_shows_a_button_of_the_box_that_is_stuck(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        pair(page, bar, "Ana", 1)
        assert page.is_hidden("#faults")
        bar.told.hold("A.quiero", duration_s=40.0)
        page.wait_for_selector("#faults:not([hidden])")
        assert page.inner_text("#faults") == "QUIERO (Amarillos) trabado"
        assert page.evaluate(OUTSIDE) == []
        bar.told.release("A.quiero")
        page.wait_for_selector("#faults", state="hidden")
