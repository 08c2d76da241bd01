"""A picture of the board from above, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from hardware.board.footprints import footprint
from hardware.board.placement import (
    CORNER,
    HEIGHT,
    HOLE,
    WIDTH,
    Placed,
    holes,
    labels,
)
from hardware.board.router import BACK, FRONT, Wiring
from hardware.board.rules import VIA, VIA_DRILL

MASK, GOLD, SILK, BODY, NAME = "#14573a", "#d9b650", "#ffffff", "#22262a", "#ffe9a8"
TRACKS = {FRONT: "#2c8a5b", BACK: "#1c6b47"}
MARGIN = 1.0


def picture(parts: Sequence[Placed], wiring: Wiring) -> str:
    """At true size; small parts as dark bodies, connectors as outlines."""
    width, height = WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
            f' viewBox="{-MARGIN:g} {-MARGIN:g} {width:g} {height:g}" font-family="sans-serif"'
            ' text-anchor="middle" stroke-linecap="round">',
            f'<rect x="{-MARGIN:g}" y="{-MARGIN:g}" width="100%" height="100%" fill="#ffffff"/>',
            f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" rx="{CORNER:g}" fill="{MASK}"/>',
            *_tracks(wiring),
            *(line for each in parts for line in _part(each)),
            *(_circle(x, y, HOLE, "#ffffff") for x, y in holes()),
            *(
                f'<text transform="translate({each.x:.3f} {each.y:.3f}) rotate({-each.angle})"'
                f' y="{0.36 * each.size:.3f}" font-size="{1.25 * each.size:.3f}" fill="{SILK}">'
                f"{escape(each.words)}</text>"
                for each in labels()
            ),
            "</svg>",
            "",
        )
    )


def _tracks(wiring: Wiring) -> Iterator[str]:
    for layer in (BACK, FRONT):
        for track in wiring.tracks:
            if track.layer == layer:
                (x1, y1), (x2, y2) = track.start, track.end
                yield (
                    f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
                    f' stroke="{TRACKS[layer]}" stroke-width="{track.width:g}"/>'
                )
    for via in wiring.vias:
        yield _circle(via.x, via.y, VIA, TRACKS[FRONT])
        yield _circle(via.x, via.y, VIA_DRILL, MASK)


def _part(each: Placed) -> Iterator[str]:
    shape = footprint(each.part.kind.footprint)
    for pad, _ in each.pads():
        left, top = pad.x - pad.width / 2, pad.y - pad.height / 2
        radius = 0 if pad.is_square else pad.width / 2
        yield (
            f'<rect x="{left:.3f}" y="{top:.3f}" width="{pad.width:g}" height="{pad.height:g}"'
            f' rx="{radius:g}" fill="{GOLD}"/>'
        )
        if pad.drill:
            yield _circle(pad.x, pad.y, pad.drill, "#ffffff")
    for points in shape.silk:
        turned = " ".join(f"{x:g},{y:g}" for x, y in (each.place.turned(*at) for at in points))
        yield f'<polyline points="{turned}" fill="none" stroke="{SILK}" stroke-width="0.12"/>'
    if shape.is_soldered_on_top:
        a, b, c, d = each.place.area(shape.body)
        size = f'width="{c - a:.3f}" height="{d - b:.3f}"'
        yield f'<rect x="{a:.3f}" y="{b:.3f}" {size} fill="{BODY}"/>'
    x, y = each.place.turned(*shape.reference)
    yield (
        f'<text x="{x:.3f}" y="{y + 0.22:.3f}" font-size="0.65" fill="{NAME}">'
        f"{each.part.ref}</text>"
    )


def _circle(x: float, y: float, diameter: float, fill: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{diameter / 2:g}" fill="{fill}"/>'
