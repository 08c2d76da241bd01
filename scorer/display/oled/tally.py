"""Tally of points in matches: squares of five, the malas above, the buenas below.

A square is four sides and a diagonal.
"""

from typing import NamedTuple

from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect

POINTS_A_SQUARE = 5
LARGEST, SMALLEST = 10, 5  # pixels of a square on a playing panel
THICK_FROM = 14  # minimum square size for matches two pixels thick
LINE = 5  # rows of the line between the halves, with its margins


class TallyLayout(NamedTuple):
    """Arrangement of squares of ``size`` pixels: rows in each half, squares per row."""

    size: int
    per_row: int
    upper_rows: int  # rows of squares above the line
    lower_rows: int  # and below it; 0 without halves

    @property
    def gap(self) -> int:
        """Pixels between two squares."""
        return 3 if self.size >= THICK_FROM else 1

    @property
    def step(self) -> int:
        """Pixels from one square to the next."""
        return self.size + self.gap

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self.per_row * self.step - self.gap

    @property
    def height(self) -> int:
        """Height in pixels, including the line between the halves."""
        rows = (self.upper_rows, self.lower_rows)
        squares = sum(count * self.step - self.gap for count in rows if count)
        return squares + (LINE if self.lower_rows else 0)


def find_layout(
    box: Rect, target: int, half: int | None, largest: int = LARGEST
) -> TallyLayout | None:
    """The largest layout for ``target`` points in ``box``; None if none fits."""
    upper = square_count(half or target)
    lower = square_count(target - half) if half else 0
    for size in range(largest, SMALLEST - 1, -1):
        for across in range(max(upper, lower), 0, -1):
            made = TallyLayout(size, across, -(-upper // across), -(-lower // across))
            if made.width <= box.w and made.height <= box.h:
                return made
    return None


def square_count(points: int) -> int:
    """Number of squares for ``points``."""
    return -(-points // POINTS_A_SQUARE)


def draw(
    canvas: Canvas,
    box: Rect,
    score: int,
    target: int,
    half: int | None,
    *,
    mirrored: bool = False,
    largest: int = LARGEST,
) -> None:
    """Draws ``score`` in the middle of ``box``; nothing if no squares fit.

    ``mirrored`` fills from the right, for the side with its figures on the right; ``largest``
    limits the size of a square.
    """
    made = find_layout(box, target, half, largest)
    if made is None:
        return
    left, top = box.x + (box.w - made.width) // 2, box.y + (box.h - made.height) // 2
    area = Rect(left, top, made.width, made.height)
    low = min(score, half or target)
    _draw_half(canvas, area, made, low, square_count(half or target), mirrored=mirrored)
    if half:
        upper = made.upper_rows * made.step - made.gap
        line = area.y + upper + LINE // 2
        canvas.line((area.x, line), (area.right - 1, line))
        under = area.below(upper + LINE)
        _draw_half(canvas, under, made, score - low, square_count(target - half), mirrored=mirrored)


def _draw_half(
    canvas: Canvas, area: Rect, layout: TallyLayout, points: int, count: int, *, mirrored: bool
) -> None:
    for index in range(count):
        row, column = divmod(index, layout.per_row)
        if mirrored:
            column = layout.per_row - 1 - column
        square = Rect(
            area.x + column * layout.step, area.y + row * layout.step, layout.size, layout.size
        )
        _draw_square(canvas, square, max(0, min(POINTS_A_SQUARE, points - index * POINTS_A_SQUARE)))


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
    if points == POINTS_A_SQUARE:
        left, top, right, bottom = square.x, square.y, square.right - 1, square.bottom - 1
        for inward in range(width):
            canvas.line((left, bottom - inward), (right - inward, top))
            canvas.line((left + inward, bottom), (right, top + inward))
    if points == 0:
        middle = square.inset(square.w // 2 - 1 + square.w % 2, square.h // 2 - 1 + square.h % 2)
        canvas.fill(Rect(middle.x, middle.y, 1, 1))
