"""Budgets of a hall: real hubs, links and tables, each beside a reference.

A reference does the same work without what is measured, in the same run. Both take turns of a few
seconds, so that other load on the machine meets both.
"""

from __future__ import annotations

from collections.abc import Iterator

from tools.bench import Result
from tools.bench.hall import (
    idle,
    intake,
    many,
    match_rows,
    sizes,
    table,
    tournament,
    wall,
    wall_traffic,
)


def measure(quick: bool) -> Iterator[Result]:
    """The rows of all parts of a hall."""
    for part in (intake, match_rows, idle, table, wall, wall_traffic, tournament, sizes, many):
        yield from part.measure(quick)
