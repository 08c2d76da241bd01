"""The wires on the pins of the header, for check, doctor, drawing and tests.

Each wire of a configuration claims a pin under a name; two names on one pin are a conflict.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from scorer.config.pin_map import POWER_BUTTON
from scorer.hw import pins
from scorer.hw.displays.buses import CHIP_SELECTS, SPI_PINS
from scorer.hw.ports import Wire
from scorer.hw.serial.header_port import HEADER_PORTS

_UART = {14: "TX", 15: "RX"}


class ClaimKind(StrEnum):
    """The kind of a wire."""

    POWER = "power button"
    SERIAL = "serial port"
    BUS = "bus"  # of panels and of other chips
    BUTTON = "button"
    LAMP = "lamp"
    BUZZER = "buzzer"
    LED = "team light"
    OUTPUT = "output"  # of a chip that has several
    STRIP = "strip"


class Claim(NamedTuple):
    """A wire on a pin (BCM number), its name, and the key that puts it there.

    ``rests_high``: an output that is off at a high level.
    """

    pin: int
    kind: ClaimKind
    name: str
    path: tuple[str, ...] = ()
    rests_high: bool = False

    @property
    def text(self) -> str:
        """The wire in a sentence."""
        match self.kind:
            case ClaimKind.BUTTON:
                return f"the button {self.name}"
            case ClaimKind.LAMP:
                return f"[lamps] {self.name}"
            case ClaimKind.BUZZER:
                return "[sound] pin"
            case ClaimKind.LED:
                return f"[team_light] {self.name}"
            case _:
                return self.name

    @property
    def label(self) -> str:
        """The wire in a list."""
        if self.kind in (ClaimKind.BUTTON, ClaimKind.LAMP, ClaimKind.LED):
            return f"{self.kind} {self.name}"
        return str(self.kind) if self.kind in (ClaimKind.BUZZER, ClaimKind.POWER) else self.name


class PinConflict(NamedTuple):
    """Two wires on one pin; ``claim`` is the one whose key the owner should change."""

    claim: Claim
    other: Claim

    @property
    def sentence(self) -> str:
        """The conflict, with the key that causes it."""
        key = ".".join(word for word in self.claim.path if not word.isdecimal())
        pin = f"GPIO {self.claim.pin}"
        # A key that does not name the pin itself brings several wires.
        if self.claim.path[-1:] in _KEYS_OF_SEVERAL:
            return f"{key}: {pin} for {self.claim.text} is already {self.other.text}"
        hint = (
            "; move one of them" if self.other.kind is self.claim.kind is ClaimKind.BUTTON else ""
        )
        return f"{key}: {pin} is already {self.other.text}{hint}"


_KEYS_OF_SEVERAL = (("count",), ("interface",), ("device",), ("port",), ("team_light",))


def board_claims() -> list[Claim]:
    """What config.txt puts on the header."""
    return [Claim(POWER_BUTTON, ClaimKind.POWER, "the power button of config.txt")]


def button_claims(
    wired: Mapping[str, int], moved: Collection[str] = (), *, in_box: str = ""
) -> list[Claim]:
    """The buttons on pins; ``moved`` ones have keys of their own.

    ``in_box``: the number of their section [[box]], "" for [consoles].
    """

    def key(name: str) -> tuple[str, ...]:
        if in_box:
            return "box", in_box, "driver"
        if name.startswith("C.") and name not in moved:
            return "consoles", "count"
        return "consoles", "lines", name

    return [Claim(pin, ClaimKind.BUTTON, name, key(name)) for name, pin in wired.items()]


def output_claims(lamps: Mapping[str, int], buzzer: int) -> list[Claim]:
    """The lamps and the buzzer."""
    lit = [Claim(pin, ClaimKind.LAMP, side, ("lamps", side)) for side, pin in lamps.items()]
    return [*lit, Claim(buzzer, ClaimKind.BUZZER, "BUZZER", ("sound", "pin"))]


def led_claims(pins: Mapping[str, int], *, rests_high: bool) -> list[Claim]:
    """The RGB LED of the team light, by colour."""
    return [
        Claim(pin, ClaimKind.LED, key, ("team_light", key), rests_high) for key, pin in pins.items()
    ]


def strip_claims() -> list[Claim]:
    """The strip of the team light, which needs SPI 0 for its data wire.

    Its name differs from MOSI: a panel on the bus would be a conflict.
    """
    names = {**SPI_PINS[0], CHIP_SELECTS[0][0]: "CE0"}
    data = "the strip without chip select"
    return [
        Claim(pin, ClaimKind.STRIP, data if name == "MOSI" else f"{name} of SPI 0", ("team_light",))
        for pin, name in names.items()
    ]


def serial_claims(ports: Mapping[tuple[str, ...], str]) -> list[Claim]:
    """The serial port of the header, if one of these devices is on it; by key."""
    return [
        Claim(pin, ClaimKind.SERIAL, f"{wire} of the serial port", path)
        for path, port in ports.items()
        if port in HEADER_PORTS
        for pin, wire in _UART.items()
    ]


def device_claims(
    devices: Iterable[tuple[tuple[str, ...], Iterable[Wire], Collection[str]]],
) -> list[Claim]:
    """The wires of devices: section, wires and written keys of each."""
    return [
        Claim(
            wire.pin,
            ClaimKind.BUS if wire.rests_high is None else ClaimKind.OUTPUT,
            wire.name,
            (*section, next((key for key in wire.keys if key in written), wire.keys[-1])),
            bool(wire.rests_high),
        )
        for section, wires, written in devices
        for wire in wires
    ]


def find_conflicts(
    claims: Iterable[Claim], written: Iterable[tuple[str, ...]] = ()
) -> Iterator[PinConflict]:
    """Every pin that has two wires, in the order of the claims.

    ``written``: keys that the owner has written; one of them is to blame, if it can be. Not
    repeated: what a driver refuses itself, and reserved pins.
    """
    keys = frozenset(written)
    by_pin: dict[int, list[Claim]] = {}
    for claim in claims:
        wires = by_pin.setdefault(claim.pin, [])
        # The same wire may serve two panels.
        if claim.text not in [wire.text for wire in wires]:
            wires.append(claim)
    for pin, wires in by_pin.items():
        if pins.problem(pin) is not None:
            continue
        for earlier, later in pairwise(wires):
            is_earlier = earlier.path in keys and later.path not in keys
            yield PinConflict(*((earlier, later) if is_earlier else (later, earlier)))
