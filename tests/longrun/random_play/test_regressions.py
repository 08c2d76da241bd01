"""Faults found by random play, as minimal examples.

Faults that can be written as an evening are in ``tests/evenings``.
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


def test_a_late_envido_of_a_phone_is_refused_for_the_reason_of_the_rules(box: Box) -> None:
    """Regression: the reason was "late_envido" with the text "not stored"."""
    for line in ("A truco", "B quiero"):
        request = {"do": "step", "line": line, "seq": box.journal.last_seq()}
        assert box.ask(request)["ok"] is True
    reply = box.ask({"do": "step", "line": "B envido", "seq": box.journal.last_seq()})
    assert (reply["ok"], reply["error"]) == (False, "ENVIDO_CLOSED")
    assert "stored" not in reply["text"]


def test_a_refusal_by_the_rules_needs_no_disk(box: Box) -> None:
    """Regression: the answer was that the store cannot be read."""
    for line in ("tap A.truco 0.1", "wait 1.0", "disk open", "tap B.quiero 0.1"):
        do(box, line)
    for newest in ("seq", "number"):
        request = {"do": "step", "line": "A quiero", newest: box.heard.state[newest]}
        assert box.ask(request)["error"] == "OWN_CALL"
        assert box.ask({**request, "line": "B quiero"})["error"] == "unsaved"
    do(box, "disk mend")
    assert box.ask({"do": "undo", "seq": 1})["ok"] is True


@pytest.mark.sampled(0)
def test_the_press_log_is_bounded_if_nothing_reads_it(box: Box) -> None:
    """Regression: a service never reads the list, which grew with every press."""
    for _ in range(PRESS_LOG_SIZE + 50):
        tap(box, "A.quiero", held=0.02)
    assert len(box.table.press_log) == PRESS_LOG_SIZE


def test_a_chattering_contact_causes_no_extra_ticks(box: Box) -> None:
    """Regression: every edge ran a full tick, which is too slow on a small Pi."""
    ticks: list[float] = []
    tick_before = box.table.tick

    def tick(now: float) -> None:
        ticks.append(now)
        tick_before(now)

    box.table.tick = tick  # type: ignore[method-assign]
    for _ in range(500):
        box.edge("B.flor", down=True)
        box.now += 0.001
        box.edge("B.flor", down=False)
        box.now += 0.001
    assert len(ticks) < 10
    do(box, "tap B.truco 0.1")
    assert box.table.session.game.hand.truco.pending
