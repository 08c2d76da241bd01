"""Rectangles and their subdivision."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle of pixels: left, top, width, height."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first column to the right of it."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.y + self.h

    def overlaps(self, other: "Rect") -> bool:
        """Whether the two have a pixel in common."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def inset(self, dx: int, dy: int = 0) -> "Rect":
        """The box without ``dx`` columns at both sides and ``dy`` rows at both ends."""
        return Rect(self.x + dx, self.y + dy, max(0, self.w - 2 * dx), max(0, self.h - 2 * dy))

    def top(self, height: int) -> "Rect":
        """Its uppermost ``height`` rows."""
        return Rect(self.x, self.y, self.w, min(height, self.h))

    def below(self, height: int) -> "Rect":
        """The rest below its uppermost ``height`` rows."""
        height = min(height, self.h)
        return Rect(self.x, self.y + height, self.w, self.h - height)

    def bottommost(self, height: int) -> "Rect":
        """Its lowest ``height`` rows."""
        height = min(height, self.h)
        return Rect(self.x, self.bottom - height, self.w, height)

    def left(self, width: int) -> "Rect":
        """Its leftmost ``width`` columns."""
        return Rect(self.x, self.y, min(width, self.w), self.h)

    def rightmost(self, width: int) -> "Rect":
        """Its last ``width`` columns."""
        width = min(width, self.w)
        return Rect(self.right - width, self.y, width, self.h)


def columns(box: Rect, count: int, gap: int = 0) -> tuple[Rect, ...]:
    """``count`` columns of (nearly) equal width with ``gap`` empty pixels between."""
    edges = [box.x + (box.w + gap) * index // count for index in range(count + 1)]
    return tuple(Rect(left, box.y, right - left - gap, box.h) for left, right in pairwise(edges))


def rows(box: Rect, heights: Sequence[int]) -> tuple[Rect, ...]:
    """Rows of these heights from the top; the gaps absorb the difference."""
    slack = box.h - sum(heights)
    made = []
    used = 0
    for index, height in enumerate(heights):
        # The gaps share the slack, the upper ones first: a banner needs its gap most.
        shift = -(-slack * index // max(1, len(heights) - 1)) if slack > 0 else 0
        made.append(Rect(box.x, box.y + used + shift, box.w, height))
        used += height
    return tuple(made)
