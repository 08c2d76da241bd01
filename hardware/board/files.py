"""Read the files of KiCad: parts of the schematic, parts and copper of the board.

Lengths are in mm, on the sheet of the board; y points down.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sexpdata
import shapely
from shapely.affinity import rotate, translate
from shapely.geometry.base import BaseGeometry

Item = list[Any]

PROJECT = "truco-board"
FOLDER = Path(__file__).parent
SCHEMATIC, BOARD, RULES = (FOLDER / f"{PROJECT}.kicad_{kind}" for kind in ("sch", "pcb", "pro"))
FRONT, BACK = LAYERS = ("F.Cu", "B.Cu")
CORNER = 3.0  # radius of the corners of a HAT


class Entry(NamedTuple):
    """What the schematic says of a part."""

    value: str
    package: str
    description: str


class Part(NamedTuple):
    """A part of the board and the net of each pad by number; None: it stays open."""

    value: str
    package: str
    nets: dict[str, str | None]


class Copper(NamedTuple):
    """A pad, a track, a via or an area; open pads and holes of screws have no net."""

    net: str | None
    layers: tuple[str, ...]
    shape: BaseGeometry
    name: str


@cache
def read(path: Path) -> Item:
    """A file as nested lists, each of which begins with its keyword."""
    item: Item = _plain(sexpdata.loads(path.read_text(encoding="utf-8")))
    return item


def read_rule(name: str) -> float:
    """A rule of the project, in mm."""
    rules = json.loads(RULES.read_text(encoding="utf-8"))["board"]["design_settings"]["rules"]
    return float(rules[name])


def children(item: Item, *heads: str) -> list[Item]:
    """The lists in a list that begin with one of these keywords."""
    return [each for each in item if isinstance(each, list) and each[0] in heads]


def values(item: Item, head: str) -> Item:
    """What follows the keyword in the first of these lists; empty if there is none."""
    return next((each[1:] for each in children(item, head)), [])


def properties(item: Item) -> dict[str, str]:
    """The properties of a symbol or a part by name."""
    return {each[1]: each[2] for each in children(item, "property")}


def placed(item: Item, shape: BaseGeometry) -> BaseGeometry:
    """A shape, turned and moved to where the item is."""
    return _moved(shape, *values(item, "at"))


def pad_shape(part: Item, pad: Item) -> BaseGeometry:
    """A disc, or the box of a pad."""
    width, height = values(pad, "size")
    shape = shapely.box(-width / 2, -height / 2, width / 2, height / 2)
    if is_round(pad):
        shape = shapely.Point(0, 0).buffer(width / 2)
    # The place of a pad is that in the part, its angle that on the board.
    x, y, *angle = values(pad, "at")
    return _moved(shape, *placed(part, shapely.Point(x, y)).coords[0], *angle)


def is_round(pad: Item) -> bool:
    """Whether the pad is a disc."""
    return bool(pad[3] == "circle")


def entries(schematic: Item) -> dict[str, Entry]:
    """What a schematic says of each part, by reference."""
    of_symbols = map(properties, children(schematic, "symbol"))
    return {
        each["Reference"]: Entry(each["Value"], _package(each["Footprint"]), each["Description"])
        for each in of_symbols
        if not each["Reference"].startswith("#")
    }


def parts(board: Item) -> dict[str, Part]:
    """The parts of a board by reference."""
    found: dict[str, Part] = {}
    for each in children(board, "footprint"):
        said = properties(each)
        nets = {pad[1]: _net_of_pad(pad) for pad in children(each, "pad")}
        found[said["Reference"]] = Part(said["Value"], _package(each[1]), nets)
    return found


def copper(board: Item) -> Iterator[Copper]:
    """The pads, tracks, vias and areas of a board, and the holes for its screws."""
    nets = {number: _net(name) for _, number, name in children(board, "net")}
    for part in children(board, "footprint"):
        for pad in children(part, "pad"):
            layers = LAYERS if values(pad, "drill") else tuple(values(pad, "layers")[:1])
            name = f"{properties(part)['Reference']}.{pad[1]}"
            yield Copper(_net_of_pad(pad), layers, pad_shape(part, pad), name)
    for each in children(board, "segment"):
        start, end = values(each, "start"), values(each, "end")
        shape = shapely.LineString([start, end]).buffer(values(each, "width")[0] / 2)
        net, layers = nets[values(each, "net")[0]], tuple(values(each, "layer"))
        yield Copper(net, layers, shape, _name("track", start))
    for each in children(board, "via"):
        shape = shapely.Point(values(each, "at")).buffer(values(each, "size")[0] / 2)
        yield Copper(nets[values(each, "net")[0]], LAYERS, shape, _name("via", values(each, "at")))
    for zone in children(board, "zone"):
        for each in children(zone, "filled_polygon"):
            corners = [point[1:] for point in children(children(each, "pts")[0], "xy")]
            # KiCad joins each hole to the outline by a cut of no width.
            shape = shapely.Polygon(corners).buffer(0)
            net, layers = nets[values(zone, "net")[0]], tuple(values(each, "layer"))
            yield Copper(net, layers, shape, _name("area", corners[0]))


def outline(board: Item) -> BaseGeometry:
    """The edge of a board: a rectangle with round corners."""
    ends = [
        values(each, point)
        for each in children(board, "gr_line", "gr_arc")
        for point in ("start", "end")
        if values(each, "layer") == ["Edge.Cuts"]
    ]
    return shapely.box(*shapely.MultiPoint(ends).bounds).buffer(-CORNER).buffer(CORNER)


def _plain(item: Any) -> Any:  # noqa: ANN401
    """Keywords as strings."""
    if isinstance(item, list):
        return [_plain(each) for each in item]
    return item.value() if isinstance(item, sexpdata.Symbol) else item


def _moved(shape: BaseGeometry, x: float, y: float, angle: float = 0) -> BaseGeometry:
    found: BaseGeometry = translate(rotate(shape, -angle, origin=(0, 0)), x, y)
    return found


def _package(name: str) -> str:
    return name.removeprefix("board:")


def _net_of_pad(pad: Item) -> str | None:
    net = values(pad, "net")
    return _net(net[1]) if net else None


def _net(name: str) -> str | None:
    # KiCad gives an open pad a net of its own.
    return None if name.startswith("unconnected-") else name.removeprefix("/")


def _name(what: str, at: Item) -> str:
    return f"{what} at {at[0]:g}, {at[1]:g}"
