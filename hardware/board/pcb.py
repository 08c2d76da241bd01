"""The board and its library of footprints as files of KiCad 9."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt

from shapely import Polygon

from hardware.board.circuit import GND, full_name, nets, open_net
from hardware.board.copper import BRIDGE, GAP, LAYERS, THINNEST, ground
from hardware.board.footprints import FOOTPRINTS, Area, Footprint, Pad
from hardware.board.placement import (
    CORNER,
    HEIGHT,
    HOLE,
    SCREW_HEAD,
    WIDTH,
    Label,
    Place,
    Placed,
    holes,
    labels,
)
from hardware.board.router import Wiring
from hardware.board.rules import CLEARANCE, VIA, VIA_DRILL, outline
from hardware.board.sexpr import NO, YES, Item, Word, font, identity

Lines = tuple[Item, ...]
ORIGIN = (100.0, 60.0)  # of the board on the sheet
SILK, FAB = 0.12, 0.1  # widths of lines
_COPPER = {layer: name for layer, name in zip(LAYERS, ("F.Cu", "B.Cu"), strict=True)}
_STACK = (
    (0, "F.Cu", "signal"), (2, "B.Cu", "signal"), (9, "F.Adhes", "user"), (11, "B.Adhes", "user"),
    (13, "F.Paste", "user"), (15, "B.Paste", "user"), (5, "F.SilkS", "user"),
    (7, "B.SilkS", "user"), (1, "F.Mask", "user"), (3, "B.Mask", "user"),
    (17, "Dwgs.User", "user"), (19, "Cmts.User", "user"), (25, "Edge.Cuts", "user"),
    (27, "Margin", "user"), (31, "F.CrtYd", "user"), (29, "B.CrtYd", "user"),
    (35, "F.Fab", "user"), (33, "B.Fab", "user"),
)  # fmt: skip
_HOLE = "Hole_2.7"


def board(parts: Sequence[Placed], wiring: Wiring, paths: dict[str, str]) -> Lines:
    """The board; ``paths``: the identifier of each part in the schematic."""
    numbers = {net: n for n, net in enumerate(nets([each.part for each in parts]), 1)}
    names = [full_name(net) for net in numbers]
    for each in parts:
        for pad, net in each.pads():
            if net is None:
                names.append(open_net(each.part.ref, pad.name))
                numbers[names[-1]] = len(names)
    stack = [(str(n), name, Word(kind)) for n, name, kind in _STACK]
    return (
        "kicad_pcb", ("version", 20241229), ("generator", "truco_scorer"),
        ("generator_version", "9.0"), ("general", ("thickness", 1.6)), ("paper", "A4"),
        ("title_block", ("title", "Truco Scorer: circuits 1, 3, 4 and 5 on a HAT")),
        ("layers", *stack),
        ("setup", ("pad_to_mask_clearance", 0), ("tenting", Word("front"), Word("back"))),
        ("net", 0, ""), *(("net", number, name) for number, name in enumerate(names, 1)),
        *(_placed(each, numbers, paths[each.part.ref]) for each in parts),
        *(_hole(n, at) for n, at in enumerate(holes(), 1)),
        *_edge(),
        *(_words(label) for label in labels()),
        *_wiring(wiring, numbers),
        *(_area(layer, ground(parts, wiring, layer), numbers[GND]) for layer in LAYERS),
    )  # fmt: skip


def library() -> Iterator[tuple[str, Lines]]:
    """The name and the content of each file of the library."""
    head: Lines = (("version", 20241229), ("generator", "truco_scorer"), ("layer", "F.Cu"))
    for each in FOOTPRINTS.values():
        pads = [_pad(each, pad, 0, ()) for pad in each.pads]
        words = _texts(each, "REF**", each.name, Place(0, 0))
        yield each.name, ("footprint", each.name, *head, *words, *_drawn(each), *pads)
    yield _HOLE, ("footprint", _HOLE, *head, *_hole_content("REF**"))


def _placed(each: Placed, numbers: dict[str, int], path: str) -> Lines:
    kind, ref = each.part.kind, each.part.ref
    shape = FOOTPRINTS[kind.footprint]
    x, y = _at(each.place.x, each.place.y)
    return (
        "footprint", f"board:{shape.name}", ("layer", "F.Cu"), identity("part", ref),
        ("at", x, y, each.place.angle), *_texts(shape, ref, kind.value, each.place),
        ("path", f"/{path}"), *_drawn(shape, ref),
        *(
            _pad(shape, pad, each.place.angle, _net(ref, pad, net, numbers), ref)
            for pad, net in zip(shape.pads, each.part.nets, strict=True)
        ),
    )  # fmt: skip


def _net(ref: str, pad: Pad, net: str | None, numbers: dict[str, int]) -> Lines:
    if net is None:
        net = open_net(ref, pad.name)
        return (("net", numbers[net], net),)
    return (("net", numbers[net], full_name(net)),)


def _texts(shape: Footprint, ref: str, value: str, place: Place) -> Iterator[Lines]:
    """Reference and value in the assembly drawing."""
    x, y = shape.reference
    size = 0.5 if shape.body.bottom - shape.body.top < 2.0 else 0.8
    for name, text, dy, hidden in (("Reference", ref, 0.0, False), ("Value", value, 1.0, True)):
        yield (
            "property", name, text, ("at", x, y + dy, place.angle), ("unlocked", YES),
            ("layer", "F.Fab"), *((("hide", YES),) if hidden else ()), identity(ref, name),
            font(size),
        )  # fmt: skip


def _drawn(shape: Footprint, *names: str) -> Iterator[Lines]:
    yield ("attr", Word("smd" if shape.is_soldered_on_top else "through_hole"))
    for layer, area, width in (("F.Fab", shape.body, FAB), ("F.CrtYd", shape.courtyard, 0.05)):
        yield _rect(layer, area, width, *names, layer)
    for number, points in enumerate(shape.silk):
        for at, (start, end) in enumerate(pairwise(points)):
            yield (
                "fp_line", ("start", *start), ("end", *end), _stroke(SILK), ("layer", "F.SilkS"),
                identity(*names, shape.name, "silk", number, at),
            )  # fmt: skip


def _rect(layer: str, area: Area, width: float, *names: str) -> Lines:
    return (
        "fp_rect", ("start", *area[:2]), ("end", *area[2:]), _stroke(width), ("fill", NO),
        ("layer", layer), identity(*names, "rect"),
    )  # fmt: skip


def _pad(shape: Footprint, pad: Pad, angle: int, net: Lines, *names: str) -> Lines:
    kind = "thru_hole" if pad.drill else "smd"
    layers = ("*.Cu", "*.Mask") if pad.drill else ("F.Cu", "F.Paste", "F.Mask")
    return (
        "pad", pad.name, Word(kind), Word("rect" if pad.is_square else "circle"),
        ("at", pad.x, pad.y, angle), ("size", pad.width, pad.height),
        *((("drill", pad.drill),) if pad.drill else ()), ("layers", *layers), *net,
        identity(*names, shape.name, pad.name),
    )  # fmt: skip


def _hole(number: int, at: tuple[float, float]) -> Lines:
    ref = f"H{number}"
    return (
        "footprint", f"board:{_HOLE}", ("layer", "F.Cu"), identity("part", ref),
        ("at", *_at(*at), 0), *_hole_content(ref),
    )  # fmt: skip


def _hole_content(ref: str) -> Iterator[Lines]:
    for name, text, dy in (("Reference", ref, -4.0), ("Value", _HOLE, 4.0)):
        yield (
            "property", name, text, ("at", 0, dy, 0), ("layer", "F.Fab"), ("hide", YES),
            identity(ref, name), font(0.8),
        )  # fmt: skip
    yield ("attr", Word("board_only"), Word("exclude_from_pos_files"), Word("exclude_from_bom"))
    yield (
        "fp_circle", ("center", 0, 0), ("end", SCREW_HEAD / 2, 0), _stroke(0.05), ("fill", NO),
        ("layer", "F.CrtYd"), identity(ref, "head"),
    )  # fmt: skip
    yield (
        "pad", "", Word("np_thru_hole"), Word("circle"), ("at", 0, 0), ("size", HOLE, HOLE),
        ("drill", HOLE), ("layers", "*.Cu", "*.Mask"), identity(ref, "hole"),
    )  # fmt: skip


def _edge() -> Iterator[Lines]:
    a, right, bottom = CORNER, WIDTH - CORNER, HEIGHT - CORNER
    far = CORNER * (1 - sqrt(0.5))
    sides = (
        ((a, 0), (right, 0)), ((WIDTH, a), (WIDTH, bottom)),
        ((right, HEIGHT), (a, HEIGHT)), ((0, bottom), (0, a)),
    )  # fmt: skip
    for number, (start, end) in enumerate(sides):
        yield _graphic("gr_line", number, ("start", *_at(*start)), ("end", *_at(*end)))
    corners = (
        ((right, 0), (WIDTH - far, far), (WIDTH, a)),
        ((WIDTH, bottom), (WIDTH - far, HEIGHT - far), (right, HEIGHT)),
        ((a, HEIGHT), (far, HEIGHT - far), (0, bottom)),
        ((0, a), (far, far), (a, 0)),
    )
    for number, points in enumerate(corners):
        names = zip(("start", "mid", "end"), points, strict=True)
        yield _graphic("gr_arc", number, *((name, *_at(*point)) for name, point in names))


def _graphic(what: str, number: int, *points: Item) -> Lines:
    return (what, *points, _stroke(0.1), ("layer", "Edge.Cuts"), identity(what, number))


def _words(label: Label) -> Lines:
    return (
        "gr_text", label.words, ("at", *_at(label.x, label.y), label.angle), ("layer", "F.SilkS"),
        identity("label", label.words, label.x, label.y), font(label.size),
    )  # fmt: skip


def _wiring(wiring: Wiring, numbers: dict[str, int]) -> Iterator[Lines]:
    for track in wiring.tracks:
        yield (
            "segment", ("start", *_at(*track.start)), ("end", *_at(*track.end)),
            ("width", track.width), ("layer", _COPPER[track.layer]), ("net", numbers[track.net]),
            identity("track", track),
        )  # fmt: skip
    for via in wiring.vias:
        yield (
            "via", ("at", *_at(via.x, via.y)), ("size", VIA), ("drill", VIA_DRILL),
            ("layers", "F.Cu", "B.Cu"), ("net", numbers[via.net]), identity("via", via),
        )  # fmt: skip


def _area(layer: int, pieces: Sequence[Polygon], net: int) -> Lines:
    name = _COPPER[layer]
    corners = without_holes(outline())
    return (
        "zone", ("net", net), ("net_name", GND), ("layer", name), identity("zone", name),
        ("name", f"ground {LAYERS[layer]}"), ("hatch", Word("edge"), 0.5),
        ("connect_pads", ("clearance", CLEARANCE)), ("min_thickness", THINNEST),
        ("filled_areas_thickness", NO),
        ("fill", YES, ("thermal_gap", GAP), ("thermal_bridge_width", BRIDGE)),
        ("polygon", _points(corners)),
        *(("filled_polygon", ("layer", name), _points(without_holes(each))) for each in pieces),
    )  # fmt: skip


def without_holes(area: Polygon) -> list[tuple[float, float]]:
    """The outline of an area, with a cut of no width to each of its holes."""
    ring = [(x, y) for x, y in area.exterior.coords[:-1]]
    for hole in sorted(area.interiors, key=lambda each: each.bounds[0]):
        points = [(x, y) for x, y in hole.coords[:-1]]
        first = min(range(len(points)), key=lambda at: points[at])
        x, y = points[first]
        after, reached = _left_of(ring, x, y)
        turn = points[first:] + points[: first + 1]
        ring[after:after] = [(reached, y), *turn, (reached, y)]
    return ring


def _left_of(ring: Sequence[tuple[float, float]], x: float, y: float) -> tuple[int, float]:
    """Where a line to the left meets a ring: the place in the list, and x."""
    found = (-1, float("-inf"))
    for at, (x0, y0) in enumerate(ring):
        x1, y1 = ring[(at + 1) % len(ring)]
        if (y0 <= y) != (y1 <= y):
            meets = x0 + (y - y0) / (y1 - y0) * (x1 - x0)
            if found[1] < meets <= x:
                found = (at + 1, meets)
    return found


def _points(points: Sequence[tuple[float, float]]) -> Lines:
    return ("pts", *(("xy", *_at(*point)) for point in points))


def _at(x: float, y: float) -> tuple[float, float]:
    return round(ORIGIN[0] + x, 4), round(ORIGIN[1] + y, 4)


def _stroke(width: float) -> Lines:
    return ("stroke", ("width", width), ("type", Word("solid")))
