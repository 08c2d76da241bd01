"""A sample of ``make faults``: one system call fails and the panel stays right."""

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


@pytest.mark.sampled(0)
@needs_strace
def test_state_shown_while_the_disk_fails_is_found_on_a_good_disk(tmp_path: Path) -> None:
    calls.prepare(tmp_path)
    results = [calls.run(tmp_path, case) for case in CASES]
    print("\n".join(table(results)))
    assert [each.wrong for each in results] == [""] * len(CASES)
    assert sum(each.refused for each in results) > 0
    assert not any(each.died for each in results)


@pytest.mark.sampled(0)
@needs_strace
def test_presses_count_again_when_the_disk_is_writable_again(tmp_path: Path) -> None:
    calls.prepare(tmp_path)
    result = calls.run(tmp_path, Case("old", "pwrite64", 12, "EROFS", "..16"))
    assert result.wrong == ""
    assert (result.refused > 0, result.taken > 0) == (True, True)
