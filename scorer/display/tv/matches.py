"""Tally in matches with red heads: malas above, buenas below."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from scorer.display.oled.layout import Rect
from scorer.display.oled.tally import shape_count
from scorer.display.tv import colours
from scorer.display.tv.canvas import TvCanvas

SMALLEST = 18  # units of a shape
GAP_SHARE = 0.16  # of a shape, between two
HALF_GAP = 30  # units of the line between the halves
OVERSAMPLING = 3  # factor by which matches are drawn larger and then reduced, for antialiasing

# Start and end of each match, its head last, in shares of the shape.
NEAR, MIDDLE, FAR = 0.12, 0.5, 0.88
SQUARE = (
    ((NEAR, FAR), (NEAR, NEAR)),
    ((NEAR, NEAR), (FAR, NEAR)),
    ((FAR, NEAR), (FAR, FAR)),
    ((FAR, FAR), (NEAR, FAR)),
)
MATCHES = {
    5: (*SQUARE, ((NEAR, FAR), (FAR, NEAR))),
    4: SQUARE,
    3: (
        ((NEAR, FAR), (MIDDLE, NEAR)),
        ((MIDDLE, NEAR), (FAR, FAR)),
        ((FAR, FAR), (NEAR, FAR)),
    ),
}
STICK, HEAD, DOT = 0.085, 0.085, 0.035


class MatchLayout(NamedTuple):
    """Arrangement of shapes of ``size`` units: shapes per row, rows in each half."""

    size: int
    per_row: int
    upper_rows: int
    lower_rows: int
    shape: int = 5  # points of a shape

    @property
    def step(self) -> float:
        """Units from one shape to the next."""
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


def find_layout(
    box: Rect, target: int, half: int | None, largest: int, *, shape: int = 5
) -> MatchLayout | None:
    """The largest layout for ``target`` points in ``box``, as ``tally.find_layout``."""
    upper = shape_count(half or target, shape)
    lower = shape_count(target - half, shape) if half else 0
    for size in range(largest, SMALLEST - 1, -2):
        for across in range(max(upper, lower), 0, -1):
            made = MatchLayout(size, across, -(-upper // across), -(-lower // across), shape)
            if made.width <= box.w and made.height <= box.h:
                return made
    return None if shape == 5 else find_layout(box, target, half, largest)


def draw(
    canvas: TvCanvas,
    box: Rect,
    score: int,
    target: int,
    half: int | None,
    *,
    mirrored: bool = False,
    largest: int = 130,
    shape: int = 5,
) -> None:
    """Draws ``score`` in the middle of ``box``; nothing if no layout fits."""
    made = find_layout(box, target, half, largest, shape=shape)
    if made is None:
        return
    left, top = box.x + (box.w - made.width) / 2, box.y + (box.h - made.height) / 2
    low = min(score, half or target)
    _draw_half(canvas, left, top, made, low, most=half or target, mirrored=mirrored)
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
            most=target - half,
            mirrored=mirrored,
        )


def _draw_half(
    canvas: TvCanvas,
    left: float,
    top: float,
    layout: MatchLayout,
    points: int,
    *,
    most: int,
    mirrored: bool,
) -> None:
    shape = layout.shape
    for index in range(shape_count(most, shape)):
        row, column = divmod(index, layout.per_row)
        if mirrored:
            column = layout.per_row - 1 - column
        place = Rect(
            round(left + column * layout.step), round(top + row * layout.step), layout.size, 0
        )
        laid = max(0, min(shape, points - index * shape))
        canvas.paste(draw_shape(canvas.px(layout.size), shape, laid), place)


@lru_cache(maxsize=24)
def draw_shape(size: int, shape: int, points: int) -> Image.Image:
    """``points`` matches of a shape of ``size`` pixels, and marks of its corners."""
    side = size * OVERSAMPLING
    picture = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(picture)
    matches = MATCHES[shape]
    for corner, _ in matches:
        _draw_dot(draw, side, corner, DOT, colours.FAINT)
    for start, end in matches[:points]:
        ends = [(x * side, y * side) for x, y in (start, end)]
        draw.line(ends, fill=(*colours.WOOD, 255), width=round(STICK * side))
    for _, end in matches[:points]:
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
