"""``python -m tests.web.keyboard_hand`` prints the accessibility tree of a hand.

Two phones are paired and play a hand at a real table, with keys alone; the tree of each page is
printed after every step.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.support.phone_pairing import show_new_code
from tests.table.table_process import TableDriver, running_table, table_on
from tests.web.accessibility_tree import Node, accessibility_tree
from tests.web.browser import blank, chromium
from tests.web.server_process import web

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST_STOPS = 40  # elements that Tab can reach on the page
# Who presses which button with which key, and what both pages read out then.
HAND = (
    ("Ana", "envido", "Enter", "Amarillos: ¡envido! QUIERO 2, NO QUIERO 1."),
    ("Beto", "quiero", "Space", "Celestes: quiero. envido: ¿quién? ¿quién ganó?"),
    ("Beto", "tantos", "Enter",
     "Amarillos en cero, Celestes dos malas. +2 para Celestes: envido"),
    ("Ana", "truco", "Space", "Amarillos: ¡truco! QUIERO 2, NO QUIERO 1."),
    ("Beto", "quiero", "Enter", "Celestes: quiero. vale 2"),
    ("Ana", "tantos", "Enter",
     "Amarillos dos malas, Celestes dos malas. "
     "+2 para Celestes: envido. +2 para Amarillos: truco querido"),
)  # fmt: skip
FOCUSED = """() => {
    const focused = document.activeElement;
    return focused ? focused.dataset.key || focused.id : "";
}"""
ANNOUNCED = "said => document.getElementById('live').textContent === said"


class Step(NamedTuple):
    """What was done, and the trees of both pages then, by the name of the phone."""

    title: str
    trees: dict[str, list[Node]]


def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until the element with this id or button key has the focus."""
    for _ in range(MOST_STOPS):
        if page.evaluate(FOCUSED) == wanted:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {wanted}")


def pair_by_keyboard(page: Page, table: TableDriver, url: str, name: str, console: str) -> None:
    """Open the page, pair it and choose a side."""
    page.goto(f"{url}phone", wait_until="domcontentloaded")
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    tab_to(page, "code")
    page.keyboard.type(show_new_code(table))
    tab_to(page, "name")
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.wait_for_selector("#choose:not([hidden])")
    table.press("menu", duration_s=4.0)
    assert page.evaluate(FOCUSED) == "whom"
    tab_to(page, f"side-{console}")
    page.keyboard.press("Enter")
    page.wait_for_selector("#play:not([hidden])")
    assert page.evaluate(FOCUSED) == "head"


def press_by_keyboard(page: Page, table: TableDriver, button: str, key: str) -> None:
    """Press the key on a button that counts; the guards of the box expire then."""
    seq = table.wait(0.1).seq
    page.wait_for_selector(f"html[data-at='{seq}']", state="attached")
    page.wait_for_selector(f"[data-key='{button}'][aria-disabled=false]")
    page.wait_for_timeout(500)  # a press on a score that was not seen yet is held back
    tab_to(page, button)
    with page.expect_response("**/api/v1/press") as sent:
        page.keyboard.press(key)
    assert sent.value.status == 200, sent.value.text()
    table.wait(5.0)


def play(table: TableDriver, url: str, pages: dict[str, Page]) -> Iterator[Step]:
    """Pair both phones and play the hand."""
    for (name, page), console in zip(pages.items(), "AB", strict=True):
        pair_by_keyboard(page, table, url, name, console)
        page.wait_for_function(ANNOUNCED, arg="Amarillos en cero, Celestes en cero.")
    yield _step("both phones are paired", pages)
    for name, button, key, said in HAND:
        press_by_keyboard(pages[name], table, button, key)
        seq = table.wait(0.1).seq
        for page in pages.values():
            page.wait_for_function(ANNOUNCED, arg=said)
            page.wait_for_selector(f"html[data-at='{seq}']", state="attached")
        yield _step(f"{name}: {key} on {button}", pages)


def _step(title: str, pages: dict[str, Page]) -> Step:
    return Step(title, {name: accessibility_tree(page) for name, page in pages.items()})


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "table.sock"
        with (
            running_table(table_on(folder / "store", socket=path)) as table,
            web(path, folder) as server,
            chromium() as browser,
            blank(browser, "phone") as ana,
            blank(browser, "phone") as beto,
        ):
            for step in play(table, server.url, {"Ana": ana, "Beto": beto}):
                for name, tree in step.trees.items():
                    print(f"\n== {step.title}; the page of {name}")
                    print(*tree, sep="\n")


if __name__ == "__main__":
    main()
