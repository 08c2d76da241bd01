"""The copper of each net, the ground areas, and the faults of a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from hardware.board.circuit import GND
from hardware.board.footprints import Pad
from hardware.board.placement import HOLE, SCREW_HEAD, Placed, holes
from hardware.board.router import BACK, FRONT, Via, Wiring
from hardware.board.rules import CLEARANCE, EDGE, VIA, copper_area, outline

# Around a pad of a ground area: a gap with four bridges, so that an iron can heat the pad.
GAP, BRIDGE = 0.3, 0.5
THINNEST = 0.25  # of an area
LAYERS = {FRONT: "front", BACK: "back"}


class Copper(NamedTuple):
    """A pad, a track, a via or an area; None as its net: an open pad."""

    net: str | None
    layer: int
    shape: BaseGeometry
    name: str
    joins_layers: bool = False


def copper(parts: Sequence[Placed], wiring: Wiring) -> list[Copper]:
    """Everything but the ground areas."""
    found: list[Copper] = []
    for each in parts:
        for pad, net in each.pads():
            for layer in LAYERS if pad.drill else (FRONT,):
                name = f"{each.part.ref}.{pad.name}"
                found.append(Copper(net, layer, pad_shape(pad), name, bool(pad.drill)))
    for track in wiring.tracks:
        shape = shapely.LineString([track.start, track.end]).buffer(track.width / 2)
        found.append(Copper(track.net, track.layer, shape, _name("track", *track.start)))
    for via in wiring.vias:
        disc = _disc(via)
        found += [Copper(via.net, n, disc, _name("via", *via[1:]), True) for n in LAYERS]
    return found


def pad_shape(pad: Pad) -> BaseGeometry:
    """A rectangle or a disc."""
    if not pad.is_square:
        return shapely.Point(pad.x, pad.y).buffer(pad.width / 2)
    dx, dy = pad.width / 2, pad.height / 2
    return shapely.box(pad.x - dx, pad.y - dy, pad.x + dx, pad.y + dy)


def ground(parts: Sequence[Placed], wiring: Wiring, layer: int) -> list[Polygon]:
    """The ground areas of a layer that are joined with a pad or with the other layer."""
    joints = shapely.union_all(
        [_disc(via) for via in wiring.vias if via.net == GND]
        + [pad_shape(pad) for pad in _ground_pads(parts, BACK)]
    )
    return [each for each in _areas(parts, wiring, layer) if each.intersects(joints)]


def stitched(parts: Sequence[Placed], wiring: Wiring) -> Wiring:
    """With vias that join the areas of both layers, one where two of them overlap."""
    joined = {layer: ground(parts, wiring, layer) for layer in LAYERS}
    front, back = (_areas(parts, wiring, layer) for layer in LAYERS)
    taken = shapely.union_all(
        [pad_shape(pad).buffer(CLEARANCE) for each in parts for pad, _ in each.pads()]
        + [_disc(via).buffer(CLEARANCE) for via in wiring.vias]
    ).buffer(VIA / 2)
    added: list[Via] = []
    for one, other in product(front, back):
        room = (one & other).buffer(-VIA / 2) - taken
        if not room.is_empty and (one in joined[FRONT] or other in joined[BACK]):
            widest = max(shapely.get_parts(room), key=shapely.area)
            x, y = shapely.maximum_inscribed_circle(widest).coords[0]
            added.append(Via(GND, round(x, 3), round(y, 3)))
    return wiring._replace(vias=(*wiring.vias, *added))


def _areas(parts: Sequence[Placed], wiring: Wiring, layer: int) -> list[Polygon]:
    """What the other nets leave of a layer."""
    here = [each for each in copper(parts, wiring) if each.layer == layer]
    foreign = [each.shape.buffer(CLEARANCE + 0.01) for each in here if each.net != GND]
    free = copper_area() - shapely.union_all(foreign)
    pads = _ground_pads(parts, layer)
    gaps = shapely.union_all([pad_shape(pad).buffer(GAP) for pad in pads])
    bridges = shapely.union_all([each for pad in pads for each in _bridges(pad)])
    # Only where a band of that width fits.
    half = THINNEST / 2
    area = ((free - gaps) | (bridges & free)).buffer(-half).buffer(half, quad_segs=4)
    return list(shapely.get_parts(shapely.simplify(area, 0.005)))


def _ground_pads(parts: Sequence[Placed], layer: int) -> list[Pad]:
    pads = (pad for each in parts for pad, net in each.pads() if net == GND)
    return [pad for pad in pads if pad.drill or layer == FRONT]


def faults(parts: Sequence[Placed], wiring: Wiring) -> list[str]:
    """A sentence for each fault; empty if the board is right."""
    pieces = copper(parts, wiring)
    for layer in LAYERS:
        pieces += [Copper(GND, layer, area, "area") for area in ground(parts, wiring, layer)]
    return [*_crowded(parts), *_too_near(pieces), *_open(pieces)]


def _crowded(parts: Sequence[Placed]) -> Iterator[str]:
    """Parts that overlap, or are at the edge or under the head of a screw."""
    spaces = [(each.part.ref, shapely.box(*each.courtyard)) for each in parts]
    heads = [shapely.Point(at).buffer(SCREW_HEAD / 2) for at in holes()]
    for ref, space in spaces:
        if not outline().covers(space):
            yield f"{ref} is not on the board"
        if any(head.intersects(space) for head in heads):
            yield f"{ref} is under the head of a screw"
    for (one, space), (other, another) in combinations(spaces, 2):
        if space.intersection(another).area > 1e-6:
            yield f"{one} and {other} overlap"


def _too_near(pieces: Sequence[Copper]) -> Iterator[str]:
    room = outline().buffer(-EDGE + 1e-6)
    drilled = shapely.union_all([shapely.Point(at).buffer(HOLE / 2 + CLEARANCE) for at in holes()])
    for each in pieces:
        if not room.covers(each.shape) or drilled.intersects(each.shape):
            yield f"{each.name} of {each.net} is too near to an edge"
    for layer in LAYERS:
        here = [each for each in pieces if each.layer == layer]
        tree = shapely.STRtree([each.shape for each in here])
        for at, each in enumerate(here):
            for other in tree.query(each.shape, predicate="dwithin", distance=CLEARANCE - 1e-3):
                if at < other and each.net != here[other].net:
                    yield _pair(each, here[other])


def _pair(one: Copper, other: Copper) -> str:
    distance = one.shape.distance(other.shape)
    return f"{one.name} of {one.net} and {other.name} of {other.net}: {distance:.2f} mm"


def _open(pieces: Sequence[Copper]) -> Iterator[str]:
    """Nets in more than one piece."""
    nets: dict[str, list[Copper]] = {}
    for each in pieces:
        if each.net is not None:
            nets.setdefault(each.net, []).append(each)
    for net, members in nets.items():
        count = len(set(_groups(members)))
        if count > 1:
            yield f"{net} is in {count} pieces"


def _groups(members: Sequence[Copper]) -> list[int]:
    """The number of the group of each piece; pieces that touch have the same one."""
    group = list(range(len(members)))

    def root(at: int) -> int:
        while group[at] != at:
            at = group[at]
        return at

    tree = shapely.STRtree([each.shape for each in members])
    for at, each in enumerate(members):
        for other in tree.query(each.shape, predicate="intersects"):
            is_same = members[other].name == each.name and each.joins_layers
            if members[other].layer == each.layer or is_same:
                group[root(int(other))] = root(at)
    return [root(at) for at in range(len(members))]


def _bridges(pad: Pad) -> Iterable[BaseGeometry]:
    dx, dy = pad.width / 2 + GAP + 0.2, pad.height / 2 + GAP + 0.2
    wide = min(BRIDGE, pad.width, pad.height) / 2
    yield shapely.box(pad.x - dx, pad.y - wide, pad.x + dx, pad.y + wide)
    yield shapely.box(pad.x - wide, pad.y - dy, pad.x + wide, pad.y + dy)


def _disc(via: Via) -> BaseGeometry:
    return shapely.Point(via.x, via.y).buffer(VIA / 2)


def _name(what: str, x: float, y: float) -> str:
    return f"{what} at {x:g}, {y:g}"
