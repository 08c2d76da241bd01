"""A sample of ``make faults``: one system call fails while people play, and the panel is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.longrun.faults import calls
from tests.longrun.faults.__main__ import table
from tests.longrun.faults.calls import Case

needs_strace = pytest.mark.skipif(bool(calls.why_not()), reason=calls.why_not())

CASES = [
    Case("old", "fdatasync", 2, "EIO", cut=True),
    Case("old", "fdatasync", 3, "EIO", "+"),
    Case("new", "pwrite64", 9, "ENOSPC", "+"),
]


@needs_strace
def test_what_is_shown_while_the_disk_fails_is_there_on_a_good_one(tmp_path: Path) -> None:
    calls.prepare(tmp_path)
    told = [calls.run(tmp_path, case) for case in CASES]
    print("\n".join(table(told)))
    assert [each.wrong for each in told] == [""] * len(CASES)
    assert sum(each.refused for each in told) > 0
    assert not any(each.died for each in told)


@needs_strace
def test_a_disk_that_can_be_written_again_takes_presses_again(tmp_path: Path) -> None:
    calls.prepare(tmp_path)
    told = calls.run(tmp_path, Case("old", "pwrite64", 12, "EROFS", "..16"))
    assert told.wrong == ""
    assert (told.refused > 0, told.taken > 0) == (True, True)
