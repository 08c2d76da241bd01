"""Faults that storms have found, each as the few lines that were enough, and what is right.

What an evening at a table can say is among the evenings.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.table.observers import PRESS_LOG_SIZE
from tests.longrun.random_play.driver import do, tap
from tests.longrun.random_play.game_kinds import Kind
from tests.longrun.random_play.night import MEMORY
from tests.longrun.random_play.table_rig import Box


@pytest.fixture
def box() -> Iterator[Box]:
    folder = Path(tempfile.mkdtemp(prefix="found-", dir=MEMORY if MEMORY.is_dir() else None))
    made = Box(Kind("argentine"), folder / "store")
    yield made
    made.close()
    shutil.rmtree(folder)


def test_a_phone_that_says_envido_too_late_is_told_the_reason_of_the_rules(box: Box) -> None:
    """It was told "late_envido", which is what the panel says, and that it could not be stored."""
    for line in ("A truco", "B quiero"):
        asked = {"do": "step", "line": line, "seq": box.journal.last_seq()}
        assert box.ask(asked)["ok"] is True
    told = box.ask({"do": "step", "line": "B envido", "seq": box.journal.last_seq()})
    assert (told["ok"], told["error"]) == (False, "ENVIDO_CLOSED")
    assert "stored" not in told["text"]


def test_what_became_of_presses_is_not_kept_for_ever_where_nobody_looks(box: Box) -> None:
    """A service never looks: its list grew by every press of every night."""
    for _ in range(PRESS_LOG_SIZE + 50):
        tap(box, "A.quiero", held=0.02)
    assert len(box.table.press_log) == PRESS_LOG_SIZE


def test_a_contact_that_chatters_turns_the_table_no_more_often_than_time_does(box: Box) -> None:
    """Every edge of it made the table look at everything, which a small Pi cannot in time."""
    turns: list[float] = []
    shown = box.table.tick

    def tick(now: float) -> None:
        turns.append(now)
        shown(now)

    box.table.tick = tick  # type: ignore[method-assign]
    for _ in range(500):
        box.edge("B.flor", down=True)
        box.now += 0.001
        box.edge("B.flor", down=False)
        box.now += 0.001
    assert len(turns) < 10
    do(box, "tap B.truco 0.1")
    assert box.table.session.game.hand.truco.pending
