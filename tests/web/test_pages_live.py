"""From a finger to the television: a real table, a real server and a browser, on one evening."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.table.night import night, table
from tests.web.browser import chromium, visit
from tests.web.serving import end, web

if TYPE_CHECKING:
    from playwright.sync_api import Page

OLD = "html[data-stale=yes]"
FRESH = "html[data-stale=no]"


def shows(page: Page, *scores: int) -> None:
    """Waits until these scores stand there, from left to right."""
    for place, points in enumerate(scores):
        page.wait_for_selector(f".side-{place} .score span:text-is('{points}')")


def test_the_television_shows_what_the_table_stored_and_never_anything_else(
    tmp_path: Path,
) -> None:
    path = tmp_path / "table.sock"
    with (
        night(table(tmp_path / "store", socket=path)) as told,
        chromium() as browser,
        web(path, tmp_path) as server,
        visit(browser, server.url, reduced_motion="reduce") as page,
    ):
        shows(page, 0, 0)
        told.press("A.truco")
        page.wait_for_selector(".word")
        assert page.inner_text(".word").lower() == "¡truco!"
        told.press("B.quiero")
        page.wait_for_selector(".rung.current")
        told.press("B.tantos")
        shows(page, 0, 2)
        assert "truco querido" in page.inner_text(".bet")
        told.press("undo")
        shows(page, 0, 0)
        assert page.locator(".undone").count() == 1

        told.child.kill()
        page.wait_for_selector(OLD, state="attached")
        shows(page, 0, 0)
        told.power_on()
        page.wait_for_selector(FRESH, state="attached")
        told.press("A.tantos")
        shows(page, 2, 0)

        end(server.process)
        page.wait_for_selector(OLD, state="attached")
        assert page.inner_text("#stale").startswith("sin conexión")
        shows(page, 2, 0)
