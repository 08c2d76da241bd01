"""The schematic as a file of KiCad 9; circuits are joined by names of nets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, pairwise

from hardware.board.circuit import (
    GND,
    SUPPLIES,
    V3,
    V5,
    Array,
    Bank,
    Channel,
    Part,
    banks,
    driver_net,
    fuse_net,
    net_name,
    parts,
)
from hardware.board.sexpr import NO, PROJECT, YES, Item, Word, font, identity
from hardware.board.symbols import SYMBOLS, TVS_UNITS, Pin, Symbol, dump_symbol

Lines = tuple[Item, ...]
Point = tuple[float, float]
ROOT = identity("sheet")[1]
COLUMN, ROW = 83.82, 27.94
TOP = 45.72
WIRE = 15.24  # at a pin of a connector


def schematic() -> Lines:
    """All parts on one sheet. Raises ValueError if one is left out."""
    sheet = _Sheet(parts())
    _draw(sheet)
    if missing := sheet.missing():
        raise ValueError(f"not in the schematic: {', '.join(missing)}")
    return (
        "kicad_sch", ("version", 20250114), ("generator", "truco_scorer"),
        ("generator_version", "9.0"), ("uuid", ROOT), ("paper", "A3"),
        ("title_block", ("title", "Truco Scorer: circuits 1, 3, 4 and 5 on a HAT")),
        ("lib_symbols", *(dump_symbol(SYMBOLS[name], "board:") for name in sheet.symbols())),
        *sheet.items,
        ("sheet_instances", ("path", "/", ("page", "1"))), ("embedded_fonts", NO),
    )  # fmt: skip


def library() -> Lines:
    """The symbols as a library."""
    return (
        "kicad_symbol_lib", ("version", 20241209), ("generator", "truco_scorer"),
        ("generator_version", "9.0"), *(dump_symbol(each) for each in SYMBOLS.values()),
    )  # fmt: skip


def paths() -> dict[str, str]:
    """The identifier of the first unit of each part."""
    return {part.ref: identity("symbol", part.ref, 1)[1] for part in parts()}


class _Sheet:
    """A sheet under construction; x and y in mm, y points down."""

    def __init__(self, of: Sequence[Part]) -> None:
        self.items: list[Lines] = []
        self.parts = {part.ref: part for part in of}
        self._drawn: set[tuple[str, int]] = set()
        self._names: set[str] = set()
        self._number = count(1)

    def symbols(self) -> list[str]:
        """The names of the symbols that are used."""
        return sorted(self._names)

    def missing(self) -> list[str]:
        """The parts of which a unit is not drawn."""
        return sorted(
            ref
            for ref, part in self.parts.items()
            for unit in range(1, len(SYMBOLS[part.kind.symbol].units) + 1)
            if (ref, unit) not in self._drawn
        )

    def part(self, ref: str, x: float, y: float, angle: int = 0, unit: int = 1) -> None:
        """A unit of a part; its open pins are marked."""
        part = self.parts[ref]
        name = part.kind.symbol
        self._drawn.add((ref, unit))
        self._names.add(name)
        fields = {
            "Reference": ref,
            "Value": part.kind.value,
            "Footprint": f"board:{part.kind.footprint}",
            "Datasheet": "",
            "Description": part.kind.description,
        }
        self._symbol(name, ref, fields, (x, y, angle), unit)
        for pin in SYMBOLS[name].units[unit - 1].pins:
            if part.nets[int(pin.number) - 1] is None:
                at = _end(pin, x, y, angle)
                self.items.append(("no_connect", ("at", *at), identity("open", ref, pin.number)))

    def supply(self, name: str, x: float, y: float) -> None:
        """The symbol of a supply, or the flag of its source."""
        self._names.add(name)
        symbol = SYMBOLS[name]
        ref = f"{symbol.prefix}{next(self._number)}"
        fields = {
            "Reference": ref,
            "Value": name,
            "Footprint": "",
            "Datasheet": "",
            "Description": "",
        }
        self._symbol(name, ref, fields, (x, y, 0), 1)

    def wire(self, *points: tuple[float, float]) -> None:
        """A wire with bends."""
        for start, end in pairwise(points):
            self.items.append(
                ("wire", ("pts", ("xy", *start), ("xy", *end)), _LINE, identity("wire", start, end))
            )

    def node(self, x: float, y: float) -> None:
        """Three wires that meet."""
        self.items.append(
            (
                "junction",
                ("at", x, y),
                ("diameter", 0),
                ("color", 0, 0, 0, 0),
                identity("node", x, y),
            )
        )

    def label(self, net: str, x: float, y: float, *, to_left: bool = False) -> None:
        """The name of a net at a wire; names of supplies hold on every sheet."""
        angle, side = (180, "right") if to_left else (0, "left")
        at = ("at", x, y, angle)
        if net in SUPPLIES:
            kind: Lines = ("global_label", net, ("shape", Word("passive")), at)
            self.items.append((*kind, font(1.27, side), identity("label", net, x, y)))
        else:
            text: Lines = ("label", net, at, font(1.27, side, "bottom"))
            self.items.append((*text, identity("label", net, x, y)))

    def text(self, words: str, x: float, y: float, size: float = 2.0) -> None:
        """A heading."""
        self.items.append(
            ("text", words, ("exclude_from_sim", NO), ("at", x, y, 0), font(size, "left"),
             identity("text", words, x, y))
        )  # fmt: skip

    def _symbol(
        self, name: str, ref: str, fields: dict[str, str], at: tuple[float, float, int], unit: int
    ) -> None:
        x, y, angle = at
        symbol = SYMBOLS[name]
        is_power = symbol.prefix.startswith("#")
        path: Lines = ("path", f"/{ROOT}", ("reference", ref), ("unit", unit))
        pins = (pin.number for each in symbol.units for pin in each.pins)
        self.items.append((
            "symbol", ("lib_id", f"board:{name}"), ("at", x, y, angle), ("unit", unit),
            ("exclude_from_sim", NO), ("in_bom", NO if is_power else YES), ("on_board", YES),
            ("dnp", NO), identity("symbol", ref, unit),
            *_fields(symbol, fields, at, unit),
            *(("pin", number, identity("pin", ref, unit, number)) for number in pins),
            ("instances", ("project", PROJECT, path)),
        ))  # fmt: skip


_LINE = ("stroke", ("width", 0), ("type", Word("default")))


def _end(pin: Pin, x: float, y: float, angle: int) -> tuple[float, float]:
    """The free end of a pin on the sheet."""
    a, b = {0: (pin.x, pin.y), 90: (-pin.y, pin.x), 180: (-pin.x, -pin.y), 270: (pin.y, -pin.x)}[
        angle
    ]
    return round(x + a, 4), round(y - b, 4)


def _fields(
    symbol: Symbol, fields: dict[str, str], at: tuple[float, float, int], unit: int
) -> Iterator[Lines]:
    """Reference and value beside the symbol, the others hidden."""
    x, y, angle = at
    first, second = _beside(symbol, angle, unit)
    turned = 90 if angle % 180 else 0
    for name, text in fields.items():
        dx, dy = second if name == "Value" else first
        hidden = name not in ("Reference", "Value") or (symbol.net == "" and symbol.is_flag)
        hidden = hidden or (name == "Reference" and symbol.prefix.startswith("#"))
        look = font(1.27, hidden=hidden)
        yield ("property", name, text, ("at", x + dx, y + dy, turned), look)


def _beside(symbol: Symbol, angle: int, unit: int) -> tuple[Point, Point]:
    """Where reference and value are, from the symbol."""
    match symbol.name:
        case "GND":
            return (0, 0), (0, 3.81)
        case "3V3" | "5V" | "PWR_FLAG":
            return (0, 0), (0, -2.54)
        case "D":
            return (-4.0, -1.27), (-6.0, 1.27)
        case "NPN":
            return (6.35, -1.27), (7.62, 1.27)
        case "Socket":
            return (0, -5.08), (0, 52.07)
        case "TVS":
            return ((0, -3.81), (0, 3.81)) if unit == 5 else ((4.5, -1.27), (6.0, 1.27))
    if symbol.prefix == "J":
        return (7.0, 0), (8.6, 2.54)
    return ((4.2, -1.27), (4.2, 1.27)) if angle % 180 else ((0, -2.2), (0, 2.4))


# ---- circuits -----------------------------------------------------------------------------------


def _draw(sheet: _Sheet) -> None:
    _header(sheet, 45.72, TOP)
    left, right = banks()
    spare = [each for each in left.channels if "." not in each.button]
    for bank, x, title in ((left, 86.36, "Console A"), (right, 86.36 + COLUMN, "Console B")):
        sheet.text(title, x, TOP - 17.78, 3.0)
        own = [each for each in bank.channels if each not in spare]
        for row, each in enumerate(own):
            _channel(sheet, bank, each, x, TOP + row * ROW)
        _lamp(sheet, bank, x, TOP + len(own) * ROW)
    x = 86.36 + 2 * COLUMN
    sheet.text("In the middle", x, TOP - 17.78, 3.0)
    for row, each in enumerate(spare):
        _channel(sheet, left, each, x, TOP + row * ROW)
    _buzzer(sheet, x, TOP + 2 * ROW)
    _power_button(sheet, x, TOP + 3 * ROW)
    for at, array in enumerate((*left.arrays, *right.arrays)):
        _array_supply(sheet, array, x + 7.62 + at % 2 * 30.48, TOP + 4 * ROW + at // 2 * 20.32)
    for at, name in enumerate(SUPPLIES):
        y = TOP + 6 * ROW
        sheet.supply(name, x + 5.08 + 20.32 * at, y)
        sheet.supply("PWR_FLAG", x + 12.7 + 20.32 * at, y)
        sheet.wire((x + 5.08 + 20.32 * at, y), (x + 12.7 + 20.32 * at, y))
    x += COLUMN - 5.08
    sheet.text("Panels", x, TOP - 17.78, 3.0)
    for row, (plug, capacitor, title) in enumerate(_PANELS):
        _panel(sheet, plug, capacitor, title, x, TOP + row * 33.02)
    _reset(sheet, x, TOP + 101.6)


_PANELS = (("J7", "C1", "Panel A, I2C"), ("J8", "C2", "Panel B, I2C"), ("J9", "", "Panel on SPI"))


def _header(sheet: _Sheet, x: float, y: float) -> None:
    sheet.text("Header of the Pi", x - 22.86, TOP - 17.78, 3.0)
    sheet.part("J1", x, y)
    _names(sheet, "J1", x, y)


def _names(sheet: _Sheet, ref: str, x: float, y: float) -> None:
    """A short wire and a label at each pin."""
    part = sheet.parts[ref]
    for pin in SYMBOLS[part.kind.symbol].units[0].pins:
        net = part.nets[int(pin.number) - 1]
        if net is not None:
            at = _end(pin, x, y, 0)
            is_left = pin.angle == 0
            far = (at[0] + (-WIRE if is_left else WIRE), at[1])
            sheet.wire(at, far)
            # Flags of supplies are beyond the wire, names above it.
            sheet.label(net, *far, to_left=is_left == (net in SUPPLIES))


def _channel(sheet: _Sheet, bank: Bank, channel: Channel, x: float, y: float) -> None:
    """Circuit 1."""
    n = channel.number
    down, up, right = x + 17.78, x + 22.86, x + 60.96
    sheet.label(channel.line, x, y)
    sheet.wire((x, y), (down, y), (up, y), (x + 27.94, y))
    _to_ground(sheet, f"C{100 + n}", down, y)
    _to_supply(sheet, f"R{200 + n}", up, y)
    sheet.part(f"R{100 + n}", x + 31.75, y, 180)
    array = next(each for each in bank.arrays if channel in each.channels)
    sheet.wire((x + 35.56, y), (x + 43.18, y), (right, y))
    sheet.label(channel.wire, x + 36.83, y)
    sheet.node(x + 43.18, y)
    sheet.wire((x + 43.18, y), (x + 43.18, y + 1.27))
    sheet.part(array.ref, x + 43.18, y + 5.08, unit=TVS_UNITS.index(array.pad_of(channel)) + 1)
    _terminal(sheet, bank, channel.button, right, y)
    sheet.wire((right, y + 2.54), (right, y + 5.08))
    sheet.supply(GND, right, y + 5.08)


def _to_ground(sheet: _Sheet, ref: str, x: float, y: float) -> None:
    sheet.node(x, y)
    sheet.wire((x, y), (x, y + 1.27))
    sheet.part(ref, x, y + 5.08, 90)
    sheet.supply(GND, x, y + 8.89)


def _to_supply(sheet: _Sheet, ref: str, x: float, y: float) -> None:
    sheet.node(x, y)
    sheet.wire((x, y), (x, y - 1.27))
    sheet.part(ref, x, y - 5.08, 270)
    sheet.supply(V3, x, y - 8.89)


def _terminal(sheet: _Sheet, bank: Bank, end: str, x: float, y: float) -> None:
    cable = next(each for each in bank.cables if end in each.ends)
    sheet.part(cable.ref, x, y, unit=cable.ends.index(end) + 1)


def _driver(sheet: _Sheet, number: int, end: str, x: float, y: float) -> float:
    """The transistor of circuits 3 and 4; returns the x of its collector, 5.08 above."""
    sheet.label(net_name(end), x, y)
    sheet.wire((x, y), (x + 12.7, y))
    sheet.part(f"R{number}", x + 16.51, y)
    sheet.wire((x + 20.32, y), (x + 21.59, y), (x + 38.1, y))
    sheet.label(f"{net_name(end)}_BASE", x + 22.86, y)
    _to_ground(sheet, f"R{10 + number}", x + 21.59, y)
    sheet.part(f"Q{number}", x + 43.18, y)
    sheet.supply(GND, x + 45.72, y + 5.08)
    return x + 45.72


def _lamp(sheet: _Sheet, bank: Bank, x: float, y: float) -> None:
    """Circuit 3, behind a polyfuse."""
    number = [each.lamp for each in banks()].index(bank.lamp) + 1
    collector, right = _driver(sheet, number, bank.lamp, x, y), x + 60.96
    sheet.wire((collector, y - 5.08), (collector, y - 7.62), (right, y - 7.62))
    sheet.label(driver_net(bank.lamp), collector + 1.27, y - 7.62)
    sheet.supply(V5, x + 30.48, y - 10.16)
    sheet.part(f"F{number}", x + 34.29, y - 10.16)
    sheet.wire((x + 38.1, y - 10.16), (right, y - 10.16))
    sheet.label(fuse_net(bank.lamp), x + 40.64, y - 10.16)
    _terminal(sheet, bank, bank.lamp, right, y - 10.16)


def _buzzer(sheet: _Sheet, x: float, y: float) -> None:
    """Circuit 4."""
    collector, right = _driver(sheet, 3, "buzzer", x, y), x + 66.04
    sheet.wire((collector, y - 5.08), (x + 50.8, y - 5.08), (right, y - 5.08), (right, y - 7.62))
    sheet.label(driver_net("buzzer"), x + 52.07, y - 5.08)
    sheet.node(x + 50.8, y - 5.08)
    sheet.part("D1", x + 50.8, y - 8.89, 270)
    sheet.wire((x + 50.8, y - 12.7), (right, y - 12.7), (right, y - 10.16))
    sheet.node(x + 50.8, y - 12.7)
    sheet.supply(V5, x + 50.8, y - 12.7)
    sheet.part("J10", right, y - 10.16)


def _power_button(sheet: _Sheet, x: float, y: float) -> None:
    """Circuit 2 for the button that shuts the Pi down."""
    sheet.label("POWER", x, y)
    sheet.wire((x, y), (x + 12.7, y))
    sheet.part("R4", x + 16.51, y)
    sheet.wire((x + 20.32, y), (x + 45.72, y))
    sheet.label("POWER_WIRE", x + 22.86, y)
    sheet.part("J11", x + 45.72, y)
    sheet.wire((x + 45.72, y + 2.54), (x + 45.72, y + 5.08))
    sheet.supply(GND, x + 45.72, y + 5.08)


def _array_supply(sheet: _Sheet, array: Array, x: float, y: float) -> None:
    """The ground of a TVS array, and its lines that stay open."""
    sheet.part(array.ref, x + 7.62, y, unit=5)
    sheet.supply(GND, x, y)
    used = {array.pad_of(each) for each in array.channels}
    for at, pad in enumerate(pad for pad in TVS_UNITS if pad not in used):
        sheet.part(array.ref, x + 3.81 + at * 12.7, y + 12.7, unit=TVS_UNITS.index(pad) + 1)


def _panel(sheet: _Sheet, plug: str, capacitor: str, title: str, x: float, y: float) -> None:
    """Circuit 5."""
    sheet.text(title, x, y - 7.62)
    sheet.part(plug, x + 22.86, y)
    _names(sheet, plug, x + 22.86, y)
    if capacitor:
        sheet.supply(V3, x + 43.18, y - 3.81)
        sheet.part(capacitor, x + 43.18, y, 270)
        sheet.supply(GND, x + 43.18, y + 3.81)


def _reset(sheet: _Sheet, x: float, y: float) -> None:
    """The reset of a panel on SPI."""
    sheet.label("SPI_RES", x + 10.16, y)
    sheet.wire((x + 10.16, y), (x + 22.86, y))
    sheet.wire((x + 22.86, y - 1.27), (x + 22.86, y), (x + 22.86, y + 1.27))
    sheet.node(x + 22.86, y)
    sheet.part("R14", x + 22.86, y - 5.08, 270)
    sheet.supply(V3, x + 22.86, y - 8.89)
    sheet.part("C3", x + 22.86, y + 5.08, 90)
    sheet.supply(GND, x + 22.86, y + 8.89)
