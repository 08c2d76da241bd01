"""The plates of a box on one sheet for a laser cutter, as SVG and DXF.

Cuts are red (DXF layer CUT) and ordered from the inside to the outside, so that a plate does not
move before its holes are cut; names are blue (layer ENGRAVE).
"""

from __future__ import annotations

import io
from dataclasses import dataclass

from shapely.geometry.base import BaseGeometry

from hardware.case.joints import outline, widened
from scorer.makers.plates import Enclosure, Face

SPACE = 8.0  # mm between two plates; the names are in it
TEXT = 4.0
_ROWS = ((Face.LID, Face.BOTTOM), (Face.FRONT, Face.BACK), (Face.LEFT, Face.RIGHT))


@dataclass(frozen=True)
class Sheet:
    """Lines to cut and names to engrave; y points down."""

    width: float
    height: float
    circles: tuple[tuple[float, float, float], ...]  # x, y, radius
    holes: tuple[tuple[tuple[float, float], ...], ...]
    outlines: tuple[tuple[tuple[float, float], ...], ...]
    names: tuple[tuple[float, float, str], ...]


def sheet_of(model: Enclosure, kerf: float) -> Sheet:
    """All plates of a box in three rows."""
    circles, holes, outlines, names = [], [], [], []
    y = width = 0.0
    for row in _ROWS:
        x = 0.0
        for side in row:
            plate = model.plates[side]
            left, top = x + SPACE, y + SPACE
            circles += [
                (left + hole.x, top + hole.y, (hole.diameter - kerf) / 2) for hole in plate.holes
            ]
            for each in plate.openings:
                dx, dy = (each.width - kerf) / 2, (each.height - kerf) / 2
                holes.append(
                    tuple(
                        (left + each.x + a * dx, top + each.y + b * dy)
                        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
                    )
                )
            outlines.append(_points(widened(outline(model, side), kerf), left, top))
            names.append(
                (left + plate.width / 2, top + plate.height + TEXT + 1.0, f"{model.name} {side}")
            )
            x += plate.width + SPACE
        width = max(width, x)
        y += model.plates[row[0]].height + SPACE
    return Sheet(
        width + SPACE, y + SPACE, tuple(circles), tuple(holes), tuple(outlines), tuple(names)
    )


def svg(sheet: Sheet) -> str:
    """The sheet at true size."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{sheet.width:g}mm"'
        f' height="{sheet.height:g}mm" viewBox="0 0 {sheet.width:g} {sheet.height:g}">',
        '<g id="engrave" fill="#0000ff" font-family="sans-serif" text-anchor="middle"'
        f' font-size="{TEXT:g}">',
        *(f'<text x="{x:.3f}" y="{y:.3f}">{name}</text>' for x, y, name in sheet.names),
        "</g>",
        '<g id="cut" fill="none" stroke="#ff0000" stroke-width="0.1">',
        *(f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{r:.3f}"/>' for x, y, r in sheet.circles),
    ]
    for points in (*sheet.holes, *sheet.outlines):
        text = " ".join(f"{x:.3f},{y:.3f}" for x, y in points)
        lines.append(f'<polygon points="{text}"/>')
    return "\n".join([*lines, "</g>", "</svg>", ""])


def dxf(sheet: Sheet) -> str:
    """The sheet as DXF R2010 in mm, with y up; the same text each time."""
    import ezdxf  # late: it takes a quarter of a second, and SVG files do not need it

    # Without it the header holds the time and random identifiers.
    ezdxf.options.write_fixed_meta_data_for_testing = True
    document = ezdxf.new("R2010", units=ezdxf.units.MM)
    # The library adds these in the order of a set, which differs between processes.
    document.classes.add_required_classes(document.dxfversion)
    document.classes.classes = dict(sorted(document.classes.classes.items()))
    document.layers.add("CUT", color=1)
    document.layers.add("ENGRAVE", color=5)
    space = document.modelspace()
    for x, y, name in sheet.names:
        text = space.add_text(name, height=TEXT, dxfattribs={"layer": "ENGRAVE"})
        text.set_placement((x, sheet.height - y), align=ezdxf.enums.TextEntityAlignment.CENTER)
    for x, y, radius in sheet.circles:
        space.add_circle((x, sheet.height - y), radius, dxfattribs={"layer": "CUT"})
    for points in (*sheet.holes, *sheet.outlines):
        flipped = [(x, sheet.height - y) for x, y in points]
        space.add_lwpolyline(flipped, close=True, dxfattribs={"layer": "CUT"})
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue()


def _points(shape: BaseGeometry, left: float, top: float) -> tuple[tuple[float, float], ...]:
    """Corners of an outline without the repeated first one."""
    corners = shape.simplify(0.0).boundary.coords
    return tuple((left + x, top + y) for x, y in corners[:-1])
