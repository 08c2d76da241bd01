"""A button box that changes its buttons faster than hands can, in real time."""

from __future__ import annotations

import json
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from scorer.session.input.edge_limit import MUTED_AFTER, QUIET
from tests.longrun.attack.checks import Checks
from tests.support.table_client import TableClient
from tools.bench.daemon_process import running_daemon
from tools.bench.readers import ButtonBox

CONFIG = """
consoles.driver = "box"
consoles.port = {port}
"""
BUTTONS, RATE = 14, 300


def flood_buttons(checks: Checks, share: int) -> None:
    """All buttons of a box 300 times a second, until it is muted; then silence."""
    rounds = max(1, 2 // share)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        box = ButtonBox(stack)
        config = CONFIG.format(port=json.dumps(box.port))
        stack.enter_context(running_daemon(folder, folder / "store", config))
        for _ in range(rounds):
            changes = _flood(box, MUTED_AFTER + 2.0)
            marks = _marks(folder)
            checks.check("muted" in marks, f"{changes} changes mute nothing: {marks}")
            time.sleep(QUIET + 2.0)
            marks = _marks(folder)
            checks.check("muted" not in marks, "a box that is quiet is still muted")
        checks.note = f"{changes} changes in {MUTED_AFTER + 2.0:g} s, {rounds} times"


def _flood(box: ButtonBox, seconds: float) -> int:
    """Change the buttons in turn; the number of changes."""
    begin, number = time.monotonic(), 0
    while time.monotonic() < begin + seconds:
        box.move(down=number // BUTTONS % 2 == 0, button=number % BUTTONS)
        number += 1
        time.sleep(max(0.0, begin + number / RATE - time.monotonic()))
    return number


def _marks(folder: Path) -> list[str]:
    """The marks of the table, from its self-test."""
    with TableClient(folder / "table.sock") as client:
        return [str(mark) for mark in client.ask(do="selftest")["marks"]]
