"""Rules of the copper, in mm; any manufacturer of prototypes accepts them."""

from __future__ import annotations

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from hardware.board.placement import CORNER, HEIGHT, SCREW_HEAD, WIDTH, holes

CLEARANCE = 0.2
SIGNAL, POWER = 0.25, 0.5  # widths of tracks
VIA, VIA_DRILL = 0.7, 0.35
EDGE = 0.4  # from copper to the edge of the board


def outline() -> Polygon:
    """The board without its holes."""
    inner = shapely.box(CORNER, CORNER, WIDTH - CORNER, HEIGHT - CORNER)
    return inner.buffer(CORNER, quad_segs=16)


def copper_area() -> BaseGeometry:
    """Where copper may be: not at the edge, not under the heads of the screws."""
    heads = [shapely.Point(at).buffer(SCREW_HEAD / 2) for at in holes()]
    return outline().buffer(-EDGE) - shapely.union_all(heads)
