"""Power cuts at and between presses lose no score and no call that was shown."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from scorer.demo.demo_table import DemoTable
from scorer.demo.script_player import ScriptPlayer
from scorer.demo.table_process import TableReport
from tests.sampling import sample
from tests.table.table_process import running_table, table_on

SETTLED = "wait 4"  # notices are over, and so are the guards, which a cut does away with

# Every kind of press that writes: calls, answers, raises, two steps in one, the next hand, UNDO.
HANDS = {
    "argentine_flor": (
        "A envido", "B envido", "A quiero", "A tantos",
        "B truco", "A truco", "B tantos",
        "A flor", "B flor", "A flor hold", "undo", "undo hold", "B tantos",
        "A no_quiero hold",
    ),
    "paulista": (
        "A truco", "B truco", "A quiero", "undo", "A no_quiero",
        "B truco", "A tantos",
        "A truco", "B quiero", "B tantos", "undo", "A tantos",
    ),
}  # fmt: skip


def _played(
    variant: str, store: Path, *, cuts: Collection[int] = ()
) -> list[tuple[str, TableReport, bool]]:
    """Every press of the hand: line, resulting state, and whether the table is new."""
    seen = []
    with DemoTable(table_on(store, variant)) as desk:
        script = ScriptPlayer(desk)
        for number, line in enumerate(HANDS[variant], 1):
            answer = script.play(number, f"{line}, power cut" if number in cuts else line)
            settled = script.play(1000 + number, SETTLED)
            seen.append((line, settled.report, answer.pid is not None))
    return seen


@pytest.mark.slow
@pytest.mark.sampled(0)
@pytest.mark.parametrize("variant", sample(sorted(HANDS), 1))
def test_a_cut_between_commit_and_frame_of_any_press_changes_nothing(
    variant: str, tmp_path: Path
) -> None:
    cuts = sample(range(1, len(HANDS[variant]) + 1), 2)
    whole = _played(variant, tmp_path / "whole")
    pieces = _played(variant, tmp_path / "pieces", cuts=cuts)
    seqs = [report.seq for _, report, _ in whole]
    assert [number for number, (_, _, new) in enumerate(pieces, 1) if new] == cuts
    for (line, before, _), (_, after, _) in zip(whole, pieces, strict=True):
        assert after.state == before.state, line
        assert (after.screen, after.text, after.lamps) == (
            before.screen,
            before.text,
            before.lamps,
        ), line
    assert sorted(set(seqs)) == seqs, "every press of the hand writes something"
    scores = [dict(_score(report)) for _, report, _ in whole]
    assert len({tuple(score.values()) for score in scores}) > 3, "points were won on the way"


def _score(report: TableReport) -> dict[str, Any]:
    score = report.state["score"]
    assert isinstance(score, dict)
    return score


def test_the_panel_shows_after_a_cut_what_it_showed_before(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("A.envido")
        told.press("B.quiero")
        told.press("B.tantos")
        told.wait(4.0)
        before = {name: told.picture(name) for name in "AB"}
        assert before["A"] != before["B"], "each panel has its own side on the left"
        told.power_cut()
        told.wait(4.0)
        assert {name: told.picture(name) for name in "AB"} == before
