"""Outlines of the plates of a box, with finger joints between walls and bottom.

The lid lies on the walls and is held by screws only. Outlines are in the coordinates of the plates:
from the upper left corner, seen from outside; the bottom from above.
"""

from __future__ import annotations

from collections.abc import Iterator

from shapely import Polygon, box, unary_union
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from scorer.makers.plates import Enclosure, Face, Plate

FINGER = 12.0  # mm, about


def outline(model: Enclosure, side: Face) -> BaseGeometry:
    """The outline of one plate, without holes."""
    plate, t = model.plates[side], model.thickness
    across = tuple(_fingers(t, plate.width - t))
    if side is Face.LID:
        return box(0, 0, plate.width, plate.height)
    if side is Face.BOTTOM:
        down = tuple(_fingers(t, plate.height - t))
        # The tabs of the walls: every second finger, the first and the last are of the bottom.
        cuts = [box(a, y, b, y + t) for a, b in across[1::2] for y in (0, plate.height - t)]
        cuts += [box(x, a, x + t, b) for a, b in down[1::2] for x in (0, plate.width - t)]
        return box(0, 0, plate.width, plate.height) - unary_union(cuts)
    wall = plate.height - t
    up = tuple(_fingers(0, wall))
    tabs = [box(a, wall, b, plate.height) for a, b in across[1::2]]
    if side in (Face.FRONT, Face.BACK):
        cuts = [box(x, a, x + t, b) for a, b in up[1::2] for x in (0, plate.width - t)]
        return unary_union([box(0, 0, plate.width, wall) - unary_union(cuts), *tabs])
    tabs += [box(x, a, x + t, b) for a, b in up[1::2] for x in (0, plate.width - t)]
    return unary_union([box(t, 0, plate.width - t, wall), *tabs])


def widened(shape: BaseGeometry, kerf: float) -> BaseGeometry:
    """The line to cut: the laser removes half of the kerf on each of its sides."""
    return shape.buffer(kerf / 2, join_style="mitre") if kerf else shape


def cut_outs(plate: Plate) -> Iterator[tuple[str, Polygon]]:
    """The name and the shape of each hole and opening."""
    for hole in plate.holes:
        name = hole.button or hole.use
        yield f"{name} at {hole.x:g}, {hole.y:g}", Point(hole.x, hole.y).buffer(hole.diameter / 2)
    for opening in plate.openings:
        dx, dy = opening.width / 2, opening.height / 2
        shape = box(opening.x - dx, opening.y - dy, opening.x + dx, opening.y + dy)
        yield f"{opening.use} at {opening.x:g}, {opening.y:g}", shape


def _fingers(start: float, end: float) -> Iterator[tuple[float, float]]:
    """An odd number of equal fingers between two positions."""
    count = max(3, round((end - start) / FINGER) // 2 * 2 + 1)
    step = (end - start) / count
    for at in range(count):
        yield start + at * step, start + (at + 1) * step
