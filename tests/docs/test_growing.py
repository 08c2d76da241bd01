"""The arithmetic of growing.md follows from the rows of make bench-hall."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.reading import tables
from tests.paths import ROOT

GROWING = (ROOT / "docs" / "operators" / "growing.md").read_text(encoding="utf-8")
BENCHMARKS = ROOT / "docs" / "developers" / "benchmarks.md"
TABLES, PAUSE = 16, 20  # of a hall; seconds between two rows of a table
EVENINGS, HOURS = 30, 6  # of a month
KEPT = 2000  # MB of a machine for the system and PostgreSQL


def measured(what: str, path: Path = BENCHMARKS) -> float:
    """What a row of the benchmarks has measured."""
    lines = path.read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if line.startswith(f"| {what}")]
    return float(line.split("|")[2].split()[0].replace(",", ""))


def reference(what: str) -> float:
    lines = BENCHMARKS.read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if line.startswith(f"| {what}")]
    return float(line.split("|")[3].split()[0].replace(",", ""))


MEMORY = measured("an idle hall: memory of its hub") + measured("an idle hall: memory of its conn")
PROCESSOR = measured("50 halls, 40.0 rows a second: processor") / 50  # ms a second
ROW = measured("a row in PostgreSQL")
ROWS = TABLES * 3600 // PAUSE * HOURS * EVENINGS  # of a hall in a month


def arithmetic() -> list[dict[str, str]]:
    (found,) = [table for table in tables(GROWING) if table and "halls open at once" in table[0]]
    return found


def number(cell: str) -> float:
    return float(re.sub(r"[^\d.]", "", cell))


@pytest.mark.parametrize("row", arithmetic(), ids=lambda row: str(row["halls open at once"]))
def test_a_row_of_the_arithmetic_follows_from_the_measured_rows(row: dict[str, str]) -> None:
    halls = number(row["halls open at once"])
    computed = {
        "rows a second": halls * TABLES / PAUSE,
        "processors": halls * PROCESSOR / 1000,
        "memory": halls * MEMORY / 1000,
        "connections": halls * measured("an idle hall: connections"),
        "disk a month": halls * ROWS * ROW / 1e9,
        "processor a month": halls * PROCESSOR / 1000 * HOURS * EVENINGS,
    }
    for name, value in computed.items():
        assert number(row[name]) == pytest.approx(value, rel=0.01, abs=0.06), name


def test_a_country_is_800_rows_a_second() -> None:
    assert "1,000 of them are 800 rows a second" in GROWING
    assert 1000 * TABLES / PAUSE == 800


def test_the_halls_of_a_machine_follow_from_the_measured_rows() -> None:
    assert f"enough for {(16_000 - KEPT) // MEMORY:.0f} halls" in " ".join(GROWING.split())
    assert f"carries {1000 // PROCESSOR:,.0f} halls" in GROWING
    assert f"{ROWS:,} rows a hall" in GROWING


def test_what_one_process_would_save_is_that_of_the_measured_row() -> None:
    what = f"{10} idle halls in a process of their own each"
    assert f"would need {measured(what) / reference(what):.1f} times less memory" in GROWING
