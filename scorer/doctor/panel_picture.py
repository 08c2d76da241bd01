"""The test picture of a panel: its name, a frame at the edge, a grid of dots."""

from __future__ import annotations

from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect


def draw_test_picture(name: str, wire: str, size: tuple[int, int]) -> Canvas:
    """A finished canvas.

    ``name``, ``wire`` below it, and every second pixel of the rest. A frame that is cut or shifted
    by two pixels indicates a wrong controller; grey stripes in the dots indicate a bus that loses
    bytes.
    """
    canvas = Canvas(size)
    width, height = size
    canvas.frame(canvas.box)
    canvas.one_line(Rect(3, 2, width - 6, height * 3 // 8 - 2), [name])
    canvas.one_line(Rect(3, height * 3 // 8, width - 6, height * 3 // 8 - 2), [wire])
    for row in range(height * 3 // 4, height - 3):
        canvas.dots((3 + row % 2, row), width - 7)
    return canvas
