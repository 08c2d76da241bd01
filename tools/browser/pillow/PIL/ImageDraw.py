"""Draws into a picture: rectangles, thin lines, points, other pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PIL.Image import Image

Point = tuple[int, int]


class Draw:
    """A pen for one picture. What lies outside of the picture is not drawn."""

    def __init__(self, image: Image) -> None:
        self._image = image

    def rectangle(
        self, box: tuple[int, int, int, int], fill: int | None = None, outline: int | None = None
    ) -> None:
        """A rectangle with its last column and row, filled or as an outline."""
        left, top, right, bottom = box
        if right < left or bottom < top:
            raise ValueError(f"a rectangle ends before it begins: {box}")
        if fill is not None:
            self._fill(left, top, right, bottom, fill)
        if outline is not None:
            for y in (top, bottom):
                self._fill(left, y, right, y, outline)
            for x in (left, right):
                self._fill(x, top, x, bottom, outline)

    def line(self, ends: Sequence[Point] | tuple[int, int, int, int], fill: int) -> None:
        """A line one pixel wide, with both ends."""
        flat = [each for end in ends for each in (end if isinstance(end, tuple) else (end,))]
        left, top, right, bottom = flat
        if left == right or top == bottom:
            self._fill(min(left, right), min(top, bottom), max(left, right), max(top, bottom), fill)
            return
        for x, y in _points(left, top, right, bottom):
            self.point((x, y), fill)

    def point(self, point: Point, fill: int) -> None:
        self._fill(*point, *point, fill)

    def bitmap(self, corner: Point, bitmap: Image, fill: int) -> None:
        """Set the pixels that are set in ``bitmap``."""
        self._image.put_ink(bitmap, corner, fill)

    def _fill(self, left: int, top: int, right: int, bottom: int, ink: int) -> None:
        rows = self._image.rows
        mask = self._image.mask(left, right - left + 1)
        for y in range(max(0, top), min(self._image.height, bottom + 1)):
            rows[y] = rows[y] | mask if ink else rows[y] & ~mask


def _points(x: int, y: int, to_x: int, to_y: int) -> Iterator[Point]:
    """The pixels of an oblique line (Bresenham), stepping along its longer direction."""
    wide, high = abs(to_x - x), abs(to_y - y)
    step_x, step_y = (1 if to_x > x else -1), (1 if to_y > y else -1)
    is_steep = high >= wide
    long, short = (high, wide) if is_steep else (wide, high)
    error = 2 * short - long
    for _ in range(long):
        yield x, y
        if error >= 0:
            x, y = (x + step_x, y) if is_steep else (x, y + step_y)
            error -= 2 * long
        error += 2 * short
        x, y = (x, y + step_y) if is_steep else (x + step_x, y)
    yield to_x, to_y
