"""The marks of a table as words of the socket."""

from __future__ import annotations

import pytest

from scorer.api.marks import Mark, Marks
from scorer.api.print_protocol import PrintResult


def test_marks_are_sorted_words() -> None:
    marks = Marks()
    marks.set(Mark.POWER)
    marks.set(Mark.BOARD)
    marks.set_console_fault("B", "silent")
    marks.set_print_result(PrintResult.COVER)
    assert marks.words() == ["board", "console_silent B", "power", "slip_cover"]
    assert Mark.POWER in marks
    marks.set(Mark.POWER, is_set=False)
    assert Mark.POWER not in marks


def test_a_console_has_one_fault_until_it_is_back() -> None:
    marks = Marks()
    assert not marks.set_console_fault("A", "taken")
    assert marks.set_console_fault("A", "no such fault")
    assert marks.words() == ["console_absent A"]
    assert not marks.set_console_fault("B", "")
    assert marks.set_console_fault("A", "")
    assert marks.words() == []


@pytest.mark.parametrize("result", PrintResult)
def test_a_failed_slip_is_marked_until_another_result(result: PrintResult) -> None:
    marks = Marks()
    marks.set_print_result(PrintResult.OFF)
    marks.set_print_result(result)
    assert marks.words() == ([str(result)] if result.is_failure else [])
