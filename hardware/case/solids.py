"""A box for a 3D printer, tub and lid, as STL; a view of it as SVG."""

from __future__ import annotations

from pathlib import Path

from build123d import (
    Align,
    Compound,
    Cylinder,
    Edge,
    ExportSVG,
    LineType,
    Location,
    Part,
    Pos,
    export_stl,
)
from build123d import Box as Block

from hardware.case.clearance import POST
from scorer.makers.plates import Cutout, Enclosure, Face, Hole, Use

PILOT = 2.7  # an M3 screw cuts its thread into plastic
PILOT_DEPTH = 16.0
PI_POST = (6.0, 5.0, 2.1)  # diameter, height, hole for M2.5
_CORNER = (Align.MIN, Align.MIN, Align.MIN)
_STANDING = (Align.CENTER, Align.CENTER, Align.MIN)


def lid(model: Enclosure) -> Part:
    """The lid, flat on the bed of the printer."""
    part = Block(model.width, model.depth, model.thickness, align=_CORNER)
    for hole in model.plates[Face.LID].holes:
        part -= Pos(hole.x, model.depth - hole.y) * _drill(hole.diameter, model.thickness)
    return _checked(part)


def tub(model: Enclosure) -> Part:
    """Bottom and walls in one piece, with posts for the screws."""
    t, top = model.thickness, model.thickness + model.height
    part = Block(model.width, model.depth, top, align=_CORNER) - Pos(t, t, t) * Block(
        model.width - 2 * t, model.depth - 2 * t, top, align=_CORNER
    )
    for hole in model.plates[Face.LID].holes:
        if hole.use is Use.SCREW:
            place = Pos(hole.x, model.depth - hole.y, 0)
            part += place * Block(POST, POST, top, align=_STANDING)
            part -= place * Pos(0, 0, top - PILOT_DEPTH) * _drill(PILOT, PILOT_DEPTH)
    for hole in model.plates[Face.BOTTOM].holes:
        place = Pos(hole.x, model.depth - hole.y, 0)
        if hole.use is Use.PI_SCREW:
            diameter, height, bore = PI_POST
            part += place * Pos(0, 0, t) * Cylinder(diameter / 2, height, align=_STANDING)
            part -= place * Pos(0, 0, 1.0) * _drill(bore, t + height)
        elif hole.use is Use.DRAIN:
            part -= place * _drill(hole.diameter, t)
    for side in (Face.FRONT, Face.BACK, Face.LEFT, Face.RIGHT):
        plate = model.plates[side]
        for each in plate.cuts:
            part -= _wall_place(model, side, each, top) * _cutter(each, t)
    return _checked(part)


def write_stl(part: Part, path: Path) -> None:
    """Binary STL in mm; the same bytes each time."""
    if not export_stl(part, path, tolerance=0.02, angular_tolerance=0.2):
        raise OSError(f"{path} cannot be written")


def write_view(model: Enclosure, path: Path) -> None:
    """A drawing of the closed box from the front right, hidden lines left out."""
    closed = Compound([tub(model), Pos(0, 0, model.thickness + model.height) * lid(model)])
    visible, _ = closed.project_to_viewport((400, -600, 420))
    drawing = ExportSVG(scale=2.0, margin=4)
    drawing.add_layer("visible", line_weight=0.6, line_type=LineType.CONTINUOUS)
    drawing.add_shape([edge for edge in visible if isinstance(edge, Edge)], layer="visible")
    drawing.write(path)
    # A white page: the lines are black, and a page of documents may be dark.
    white = '<rect x="-50%" y="-50%" width="100%" height="100%" fill="#ffffff"/>\n  <g transform'
    path.write_text(path.read_text(encoding="utf-8").replace("<g transform", white, 1))


def _wall_place(model: Enclosure, side: Face, each: Hole | Cutout, top: float) -> Location:
    """Where a cut of a wall goes: its axis along the thickness of the wall."""
    z = top - each.y
    if side is Face.FRONT:
        return Location((each.x, 0, z), (90, 0, 0))
    if side is Face.BACK:
        return Location((model.width - each.x, model.depth, z), (90, 0, 0))
    if side is Face.LEFT:
        return Location((0, model.depth - each.x, z), (0, 0, 90)) * Location((0, 0, 0), (90, 0, 0))
    return Location((model.width, each.x, z), (0, 0, 90)) * Location((0, 0, 0), (90, 0, 0))


def _cutter(each: Hole | Cutout, thickness: float) -> Part:
    """Centred on the outer face, longer than the wall on both sides."""
    if isinstance(each, Hole):
        return Cylinder(each.diameter / 2, 2 * thickness + 1)
    return Block(each.width, each.height, 2 * thickness + 1)


def _drill(diameter: float, depth: float) -> Part:
    return Pos(0, 0, -0.5) * Cylinder(diameter / 2, depth + 1.0, align=_STANDING)


def _checked(part: Part) -> Part:
    if not part.is_valid or len(part.solids()) != 1:
        raise ValueError("the part is not one closed solid")
    return part
