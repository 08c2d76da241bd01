"""``make bench``: every budget as ours, a reference from the same run, and their ratio.

A gate is a ratio or a count, never a time: the machine may be slow, the ratio stays.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    """One budget: what was measured, both figures in the same unit, and the ratio allowed."""

    what: str
    ours: float
    reference: float
    unit: str
    reference_is: str
    budget: float

    @property
    def ratio(self) -> float:
        return self.ours / self.reference

    @property
    def kept(self) -> bool:
        return self.ratio <= self.budget


def main(argv: list[str]) -> int:
    """Prints the table and writes bench.json; 1 if a budget is broken."""
    parser = argparse.ArgumentParser(prog="scorer.bench", description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("bench.json"))
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    arguments = parser.parse_args(argv)
    rows = [row for measure in _measures() for row in measure(arguments.quick)]
    for row in rows:
        sys.stdout.write(_told(row))
    arguments.out.write_text(json.dumps([_as_json(row) for row in rows], indent=1) + "\n")
    kept = sum(row.kept for row in rows)
    sys.stdout.write(f"{kept} passed, {len(rows) - kept} failed\n")
    return 0 if kept == len(rows) else 1


def _measures() -> tuple[Callable[[bool], list[Row]], ...]:
    from scorer.bench import rules

    return (rules.measure,)


def _told(row: Row) -> str:
    return (
        f"{row.what:44} {row.ours:10.1f} {row.unit:3} {row.reference:10.1f} {row.unit:3} "
        f"({row.reference_is}) ratio {row.ratio:6.2f} of {row.budget:g} "
        f"{'ok' if row.kept else 'BROKEN'}\n"
    )


def _as_json(row: Row) -> dict[str, object]:
    return {**row._asdict(), "ratio": round(row.ratio, 3), "kept": row.kept}
