"""The table of budgets: kept, exceeded or skipped, and its copy in the documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT
from tools import bench
from tools.bench import Measurement, Result, Skipped, insert_table

PAGE = ROOT / "docs" / "developers" / "benchmarks.md"
BEGIN, END = bench.BEGIN.format("bench"), bench.END.format("bench")


def row(
    ours: float, reference: float, budget: float | None, *, counted: bool = False
) -> Measurement:
    return Measurement("a thing", ours, reference, "bytes", "another", budget, counted)


@pytest.mark.parametrize(
    ("measured", "kept"),
    [
        (row(3, 2, 1.5), True),
        (row(3.1, 2, 1.5), False),
        (row(10, 1, 10, counted=True), True),
        (row(11, 100, 10, counted=True), False),
        (row(0, 0, 0), True),  # zero against zero
        (row(1, 0, 9), False),  # something against zero
        (row(900, 1, None), True),  # informative only
    ],
)
def test_a_budget_is_a_ratio_or_a_count(measured: Measurement, kept: bool) -> None:
    assert measured.is_within_budget is kept


def rows(*found: Result) -> object:
    def measures(only: object) -> list[bench.Measure]:
        return [lambda quick: found]

    return measures


def test_only_an_exceeded_budget_fails_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = ["--out", str(tmp_path / "bench.json")]
    kept, informative, left_out = row(1, 2, 1), row(9, 1, None), Skipped("a card", "no root here")
    monkeypatch.setattr(bench, "_measures", rows(kept, informative, left_out))
    assert bench.main(out) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "1 passed, 0 failed, 1 left out"
    assert lines[-2].startswith("a card") and lines[-2].endswith("left out: no root here")
    monkeypatch.setattr(bench, "_measures", rows(kept, row(3, 1, 2)))
    assert bench.main(out) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "1 passed, 1 failed"
    assert "OVER, at most 2x" in lines[-2]
    written = json.loads((tmp_path / "bench.json").read_text())
    assert [(each["ratio"], each["kept"]) for each in written] == [(0.5, True), (3.0, False)]


def test_the_table_is_inserted_between_its_marks() -> None:
    text = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    found = insert_table(text, [row(1, 2, 1), Skipped("a card", "no root here")])
    assert found.startswith(f"before\n{BEGIN}\n| what |")
    assert found.endswith(f"{END}\nafter\n")
    assert "old" not in found
    assert "| a card | | | | left out: no root here |" in found
    assert insert_table(found, [row(1, 2, 1), Skipped("a card", "no root here")]) == found


def test_a_page_has_a_table_of_each_target() -> None:
    text = f"{BEGIN}\n{END}\n<!-- make bench-hall -->\n<!-- end of make bench-hall -->\n"
    found = insert_table(text, [row(1, 2, 1)], "bench-hall")
    assert found.startswith(f"{BEGIN}\n{END}\n<!-- make bench-hall -->\n| what |")
    assert found.count("| a thing |") == 1


def test_a_file_without_marks_is_an_error() -> None:
    with pytest.raises(ValueError, match="no place for the table"):
        insert_table("no marks", [])


def names() -> Iterator[str]:
    from tools.bench import bus, card, frame, idle, press

    for controller in bus.CONTROLLERS:
        yield from (f"{controller}: {what}" for what in (bus.CHANGED, bus.SAME, bus.LARGEST))
    yield from (f"{controller}: {frame.WHAT}" for controller in ("ssd1306", "sh1106"))
    yield from (press.TO_BUS, press.NO_CHANGE, idle.WHAT, card.WHAT)
    yield from (
        "start until READY=1",
        "first picture",
        "archived games",
        "resident memory",
        "rules: apply",
    )


@pytest.mark.parametrize("name", list(names()))
def test_the_page_names_every_budget(name: str) -> None:
    table = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    assert name in table


def test_the_page_names_every_part_of_a_hall() -> None:
    text = PAGE.read_text(encoding="utf-8")
    first, last = bench.BEGIN.format("bench-hall"), bench.END.format("bench-hall")
    table = text.partition(first)[2].partition(last)[0]
    for part in ("128 boxes", "999 boxes", "storm", "idle link", "quiet boxes", "press", "wall"):
        assert part in table
