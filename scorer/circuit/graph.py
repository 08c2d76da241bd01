"""A graph of places: a line through that of each evening, the first at the top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

_STEP, _HEIGHT, _LEFT, _TOP, _RIGHT = 28, 160, 34, 14, 10  # in units of the picture
_LEAST_WIDTH: Final = 240
_MOST_WIDTH: Final = 1200


class PlaceMark(NamedTuple):
    """The place of an evening. ``title``: of the evening; ``counts``: for the table."""

    place: int
    title: str
    counts: bool


class Point(NamedTuple):
    """A mark in the picture."""

    x: float
    y: float
    mark: PlaceMark


class Graph(NamedTuple):
    """What the template draws.

    ``lines``: the height and the place of each line across.
    """

    width: int
    height: int
    left: int
    right: int
    points: tuple[Point, ...]
    lines: tuple[tuple[float, int], ...]

    @property
    def path(self) -> str:
        """The line through the points."""
        return " ".join(f"{each.x:g},{each.y:g}" for each in self.points)


def places_graph(marks: Sequence[PlaceMark]) -> Graph | None:
    """The graph of these evenings in their order; None with fewer than two."""
    if len(marks) < 2:
        return None
    last = max(each.place for each in marks)
    inner = min(_MOST_WIDTH, max(_LEAST_WIDTH, _STEP * (len(marks) - 1)))
    step = inner / (len(marks) - 1)

    def height_of(place: int) -> float:
        return round(_TOP + (_HEIGHT * (place - 1) / (last - 1) if last > 1 else 0), 1)

    points = (
        Point(round(_LEFT + at * step, 1), height_of(each.place), each)
        for at, each in enumerate(marks)
    )
    middle = (1 + last) // 2
    lines = sorted({1, middle, last})
    return Graph(
        _LEFT + inner + _RIGHT,
        _HEIGHT + 2 * _TOP,
        _LEFT,
        _LEFT + inner,
        tuple(points),
        tuple((height_of(each), each) for each in lines),
    )
