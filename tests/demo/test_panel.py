"""Panels and the recording of their frames."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from scorer.demo.panel import DemoPanel, FrameRecorder, build_panels

KIND = ("ssd1306", (128, 64))
INIT = bytes.fromhex("00 ae 20 00 40 a1 c8 8d 14 af")
WHOLE = bytes.fromhex("00 21 00 7f 22 00 07")


def _lit(columns: int) -> bytes:
    return b"\x40" + b"\xff" * columns + bytes(1024 - columns)


def _on(panel: DemoPanel, columns: int) -> None:
    for message in (INIT, WHOLE, _lit(columns)):
        panel.feed(message)


def test_a_panel_shows_the_pixels_it_was_sent() -> None:
    panel = DemoPanel(KIND)
    assert panel.picture().getbbox() is None
    _on(panel, 3)
    assert panel.picture().getbbox() == (0, 0, 3, 8)


def test_an_unplugged_panel_is_black_and_ignores_messages() -> None:
    panel = DemoPanel(KIND)
    _on(panel, 3)
    panel.is_plugged = False
    panel.lose_power()
    _on(panel, 5)
    assert panel.picture().getbbox() is None
    panel.is_plugged = True
    panel.feed(WHOLE)
    panel.feed(_lit(5))
    assert panel.picture().getbbox() is None, "nobody has initialised it since"
    _on(panel, 5)
    assert panel.picture().getbbox() == (0, 0, 5, 8)


def test_a_low_contrast_is_a_dim_panel() -> None:
    panel = DemoPanel(KIND)
    assert not panel.is_dim
    panel.feed(bytes.fromhex("00 81 10"))
    assert panel.is_dim


def test_frames_are_counted_by_panel_and_only_when_they_change(tmp_path: Path) -> None:
    panels = build_panels({"A": KIND, "B": KIND})
    frames = FrameRecorder(tmp_path, panels)
    assert frames.record_new(panels) == [(1, "A-0001.png"), (1, "B-0001.png")]
    _on(panels["A"], 2)
    assert frames.record_new(panels) == [(2, "A-0002.png")]
    _on(panels["A"], 2)
    assert frames.record_new(panels) == []
    _on(panels["B"], 4)
    assert frames.record_new(panels) == [(2, "B-0002.png")]
    with Image.open(tmp_path / "B-0002.png") as written:
        assert (written.mode, written.size, written.getbbox()) == ("1", (128, 64), (0, 0, 4, 8))


def test_with_one_panel_the_files_have_no_letter(tmp_path: Path) -> None:
    panels = build_panels({"A": KIND})
    assert FrameRecorder(tmp_path, panels).record_new(panels) == [(1, "0001.png")]
