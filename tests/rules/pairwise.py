"""A few choices of all options at once in which every pair of their values comes up.

One row for each pair would make hundreds of hands of every variant; most pairs fit into the same
row. It knows lists of values, and nothing of truco.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import TypeVar

Value = TypeVar("Value", bound=Hashable)
Pair = tuple[tuple[str, Value], tuple[str, Value]]


def rows(values: Mapping[str, Sequence[Value]]) -> list[dict[str, Value]]:
    """Rows that together hold every two values of different keys; the same ones every time."""
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
    waiting: Mapping[Pair[Value], None],
    row: Mapping[str, Value],
    key: str,
    value: Value,
) -> int:
    """Pairs that come up for the first time if ``key`` has ``value`` in this row."""
    mine = (key, value)
    return sum((mine, each) in waiting or (each, mine) in waiting for each in row.items())
