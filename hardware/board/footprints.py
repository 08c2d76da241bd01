"""Pads, bodies and courtyards of the packages, in mm; y points down, pad 1 first.

The sizes are nominal ones of IPC-7351 and of the data sheets of the connectors.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

ROW = 2.54  # between two pins of the header and of a screw terminal
XH = 2.5


class Pad(NamedTuple):
    """A pad and its centre; with a drill it goes through the board."""

    name: str
    x: float
    y: float
    width: float
    height: float
    drill: float = 0.0
    is_square: bool = True


class Area(NamedTuple):
    """A rectangle by two corners."""

    left: float
    top: float
    right: float
    bottom: float

    def grown(self, by: float) -> Area:
        """The same with a margin."""
        return Area(self.left - by, self.top - by, self.right + by, self.bottom + by)


class Footprint(NamedTuple):
    """A package; ``silk``: printed lines; ``reference``: its place in drawings."""

    name: str
    pads: tuple[Pad, ...]
    body: Area
    courtyard: Area
    silk: tuple[tuple[tuple[float, float], ...], ...] = ()
    reference: tuple[float, float] = (0.0, 0.0)

    @property
    def is_soldered_on_top(self) -> bool:
        """Without a hole for its pins."""
        return not any(pad.drill for pad in self.pads)


def footprint(name: str) -> Footprint:
    """The package of that name. Raises KeyError for an unknown one."""
    return FOOTPRINTS[name]


def _chip(name: str, pad: tuple[float, float], x: float, body: tuple[float, float]) -> Footprint:
    """Two pads side by side."""
    pads = (Pad("1", -x, 0, *pad), Pad("2", x, 0, *pad))
    edge, half = x + pad[0] / 2 + 0.25, max(pad[1], body[1]) / 2 + 0.25
    return Footprint(
        name,
        pads,
        Area(-body[0] / 2, -body[1] / 2, body[0] / 2, body[1] / 2),
        Area(-edge, -half, edge, half),
    )


def _diode() -> Footprint:
    plain = _chip("SOD-123", (0.9, 1.2), 1.65, (2.8, 1.6))
    return plain._replace(silk=(((-2.3, -0.9), (-2.3, 0.9)),))


def _sot(name: str, left: tuple[str, ...], right: tuple[str, ...], pitch: float) -> Footprint:
    """Pads at both sides of a body of 1.6 by 2.9 mm; the right ones from the bottom."""

    def column(names: tuple[str, ...], x: float, down: int) -> list[Pad]:
        middle = (len(names) - 1) / 2
        step = 0.95 if len(names) == 3 else pitch
        return [Pad(n, x, down * (at - middle) * step, 1.2, 0.6) for at, n in enumerate(names)]

    pads = (*column(left, -1.15, 1), *column(right, 1.15, -1))
    mark = ((-1.6, -1.6), (-1.0, -1.6))
    return Footprint(name, pads, Area(-0.8, -1.45, 0.8, 1.45), Area(-2.0, -1.7, 2.0, 1.7), (mark,))


def _row(
    name: str, count: int, pitch: float, pad: tuple[float, float], body: tuple[float, float, float]
) -> Footprint:
    """Pins in a row; ``body``: beyond its ends, above it and below it."""
    drill, size = pad
    pads = tuple(Pad(str(at + 1), at * pitch, 0, size, size, drill, at == 0) for at in range(count))
    side, above, below = body
    area = Area(-side, -above, (count - 1) * pitch + side, below)
    middle = ((count - 1) * pitch / 2, 0.8 - above)
    return Footprint(name, pads, area, area.grown(0.25), (_around(area),), middle)


def _around(area: Area) -> tuple[tuple[float, float], ...]:
    a, b, c, d = area
    return (a, b), (c, b), (c, d), (a, d), (a, b)


def _header() -> Footprint:
    """Odd pins in the lower row, as on a Pi with its header at the top."""
    pads = tuple(
        Pad(str(n + 1), n // 2 * ROW, -(n % 2) * ROW, 1.7, 1.7, 1.0, n == 0) for n in range(40)
    )
    area = Area(-ROW / 2, -1.5 * ROW, 19.5 * ROW, ROW / 2)
    middle = (9.5 * ROW, -ROW / 2)
    return Footprint("Socket_2x20", pads, area, area.grown(0.25), (_around(area),), middle)


def _radial() -> Footprint:
    """An electrolytic capacitor; its plus is pad 1."""
    pads = (Pad("1", -1.25, 0, 1.6, 1.6, 0.8), Pad("2", 1.25, 0, 1.6, 1.6, 0.8, False))
    half = 3.15
    plus = (((-3.4, -2.9), (-2.6, -2.9)), ((-3.0, -3.3), (-3.0, -2.5)))
    around = tuple((3.25 * cos(n * pi / 16), 3.25 * sin(n * pi / 16)) for n in range(33))
    square = Area(-half, -half, half, half)
    return Footprint(
        "CP_Radial_D6.3_P2.5", pads, square, square.grown(0.2), (*plus, around), (0.0, 2.0)
    )


_SCREW = (ROW / 2 + 0.25, 3.25, 3.25)
_LATCH = (2.45, 2.35, 3.4)
FOOTPRINTS = {
    each.name: each
    for each in (
        _chip("0805", (1.0, 1.4), 0.95, (2.0, 1.25)),
        _chip("1206", (1.15, 1.75), 1.475, (3.2, 1.6)),
        _diode(),
        _sot("SOT-23", ("1", "2"), ("3",), 1.9),
        _sot("SOT-23-6", ("1", "2", "3"), ("4", "5", "6"), 0.95),
        *(_row(f"Screw_{n}_P2.54", n, ROW, (1.1, 1.8), _SCREW) for n in (4, 6, 8)),
        *(_row(f"XH_{n}", n, XH, (0.95, 1.75), _LATCH) for n in (2, 4, 7)),
        _header(),
        _radial(),
    )
}
