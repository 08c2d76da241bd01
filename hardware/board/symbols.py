"""The symbols of the schematic, in mm; y points up, as in KiCad."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hardware.board.sexpr import NO, YES, Item, Word, font

Points = tuple[tuple[float, float], ...]
GRID = 2.54
TVS_UNITS = (1, 3, 4, 6)  # the pads of the lines, a unit each
SHORT = 1.27


class Pin(NamedTuple):
    """The free end of a pin and its direction towards the body, in degrees."""

    number: str
    x: float
    y: float
    angle: int
    length: float = SHORT


class Unit(NamedTuple):
    """What is drawn at one place."""

    lines: tuple[Points, ...]
    pins: tuple[Pin, ...]


class Symbol(NamedTuple):
    """A symbol of one or more units; one with a ``net`` is a supply."""

    name: str
    prefix: str
    units: tuple[Unit, ...]
    net: str = ""

    @property
    def is_flag(self) -> bool:
        """Without a net: it only names the source of a supply."""
        return self.prefix == "#FLG"


def dump_symbol(symbol: Symbol, library: str = "") -> tuple[Item, ...]:
    """The definition, in a library or in a schematic."""
    is_power = symbol.prefix.startswith("#")
    fields = {
        "Reference": symbol.prefix,
        "Value": symbol.net or symbol.name,
        "Footprint": "",
        "Datasheet": "",
        "Description": "",
    }
    return (
        "symbol", f"{library}{symbol.name}", *((("power",),) if is_power else ()),
        ("pin_numbers", ("hide", YES if _are_short(symbol) else NO)),
        ("pin_names", ("offset", 0.5), ("hide", YES)),
        ("exclude_from_sim", NO), ("in_bom", NO if is_power else YES), ("on_board", YES),
        *(
            ("property", name, text, ("at", 0, 0, 0), font(1.27, hidden=name not in _SHOWN))
            for name, text in fields.items()
        ),
        *(_unit(symbol, number, unit) for number, unit in enumerate(symbol.units, 1)),
    )  # fmt: skip


_SHOWN = ("Reference", "Value")


def _are_short(symbol: Symbol) -> bool:
    return len(symbol.units) == 1 and len(symbol.units[0].pins) < 4


def _unit(symbol: Symbol, number: int, unit: Unit) -> tuple[Item, ...]:
    kind = "passive"
    if symbol.prefix.startswith("#"):
        kind = "power_out" if symbol.is_flag else "power_in"
    pins = (_pin(pin, kind) for pin in unit.pins)
    return ("symbol", f"{symbol.name}_{number}_1", *map(_line, unit.lines), *pins)


def _line(points: Points) -> tuple[Item, ...]:
    corners: tuple[Item, ...] = ("pts", *(("xy", *point) for point in points))
    stroke = ("stroke", ("width", 0.2), ("type", Word("default")))
    return ("polyline", corners, stroke, ("fill", ("type", Word("none"))))


def _pin(pin: Pin, kind: str) -> tuple[Item, ...]:
    return (
        "pin", Word(kind), Word("line"), ("at", pin.x, pin.y, pin.angle), ("length", pin.length),
        ("name", "~", font(1.0)), ("number", pin.number, font(1.0)),
    )  # fmt: skip


def _box(left: float, top: float, right: float, bottom: float) -> Points:
    return (left, top), (right, top), (right, bottom), (left, bottom), (left, top)


def _pair(*lines: Points) -> tuple[Unit, ...]:
    """Two pins in a line, 7.62 mm apart."""
    return (Unit(lines, (Pin("1", -3.81, 0, 0), Pin("2", 3.81, 0, 180))),)


def _pairs(count: int) -> Symbol:
    """A screw terminal, two wires at a time."""
    units = tuple(
        Unit(
            (_box(1.27, 1.27, 3.81, -3.81), *(_screw(2.54, y) for y in (0, -2.54))),
            (Pin(str(2 * at + 1), 0, 0, 0), Pin(str(2 * at + 2), 0, -2.54, 0)),
        )
        for at in range(count)
    )
    return Symbol(f"Pairs_{count}", "J", units)


def _screw(x: float, y: float) -> Points:
    return _box(x - 0.5, y + 0.5, x + 0.5, y - 0.5)


def _plug(count: int) -> Symbol:
    pins = tuple(Pin(str(at + 1), 0, -at * GRID, 0) for at in range(count))
    outline = _box(1.27, 1.27, 3.81, 1.27 - count * GRID)
    contacts = tuple(((1.27, pin.y), (2.54, pin.y)) for pin in pins)
    return Symbol(f"Plug_{count}", "J", (Unit((outline, *contacts), pins),))


def _socket() -> Symbol:
    """Odd pins at the left, even ones at the right."""
    half = 7.62
    pins = tuple(
        Pin(str(n + 1), half * (1 if n % 2 else -1), -(n // 2) * GRID, 180 if n % 2 else 0, GRID)
        for n in range(40)
    )
    return Symbol("Socket", "J", (Unit((_box(-5.08, 2.54, 5.08, -50.8),), pins),))


def _tvs() -> Symbol:
    """A unit for each line, and one for the ground and the open supply."""
    line: tuple[Points, ...] = (
        ((0, 2.54), (0, -2.54)),
        ((-1.27, -1.27), (1.27, -1.27), (0, 1.27), (-1.27, -1.27)),
        ((-1.8, 0.8), (-1.27, 1.27), (1.27, 1.27), (1.8, 1.74)),
        ((-1.27, -2.54), (1.27, -2.54)),
    )
    lines = (Unit(line, (Pin(str(number), 0, 3.81, 270),)) for number in TVS_UNITS)
    supply = Unit(
        (_box(-5.08, 2.54, 5.08, -2.54),),
        (Pin("2", -7.62, 0, 0, GRID), Pin("5", 7.62, 0, 180, GRID)),
    )
    return Symbol("TVS", "U", (*lines, supply))


def _npn() -> Symbol:
    lines: tuple[Points, ...] = (
        ((0, 1.9), (0, -1.9)),
        ((0, 0.6), (2.54, 2.54)),
        ((0, -0.6), (2.54, -2.54)),
        ((1.9, -1.4), (2.54, -2.54), (1.2, -2.2)),
    )
    pins = (
        Pin("1", -5.08, 0, 0, 5.08),
        Pin("2", 2.54, -5.08, 90, 2.54),
        Pin("3", 2.54, 5.08, 270, 2.54),
    )
    return Symbol("NPN", "Q", (Unit(lines, pins),))


def _power(name: str, *lines: Points, below: bool = False) -> Symbol:
    pin = Pin("1", 0, 0, 270 if below else 90, 0)
    return Symbol(name, "#PWR", (Unit(lines, (pin,)),), name)


def _symbols() -> Iterator[Symbol]:
    plates: tuple[Points, ...] = (
        ((-0.6, 1.9), (-0.6, -1.9)), ((0.6, 1.9), (0.6, -1.9)),
        ((-2.54, 0), (-0.6, 0)), ((0.6, 0), (2.54, 0)),
    )  # fmt: skip
    plus: Points = (-1.9, 1.9), (-1.9, 0.9)
    body = _box(-2.54, 0.9, 2.54, -0.9)
    cathode: tuple[Points, ...] = (
        ((-2.54, 0), (2.54, 0)), ((-1.27, 1.27), (-1.27, -1.27)),
        ((1.27, 1.27), (1.27, -1.27), (-1.27, 0), (1.27, 1.27)),
    )  # fmt: skip
    yield Symbol("R", "R", _pair(body))
    yield Symbol("F", "F", _pair(body, ((-2.54, 0), (2.54, 0))))
    yield Symbol("C", "C", _pair(*plates))
    yield Symbol("CP", "C", _pair(*plates, plus, ((-2.4, 1.4), (-1.4, 1.4))))
    yield Symbol("D", "D", _pair(*cathode))
    yield _npn()
    yield _tvs()
    yield _socket()
    yield from (_pairs(count) for count in (2, 3, 4))
    yield from (_plug(count) for count in (2, 4, 7))
    yield _power(
        "GND", ((0, 0), (0, -1.27)), ((-1.27, -1.27), (1.27, -1.27)), ((-0.7, -1.8), (0.7, -1.8)),
        ((-0.2, -2.3), (0.2, -2.3)), below=True,
    )  # fmt: skip
    for supply in ("3V3", "5V"):
        yield _power(supply, ((0, 0), (0, 1.27)), ((-1.27, 1.27), (1.27, 1.27)))
    flag = ((0, 0), (0, 1.27)), ((0, 1.27), (-1, 1.9), (0, 2.54), (1, 1.9), (0, 1.27))
    yield Symbol("PWR_FLAG", "#FLG", (Unit(flag, (Pin("1", 0, 0, 90, 0),)),))


SYMBOLS = {each.name: each for each in _symbols()}
