"""The state document leaves a finished hand when the panels do."""

from __future__ import annotations

from pathlib import Path

from tests.table.table_process import running_table, table_on

KEY = "is_next_hand_shown"


def test_the_state_shows_the_next_hand_when_the_panel_does(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path / "store")) as table:
        assert KEY not in table.state
        table.press("A.tantos")
        seen = []
        for _ in range(20):
            seen.append("ahora es mano" in table.text)
            assert (KEY in table.state) is not seen[-1]
            table.wait(0.5)
        assert (seen[0], seen[-1]) == (True, False)
        table.press("B.truco")
        assert KEY not in table.state
