"""Sampling of long tests: ``make test`` runs some cases, ``make exhaustive`` all.

A sample is spread evenly over its cases and is the same in every run. ``EXHAUSTIVE=1`` switches
sampling off; with ``QUICK=1`` as well, samples are four times as large as in ``make test``. Tests
that use this module are marked ``@pytest.mark.sampled``, by which ``make exhaustive`` selects them.
Of the parameters of a test marked ``sampled(few)`` as many run, none with ``sampled(0)``: it is for
cases that find no fault which the others do not find.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

EXHAUSTIVE = bool(os.environ.get("EXHAUSTIVE"))
QUICK = bool(os.environ.get("QUICK"))
TIMES = 4  # factor of the sample size with EXHAUSTIVE and QUICK

T = TypeVar("T")


def amount(few: int, all_of_them: int) -> int:
    """The number of rounds in this run: ``few`` in a sample."""
    if not EXHAUSTIVE:
        return min(few, all_of_them)
    return min(max(few, 1) * TIMES, all_of_them) if QUICK else all_of_them


def stride(sampled: int) -> int:
    """The distance between cases in this run, for walks of unknown length."""
    if not EXHAUSTIVE:
        return sampled
    return max(1, sampled // TIMES) if QUICK else 1


def sample(
    cases: Iterable[T], few: int, by: Callable[[T], Hashable] | None = None, *, turn: int = 0
) -> list[T]:
    """The cases of this run in order: ``few``, or ``few`` of each group by ``by``.

    With ``turn`` 0, two or more include the first and the last. Samples of the same cases with
    other turns start elsewhere: together they cover all cases.
    """
    groups: dict[Hashable, list[int]] = {}
    listed = list(cases)
    for place, case in enumerate(listed):
        groups.setdefault(by(case) if by else None, []).append(place)
    chosen = (place for group in groups.values() for place in _spread(group, few, turn))
    return [listed[place] for place in sorted(chosen)]


def left_out(tests: Mapping[str, int]) -> set[str]:
    """The ids of tests that are not in the sample of their function.

    ``tests``: the ids of the tests, and how many of their function run in a sample.
    """
    functions: dict[str, list[str]] = {}
    for test in tests:
        functions.setdefault(test.partition("[")[0], []).append(test)
    kept = (test for all_of in functions.values() for test in sample(all_of, tests[all_of[0]]))
    return tests.keys() - set(kept)


def _spread(places: list[int], few: int, turn: int) -> list[int]:
    number, size = amount(few, len(places)), len(places)
    if turn or number < 2:
        return [places[(turn + at * size // number) % size] for at in range(number)]
    return [places[at * (size - 1) // (number - 1)] for at in range(number)]
