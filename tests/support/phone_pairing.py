"""Pairing of phones through set-up, at a table process."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.table_client import TableClient
from tests.table.table_process import TableDriver

MENU_LINE = "teléfonos"
MAX_LINES = 30  # lines of set-up
_DIGITS = re.compile(r"\b(\d{3}) ?(\d{3})\b")


def open_phones(table: TableDriver) -> None:
    """Open the list of phones from the score."""
    table.press("menu", held_s=0.9, duration_s=1.5)
    for _ in range(MAX_LINES):
        table.press("B.tantos", duration_s=0.5)
        # The selected line is the middle one of three.
        if table.report.text[-2] == MENU_LINE:
            break
    table.press("A.quiero")
    assert "teléfono nuevo" in table.text


def show_new_code(table: TableDriver) -> str:
    """Open set-up for a new phone and return the pairing code shown."""
    open_phones(table)
    table.press("A.quiero", duration_s=3.5)
    return shown_code(table)


def shown_code(table: TableDriver) -> str:
    """The pairing code on the panel."""
    found = _DIGITS.search(table.text)
    assert found is not None, table.text
    return found[1] + found[2]


def undo_everything(table: TableDriver, path: Path) -> None:
    """Undo all steps and wait until notices and guards have expired."""
    table.wait(40.0)
    with TableClient(path) as asks:
        while asks.ask(do="undo", seq=table.wait(0.1).seq)["ok"]:
            pass
    table.wait(10.0)
    assert (table.report.screen, table.score) == ("playing", {"A": 0, "B": 0})
