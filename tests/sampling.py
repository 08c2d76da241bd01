"""Samples of long walks: ``make test`` walks some of the cases, ``make exhaustive`` all of them.

A sample is spread evenly over its cases and is the same in every run. ``EXHAUSTIVE=1`` switches
sampling off; ``QUICK=1`` beside it walks four times as much as ``make test`` does. A test that
uses this module bears ``@pytest.mark.sampled``, by which ``make exhaustive`` finds it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

EXHAUSTIVE = bool(os.environ.get("EXHAUSTIVE"))
QUICK = bool(os.environ.get("QUICK"))
TIMES = 4  # as many cases as in a sample, with EXHAUSTIVE and QUICK

T = TypeVar("T")


def amount(few: int, all_of_them: int) -> int:
    """How many rounds a walk takes in this run: ``few`` in a sample."""
    if not EXHAUSTIVE:
        return min(few, all_of_them)
    return min(few * TIMES, all_of_them) if QUICK else all_of_them


def stride(sampled: int) -> int:
    """How far apart the cases of a walk without a known end are in this run."""
    if not EXHAUSTIVE:
        return sampled
    return max(1, sampled // TIMES) if QUICK else 1


def sample(
    cases: Iterable[T], few: int, by: Callable[[T], Hashable] | None = None, *, turn: int = 0
) -> list[T]:
    """The cases of this run in their order: ``few``, or so many of each group that ``by`` tells.

    Without ``turn`` the first and the last of two or more are among them. Samples of the same
    cases with other turns begin elsewhere: together they hold all cases.
    """
    groups: dict[Hashable, list[int]] = {}
    listed = list(cases)
    for place, case in enumerate(listed):
        groups.setdefault(by(case) if by else None, []).append(place)
    chosen = (place for group in groups.values() for place in _spread(group, few, turn))
    return [listed[place] for place in sorted(chosen)]


def _spread(places: list[int], few: int, turn: int) -> list[int]:
    number, size = amount(few, len(places)), len(places)
    if turn or number < 2:
        return [places[(turn + at * size // number) % size] for at in range(number)]
    return [places[at * (size - 1) // (number - 1)] for at in range(number)]
