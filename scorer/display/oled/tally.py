"""Tally of points in matches: malas above, buenas below, in shapes of some points.

A shape of five points is a square with a diagonal, one of four a square, one of three a triangle.
"""

from typing import NamedTuple

from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect

TRIANGLE = 3  # points of a triangle; other shapes are squares
LARGEST, SMALLEST = 10, 5  # pixels of a shape on a playing panel
THICK_FROM = 14  # minimum size of a shape for matches two pixels thick
LINE = 5  # rows of the line between the halves, with its margins


class TallyLayout(NamedTuple):
    """Arrangement of shapes of ``size`` pixels: rows in each half, shapes per row."""

    size: int
    per_row: int
    upper_rows: int  # rows of shapes above the line
    lower_rows: int  # and below it; 0 without halves
    shape: int = 5  # points of a shape

    @property
    def gap(self) -> int:
        """Pixels between two shapes."""
        return 3 if self.size >= THICK_FROM else 1

    @property
    def step(self) -> int:
        """Pixels from one shape to the next."""
        return self.size + self.gap

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self.per_row * self.step - self.gap

    @property
    def height(self) -> int:
        """Height in pixels, including the line between the halves."""
        rows = (self.upper_rows, self.lower_rows)
        shapes = sum(count * self.step - self.gap for count in rows if count)
        return shapes + (LINE if self.lower_rows else 0)


def find_layout(
    box: Rect, target: int, half: int | None, largest: int = LARGEST, *, shape: int = 5
) -> TallyLayout | None:
    """The largest layout for ``target`` points in ``box``; None if none fits.

    Where no layout of shapes of ``shape`` points fits, those of five points may.
    """
    upper = shape_count(half or target, shape)
    lower = shape_count(target - half, shape) if half else 0
    for size in range(largest, SMALLEST - 1, -1):
        for across in range(max(upper, lower), 0, -1):
            made = TallyLayout(size, across, -(-upper // across), -(-lower // across), shape)
            if made.width <= box.w and made.height <= box.h:
                return made
    return None if shape == 5 else find_layout(box, target, half, largest)


def shape_count(points: int, shape: int) -> int:
    """Number of shapes of ``shape`` points each for ``points``."""
    return -(-points // shape)


def draw(
    canvas: Canvas,
    box: Rect,
    score: int,
    target: int,
    half: int | None,
    *,
    mirrored: bool = False,
    largest: int = LARGEST,
    shape: int = 5,
) -> None:
    """Draws ``score`` in the middle of ``box``; nothing if no layout fits.

    ``mirrored`` fills from the right, for the side with its figures on the right; ``largest``
    limits the size of a shape, ``shape`` is its points.
    """
    made = find_layout(box, target, half, largest, shape=shape)
    if made is None:
        return
    left, top = box.x + (box.w - made.width) // 2, box.y + (box.h - made.height) // 2
    area = Rect(left, top, made.width, made.height)
    low = min(score, half or target)
    _draw_half(canvas, area, made, low, half or target, mirrored=mirrored)
    if half:
        upper = made.upper_rows * made.step - made.gap
        line = area.y + upper + LINE // 2
        canvas.line((area.x, line), (area.right - 1, line))
        under = area.below(upper + LINE)
        _draw_half(canvas, under, made, score - low, target - half, mirrored=mirrored)


def _draw_half(
    canvas: Canvas, area: Rect, layout: TallyLayout, points: int, most: int, *, mirrored: bool
) -> None:
    shape = layout.shape
    draw_shape = _draw_triangle if shape == TRIANGLE else _draw_square
    for index in range(shape_count(most, shape)):
        row, column = divmod(index, layout.per_row)
        if mirrored:
            column = layout.per_row - 1 - column
        place = Rect(
            area.x + column * layout.step, area.y + row * layout.step, layout.size, layout.size
        )
        draw_shape(canvas, place, max(0, min(shape, points - index * shape)))


def _draw_square(canvas: Canvas, square: Rect, points: int) -> None:
    """One to five matches; for 0 points, a dot in the middle."""
    width = 2 if square.w >= THICK_FROM else 1
    sides = (
        square.left(width),
        square.top(width),
        Rect(square.right - width, square.y, width, square.h),
        square.below(square.h - width),
    )
    for match in sides[:points]:
        canvas.fill(match)
    if points == 5:
        left, top, right, bottom = square.x, square.y, square.right - 1, square.bottom - 1
        for inward in range(width):
            canvas.line((left, bottom - inward), (right - inward, top))
            canvas.line((left + inward, bottom), (right, top + inward))
    if points == 0:
        _draw_dot(canvas, square)


def _draw_triangle(canvas: Canvas, box: Rect, points: int) -> None:
    """One to three matches, the base last; for 0 points, a dot in the middle."""
    width = 2 if box.w >= THICK_FROM else 1
    bottom, half = box.bottom - 1, (box.w - 1) // 2
    for inward in range(width):
        left, right = box.x + inward, box.right - 1 - inward
        if points > 0:
            canvas.line((left, bottom), (left + half, box.y))
        if points > 1:
            canvas.line((right - half, box.y), (right, bottom))
    if points == TRIANGLE:
        canvas.fill(box.below(box.h - width))
    if points == 0:
        _draw_dot(canvas, box)


def _draw_dot(canvas: Canvas, box: Rect) -> None:
    middle = box.inset(box.w // 2 - 1 + box.w % 2, box.h // 2 - 1 + box.h % 2)
    canvas.fill(Rect(middle.x, middle.y, 1, 1))
