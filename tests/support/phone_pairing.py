"""Set-up > phones at a table of its own process, for every test that wants a paired phone."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

from scorer.api.server import Client
from tests.table.table_process import Night

LINE = "teléfonos"
MOST = 30  # lines of set-up
_DIGITS = re.compile(r"\b(\d{3}) ?(\d{3})\b")


def open_phones(told: Night) -> None:
    """From the score to the list of phones."""
    told.press("menu", held=0.9, until=1.5)
    for _ in range(MOST):
        told.press("B.tantos", until=0.5)
        # The selected line stands in the middle of three.
        if told.report.text[-2] == LINE:
            break
    told.press("A.quiero")
    assert "teléfono nuevo" in told.text


def new_digits(told: Night) -> str:
    """Opens set-up for a new phone; the digits that it shows."""
    open_phones(told)
    told.press("A.quiero", until=3.5)
    return digits(told)


def digits(told: Night) -> str:
    """The digits on the panel."""
    found = _DIGITS.search(told.text)
    assert found is not None, told.text
    return found[1] + found[2]


def start_over(told: Night, path: Path) -> None:
    """Nothing entered, nothing on the panel but the score, no guard awake."""
    told.wait(40.0)
    with closing(Client(path, timeout=20.0)) as asks:
        while _undone(told, asks):
            pass
    told.wait(10.0)
    assert (told.report.screen, told.score) == ("playing", {"A": 0, "B": 0})


def _undone(told: Night, asks: Client) -> bool:
    """Takes one press back; False where there is none."""
    asks.send({"id": "undo", "do": "undo", "seq": told.wait(0.1).seq})
    answers = (message for message in asks.messages() if message.get("id") == "undo")
    return bool(next(answers)["ok"])
