"""Sampling, and the marker that ``make exhaustive`` selects by."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import sampling
from tests.sampling import amount, left_out, sample, stride

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests start without sampling options, however the tests are run."""
    monkeypatch.setattr(sampling, "EXHAUSTIVE", False)
    monkeypatch.setattr(sampling, "QUICK", False)


def test_a_sample_is_spread_from_the_first_case_to_the_last() -> None:
    assert sample(range(100), 4) == [0, 33, 66, 99]
    assert sample(range(3), 4) == [0, 1, 2]
    assert (sample(range(3), 1), sample([], 4)) == ([0], [])


def test_a_sample_has_cases_of_every_group_in_their_order() -> None:
    cases = [(name, at) for at in range(10) for name in "ab"] + [("c", 0)]
    assert sample(cases, 2, by=lambda case: case[0]) == [
        ("a", 0), ("b", 0), ("a", 9), ("b", 9), ("c", 0),
    ]  # fmt: skip


@pytest.mark.parametrize("few", [1, 2, 3, 5, 7])
def test_samples_of_all_turns_cover_every_case(few: int) -> None:
    met = [sample(range(12), few, turn=turn) for turn in range(12)]
    assert {len(set(each)) for each in met} == {few}
    assert {case for each in met for case in each} == set(range(12))


def test_of_the_parameters_of_a_function_some_run() -> None:
    ids = dict.fromkeys([f"a.py::test[{at}]" for at in range(9)], 3)
    others = dict.fromkeys(["a.py::test_other[x]", "b.py::test[0]", "b.py::test[1]"], 2)
    assert ids.keys() - left_out(ids | others) == {f"a.py::test[{at}]" for at in (0, 4, 8)}
    assert not others.keys() & left_out(ids | others)
    assert left_out({"a.py::test[4]": 3}) == set()


def test_a_test_that_never_runs_in_a_sample_runs_in_any_other_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow = {"a.py::test": 0}
    assert left_out(slow) == slow.keys()
    monkeypatch.setattr(sampling, "EXHAUSTIVE", True)
    assert left_out(slow) == set()
    monkeypatch.setattr(sampling, "QUICK", True)
    assert left_out(slow) == set()


def test_without_sampling_every_case_is_included(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (amount(3, 100), stride(6)) == (3, 6)
    monkeypatch.setattr(sampling, "EXHAUSTIVE", True)
    assert sample(range(100), 3, turn=7) == [*range(100)]
    assert (amount(3, 100), stride(6)) == (100, 1)
    monkeypatch.setattr(sampling, "QUICK", True)
    assert (amount(3, 100), stride(6), len(sample(range(100), 3))) == (12, 1, 12)


def test_every_file_that_samples_has_marked_tests() -> None:
    users = [
        path
        for path in HERE.rglob("test_*.py")
        if re.search(r"^from tests\.sampling import", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(users) > 10
    silent = [path.name for path in users if "mark.sampled" not in path.read_text("utf-8")]
    assert silent == ["test_sampling.py"] or silent == []
