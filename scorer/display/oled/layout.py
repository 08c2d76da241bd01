"""Rectangles and their subdivision."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Box(NamedTuple):
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

    def overlaps(self, other: Box) -> bool:
        """Whether the two have a pixel in common."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def inset(self, dx: int, dy: int = 0) -> Box:
        """The box without ``dx`` columns at both sides and ``dy`` rows at both ends."""
        return Box(self.x + dx, self.y + dy, max(0, self.w - 2 * dx), max(0, self.h - 2 * dy))

    def top(self, height: int) -> Box:
        """Its uppermost ``height`` rows."""
        return Box(self.x, self.y, self.w, min(height, self.h))

    def below(self, height: int) -> Box:
        """The rest below its uppermost ``height`` rows."""
        height = min(height, self.h)
        return Box(self.x, self.y + height, self.w, self.h - height)

    def bottommost(self, height: int) -> Box:
        """Its lowest ``height`` rows."""
        height = min(height, self.h)
        return Box(self.x, self.bottom - height, self.w, height)

    def left(self, width: int) -> Box:
        """Its leftmost ``width`` columns."""
        return Box(self.x, self.y, min(width, self.w), self.h)

    def rightmost(self, width: int) -> Box:
        """Its last ``width`` columns."""
        width = min(width, self.w)
        return Box(self.right - width, self.y, width, self.h)


def columns(box: Box, count: int, gap: int = 0) -> tuple[Box, ...]:
    """``count`` columns of (nearly) equal width with ``gap`` empty pixels between."""
    edges = [box.x + (box.w + gap) * index // count for index in range(count + 1)]
    return tuple(Box(left, box.y, right - left - gap, box.h) for left, right in pairwise(edges))


def rows(box: Box, heights: Sequence[int]) -> tuple[Box, ...]:
    """Rows of these heights from the top; the gaps absorb the difference."""
    slack = box.h - sum(heights)
    made = []
    used = 0
    for index, height in enumerate(heights):
        # The gaps share the slack, the upper ones first: a banner needs its gap most.
        shift = -(-slack * index // max(1, len(heights) - 1)) if slack > 0 else 0
        made.append(Box(box.x, box.y + used + shift, box.w, height))
        used += height
    return tuple(made)
