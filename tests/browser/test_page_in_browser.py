"""The built page in a real Chromium: a hand, reload, offline, power cut, kill."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from operator import truediv
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.page_server import PageServer, needs_page, serving
from tests.web.browser import CHROMIUM, axe_violations, window
from tools.browser.__main__ import BUDGET, OUT, first_files
from tools.browser.runtime import runtime_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [pytest.mark.browser, needs_page]

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "locale": "es-AR"}
# The height that the bars of a phone's browser leave.
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 664},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
    "locale": "pt-PT",
}
READY = "html[data-ready=yes]"
LATER = {"table.pack", "static/board.js"}  # of the last files that are kept


@pytest.fixture
def server() -> Iterator[PageServer]:
    with serving() as made:
        yield made


def start(context: BrowserContext, url: str) -> Page:
    """A page that has drawn its first picture; a first visit presses the button."""
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector(f"#go:not([hidden]), {READY}", state="attached")
    if page.is_visible("#go"):
        page.click("#go")
    page.wait_for_selector(READY, state="attached")
    return page


def press(page: Page, *lines: str) -> None:
    for line in lines:
        count = page.get_attribute("#verdict", "data-presses") or ""
        page.locator(f'[data-line="{line}"]').click()
        page.wait_for_function(
            "(count) => (document.querySelector('#verdict').dataset.presses || '') !== count",
            arg=count,
        )


def says(page: Page, words: str) -> None:
    """Wait until a panel shows these words."""
    page.wait_for_selector(f'canvas[aria-label*="{words}"]')


def wait_until_kept(page: Page) -> None:
    """Wait until the service worker has stored every file."""
    page.wait_for_function(
        """async (paths) => {
            const match = (path) => caches.match(new URL(path, location));
            return (await Promise.all(paths.map(match))).every(Boolean);
        }""",
        arg=sorted(path.name if path.parent == OUT else str(path.relative_to(OUT))
                   for path in OUT.rglob("*.js") if path.name != "service_worker.js"),
    )  # fmt: skip


def test_a_hand_and_a_reload_that_downloads_nothing(browser: Browser, server: PageServer) -> None:
    with window(browser, **DESK) as context:
        page = context.new_page()
        page.goto(server.url)
        size = json.loads((OUT / "start.json").read_text("utf-8"))["size"]
        page.wait_for_selector("#go:not([hidden])")
        megabytes = f"{size / 1e6:.1f}".removesuffix(".0").replace(".", ",")
        assert f" {megabytes} MB" in page.inner_text("#go")
        assert "runtime/pyodide.asm.wasm" not in server.asked
        page.click("#go")
        page.wait_for_selector(READY, state="attached")
        assert page.locator("canvas").count() == 2
        assert page.inner_text("html[lang=es-AR] #save") == "Guardar la planilla"
        press(page, "A.truco")
        page.wait_for_selector('[data-lamp="B"].on')
        press(page, "B.quiero", "A.tantos")
        says(page, "+2 Nosotros")
        wait_until_kept(page)
        server.asked.clear()
        page.reload()
        page.wait_for_selector(READY, state="attached")
        says(page, "UNDO")
        # The browser asks whether there is another service worker, and for nothing else.
        assert set(server.asked) <= {"service_worker.js"}
        press(page, "undo")
        says(page, "vale 2")


def test_each_file_is_fetched_once_and_the_first_ones_are_those_of_the_budget(
    browser: Browser, server: PageServer
) -> None:
    with window(browser, **DESK) as context:
        page = start(context, server.url)
        wait_until_kept(page)
        first = set(first_files())
        fetched = {path or "index.html" for path in server.asked}
        assert first <= fetched | {"table.webmanifest"}
        big = [path for path in server.asked if path.startswith("runtime/") or path in LATER]
        assert len(big) == len(set(big))
        assert page.evaluate("performance.getEntriesByType('resource').map((each) => each.name)")


def test_the_download_is_within_its_budget() -> None:
    start_json = json.loads((OUT / "start.json").read_text("utf-8"))
    assert 5_000_000 < start_json["size"] <= BUDGET


def test_offline_with_the_server_gone(browser: Browser, server: PageServer) -> None:
    with window(browser, **DESK) as context:
        page = start(context, server.url)
        press(page, "A.truco")
        wait_until_kept(page)
        page.close()
        server.stop()
        context.set_offline(True)
        page = start(context, f"{server.url}?from=home")
        says(page, "responde: Ellos")
        press(page, "B.no_quiero")
        says(page, "+1 Nosotros")
        with context.expect_page() as opening:
            page.locator("#board").click()
        opening.value.wait_for_selector(".side-0 .score span:text-is('1')")


def test_the_board_follows_in_another_tab(browser: Browser, server: PageServer) -> None:
    with window(browser, **DESK) as context:
        page = start(context, server.url)
        with context.expect_page() as opening:
            page.locator("#board").click()
        board = opening.value
        board.wait_for_selector(READY, state="attached")
        press(page, "A.truco")
        board.wait_for_selector(".word")
        assert board.inner_text(".word").lower() == "¡truco!"
        assert board.inner_text("#kind") == "Truco argentino · a 30"
        assert board.inner_text(".under .line") == "responde: Celestes"
        assert board.locator(".rung").all_inner_texts() == ["2truco", "3retruco", "4vale cuatro"]
        press(page, "B.no_quiero")
        board.wait_for_selector(".side-0 .score span:text-is('1')")
        assert board.inner_text(".gain") == "+1 Amarillos"
        assert board.inner_text(".why") == "truco no querido"
        page.close()
        board.wait_for_selector("html[data-stale=yes]", state="attached")


def test_a_second_tab_is_refused(browser: Browser, server: PageServer) -> None:
    with window(browser, **DESK) as context:
        first = start(context, server.url)
        second = context.new_page()
        second.goto(server.url)
        second.wait_for_selector("#loading:not(:empty)")
        assert "otra pestaña" in second.inner_text("#loading")
        assert not second.is_visible("#go")
        first.close()
        second.reload()
        second.wait_for_selector(READY, state="attached")


def test_a_power_cut_keeps_the_call_and_a_cable_comes_back(
    browser: Browser, server: PageServer
) -> None:
    with window(browser, **DESK) as context:
        page = start(context, server.url)
        assert not page.is_visible("#power"), "what is simulated is apart"
        press(page, "A.truco")
        page.click("#simulate summary")
        page.click("#power")
        page.wait_for_selector("html[data-dark=yes]", state="attached")
        assert page.locator(".lamp.on").count() == 0
        page.wait_for_selector("html[data-dark=no]", state="attached")
        says(page, "responde: Ellos")
        page.click('[data-cable="A"]')
        page.wait_for_selector('[data-panel="A"].unplugged')
        page.click('[data-cable="A"]')
        page.wait_for_selector('[data-panel="A"]:not(.unplugged)')
        press(page, "B.quiero")
        says(page, "vale 2")


@pytest.mark.parametrize(
    ("query", "buttons", "answer"),
    [("", 14, "QUERO 3"), ("?variant=destantado", 18, "QUERO 2")],
    ids=["two-teams", "three-players"],
)
def test_a_phone_has_one_panel_and_every_button_on_its_screen(
    query: str, buttons: int, answer: str, browser: Browser, server: PageServer
) -> None:
    with window(browser, **PHONE) as context:
        page = start(context, server.url + query)
        assert page.locator("[data-line]").count() == buttons
        assert page.locator("canvas").count() == 1
        assert page.get_attribute("html", "lang") == "pt-BR"
        for button in page.locator("[data-line]").all():
            box = button.bounding_box()
            assert box is not None
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390
            assert box["y"] >= 0 and box["y"] + box["height"] <= 664
            assert box["width"] >= 40 and box["height"] >= 40
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.locator('[data-line="A.truco"]').tap()
        says(page, answer)


def guided_hand(page: Page) -> list[str]:
    """Presses what the guide names, to its end; returns the texts before each press."""
    told = []
    while line := page.evaluate("document.querySelector('.button.next')?.dataset.line"):
        told.append(page.inner_text("#guide-texts"))
        # A raise just after a call does not count: the table guards against two fingers. It counts
        # contacts that close again within 60 ms as one press.
        while page.inner_text("#guide-texts") == told[-1]:
            press(page, line)
            page.wait_for_timeout(70)
    return told


@pytest.mark.parametrize(
    ("habits", "count", "end", "leave"),
    [
        (DESK, "{} de 5 · ahora", "Fin de la guía", "A mi mesa"),
        (PHONE, "{} de 5 · agora", "Fim do guia", "Para a minha mesa"),
        ({**DESK, "locale": "en"}, "{} of 5 · now", "End of the guide", "To my table"),
        ({**DESK, "locale": "es-VE"}, "{} de 5 · ahora", "Fin de la guía", "A mi mesa"),
    ],
    ids=["es-AR", "pt-PT-phone", "en", "es-VE"],
)
def test_a_first_visit_offers_the_guided_hand_which_does_not_count(
    habits: dict[str, Any], count: str, end: str, leave: str, browser: Browser, server: PageServer
) -> None:
    with window(browser, **habits) as context:
        page = start(context, server.url)
        assert axe_violations(page) == []
        press(page, "A.truco")
        before = page.get_attribute("canvas", "aria-label")
        assert not page.is_visible("#guide"), "a press answers the offer"
        page.click("#guided")
        page.wait_for_selector("html[data-guided=yes]", state="attached")
        page.wait_for_function("() => document.activeElement.id === 'guide'")
        assert axe_violations(page) == []
        assert not page.is_visible("#save") and not page.is_visible("#simulate")
        for element in page.locator("[data-line], #guide, #guide-leave").all():
            box, view = element.bounding_box(), page.viewport_size
            assert box is not None and view is not None
            assert box["y"] >= 0 and box["y"] + box["height"] <= view["height"]
        told = guided_hand(page)
        assert [count.format(n) in each for n, each in enumerate(told, 1)] == 5 * [True]
        assert ("tecla" in told[0] or "key" in told[0]) == (habits is not PHONE)
        assert end in page.inner_text("#guide-texts")
        assert page.inner_text("#guide-leave") == leave
        page.click("#guide-leave")
        page.wait_for_selector("html[data-guided=no]", state="attached")
        assert page.get_attribute("canvas", "aria-label") == before, "the call still waits"
        with page.expect_download() as saving:
            page.click("#save")
        assert saving.value.path().read_text("utf-8").endswith("A truco\n")


def test_a_page_is_read_and_played_without_sight(browser: Browser, server: PageServer) -> None:
    with window(browser, **DESK) as context:
        page = context.new_page()
        page.goto(server.url)
        page.locator("#go").press("Enter")
        page.wait_for_selector(READY, state="attached")
        page.wait_for_function("() => document.activeElement.id === 'box'")
        page.get_by_role("button", name="TRUCO Amarillos").wait_for()
        assert page.is_visible("#guide")
        assert page.inner_text(".side-B .name") == "Celestes"
        page.keyboard.press("q")
        says(page, "responde: Ellos")
        page.wait_for_selector("#guide", state="hidden")
        page.get_by_role("button", name="NO QUIERO Celestes").press(" ")
        page.wait_for_function("() => document.getElementById('score').textContent")
        assert page.locator("#score[role=status]").text_content() == "Amarillos 1 · Celestes 0"


LABELS = """() => [...document.querySelectorAll(".label, .label small")].map((each) => {
    const size = parseFloat(getComputedStyle(each).fontSize);
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let broken = "";
    while (texts.nextNode()) {
        for (const word of texts.currentNode.data.matchAll(/\\S+/g)) {
            range.setStart(texts.currentNode, word.index);
            range.setEnd(texts.currentNode, word.index + word[0].length);
            if (range.getClientRects().length > 1) broken = word[0];
        }
    }
    return [each.textContent, each.scrollWidth > each.clientWidth, size < 12, broken];
})"""


@pytest.mark.parametrize(
    ("query", "consoles", "locale"),
    [
        ("", 2, "es-AR"),
        ("?variant=venezuelan", 2, "es-VE"),
        ("?variant=valencian", 2, "ca"),
        ("?variant=destantado", 3, "es-AR"),
        ("?variant=destantado", 3, "pt-BR"),
        ("?variant=destantado", 3, "ca"),
    ],
)
def test_every_label_is_read_on_the_smallest_phone(
    query: str, consoles: int, locale: str, browser: Browser, server: PageServer
) -> None:
    small = {**PHONE, "viewport": {"width": 360, "height": 640}, "locale": locale}
    with window(browser, **small) as context:
        page = start(context, server.url + query)
        assert page.get_attribute("#consoles", "data-consoles") == str(consoles)
        labels = page.evaluate(LABELS)
        assert "UNDO" in str(labels)
        assert [each for each in labels if any(each[1:])] == []
        lowest = page.locator("[data-line]").evaluate_all(
            "all => Math.max(...all.map((each) => each.getBoundingClientRect().bottom))"
        )
        assert lowest <= 640
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_guided_hand_is_played_skipped_and_begun_again_by_keyboard(
    browser: Browser, server: PageServer
) -> None:
    with window(browser, **DESK) as context:
        page = start(context, server.url)
        page.locator("#guide-go").press("Enter")
        page.wait_for_selector(".button.next[data-line='A.envido']")
        page.keyboard.press("w")
        page.wait_for_selector(".button.next[data-line='B.quiero']")
        page.keyboard.press("k")
        page.wait_for_selector("#guide-texts:has-text('no estaba en la guía')")
        page.keyboard.press("z")
        page.locator(".button.next[data-line='B.quiero']").press(" ")
        page.wait_for_selector(".button.next[data-line='A.tantos']")
        page.locator("#guide-leave").press("Enter")
        page.wait_for_selector("html[data-guided=no]", state="attached")
        page.wait_for_function("() => document.activeElement.id === 'guided'")
        page.keyboard.press("Enter")
        page.wait_for_selector(".button.next[data-line='A.envido']")
        wait_until_kept(page)
        # A page that is loaded again has the kept table, and does not offer the guide again.
        page.reload()
        page.wait_for_selector(READY, state="attached")
        assert not page.is_visible("#guide") and page.is_visible("#guided")
        says(page, "vale 1")


def test_a_browser_that_may_delete_the_score_is_named(browser: Browser, server: PageServer) -> None:
    with window(browser, **DESK) as context:
        page = context.new_page()
        page.add_init_script("navigator.storage.persist = async () => false")
        page.goto(server.url)
        page.click("#go")
        page.wait_for_selector("#warning:not([hidden])")
        assert "planilla" in page.inner_text("#warning")
        page.wait_for_selector(READY, state="attached")


def test_a_score_sheet_is_saved_and_opened_on_another_device(
    browser: Browser, server: PageServer, tmp_path: Path
) -> None:
    with window(browser, **DESK) as context:
        page = start(context, server.url)
        press(page, "A.truco", "B.no_quiero")
        with page.expect_download() as saving:
            page.click("#save")
        sheet = tmp_path / saving.value.suggested_filename
        saving.value.save_as(sheet)
    assert sheet.suffix == ".truco"
    assert sheet.read_text("utf-8").endswith("A truco\nB no_quiero\n")
    with window(browser, **DESK) as context:
        page = start(context, server.url)
        page.set_input_files("#open input", sheet)
        says(page, "+1 Nosotros")
        wrong = tmp_path / "wrong.truco"
        wrong.write_text("no sheet", "utf-8")
        page.set_input_files("#open input", wrong)
        page.wait_for_selector("#warning:text('planilla:')")
        press(page, "undo")
        says(page, "responde: Ellos")


# A point before the end.
NEARLY_OVER = '[Variant "argentine"]\n[Options "target=15"]\n[NameA "Ñandúes"]\n\n' + (
    "\n- new_hand\n".join(7 * ["A truco\nB quiero\nA hand_won"])
)


def test_a_finished_game_is_shared_by_the_table_and_opened_without_one(
    browser: Browser, server: PageServer, tmp_path: Path
) -> None:
    sheet = tmp_path / "nearly.truco"
    sheet.write_text(NEARLY_OVER, "utf-8")
    with window(browser, **PHONE) as context:
        page = start(context, server.url)
        page.set_input_files("#open input", sheet)
        says(page, "Ñandúes")
        assert not page.is_visible("#share")
        press(page, "A.truco", "B.no_quiero")
        page.wait_for_selector("#share:visible")
        box = page.locator("#share").bounding_box()
        assert box is not None and box["y"] + box["height"] <= 664
        assert axe_violations(page) == []
        with context.expect_page() as opening:
            page.click("#share")
        game = opening.value
        game.wait_for_selector(READY, state="attached")
        assert axe_violations(game) == []
        assert (game.get_attribute("#picture", "aria-label") or "").startswith("Ñandúes 15,")
        game.wait_for_selector("#code svg path")
        for button, magic in (("#save", b"\x89PNG"), ("#sheet", b'[Variant "argentine"]')):
            with game.expect_download() as saving:
                game.click(button)
            assert saving.value.path().read_bytes().startswith(magic)
        saving.value.save_as(tmp_path / "shared.truco")
        game.click("#back")
        assert game.inner_text("#score") == "14 : 0"
        digits = game.evaluate(
            "import('./static/transport.js').then(({ loadGame }) => loadGame(''))"
            ".then(({ document }) => document.digits)"
        )
        assert digits.isdigit()
    with window(browser, **PHONE) as context:
        server.asked.clear()
        game = context.new_page()
        game.goto(f"{server.url}game.html#{digits}")
        game.wait_for_selector("#go")
        assert "table.pack" not in server.asked, "nothing is downloaded unasked"
        game.click("#go")
        game.wait_for_selector(READY, state="attached")
        assert (game.get_attribute("#picture", "aria-label") or "").startswith("Ñandúes 15,")
        assert game.inner_text("#score") == "15 : 0"
        assert not any(digits[:40] in path for path in server.asked)
        game.set_input_files("#file", sheet)
        game.wait_for_function("() => document.querySelector('#score').textContent === '14 : 0'")


def test_what_was_shown_is_kept_when_the_browser_is_killed(
    browser: Browser, server: PageServer, tmp_path: Path
) -> None:
    options = {"executable_path": CHROMIUM, "args": ["--no-sandbox", "--disable-gpu"], **DESK}
    kept = browser.browser_type.launch_persistent_context(tmp_path / "profile", **options)
    page = start(kept, server.url)
    press(page, "A.truco")
    says(page, "responde: Ellos")
    _kill_browser(tmp_path / "profile")
    kept = browser.browser_type.launch_persistent_context(tmp_path / "profile", **options)
    try:
        says(start(kept, server.url), "responde: Ellos")
    finally:
        kept.close()


def _kill_browser(profile: Path) -> None:
    """SIGKILL to the browser with this profile, which has all its processes end."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        is_own = f"--user-data-dir={profile}".encode() in words
        if is_own and not any(word.startswith(b"--type=") for word in words):
            os.kill(int(process.name), signal.SIGKILL)


# ---- the time to the first picture ---------------------------------------------------------------

RUNS = 5
COLD, WARM = 1.2, 0.8  # at most, of a bare start of the npm package
BARE = """<!doctype html><meta charset="utf-8"><script type="module">
import { loadPyodide } from "./pyodide.mjs";
window.started = performance.now();
await loadPyodide();
window.took = performance.now() - window.started;
</script>"""
# From the click, or from the start of a page that starts by itself, to the first picture.
MEASURE = """() => {
  let began = 0;
  document.addEventListener("click", () => { began = performance.now(); }, true);
  new MutationObserver(() => {
    const isReady = document.documentElement.dataset.ready;
    if (isReady && !window.took) window.took = performance.now() - began;
  }).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] });
}"""


def _took(page: Page) -> float:
    page.wait_for_function("() => window.took")
    return float(page.evaluate("window.took"))


@pytest.mark.slow
def test_the_first_picture_comes_about_as_soon_as_bare_python(
    browser: Browser, server: PageServer, tmp_path: Path
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for path in runtime_folder().iterdir():
        (bare / path.name).symlink_to(path)
    (bare / "index.html").write_text(BARE, "utf-8")
    times: dict[str, list[float]] = {"bare": [], "cold": [], "warm": []}

    def start_bare(address: str) -> None:
        with window(browser, **DESK) as context:
            page = context.new_page()
            page.goto(address)
            times["bare"].append(_took(page))

    with serving(bare, policy="") as other:
        for _ in range(RUNS):
            # Each start has a bare one beside it: the load of the machine changes meanwhile.
            start_bare(other.url)
            with window(browser, **DESK) as context:
                page = context.new_page()
                page.add_init_script(f"({MEASURE})()")
                page.goto(server.url)
                page.click("#go")
                times["cold"].append(_took(page))
                wait_until_kept(page)
                start_bare(other.url)
                page.reload()
                times["warm"].append(_took(page))
    print(", ".join(f"{name} {median(each):.0f} ms" for name, each in times.items()))
    cold = median(map(truediv, times["cold"], times["bare"][::2]))
    warm = median(map(truediv, times["warm"], times["bare"][1::2]))
    print(f"of the bare start: cold {cold:.2f}, warm {warm:.2f}")
    assert cold <= COLD, times
    assert warm <= WARM, times


def test_lit_buttons_are_switched_on_and_stay_on_over_a_reload(
    browser: Browser, server: PageServer
) -> None:
    context = browser.new_context(**DESK)
    page = start(context, server.url)
    dome = "document.querySelector(`[data-line='${line}'] .dome`)"
    glow = f"(line) => getComputedStyle({dome}, '::after').opacity"
    assert page.evaluate(glow, "A.truco") == "0", "off by default"
    page.click("#lights")
    page.wait_for_function(f"() => ({glow})('A.truco') === '1'")
    press(page, "A.truco")
    page.wait_for_function(f"() => ({glow})('B.quiero') === '1'")
    assert page.evaluate(glow, "A.truco") == page.evaluate(glow, "A.quiero") == "0"
    wait_until_kept(page)
    page.reload()
    page.wait_for_selector(READY, state="attached")
    page.wait_for_function(f"() => ({glow})('B.quiero') === '1'")
    assert page.get_attribute("#lights", "aria-pressed") == "true"
    assert axe_violations(page) == []
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/lit-buttons.png")
    context.close()
