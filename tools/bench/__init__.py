"""``make bench``: every budget as our figure, a reference, and their ratio.

The reference is measured in the same run. A gate is a ratio or a count, never a time, because
machines differ in speed. What cannot be measured here is skipped with the reason, and counts
neither as kept nor as exceeded.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

# Modules with a ``measure`` that yields rows; imported when they are run.
FILES = (
    "bus",
    "frame",
    "press",
    "serial",
    "radio",
    "readers",
    "idle",
    "start",
    "card",
    "rules",
    "wall",
    "voice",
    "strip",
    "circuit",
)
# Measured only when named: they need more than the table.
ON_REQUEST = ("web", "hall")
BEGIN, END = "<!-- make {} -->", "<!-- end of make {} -->"


class Measurement(NamedTuple):
    """One budget: what was measured, both figures in the same unit, and the limit.

    ``budget`` is the largest ratio, or the largest ``ours`` if ``counted``; None: informative.
    """

    what: str
    ours: float
    reference: float
    unit: str
    reference_is: str
    budget: float | None
    counted: bool = False

    @property
    def ratio(self) -> float:
        if self.reference:
            return self.ours / self.reference
        return float("inf") if self.ours else 0.0

    @property
    def is_within_budget(self) -> bool:
        return self.budget is None or (self.ours if self.counted else self.ratio) <= self.budget


class Skipped(NamedTuple):
    """What could not be measured here, and why."""

    what: str
    reason: str


Result = Measurement | Skipped
Measure = Callable[[bool], Iterable[Result]]


def main(argv: list[str]) -> int:
    """Print the table and write bench.json; return 1 if a budget is exceeded."""
    parser = argparse.ArgumentParser(prog="tools.bench", description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("bench.json"))
    parser.add_argument("--page", type=Path, help="put the table between its marks in this file")
    parser.add_argument(
        "--only", nargs="+", choices=(*FILES, *ON_REQUEST), help="these rows alone, by file"
    )
    quick = os.environ.get("QUICK", "") not in ("", "0")
    parser.add_argument(
        "--quick", action="store_true", default=quick, help="fewer repetitions, shorter waits"
    )
    arguments = parser.parse_args(argv)
    found = list(_print_as_measured(_measures(arguments.only), arguments.quick))
    arguments.out.write_text(json.dumps([_as_json(each) for each in found], indent=1) + "\n")
    if arguments.page:
        text = arguments.page.read_text(encoding="utf-8")
        target = "-".join(["bench", *(arguments.only or ())])
        arguments.page.write_text(insert_table(text, found, target), encoding="utf-8")
    return _print_total(found)


def _print_as_measured(measures: Iterable[Measure], quick: bool) -> Iterator[Result]:
    for measure in measures:
        for each in measure(quick):
            sys.stdout.write(_format_line(each))
            sys.stdout.flush()
            yield each


def _print_total(found: Iterable[Result]) -> int:
    gates = [row for row in found if isinstance(row, Measurement) and row.budget is not None]
    skipped = sum(isinstance(each, Skipped) for each in found)
    kept = sum(row.is_within_budget for row in gates)
    left_out = f", {skipped} left out" if skipped else ""
    sys.stdout.write(f"{kept} passed, {len(gates) - kept} failed{left_out}\n")
    return 0 if kept == len(gates) else 1


def _measures(only: list[str] | None) -> list[Measure]:
    names = FILES if only is None else only
    return [import_module(f"tools.bench.{name}").measure for name in names]


def _format_line(each: Result) -> str:
    if isinstance(each, Skipped):
        return f"{each.what:58} left out: {each.reason}\n"
    figures = f"{each.ours:10.1f} {each.reference:10.1f} {each.unit:8} ratio {each.ratio:6.2f}"
    return f"{each.what:58} {figures}  {_verdict(each):20} beside {each.reference_is}\n"


def _verdict(row: Measurement) -> str:
    if row.budget is None:
        return "no budget"
    most = f"{row.budget:g} {row.unit}" if row.counted else f"{row.budget:g}x"
    return f"{'ok' if row.is_within_budget else 'OVER'}, at most {most}"


def _as_json(each: Result) -> dict[str, object]:
    if isinstance(each, Skipped):
        return each._asdict()
    return {**each._asdict(), "ratio": round(each.ratio, 4), "kept": each.is_within_budget}


def insert_table(text: str, found: Iterable[Result], target: str = "bench") -> str:
    """Insert the table between the marks of ``target`` in ``text``.

    Raises ValueError without marks.
    """
    first, last = BEGIN.format(target), END.format(target)
    before, begin, rest = text.partition(first)
    _, end, after = rest.partition(last)
    if not (begin and end):
        raise ValueError(f"no place for the table: it goes between {first} and {last}")
    return f"{before}{first}\n{_markdown(found)}{last}{after}"


def _markdown(found: Iterable[Result]) -> str:
    lines = ["| what | ours | reference | ratio | budget |", "|---|---|---|---|---|"]
    for each in found:
        if isinstance(each, Skipped):
            lines.append(f"| {each.what} | | | | left out: {each.reason} |")
        else:
            reference = f"{each.reference:,.1f} {each.unit}, {each.reference_is}"
            ours = f"{each.ours:,.1f} {each.unit}"
            lines.append(
                f"| {each.what} | {ours} | {reference} | {each.ratio:.2f} | {_verdict(each)} |"
            )
    return "\n".join(lines) + "\n"
