"""The settings page in real browsers: values saved and taken back, two owners."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorer.backup.stick import StickCopies
from scorer.config.config import SECTIONS
from scorer.i18n import translator
from tests.backup import loop_stick
from tests.backup.games import UNFINISHED, WON, store_of
from tests.backup.loop_stick import Stick, plugged, put_on
from tests.backup.test_commands import backup
from tests.web.browser import axe_violations, blank
from tests.web.owner_box import OwnerBox, owner_box

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

needs_stick = pytest.mark.skipif(bool(loop_stick.why_not()), reason=loop_stick.why_not())
WIDTHS = (390, 1280)
LANGUAGES = ("es-AR", "pt-BR", "en")
OUTSIDE = """() => {
    const wide = document.documentElement.clientWidth;
    const found = document.documentElement.scrollWidth > wide ? ["page"] : [];
    for (const each of document.querySelectorAll("button, p, input, select, label, summary")) {
        const box = each.getBoundingClientRect();
        if (!box.width) continue;
        if (box.right > wide + 1 || box.left < -1) found.push(each.id || each.textContent);
        const isPressed = ["BUTTON", "SUMMARY"].includes(each.tagName);
        if (isPressed && box.height < 44) found.push(`low ${each.id}`);
    }
    return found;
}"""
UNTOLD = """() => [...document.querySelectorAll(".field")].filter((each) => {
    const about = each.querySelector(".about");
    const named = each.querySelector("label, .fixed");
    return !about.textContent || !named.textContent;
}).map((each) => each.innerText)"""


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnerBox]:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "systemctl").write_text("#!/bin/sh\n")
    (programs / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    with owner_box(tmp_path) as made:
        yield made


def come(page: Page, box: OwnerBox, query: str = "") -> None:
    page.goto(f"{box.url}owner{query}", wait_until="domcontentloaded")
    page.wait_for_selector("html[data-ready=yes]", state="attached")


def pair(page: Page, box: OwnerBox, name: str = "Ana", query: str = "") -> None:
    come(page, box, query)
    page.fill("#code", box.show_digits())
    page.fill("#name", name)
    page.click("#connect")
    page.wait_for_selector("#s-table")
    box.leave_setup()


@contextmanager
def owner(
    browser: Browser, box: OwnerBox, name: str = "Ana", width: int = 390, query: str = ""
) -> Iterator[Page]:
    with blank(browser, "phone", reduced_motion="reduce") as page:
        page.set_viewport_size({"width": width, "height": 844})
        pair(page, box, name, query)
        yield page


def field(path: str) -> str:
    return f"[id='f-{path}']"


def said(page: Page, sentence: str) -> None:
    page.wait_for_function(
        "text => document.querySelector('#said').textContent === text", arg=sentence
    )


def save(page: Page, section: str, **values: str) -> None:
    if not page.locator(f"#save-{section}").is_visible():
        page.click(f"#s-{section}")
    for key, value in values.items():
        page.fill(field(f"{section}.{key}"), value)
    page.click(f"#save-{section}")


def test_a_value_is_saved_applied_and_taken_back(box: OwnerBox, browser: Browser) -> None:
    say = translator("es-AR")
    with owner(browser, box) as page:
        save(page, "light", dim="33")
        said(page, say("owner.saved"))
        assert box.do(lambda table: table.table.session.settings.light.dim) == 33.0
        told = page.inner_text("[id='a-light.dim']")
        assert "archivo 90 > caja 33" in told
        page.click("[id='b-light.dim']")
        page.wait_for_selector("[id='b-light.dim']", state="detached")
        assert box.do(lambda table: table.table.session.settings.light.dim) == 90.0


def test_a_value_of_a_service_is_saved_and_taken_back(box: OwnerBox, browser: Browser) -> None:
    say = translator("es-AR")
    with owner(browser, box) as page:
        save(page, "backup", label="BAR")
        said(page, say("owner.saved"))
        assert box.saved == {"backup": {"label": "BAR"}}
        page.click("[id='b-backup.label']")
        page.wait_for_selector("[id='b-backup.label']", state="detached")
        assert box.saved == {}


def test_a_wrong_value_is_said_at_its_field_and_what_was_typed_stays(
    box: OwnerBox, browser: Browser
) -> None:
    with owner(browser, box) as page:
        save(page, "light", dim="-3", dark="7")
        said(page, translator("es-AR")("owner.wrong"))
        assert "-3 is not a number of seconds" in page.inner_text("[id='e-light.dim']")
        assert page.evaluate("document.activeElement.id") == "f-light.dim"
        assert page.get_attribute(field("light.dim"), "aria-invalid") == "true"
        assert page.input_value(field("light.dark")) == "7"
        assert box.do(lambda table: table.table.session.settings.light.dark) == 1200.0
        save(page, "light", dim="3,5")
        said(page, translator("es-AR")("owner.saved"))
        light = box.do(lambda table: table.table.session.settings.light)
        assert (light.dim, light.dark) == (3.5, 7.0)


def test_during_a_game_it_waits_and_says_so(box: OwnerBox, browser: Browser) -> None:
    with owner(browser, box) as page:
        box.play()
        save(page, "table", device="barra")
        said(page, translator("es-AR")("owner.waits"))
        assert "barra" in page.inner_text(".waiting:not(:empty)")
        assert page.input_value(field("table.device")) == "truco"


def test_the_second_owner_sees_what_the_first_has_changed(box: OwnerBox, browser: Browser) -> None:
    with owner(browser, box, "Ana") as ana, owner(browser, box, "Beto") as beto:
        save(ana, "light", dim="5")
        said(ana, translator("es-AR")("owner.saved"))
        save(beto, "light", dark="9")
        beto.wait_for_selector(".fresh:not(:empty)")
        assert "Ana lo cambió antes" in beto.inner_text("#said")
        assert beto.input_value(field("light.dim")) == "5"
        # What was typed is still there: it is saved with the next press.
        assert beto.input_value(field("light.dark")) == "9"
        beto.click("#save-light")
        said(beto, translator("es-AR")("owner.saved"))
        light = box.do(lambda table: table.table.session.settings.light)
        assert (light.dim, light.dark) == (5.0, 9.0)


def test_an_answer_that_is_lost_is_said_and_what_was_stored_is_shown(
    box: OwnerBox, browser: Browser
) -> None:
    with owner(browser, box) as page:
        # The request arrives, its answer does not.
        page.route("**/api/v1/owner/save", lambda route: (route.fetch(), route.abort())[1])
        save(page, "light", dim="5")
        said(page, translator("es-AR")("owner.gone"))
        page.wait_for_selector("[id='b-light.dim']")
        assert "caja 5" in page.inner_text("[id='a-light.dim']")


def test_a_right_that_is_taken_back_at_the_box_is_said(box: OwnerBox, browser: Browser) -> None:
    with owner(browser, box) as page:
        box.do(lambda table: table.choose("owners"))
        box.do(lambda table: table.press("B.tantos", "A.quiero", "A.quiero", then=1.0))
        save(page, "light", dim="5")
        said(page, translator("es-AR")("owner.left"))
        page.wait_for_selector("#pair:not([hidden])")


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Stick]:
    """A stick with copies of five games and of one."""
    with plugged(tmp_path, 4096) as found:
        with put_on(found, tmp_path / "pc") as folder:
            for day, count in (("2026-05-01", 5), ("2026-05-02", 1)):
                store = store_of(tmp_path / day, *[WON] * (count - 1), UNFINISHED)
                assert backup(store, folder / f"truco-{day}.sqlite3") == 0
        yield found


@pytest.fixture
def box_with_stick(tmp_path: Path, stick: Stick) -> Iterator[OwnerBox]:
    fetched = tmp_path / "fetched"
    fetched.mkdir()
    copies = StickCopies(tmp_path / "store", loop_stick.LABEL, stick.links, fetched)
    with owner_box(tmp_path, copies=copies) as made:
        yield made


def look_at_stick(page: Page, say: Callable[..., str]) -> None:
    page.click("#s-copies")
    page.click("#copies-look")
    said(page, say("owner.copies.listed"))


@needs_stick
def test_a_copy_is_put_back_after_a_question_and_told(
    box_with_stick: OwnerBox, browser: Browser
) -> None:
    say = translator("es-AR")
    with owner(browser, box_with_stick) as page:
        look_at_stick(page, say)
        lines = page.locator("[id^='n-truco']").all_inner_texts()
        assert lines == ["2026-05-02: 1 partido", "2026-05-01: 5 partidos"]
        copy = "[id='c-truco-2026-05-01.sqlite3']"
        page.click(copy)
        assert page.inner_text("#copy-question") == say("owner.copies.question")
        assert page.evaluate("document.activeElement.id") == "copy-no", "ENTER changes nothing"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "c-truco-2026-05-01.sqlite3"
        page.keyboard.press("Enter")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        said(page, say("notice.backup_restored", number=5))
        # Another table, with the games of the copy; this phone still has the right.
        assert box_with_stick.do(lambda table: table.score) == {"A": 2, "B": 0}
        save(page, "light", dim="33")
        said(page, say("owner.saved"))
    assert list((box_with_stick.folder / "store").glob("replaced-*.sqlite3"))


@needs_stick
def test_a_copy_that_went_meanwhile_is_reported_and_nothing_is_put_back(
    box_with_stick: OwnerBox, stick: Stick, browser: Browser
) -> None:
    say = translator("es-AR")
    with owner(browser, box_with_stick) as page:
        look_at_stick(page, say)
        (stick.links / loop_stick.LABEL).unlink()
        page.click("[id='c-truco-2026-05-01.sqlite3']")
        page.click("#copy-yes")
        said(page, say("notice.backup_absent", word="TRUCO"))
        assert page.locator("#copy-yes").count() == 0
    assert not list((box_with_stick.folder / "store").glob("re*.sqlite3"))


@needs_stick
def test_during_a_game_a_page_that_does_not_know_of_it_puts_nothing_back(
    box_with_stick: OwnerBox, browser: Browser
) -> None:
    say = translator("es-AR")
    with owner(browser, box_with_stick) as page:
        look_at_stick(page, say)
        page.click("[id='c-truco-2026-05-01.sqlite3']")
        box_with_stick.play()
        page.click("#copy-yes")
        said(page, say("owner.copies.game"))
        page.wait_for_selector("#copies-look[disabled]")
        assert say("owner.copies.game") in page.inner_text("#sections")
    assert not list((box_with_stick.folder / "store").glob("re*.sqlite3"))


@needs_stick
@pytest.mark.parametrize("width", WIDTHS)
def test_the_question_fits_and_a_reader_of_the_screen_finds_nothing_wrong(
    box_with_stick: OwnerBox, browser: Browser, width: int
) -> None:
    for language in LANGUAGES:
        query = f"?lang={language}"
        with owner(browser, box_with_stick, language, width, query) as page:
            look_at_stick(page, translator(language))
            page.click("[id='c-truco-2026-05-01.sqlite3']")
            assert page.evaluate(OUTSIDE) == []
            assert axe_violations(page) == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_other_pins_are_tried_out_with_the_keyboard_and_kept_by_a_press(
    box: OwnerBox, browser: Browser, language: str, width: int
) -> None:
    say = translator(language)
    with owner(browser, box, width=width, query=f"?lang={language}") as page:
        page.click("#s-consoles")
        page.focus(field("consoles.lines.A.truco"))
        page.keyboard.press("Control+a")
        page.keyboard.type("7")
        page.keyboard.press("Enter")
        said(page, say("owner.trial"))
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []
        page.reload(wait_until="domcontentloaded")
        said(page, say("owner.trial"))
        assert box.saved == {}
        box.do(lambda table: table.press("A.truco", then=0.5))
        said(page, say("owner.trial_kept"))
        assert box.saved == {"consoles": {"lines": {"A.truco": 7}}}


def test_without_a_press_the_page_says_that_the_pins_are_as_before(
    box: OwnerBox, browser: Browser
) -> None:
    say = translator("es-AR")
    with owner(browser, box) as page, owner(browser, box, "Beto") as other:
        page.click("#s-lamps")
        page.fill(field("lamps.A"), "7")
        page.click("#try-lamps")
        said(page, say("owner.trial"))
        save(other, "light", dim="33")
        said(other, say("owner.trial"))
        box.let_trial_end()
        said(page, say("owner.trial_back"))
        assert page.input_value(field("lamps.A")) == "18"
        assert box.saved == {}


def test_a_pin_that_another_button_has_is_refused_at_its_field(
    box: OwnerBox, browser: Browser
) -> None:
    with owner(browser, box) as page:
        page.click("#s-consoles")
        page.fill(field("consoles.lines.A.truco"), "17")
        page.click("#try-consoles")
        page.wait_for_selector(".fault:not(:empty)")
        assert "17" in page.inner_text(".fault:not(:empty)")
        assert box.saved == {}


def test_a_secret_has_no_field_over_plain_http(box: OwnerBox, browser: Browser) -> None:
    with owner(browser, box) as page:
        page.click("#s-owner")
        assert page.is_disabled(field("owner.code"))
        assert translator("es-AR")("owner.insecure") in page.inner_text("#sections")


def test_hostile_text_is_shown_as_text(box: OwnerBox, browser: Browser) -> None:
    with owner(browser, box) as page:
        save(page, "table", device="<img src=x onerror=alert(1)>")
        said(page, translator("es-AR")("owner.saved"))
        assert page.locator("#sections img").count() == 0
        assert page.input_value(field("table.device")) == "<img src=x onerror=alert(1)>"


def test_everything_is_reached_with_the_keyboard(box: OwnerBox, browser: Browser) -> None:
    with owner(browser, box) as page:
        page.focus("#s-light")
        page.keyboard.press("Enter")
        page.wait_for_selector(field("light.dim"))
        page.keyboard.press("Tab")  # brightness
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "f-light.dim"
        page.keyboard.press("Control+a")
        page.keyboard.type("44")
        page.keyboard.press("Enter")
        said(page, translator("es-AR")("owner.saved"))
        # The page was drawn anew; the focus stays where it was.
        assert page.evaluate("document.activeElement.id") == "f-light.dim"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "b-light.dim"
        page.keyboard.press("Enter")
        page.wait_for_selector("[id='b-light.dim']", state="detached")
        assert page.input_value(field("light.dim")) == "90"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_section_fits_and_a_reader_of_the_screen_finds_nothing_wrong(
    box: OwnerBox, browser: Browser, language: str, width: int
) -> None:
    query = f"?lang={language}"
    with blank(browser, "phone", reduced_motion="reduce") as page:
        page.set_viewport_size({"width": width, "height": 844})
        come(page, box, query)
        assert axe_violations(page) == []
        assert page.evaluate(OUTSIDE) == []
    with owner(browser, box, width=width, query=query) as page:
        assert page.title() == translator(language)("owner.title")
        for section in SECTIONS:
            page.click(f"#s-{section}")
        save(page, "light", dim="-1")
        page.wait_for_selector(".fault:not(:empty)")
        assert page.evaluate(UNTOLD) == []
        assert page.evaluate(OUTSIDE) == []
        assert axe_violations(page) == []


@pytest.mark.parametrize("theme", ["dark", "night"])
def test_the_other_looks_are_legible(box: OwnerBox, browser: Browser, theme: str) -> None:
    with owner(browser, box, query=f"?theme={theme}") as page:
        page.click("#s-light")
        save(page, "light", dim="-1")
        page.wait_for_selector(".fault:not(:empty)")
        assert axe_violations(page) == []
