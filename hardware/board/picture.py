"""A picture of the board from above, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

import shapely

from hardware.board.files import (
    BACK,
    CORNER,
    FRONT,
    Item,
    children,
    is_round,
    outline,
    pad_shape,
    placed,
    values,
)

MASK, GOLD, SILK, BODY, NAME = "#14573a", "#d9b650", "#ffffff", "#22262a", "#ffe9a8"
TRACKS = {FRONT: "#2c8a5b", BACK: "#1c6b47"}
MARGIN = 1.0


def picture(board: Item) -> str:
    """At true size; small parts as dark bodies, connectors as outlines."""
    left, top, right, bottom = outline(board).bounds
    width, height = right - left, bottom - top
    sheet = (left - MARGIN, top - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN)
    box = " ".join(f"{each:g}" for each in sheet)
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{sheet[2]:g}mm"'
            f' height="{sheet[3]:g}mm" viewBox="{box}" font-family="sans-serif"'
            ' text-anchor="middle" stroke-linecap="round">',
            f'<rect x="{sheet[0]:g}" y="{sheet[1]:g}" width="100%" height="100%" fill="#ffffff"/>',
            f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}"'
            f' rx="{CORNER:g}" fill="{MASK}"/>',
            *_tracks(board),
            *(line for part in children(board, "footprint") for line in _part(part)),
            *map(_label, children(board, "gr_text")),
            "</svg>",
            "",
        )
    )


def _tracks(board: Item) -> Iterator[str]:
    for layer, colour in reversed(TRACKS.items()):
        for track in children(board, "segment"):
            if values(track, "layer") == [layer]:
                points = [values(track, "start"), values(track, "end")]
                yield _line(points, colour, values(track, "width")[0])
    for via in children(board, "via"):
        x, y = values(via, "at")
        yield _circle(x, y, values(via, "size")[0], TRACKS[FRONT])
        yield _circle(x, y, values(via, "drill")[0], MASK)


def _part(part: Item) -> Iterator[str]:
    for pad in children(part, "pad"):
        shape = pad_shape(part, pad)
        if is_round(pad):
            yield _circle(shape.centroid.x, shape.centroid.y, values(pad, "size")[0], GOLD)
        else:
            yield _box(shape.bounds, GOLD)
        for drill in values(pad, "drill"):
            yield _circle(shape.centroid.x, shape.centroid.y, drill, "#ffffff")
    for line in children(part, "fp_line"):
        if values(line, "layer") == ["F.SilkS"]:
            ends = shapely.LineString([values(line, "start"), values(line, "end")])
            yield _line(list(placed(part, ends).coords), SILK, 0.12)
    if values(part, "attr")[:1] == ["smd"]:
        (body,) = (r for r in children(part, "fp_rect") if values(r, "layer") == ["F.Fab"])
        yield _box(
            placed(part, shapely.box(*values(body, "start"), *values(body, "end"))).bounds, BODY
        )
    (name,) = (each for each in children(part, "property") if each[1] == "Reference")
    if not values(name, "hide"):
        x, y = placed(part, shapely.Point(values(name, "at")[:2])).coords[0]
        yield (
            f'<text x="{x:g}" y="{y + 0.22:g}" font-size="0.65" fill="{NAME}">'
            f"{escape(name[2])}</text>"
        )


def _label(text: Item) -> str:
    x, y, *angle = values(text, "at")
    size = values(children(values(text, "effects"), "font")[0], "size")[0]
    return (
        f'<text transform="translate({x:g} {y:g}) rotate({-sum(angle):g})" y="{0.36 * size:g}"'
        f' font-size="{1.25 * size:g}" fill="{SILK}">{escape(text[1])}</text>'
    )


def _line(points: Sequence[Sequence[float]], colour: str, width: float) -> str:
    (x1, y1), (x2, y2) = points
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}"'
        f' stroke-width="{width:g}"/>'
    )


def _box(bounds: Sequence[float], fill: str) -> str:
    left, top, right, bottom = bounds
    return (
        f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}"'
        f' fill="{fill}"/>'
    )


def _circle(x: float, y: float, diameter: float, fill: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{diameter / 2:g}" fill="{fill}"/>'
