"""Collisions of parts in a box, of labels on it, and of cuts.

Each part is a prism: a footprint in the plan of the box (x to the right, y to the back) between two
heights. The space it needs includes its nut, its plug and the bend of its cable.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from shapely import Polygon, box
from shapely.geometry import Point

from hardware.case.joints import cut_outs, outline
from scorer.makers.labels.sheets import LABEL
from scorer.makers.plates import BOARD, PI, PI_SCREWS, Cutout, Enclosure, Face, Hole, Use

GAP = 1.0  # mm between two parts
WEB = 1.2  # mm of material between two cuts, and between a cut and the edge
POST = 9.0  # the post of a printed box; a spacer of M3 is narrower
PI_HEIGHT = 36.0  # spacers, Pi, board and its terminals
RIM, NUT = 3.0, 7.0  # diameter of a button's rim and of its nut, more than that of its hole
NUT_DEPTH, BUTTON_DEPTH = 15.0, 58.0
# Space behind a wall: width, height, depth.
WALL_PARTS = {
    Use.CABLE: (20.0, 20.0, 16.0),
    Use.POWER_CABLE: (20.0, 14.0, 25.0),
    Use.POWER_BUTTON: (18.0, 18.0, 28.0),
    Use.BUZZER: (14.0, 14.0, 12.0),
    Use.PANEL: (*BOARD, 26.0),
}
# Diameters in front of the plate.
FRONT_PARTS = {
    Use.LAMP: 8.0,
    Use.SCREW: 6.5,
    Use.CABLE: 20.0,
    Use.POWER_BUTTON: 15.0,
    Use.PANEL_SCREW: 5.0,
}


class Part(NamedTuple):
    """The space of a part in a box."""

    name: str
    footprint: Polygon
    low: float
    high: float


def collisions(model: Enclosure) -> list[str]:
    """A sentence for each pair without the necessary gap; empty if the box is right."""
    return [*_inside(model), *_outside(model), *_cuts(model)]


def parts(model: Enclosure) -> Iterator[Part]:
    """Everything inside the box."""
    t = model.thickness
    top = t + model.height
    for hole in model.plates[Face.LID].holes:
        yield from _lid_parts(hole, model.depth, top, t)
    pi = [hole for hole in model.plates[Face.BOTTOM].holes if hole.use is Use.PI_SCREW]
    if pi:
        left = min(hole.x for hole in pi) - PI_SCREWS[0][0]
        back = model.depth - (min(hole.y for hole in pi) - PI_SCREWS[0][1])
        yield Part("Pi", box(left, back - PI[1], left + PI[0], back), t, t + PI_HEIGHT)
    for side in (Face.FRONT, Face.BACK, Face.LEFT, Face.RIGHT):
        plate = model.plates[side]
        for each in plate.cuts:
            if each.use in WALL_PARTS:
                yield _wall_part(model, side, each, top)


def _lid_parts(hole: Hole, depth: float, top: float, bottom: float) -> Iterator[Part]:
    centre = Point(hole.x, depth - hole.y)
    if hole.use is Use.BUTTON:
        yield Part(
            f"nut of {hole.button}",
            centre.buffer((hole.diameter + NUT) / 2),
            top - NUT_DEPTH,
            top,
        )
        yield Part(
            hole.button, centre.buffer(hole.diameter / 2), top - BUTTON_DEPTH, top - NUT_DEPTH
        )
    elif hole.use is Use.SCREW:
        half = POST / 2
        shape = box(centre.x - half, centre.y - half, centre.x + half, centre.y + half)
        yield Part(f"post at {hole.x:g}, {hole.y:g}", shape, bottom, top)
    elif hole.use is Use.LAMP:
        yield Part("lamp", centre.buffer(4.0), top - 20.0, top)


def _wall_part(model: Enclosure, side: Face, each: Hole | Cutout, top: float) -> Part:
    width, height, depth = WALL_PARTS[each.use]
    t, high = model.thickness, top - each.y
    name = f"{each.use} of the {side} at {each.x:g}, {each.y:g}"
    if side is Face.FRONT:
        shape = box(each.x - width / 2, t, each.x + width / 2, t + depth)
    elif side is Face.BACK:
        x, y = model.width - each.x, model.depth - t
        shape = box(x - width / 2, y - depth, x + width / 2, y)
    elif side is Face.LEFT:
        y = model.depth - each.x
        shape = box(t, y - width / 2, t + depth, y + width / 2)
    else:
        x = model.width - t
        shape = box(x - depth, each.x - width / 2, x, each.x + width / 2)
    return Part(name, shape, high - height / 2, high + height / 2)


def _inside(model: Enclosure) -> Iterator[str]:
    t = model.thickness
    room = box(t, t, model.width - t, model.depth - t)
    everything = list(parts(model))
    for part in everything:
        if not room.covers(part.footprint):
            yield f"{model.name}: {part.name} is not inside"
        if part.low < t or part.high > t + model.height:
            yield f"{model.name}: {part.name} is too high"
    for one, other in combinations(everything, 2):
        same_height = one.low < other.high + GAP and other.low < one.high + GAP
        if same_height and not _is_joined(one, other):
            distance = one.footprint.distance(other.footprint)
            if distance < GAP:
                yield f"{model.name}: {one.name} and {other.name}: {distance:.1f} mm"


def _is_joined(one: Part, other: Part) -> bool:
    """A button and its own nut."""
    return one.name == f"nut of {other.name}"


def _outside(model: Enclosure) -> Iterator[str]:
    """Rims, heads of screws and labels on a plate."""
    for side, plate in model.plates.items():
        shapes: list[tuple[str, Polygon]] = []
        for hole in plate.holes:
            centre = Point(hole.x, hole.y)
            if hole.use is Use.BUTTON:
                shapes.append((hole.button, centre.buffer((hole.diameter + RIM) / 2)))
                low = hole.y - (hole.diameter + RIM) / 2
                label = box(hole.x - LABEL[0] / 2, low - LABEL[1], hole.x + LABEL[0] / 2, low)
                # The label touches its own button.
                shapes.append((f"label of {hole.button}", label.buffer(-0.1)))
            elif hole.use in FRONT_PARTS and side is not Face.BOTTOM:
                name = f"{hole.use} at {hole.x:g}, {hole.y:g}"
                shapes.append((name, centre.buffer(FRONT_PARTS[hole.use] / 2)))
        edge = box(0, 0, plate.width, plate.height)
        for name, shape in shapes:
            if not edge.covers(shape):
                yield f"{model.name} {side}: {name} does not fit on the plate"
        for (one, shape), (other, another) in combinations(shapes, 2):
            if shape.intersects(another):
                yield f"{model.name} {side}: {one} touches {other}"


def _cuts(model: Enclosure) -> Iterator[str]:
    """Holes too near to each other or to the edge, finger joints included."""
    for side, plate in model.plates.items():
        cuts = list(cut_outs(plate))
        edge = outline(model, side)
        for name, shape in cuts:
            if not edge.covers(shape) or edge.boundary.distance(shape) < WEB:
                yield f"{model.name} {side}: {name} is too near to the edge"
        for (one, shape), (other, another) in combinations(cuts, 2):
            if shape.distance(another) < WEB:
                yield f"{model.name} {side}: {one} is too near to {other}"
