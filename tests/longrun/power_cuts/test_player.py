"""The player gets through whole games at a real table."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.longrun.power_cuts.at_desk import APART
from tests.longrun.power_cuts.player import Player
from tests.table.table_process import running_table, table_on


def play(folder: Path, presses: int) -> list[int]:
    """The newest row after each press."""
    player, rows = Player(3), []
    with running_table(table_on(folder)) as playing:
        for _ in range(presses):
            playing.press(*player.next(playing.state), apart_s=0.35, duration_s=APART)
            rows.append(playing.report.seq)
    return rows


@pytest.mark.sampled(0)
def test_many_presses_are_stored_and_none_locks_the_table(tmp_path: Path) -> None:
    rows = play(tmp_path / "one", 40)
    stored = sum(after > before for before, after in pairwise(rows))
    assert stored > 15
    assert rows == play(tmp_path / "two", 40), "the same seed plays the same way"
