"""A dip on all lines at once is interference: no press, and named if it repeats."""

from __future__ import annotations

from pathlib import Path

from scorer.demo.buttons import PinEdge
from tests.table.table_process import ALL_BUTTONS, running_table, table_on


def test_a_dip_on_all_lines_plays_nothing_and_is_named_if_it_repeats(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path)) as told:
        told.press("A.envido")
        before = told.state
        console = tuple(line for line in ALL_BUTTONS if line.startswith("B."))
        for lines, lasts in ((ALL_BUTTONS, 0.009), (console, 0.010), (ALL_BUTTONS, 0.020)):
            falls = [PinEdge(told.now + at * 1.5e-5, line, 0) for at, line in enumerate(lines)]
            rises = [PinEdge(edge.time + lasts, edge.line, 1) for edge in falls]
            told.apply_edges([*falls, *rises], 5.0)
            assert (told.state, told.report.press) == (before, ())
        for _ in range(7):
            told.press("menu")
        assert told.report.screen == "status"
        assert "interferencia" in told.text
