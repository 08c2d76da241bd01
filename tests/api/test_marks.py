"""The marks of a table as words of the socket."""

from __future__ import annotations

import pytest

from scorer.api.marks import Mark, Marks
from scorer.api.print_protocol import PrintResult


def test_marks_are_sorted_words() -> None:
    marks = Marks()
    marks.set(Mark.POWER)
    marks.set_lost_devices([Mark.BOARD, "console_silent B"])
    marks.set_print_result(PrintResult.COVER)
    assert marks.words() == ["board", "console_silent B", "power", "slip_cover"]
    assert Mark.POWER in marks
    marks.set(Mark.POWER, is_set=False)
    marks.set_lost_devices([])
    assert marks.words() == ["slip_cover"]


@pytest.mark.parametrize("result", PrintResult)
def test_a_failed_slip_is_marked_until_another_result(result: PrintResult) -> None:
    marks = Marks()
    marks.set_print_result(PrintResult.OFF)
    marks.set_print_result(result)
    assert marks.words() == ([str(result)] if result.is_failure else [])
