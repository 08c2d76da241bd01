"""Positions of the parts.

Millimetres from the upper left corner, the header at the top; y points down. The board has the
outline and the holes of a HAT. Circuit 1 is the same block at the lower edge (console A and the
shared buttons) and, turned by 90 degrees, at the left edge (console B).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hardware.board.circuit import Bank, Cable, Part, banks, parts
from hardware.board.footprints import ROW, XH, Area, Pad, footprint
from scorer.makers.plates import PI_SCREWS
from scorer.makers.wiring.header import button_text

WIDTH, HEIGHT, CORNER = 65.0, 56.5, 3.0
HOLE, SCREW_HEAD = 2.7, 6.2  # diameters
PIN_1 = (PI_SCREWS[0][0] + 29.0 - 9.5 * ROW, PI_SCREWS[0][1] + ROW / 2)
# From the edge to the rows of a bank: terminal, its labels, TVS and series resistors, the rest.
TERMINAL, NAMES, ARRAYS, PULL_UPS = 3.75, 8.4, 11.65, 15.8
BLOCK_GAP = 1.016  # between the terminals of two cables
PAIR = 2 * ROW
LINE = 1.15  # between two lines of words
BESIDE = 2.7  # from the centre of a TVS array to that of a resistor


class Place(NamedTuple):
    """Where the origin of a part is; angle in degrees, counterclockwise."""

    x: float
    y: float
    angle: int = 0

    def turned(self, x: float, y: float) -> tuple[float, float]:
        """A point of the part on the board."""
        a, b = {0: (x, y), 90: (y, -x), 180: (-x, -y), 270: (-y, x)}[self.angle]
        return round(self.x + a, 4), round(self.y + b, 4)

    def area(self, area: Area) -> Area:
        """A rectangle of the part on the board."""
        (a, b), (c, d) = self.turned(*area[:2]), self.turned(*area[2:])
        return Area(min(a, c), min(b, d), max(a, c), max(b, d))


class Placed(NamedTuple):
    """A part at its place."""

    part: Part
    place: Place

    @property
    def courtyard(self) -> Area:
        """The space that the part needs."""
        return self.place.area(footprint(self.part.kind.footprint).courtyard)

    def pads(self) -> Iterator[tuple[Pad, str | None]]:
        """The pads on the board, and their nets."""
        for pad, net in zip(footprint(self.part.kind.footprint).pads, self.part.nets, strict=True):
            x, y = self.place.turned(pad.x, pad.y)
            size = (pad.width, pad.height)
            width, height = size if self.place.angle % 180 == 0 else reversed(size)
            yield pad._replace(x=x, y=y, width=width, height=height), net


class Label(NamedTuple):
    """Words printed on the board; x and y of their centre."""

    x: float
    y: float
    words: str
    angle: int = 0
    size: float = 0.8


class _Edge(NamedTuple):
    """An edge with its bank: ``first`` is the first pin along the edge."""

    bank: Bank
    first: float
    angle: int

    def place(self, along: float, inward: float, angle: int = 0) -> Place:
        """``angle`` is that at the lower edge."""
        at = self.first + along
        if self.angle == 0:
            return Place(round(at, 4), HEIGHT - inward, angle)
        return Place(inward, round(at, 4), (angle + self.angle) % 360)

    def label(self, along: float, down: float, words: str) -> Label:
        """Words in the strip of the names, ``down`` towards the terminals."""
        x, y, angle = self.place(along, NAMES - down)
        return Label(x, y, words, angle)


_MIDDLE = {
    "J7": Place(61.4, 9.75, 270),
    "J8": Place(61.4, 22.65, 270),
    "J10": Place(61.4, 35.55, 270),
    "J11": Place(61.4, 43.45, 270),
    "J9": Place(51.0, 9.75, 270),
    "C1": Place(41.2, 11.0, 0),
    "C2": Place(41.2, 18.2, 0),
    "R14": Place(42.8, 23.2, 0),
    "C3": Place(42.8, 25.4, 0),
    "D1": Place(56.2, 33.4, 270),
    "Q3": Place(52.6, 31.5, 0),
    "R3": Place(48.4, 30.2, 0),
    "R13": Place(48.4, 32.6, 0),
    "R4": Place(54.8, 38.0, 0),
    "F1": Place(40.7, 44.75, 90),
    "Q1": Place(43.7, 40.5, 90),
    "R1": Place(41.9, 37.2, 0),
    "R11": Place(45.5, 37.2, 0),
    "F2": Place(21.0, 37.2, 0),
    "Q2": Place(25.6, 36.4, 0),
    "R2": Place(20.6, 34.8, 0),
    "R12": Place(20.6, 32.7, 0),
}
_PIN_NAMES = {
    "J7": ("GND", "VCC", "SCL", "SDA"),
    "J8": ("GND", "VCC", "SCL", "SDA"),
    "J9": ("GND", "VCC", "SCL", "SDA", "RES", "DC", "CS"),
    "J10": ("+", "-"),
}
_HEADINGS = (
    Label(28.4, 17.0, "TRUCO SCORER", size=1.5),
    Label(28.4, 19.2, "circuits 1, 3, 4, 5"),
    Label(28.4, 8.0, "SOCKET ON THE UNDERSIDE"),
    Label(32.8, 38.0, "CONSOLE A"),
    Label(18.5, 20.0, "CONSOLE B", 270),
    Label(54.4, 13.5, "PANEL A", 90),
    Label(54.4, 26.4, "PANEL B", 90),
    Label(50.4, 28.2, "SPI PANEL"),
    Label(54.6, 36.8, "BUZZER"),
    Label(56.7, 45.9, "POWER", 90),
)


def placed() -> tuple[Placed, ...]:
    """All parts at their places. Raises KeyError for a part without one."""
    where = dict(_MIDDLE, J1=Place(*PIN_1))
    for edge in _edges():
        where |= _bank_places(edge)
    return tuple(Placed(part, where[part.ref]) for part in parts())


def holes() -> tuple[tuple[float, float], ...]:
    """Centres of the four holes."""
    return PI_SCREWS


def labels() -> Iterator[Label]:
    """What is printed on the board."""
    yield from _HEADINGS
    for ref, names in _PIN_NAMES.items():
        # Beside the body, which is 3.4 mm wide at this side of the pins.
        for at, name in enumerate(names):
            x, y = _MIDDLE[ref].turned(at * XH, 4.0 + 0.35 * len(name))
            yield Label(x, y, name)
    for edge in _edges():
        for cable in edge.bank.cables:
            for at, end in enumerate(cable.ends):
                along = _start(edge.bank, cable) + at * PAIR + ROW / 2
                words = ("LAMP", "") if end == edge.bank.lamp else _words(end)
                for row, word in enumerate(words):
                    if word:
                        yield edge.label(along, (row - (len(words) - 1) / 2) * LINE, word)
                if end == edge.bank.lamp:
                    yield edge.label(along - ROW / 2, LINE / 2, "+")
                    yield edge.label(along + ROW / 2, LINE / 2, "-")


def _words(end: str) -> tuple[str, ...]:
    """The name of a button, a word in a line."""
    return tuple(button_text(end.rpartition(".")[2]).split())


def _edges() -> tuple[_Edge, _Edge]:
    lower, left = banks()
    return _Edge(lower, 10.402, 0), _Edge(left, 8.834, 270)


def _start(bank: Bank, cable: Cable) -> float:
    """The first pin of a cable, from the first pin of the edge."""
    before = bank.cables[: bank.cables.index(cable)]
    return sum(len(each.ends) * PAIR + BLOCK_GAP for each in before)


def _bank_places(edge: _Edge) -> dict[str, Place]:
    bank, where, centres = edge.bank, {}, {}
    for cable in bank.cables:
        start = _start(bank, cable)
        where[cable.ref] = edge.place(start, TERMINAL)
        for at, end in enumerate(cable.ends):
            centres[end] = start + at * PAIR + ROW / 2
    for array in bank.arrays:
        inner = [centres[channel.button] for channel in array.inner]
        middle = sum(inner) / 2
        where[array.ref] = edge.place(middle, ARRAYS, 90)
        for channel in array.channels:
            u = centres[channel.button]
            # Beside the array, not under it.
            aside = max(abs(u - middle), BESIDE) * (1 if u > middle else -1)
            where[f"R{100 + channel.number}"] = edge.place(middle + aside, ARRAYS, 90)
    for channel in bank.channels:
        n, u = channel.number, centres[channel.button]
        where[f"R{200 + n}"] = edge.place(u - ROW / 2, PULL_UPS, 90)
        where[f"C{100 + n}"] = edge.place(u + ROW / 2, PULL_UPS, 90)
    return where
