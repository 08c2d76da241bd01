"""What set-up writes stands in the journal as written by the menu, with its reason."""

from __future__ import annotations

from pathlib import Path

from tests.table.night import night, table
from tests.table.test_socket_requests import Phone


def test_a_penalty_of_set_up_is_the_menus_and_keeps_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"
    with night(table(tmp_path, socket=path)) as told:
        told.press("menu", held=0.9)
        for button in ("B.tantos", "B.tantos", "A.quiero", "A.quiero", "B.tantos", "B.quiero"):
            told.press(button)
        told.press("A.quiero")
        told.press("A.truco")
        phone = Phone(path)
        rows = phone.ask(do="journal", **{"from": 1}, limit=10)["rows"]
        phone.close()
    written = [(row["line"], row["source"]) for row in rows]
    assert written == [("B award 1  # foul", "menu"), ("A truco", "A")]
