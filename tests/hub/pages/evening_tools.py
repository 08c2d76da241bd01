"""What evenings in Chromium share: matches, a correction, the log."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.hub.test_server import wait_for
from tests.hub.test_tournament import SERIES, Director, Table, is_official

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page

    Json = dict[str, Any]


def agreeing(asked: list[str]) -> Callable[[Dialog], None]:
    """A person who says yes to every question; ``asked`` keeps its text."""

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.accept()

    return answer


def refusing(asked: list[str]) -> Callable[[Dialog], None]:
    """A person who says no to every question; ``asked`` keeps its text."""

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    return answer


def play_match(
    director: Director, box: Table, match: Json, winner: int, tournament: int = 0
) -> None:
    """Send a whole match, agreed by both teams, until it is official."""
    box.box.client = director.hub.client()
    lines = SERIES if match["is_series"] else SERIES[:1]
    won = [each.replace("A", "AB"[winner]) for each in lines]
    box.play(*won, "A agree", "B agree")
    wait_for(partial(is_official, director, match["id"], tournament))


def correct_series(page: Page, match: str, winner: int) -> str:
    """Let the other team of a best of three win, at the page; returns what was asked."""
    entry = f"#official [data-key='{match}']"
    page.wait_for_selector(entry, state="attached")
    if not page.is_visible(entry):  # a long list begins closed
        page.click("#official-title button")
    page.click(f"{entry} [data-name=result]")
    for kind, won, lost in (("games", "2", "1"), ("points", "75", "52")):
        page.fill(f"{entry} [data-name='o.{kind}{winner}']", won)
        page.fill(f"{entry} [data-name='o.{kind}{1 - winner}']", lost)
    page.fill(f"{entry} [data-name=reason]", "planilla mal copiada")
    asked: list[str] = []

    page.once("dialog", agreeing(asked))
    with page.expect_response(lambda answer: "t.correct" in str(answer.request.post_data)):
        page.click(f"{entry} [data-name=save]")
    return asked[0]


def check_log(
    director: Director, winners: dict[str, int], corrected: int, tournament: int = 0
) -> None:
    """Each match has one result in the log, and so many were corrected."""
    file = director.hub.state / "evening.json"
    named = ("--tournament", str(tournament)) if tournament else ()
    assert director.hub.run("tournament", "export", str(file), *named).returncode == 0
    events = json.loads(file.read_text("utf-8"))["events"]
    recorded = [each["match"] for each in events if each["do"] == "RecordResult"]
    assert sorted(recorded) == sorted(winners)
    assert [each["do"] for each in events].count("CorrectResult") == corrected
