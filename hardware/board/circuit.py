"""The parts of the board and the nets of their pads, from the table of pins.

Values are those of wiring.md: circuit 1 for each button, 2 for the power button, 3 and 4 for lamps
and buzzer, 5 for panels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import NamedTuple

from scorer.config import pin_map
from scorer.config.pin_claims import ClaimKind, find_conflicts, panel_claims
from scorer.hw.displays.luma_oled import Options as PanelOptions
from scorer.makers.wiring.header import button_text, default_claims
from scorer.session.input.keymap import console_of
from scorer.session.values.settings import Layout

GND, V3, V5 = "GND", "3V3", "5V"
SUPPLIES = (GND, V3, V5)
# D/C of an SPI panel beside the full layout, as in wiring.md.
SPI_DC = 7
PAIRS_IN_CABLE = 4
LINES_IN_ARRAY = 4
ARRAY_GND = 2


class Kind(NamedTuple):
    """A line of the list of parts."""

    value: str
    footprint: str
    symbol: str
    description: str


class Part(NamedTuple):
    """A part and the net of each pad; None: the pad stays open."""

    ref: str
    kind: Kind
    nets: tuple[str | None, ...]


class Cable(NamedTuple):
    """A screw terminal: two wires for each end, a button or a lamp (``lamp.A``)."""

    ref: str
    ends: tuple[str, ...]


class Channel(NamedTuple):
    """Circuit 1 of a button: numbers its parts from 1."""

    number: int
    button: str

    @property
    def line(self) -> str:
        """The net of the GPIO pin."""
        return net_name(self.button)

    @property
    def wire(self) -> str:
        """The net of the cable."""
        return f"{self.line}_WIRE"


class Array(NamedTuple):
    """A TVS array and its channels.

    Pads 1 and 3 face the edge and protect the inner channels, pads 6 and 4 the outer ones.
    """

    ref: str
    channels: tuple[Channel, ...]

    @property
    def inner(self) -> tuple[Channel, ...]:
        """The two channels between which it is."""
        return self.channels if len(self.channels) == 2 else self.channels[1:3]

    def pad_of(self, channel: Channel) -> int:
        """The pad of a channel."""
        pads = (1, 3) if len(self.channels) == 2 else (6, 1, 3, 4)
        return pads[self.channels.index(channel)]


class Bank(NamedTuple):
    """The terminals along one edge, and what is beside them."""

    lamp: str
    cables: tuple[Cable, ...]
    arrays: tuple[Array, ...]

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels in their order along the edge."""
        return tuple(channel for array in self.arrays for channel in array.channels)


SERIES = Kind("470R", "0805", "R", "resistor, 1 %, 0.125 W")
PULL_UP = Kind("3k3", "0805", "R", "resistor, 1 %, 0.125 W")
FILTER = Kind("100nF", "0805", "C", "ceramic capacitor, X7R, 25 V or more")
ARRAY = Kind("SRV05-4", "SOT-23-6", "TVS", "TVS array, four lines, 5 V, low leakage")
BASE = Kind("1k", "0805", "R", "resistor, 1 %, 0.125 W")
PULL_DOWN = Kind("10k", "0805", "R", "resistor, 1 %, 0.125 W")
TRANSISTOR = Kind("BC817-40", "SOT-23", "NPN", "NPN transistor: a BC337 to be soldered on top")
DIODE = Kind("1N4148W", "SOD-123", "D", "diode: a 1N4148 to be soldered on top")
FUSE = Kind("0.25A", "1206", "F", "polyfuse, 0.25 A hold, 6 V or more")
RESET = Kind("1uF", "0805", "C", "ceramic capacitor, X7R, 10 V or more")
BULK = Kind("100uF", "CP_Radial_D6.3_P2.5", "CP", "electrolytic capacitor, 6.3 V or more")
SOCKET = Kind(
    "socket 2x20", "Socket_2x20", "Socket", "socket, 2.54 mm, 8.5 mm high or more, on the underside"
)


def screw_terminal(positions: int) -> Kind:
    """Screw terminals in a row."""
    return Kind(
        f"screw {positions}", f"Screw_{positions}_P2.54", f"Pairs_{positions // 2}",
        f"screw terminal, 2.54 mm, {positions} positions",
    )  # fmt: skip


def plug(pins: int) -> Kind:
    """A header for a plug with a latch."""
    return Kind(f"XH {pins}", f"XH_{pins}", f"Plug_{pins}", f"JST XH header, upright, {pins} pins")


def net_name(end: str) -> str:
    """``A.no_quiero`` is ``A_NO_QUIERO``."""
    return button_text(end).replace(" ", "_")


def gpio_nets() -> dict[int, str]:
    """The net of each BCM number that is used. Raises ValueError if one has two."""
    spi = panel_claims([("1", PanelOptions(interface="spi", gpio_dc=SPI_DC), ())])
    claims = [*default_claims(Layout.FULL), *spi]
    for conflict in find_conflicts(claims):
        raise ValueError(conflict.sentence)
    return {claim.pin: _net(claim.kind, claim.name) for claim in claims}


def header_nets() -> tuple[str | None, ...]:
    """The nets of pins 1 to 40."""
    nets = gpio_nets()
    return tuple(pin if isinstance(pin, str) else nets.get(pin) for pin in pin_map.HEADER)


def banks() -> tuple[Bank, Bank]:
    """Console A with the shared buttons, and console B."""
    keys = list(pin_map.pins_for(Layout.FULL))
    shared = tuple(key for key in keys if not console_of(key))
    found: list[Bank] = []
    terminals, channels, arrays = count(2), count(1), count(1)
    for side, middle in (("A", shared), ("B", ())):
        own = tuple(key for key in keys if console_of(key) == side)
        lamp = f"lamp.{side}"
        wired = (own[:PAIRS_IN_CABLE], (*own[PAIRS_IN_CABLE:], lamp), middle)
        cables = tuple(Cable(f"J{next(terminals)}", ends) for ends in wired if ends)
        lines = [Channel(next(channels), key) for key in (*own, *middle)]
        groups = [lines[at : at + LINES_IN_ARRAY] for at in range(0, len(lines), LINES_IN_ARRAY)]
        found.append(
            Bank(lamp, cables, tuple(Array(f"U{next(arrays)}", tuple(each)) for each in groups))
        )
    one, other = found
    return one, other


def parts() -> tuple[Part, ...]:
    """All parts, in the order of the schematic."""
    return (Part("J1", SOCKET, header_nets()), *_bank_parts(), *_drivers(), *_plugs())


def nets(of: Iterable[Part]) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Each net with its pads (reference, pad), sorted by name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for part in of:
        for at, net in enumerate(part.nets, 1):
            if net is not None:
                found.setdefault(net, []).append((part.ref, str(at)))
    return {net: tuple(found[net]) for net in sorted(found)}


def open_net(ref: str, pad: str) -> str:
    """The name of the net of an open pad in KiCad."""
    return f"unconnected-({ref}-Pad{pad})"


def full_name(net: str) -> str:
    """The name of a net in KiCad: that of a supply is global."""
    return net if net in SUPPLIES else f"/{net}"


def driver_net(lamp: str) -> str:
    """The net between transistor and load."""
    return f"{net_name(lamp)}_WIRE"


def fuse_net(lamp: str) -> str:
    """The 5 V behind the polyfuse of a lamp."""
    return f"5V_{net_name(lamp)}"


def _net(kind: ClaimKind, name: str) -> str:
    match kind:
        case ClaimKind.POWER:
            return "POWER"
        case ClaimKind.PANEL:
            # "D/C of SPI 0.0", "SDA of I2C bus 1"
            signal, _, bus = name.partition(" of ")
            return f"{bus.partition(' ')[0]}_{signal.replace('/', '')}"
        case ClaimKind.LAMP:
            return net_name(f"lamp.{name}")
        case _:
            return net_name(name)


def _bank_parts() -> Iterator[Part]:
    for bank in banks():
        wires = {channel.button: channel.wire for channel in bank.channels}
        for cable in bank.cables:
            pads: list[str | None] = []
            for end in cable.ends:
                pads += [wires[end], GND] if end in wires else [fuse_net(end), driver_net(end)]
            yield Part(cable.ref, screw_terminal(len(pads)), tuple(pads))
        for array in bank.arrays:
            on = {array.pad_of(each): each.wire for each in array.channels} | {ARRAY_GND: GND}
            yield Part(array.ref, ARRAY, tuple(on.get(pad) for pad in range(1, 7)))
        for each in bank.channels:
            yield Part(f"R{100 + each.number}", SERIES, (each.wire, each.line))
            yield Part(f"R{200 + each.number}", PULL_UP, (V3, each.line))
            yield Part(f"C{100 + each.number}", FILTER, (GND, each.line))


def _drivers() -> Iterator[Part]:
    """Circuit 3 for each lamp, behind a polyfuse, and circuit 4."""
    lamps = [bank.lamp for bank in banks()]
    for number, end in enumerate((*lamps, "buzzer"), 1):
        base = f"{net_name(end)}_BASE"
        yield Part(f"R{number}", BASE, (net_name(end), base))
        yield Part(f"R{10 + number}", PULL_DOWN, (GND, base))
        yield Part(f"Q{number}", TRANSISTOR, (base, GND, driver_net(end)))
        if end in lamps:
            yield Part(f"F{number}", FUSE, (V5, fuse_net(end)))
    # The ring of the diode is pad 1.
    yield Part("D1", DIODE, (V5, driver_net("buzzer")))


def _plugs() -> Iterator[Part]:
    yield Part("J7", plug(4), (GND, V3, "I2C_SCL", "I2C_SDA"))
    yield Part("C1", BULK, (V3, GND))
    yield Part("J8", plug(4), (GND, V3, "I2C_SCL", "I2C_SDA"))
    yield Part("C2", BULK, (V3, GND))
    # In the order of a panel with seven pins: GND VCC SCL SDA RES DC CS.
    yield Part("J9", plug(7), (GND, V3, "SPI_SCLK", "SPI_MOSI", "SPI_RES", "SPI_DC", "SPI_CE0"))
    yield Part("R14", PULL_DOWN, (V3, "SPI_RES"))
    yield Part("C3", RESET, (GND, "SPI_RES"))
    yield Part("J10", plug(2), (V5, driver_net("buzzer")))
    yield Part("R4", BASE, ("POWER", "POWER_WIRE"))
    yield Part("J11", plug(2), ("POWER_WIRE", GND))
