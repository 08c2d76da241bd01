"""Tally in matches with red heads: squares of five, malas above, buenas below."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from scorer.display.oled.layout import Rect
from scorer.display.oled.tally import POINTS_A_SQUARE, square_count
from scorer.display.tv import colours
from scorer.display.tv.canvas import TvCanvas

SMALLEST = 18  # units of a square
GAP_SHARE = 0.16  # of a square, between two
HALF_GAP = 30  # units of the line between the halves
OVERSAMPLING = 3  # factor by which matches are drawn larger and then reduced, for antialiasing

# Start and end of each match, its head last, in shares of the square.
NEAR, FAR = 0.12, 0.88
MATCHES = (
    ((NEAR, FAR), (NEAR, NEAR)),
    ((NEAR, NEAR), (FAR, NEAR)),
    ((FAR, NEAR), (FAR, FAR)),
    ((FAR, FAR), (NEAR, FAR)),
    ((NEAR, FAR), (FAR, NEAR)),
)
STICK, HEAD, DOT = 0.085, 0.085, 0.035


class MatchLayout(NamedTuple):
    """Arrangement of squares of ``size`` units: squares per row, rows in each half."""

    size: int
    per_row: int
    upper_rows: int
    lower_rows: int

    @property
    def step(self) -> float:
        """Units from one square to the next."""
        return self.size * (1 + GAP_SHARE)

    @property
    def width(self) -> float:
        """Width in units."""
        return self.per_row * self.step - self.size * GAP_SHARE

    @property
    def height(self) -> float:
        """Height in units, including the line between the halves."""
        halves = (
            rows * self.step - self.size * GAP_SHARE
            for rows in (self.upper_rows, self.lower_rows)
            if rows
        )
        return sum(halves) + (HALF_GAP if self.lower_rows else 0)


def find_layout(box: Rect, target: int, half: int | None, largest: int) -> MatchLayout | None:
    """The largest layout for ``target`` points in ``box``; None if none fits."""
    upper, lower = square_count(half or target), square_count(target - half) if half else 0
    for size in range(largest, SMALLEST - 1, -2):
        for across in range(max(upper, lower), 0, -1):
            made = MatchLayout(size, across, -(-upper // across), -(-lower // across))
            if made.width <= box.w and made.height <= box.h:
                return made
    return None


def draw(
    canvas: TvCanvas,
    box: Rect,
    score: int,
    target: int,
    half: int | None,
    *,
    mirrored: bool = False,
    largest: int = 130,
) -> None:
    """Draws ``score`` in the middle of ``box``; nothing if no squares fit."""
    made = find_layout(box, target, half, largest)
    if made is None:
        return
    left, top = box.x + (box.w - made.width) / 2, box.y + (box.h - made.height) / 2
    low = min(score, half or target)
    _draw_half(canvas, left, top, made, low, count=square_count(half or target), mirrored=mirrored)
    if half:
        line = round(top + made.upper_rows * made.step - made.size * GAP_SHARE + HALF_GAP / 2)
        ends = (round(left), line), (round(left + made.width), line)
        canvas.line(*ends, colours.FAINT, width=4)
        under = line + HALF_GAP / 2
        _draw_half(
            canvas,
            left,
            under,
            made,
            score - low,
            count=square_count(target - half),
            mirrored=mirrored,
        )


def _draw_half(
    canvas: TvCanvas,
    left: float,
    top: float,
    layout: MatchLayout,
    points: int,
    *,
    count: int,
    mirrored: bool,
) -> None:
    for index in range(count):
        row, column = divmod(index, layout.per_row)
        if mirrored:
            column = layout.per_row - 1 - column
        place = Rect(
            round(left + column * layout.step), round(top + row * layout.step), layout.size, 0
        )
        laid = max(0, min(POINTS_A_SQUARE, points - index * POINTS_A_SQUARE))
        canvas.paste(square(canvas.px(layout.size), laid), place)


@lru_cache(maxsize=24)
def square(size: int, points: int) -> Image.Image:
    """One to five matches of ``size`` pixels; for 0 points, marks of the corners."""
    side = size * OVERSAMPLING
    picture = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(picture)
    for x in (NEAR, FAR):
        for y in (NEAR, FAR):
            _draw_dot(draw, side, (x, y), DOT, colours.FAINT)
    for start, end in MATCHES[:points]:
        ends = [(x * side, y * side) for x, y in (start, end)]
        draw.line(ends, fill=(*colours.WOOD, 255), width=round(STICK * side))
    for _, end in MATCHES[:points]:
        _draw_dot(draw, side, end, HEAD, colours.BULB)
    return picture.resize((size, size), Image.Resampling.BOX)


def _draw_dot(
    draw: ImageDraw.ImageDraw,
    side: int,
    at: tuple[float, float],
    radius: float,
    colour: colours.Colour,
) -> None:
    x, y = at
    corners = [(each - radius) * side for each in at] + [(each + radius) * side for each in (x, y)]
    draw.ellipse(corners, fill=(*colour, 255))
