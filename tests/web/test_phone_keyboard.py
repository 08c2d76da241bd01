"""A phone by keyboard alone, as Chromium describes it to a reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.table.table_process import TableDriver, running_table, table_on
from tests.web.accessibility_tree import Node, accessibility_tree
from tests.web.browser import blank
from tests.web.keyboard_hand import FOCUSED, HAND, pair_by_keyboard, play, tab_to
from tests.web.server_process import web

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

NOTHING = "nada que responder"
ANSWER_FIRST = "primero hay que responder"
WINNER_FIRST = "primero: ¿quién ganó?"
THEIRS = "responde: Celestes"
FOOT = ["cambiar", "nombres", "últimas manos", "olvidar este teléfono"]
# The focused button of each phone after each step, and what does not count there, with the reason.
TREES = (
    ("Ana", "ENVIDO", {
        "QUIERO 2": THEIRS, "NO QUIERO 1": THEIRS,
        "ENVIDO": "ya cantado: mantené para subir", "TRUCO": ANSWER_FIRST,
    }),
    ("Beto", "QUIERO", dict.fromkeys(["QUIERO", "NO QUIERO", "ENVIDO", "TRUCO"], WINNER_FIRST)),
    ("Beto", "TANTOS", {
        "QUIERO": NOTHING, "NO QUIERO": NOTHING, "ENVIDO": "el envido ya pasó",
    }),
    ("Ana", "RETRUCO", {
        "QUIERO 2": THEIRS, "NO QUIERO 1": THEIRS, "ENVIDO": ANSWER_FIRST, "RETRUCO": THEIRS,
    }),
    ("Beto", "QUIERO", {
        "QUIERO": NOTHING, "NO QUIERO": NOTHING, "ENVIDO": "el envido ya pasó",
    }),
    ("Ana", "TANTOS", {"QUIERO": NOTHING, "NO QUIERO": NOTHING}),
)  # fmt: skip


class Bar(NamedTuple):
    table: TableDriver
    url: str


@pytest.fixture
def bar(tmp_path: Path) -> Iterator[Bar]:
    path = tmp_path / "table.sock"
    with (
        running_table(table_on(tmp_path / "store", socket=path)) as table,
        web(path, tmp_path) as server,
    ):
        yield Bar(table, server.url)


def focused(tree: list[Node]) -> list[str]:
    return [node.name for node in tree if node.is_focused]


def disabled(tree: list[Node]) -> dict[str, str]:
    return {node.name: node.description for node in tree if node.is_disabled}


def announced(tree: list[Node]) -> list[str]:
    return [node.name for node in tree if node.live == "polite"]


def test_a_hand_is_played_by_keyboard_alone(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as ana, blank(browser, "phone") as beto:
        first, *steps = play(bar.table, bar.url, {"Ana": ana, "Beto": beto})
    for tree in first.trees.values():
        assert disabled(tree) == {
            "QUIERO": NOTHING,
            "NO QUIERO": NOTHING,
            "DESHACER": "eso se deshace en la caja",
        }
        assert [node.name for node in tree if node.role == "button"][-len(FOOT) :] == FOOT
    for step, (_, _, _, said), (name, button, dim) in zip(steps, HAND, TREES, strict=True):
        assert announced(step.trees["Ana"]) == announced(step.trees["Beto"]) == [said], step.title
        tree = step.trees[name]
        assert (focused(tree), disabled(tree)) == ([button], dim), step.title
    assert bar.table.score == {"A": 2, "B": 2}


def test_a_fold_by_keyboard_has_no_limit_of_time_and_is_dropped_by_leaving(
    bar: Bar, browser: Browser
) -> None:
    with blank(browser, "phone") as page:
        page.clock.install()
        pair_by_keyboard(page, bar.table, bar.url, "Ana", "B")
        tab_to(page, "fold")
        page.keyboard.press("Enter")
        page.clock.run_for(60_000)
        again = "otra vez: al mazo"
        assert focused(accessibility_tree(page)) == announced(accessibility_tree(page)) == [again]
        page.keyboard.press("Tab")
        assert page.locator(".armed").count() == 0


def test_a_button_that_goes_hands_its_focus_to_the_heading(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        pair_by_keyboard(page, bar.table, bar.url, "Ana", "A")
        tab_to(page, "names")
        page.keyboard.press("Enter")
        assert page.evaluate(FOCUSED) == "naming-title"
        tab_to(page, "leave")
        page.keyboard.press("Enter")
        assert page.evaluate(FOCUSED) == "head"
        tab_to(page, "forget")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.wait_for_selector("#pair:not([hidden])")
        assert page.evaluate(FOCUSED) == "title"


@pytest.mark.parametrize("language", ["es-AR", "es-UY", "es-VE", "pt-BR", "ca", "en"])
def test_every_inactive_button_has_a_reason_in_every_language(
    bar: Bar, browser: Browser, language: str
) -> None:
    with blank(browser, "phone") as page:
        pair_by_keyboard(page, bar.table, f"{bar.url}", "Ana", "A")
        bar.table.press("A.truco")
        page.goto(f"{bar.url}phone?lang={language}", wait_until="domcontentloaded")
        page.wait_for_selector("#play:not([hidden])")
        reasons = disabled(accessibility_tree(page))
        assert len(reasons) == 4
        assert all(reasons.values()), reasons


def test_a_table_that_is_away_is_the_reason_of_every_button(bar: Bar, browser: Browser) -> None:
    with blank(browser, "phone") as page:
        pair_by_keyboard(page, bar.table, bar.url, "Ana", "A")
        bar.table.process.kill()
        page.wait_for_selector("#stale:not([hidden])")
        keys = [node for node in accessibility_tree(page) if node.role == "button"][: -len(FOOT)]
        assert {node.description for node in keys if node.is_disabled} == {"la mesa no responde"}
