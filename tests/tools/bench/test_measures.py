"""The benchmarks measure the real table, real games and counted bytes."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from scorer.demo.buttons import PinEdge
from scorer.rules import header_of
from scorer.store.journal import Journal
from tests.sampling import EXHAUSTIVE
from tools.bench import Measurement, bus, card, instructions, press, start
from tools.bench.in_process_table import InProcessTable

SIZE = (128, 64)


def dotted(*dots: tuple[int, int]) -> Image.Image:
    picture = Image.new("1", SIZE)
    ImageDraw.Draw(picture).point(dots, fill=1)
    return picture


def test_changed_bytes_are_counted() -> None:
    assert bus.count_changed_bytes([dotted()]) == 0
    assert bus.count_changed_bytes([dotted((0, 0), (0, 7), (0, 8), (5, 0))]) == 3
    assert bus.count_changed_bytes([dotted((0, 0)), dotted((0, 1)), dotted((0, 1))]) == 2


@pytest.mark.parametrize(("controller", "frame"), [("ssd1306", 1034), ("sh1106", 1080)])
def test_luma_sends_every_byte_and_our_driver_the_changed_ones(controller: str, frame: int) -> None:
    pictures = [dotted((3, 3)), dotted((3, 3), (90, 60))]
    lumas = bus.measure_traffic(pictures, controller, whole=True)
    assert lumas == (2 * frame, frame, 2 * frame)
    ours = bus.measure_traffic(pictures, controller, whole=False)
    dot = {"ssd1306": 11, "sh1106": 8}[controller]
    assert ours == (2 * dot, dot, 0)


def test_the_table_records_its_pictures_and_press_costs(tmp_path: Path) -> None:
    with ExitStack() as stack:
        night = InProcessTable(header_of([("Variant", "argentine")]), tmp_path, stack)
        before = len(night.pictures)
        report = night.advance([PinEdge(5.0, "A.truco", 0), PinEdge(5.1, "A.truco", 1)], 5.5)
    assert report.press == ("taken",)
    assert report.state["phase"] == "pending_truco"
    assert len(night.pictures) > before
    assert len(night.costs) == 1
    assert night.costs[0].cpu > 0


def test_a_press_that_changes_nothing_stores_nothing_and_a_call_does() -> None:
    (row,) = press._measure_no_change()
    assert isinstance(row, Measurement)
    assert row.ours == 0 < row.reference
    assert row.is_within_budget


def test_a_filled_store_has_whole_games_and_one_in_progress(tmp_path: Path) -> None:
    start.fill(tmp_path, 3)
    with Journal.open(tmp_path) as journal:
        assert [*journal.games()] == [4, 3, 2, 1]
        assert journal.rows(4) == ()
        assert len(journal.rows(1)) == len(journal.rows(3)) > 30


@pytest.mark.sampled
@pytest.mark.skipif(not EXHAUSTIVE, reason="simulates a processor: make exhaustive")
def test_more_computation_is_more_work() -> None:
    little, much = (
        instructions.measure_work([sys.executable, "-I", "-S", "-c", f"sum(range({count}))"])
        for count in (1, 100_000)
    )
    assert little.unit == much.unit
    assert much.minus(little, 3).amount > 0
    with pytest.raises(RuntimeError, match="NameError"):
        instructions.measure_work([sys.executable, "-I", "-S", "-c", "nonsense"])


def test_without_mount_permission_the_card_is_skipped_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    (left_out,) = card.measure(quick=True)
    assert "no loop device may be mounted here (" in str(left_out[1])
