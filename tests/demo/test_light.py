"""The team light of a simulated table."""

from __future__ import annotations

from pathlib import Path

from scorer.display.light_frames import COLOURS
from tests.table.table_process import running_table, table_on


def test_it_has_the_colour_of_the_team_that_owes_the_answer(tmp_path: Path) -> None:
    command = table_on(tmp_path / "store")._replace(light=4)
    with running_table(command) as told:
        assert told.report.light == ((0, 0, 0),) * 4
        told.press("A.truco")
        told.wait(5.0)
        assert told.report.light == (COLOURS["sky_blue"],) * 4
        told.press("B.quiero")
        told.wait(5.0)
        assert told.report.light == ((0, 0, 0),) * 4


def test_a_table_without_one_reports_none(tmp_path: Path) -> None:
    with running_table(table_on(tmp_path / "store")) as told:
        told.press("A.truco")
        assert told.report.light == ()


def test_the_terminal_draws_each_pixel_in_its_colour() -> None:
    # The terminal's library takes long to import, in every process of the tests.
    from scorer.demo.terminal import light_text

    text = light_text(((0, 0, 0), COLOURS["sky_blue"]))
    assert text.plain == "███ ███"
    assert [str(span.style) for span in text.spans] == ["rgb(48,48,48)", "rgb(0,150,255)"]
