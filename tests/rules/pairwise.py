"""A small set of option choices that covers every pair of values.

One row per pair would make hundreds of hands per variant; most pairs share a row.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import TypeVar

Value = TypeVar("Value", bound=Hashable)
Pair = tuple[tuple[str, Value], tuple[str, Value]]


def rows(values: Mapping[str, Sequence[Value]]) -> list[dict[str, Value]]:
    """Rows that contain every two values of different keys; deterministic."""
    waiting: dict[Pair[Value], None] = dict.fromkeys(
        ((one, x), (other, y))
        for one, other in combinations(values, 2)
        for x, y in product(values[one], values[other])
    )
    found: list[dict[str, Value]] = []
    while waiting:
        row = dict(next(iter(waiting)))
        for key, possible in values.items():
            if key not in row:
                row[key] = max(possible, key=lambda value: _new_pairs(waiting, row, key, value))
        for pair in pairs_of((key, row[key]) for key in values):
            waiting.pop(pair, None)
        found.append(row)
    return found


def pairs_of(row: Iterable[tuple[str, Value]]) -> Iterable[Pair[Value]]:
    """Every two of the chosen values."""
    return combinations(row, 2)


def _new_pairs(
    waiting: Mapping[Pair[Value], None], row: Mapping[str, Value], key: str, value: Value
) -> int:
    """Number of new pairs if ``key`` has ``value`` in this row."""
    mine = (key, value)
    return sum((mine, each) in waiting or (each, mine) in waiting for each in row.items())
