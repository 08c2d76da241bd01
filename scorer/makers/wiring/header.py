"""The 40 pins of the header and their connections.

Buttons, lamps and the buzzer come from ``scorer.config.pin_map``; defined here are the board, and
what config.txt or a connector determines.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorer.config import pin_map
from scorer.config.pin_claims import (
    Claim,
    ClaimKind,
    board_claims,
    button_claims,
    device_claims,
    find_conflicts,
    output_claims,
)
from scorer.hw.displays.luma_oled import Options as PanelOptions
from scorer.session.input.keymap import console_of
from scorer.session.values.settings import Layout


class PinKind(StrEnum):
    """The kind of a connection."""

    SUPPLY = "supply"
    GROUND = "ground"
    PANEL = "panel"
    A = "console A"
    B = "console B"
    C = "console C"
    SHARED = "shared button"
    LAMP = "lamp"
    BUZZER = "buzzer"
    POWER = "power button"
    FREE = "free"
    EMPTY = "leave empty"


BUTTON_KINDS = (PinKind.A, PinKind.B, PinKind.C, PinKind.SHARED)


class PinUse(NamedTuple):
    """The connection of a pin, in words for the builder."""

    kind: PinKind
    label: str
    note: str = ""


class Pin(NamedTuple):
    """A header pin: its number, its name, its BCM number if any, and its use."""

    number: int
    name: str
    gpio: int | None
    use: PinUse


# By header number: supplies and grounds, distributed so that each cable has its own.
_SUPPLIES = {
    1:  PinUse(PinKind.SUPPLY, "PANELS VCC", "3.3 V; never 5 V"),
    2:  PinUse(PinKind.SUPPLY, "LAMPS, BUZZER +", "circuits 3 and 4"),
    4:  PinUse(PinKind.FREE, "free", "5 V, not used"),
    6:  PinUse(PinKind.GROUND, "PANELS GND"),
    9:  PinUse(PinKind.GROUND, "POWER BUTTON GND"),
    14: PinUse(PinKind.GROUND, "CONSOLE B GND"),
    17: PinUse(PinKind.SUPPLY, "PULL-UPS 3k3", "circuit 1, all of them"),
    20: PinUse(PinKind.GROUND, "CONSOLE B GND", "a second wire"),
    25: PinUse(PinKind.GROUND, "LAMPS, BUZZER GND", "circuits 3 and 4"),
    30: PinUse(PinKind.GROUND, "CONSOLE A GND"),
    34: PinUse(PinKind.GROUND, "CONSOLE A GND", "a second wire"),
    39: PinUse(PinKind.GROUND, "MIDDLE GND"),
}  # fmt: skip

# A third console takes the second ground of console B.
_C_GROUND = {20: PinUse(PinKind.GROUND, "CONSOLE C GND")}

# By BCM number: reserved by the Pi.
_EMPTY = {pin: PinUse(PinKind.EMPTY, "leave empty", "identity of add-on boards") for pin in (0, 1)}
_SPARE = {
    7:  "D/C of an SPI panel",
    8:  "CE0 of an SPI panel",
    10: "MOSI of an SPI panel",
    11: "SCLK of an SPI panel",
    14: "UART TX",
    15: "UART RX",
}  # fmt: skip
_RETURNS = {"A": 30, "B": 14, "C": 20, "": 39}  # the ground of each console's buttons
_KINDS = {"A": PinKind.A, "B": PinKind.B, "C": PinKind.C, "": PinKind.SHARED}


def header_pins(layout: Layout, consoles: int = 2) -> tuple[Pin, ...]:
    """Pins 1 to 40. Raises ValueError if a pin is used twice."""
    claims = default_claims(layout, consoles)
    for conflict in find_conflicts(claims):
        raise ValueError(conflict.sentence)
    uses = {claim.pin: _use(claim) for claim in claims}
    if taken := sorted(uses.keys() & _EMPTY.keys()):
        raise ValueError(f"GPIO {taken[0]} must be left empty")
    uses |= _EMPTY
    supplies = _SUPPLIES | (_C_GROUND if consoles > 2 else {})
    pins = list[Pin]()
    for number, what in enumerate(pin_map.HEADER, start=1):
        if isinstance(what, str):
            pins.append(Pin(number, what, None, supplies[number]))
        else:
            spare = PinUse(PinKind.FREE, "free", _SPARE.get(what, ""))
            pins.append(Pin(number, f"GPIO {what}", what, uses.get(what, spare)))
    return tuple(pins)


def default_claims(layout: Layout, consoles: int = 2) -> list[Claim]:
    """Every wire of a box with default pins."""
    return [
        *board_claims(),
        *device_claims([(("panel", "0"), PanelOptions().wires, ())]),
        *button_claims(pin_map.pins_for(layout, consoles)),
        *output_claims(pin_map.LAMPS, pin_map.BUZZER),
    ]


def button_text(button: str) -> str:
    """The label of a button: ``A.no_quiero`` is ``A NO QUIERO``."""
    return button.replace(".", " ").replace("_", " ").upper()


def markdown_table(row: tuple[Pin, ...]) -> str:
    """Markdown, two pins per line, as on the board."""
    lines = ["| what | name | pin | pin | name | what |", "|---:|---:|---:|:---|:---|:---|"]
    for left, right in zip(row[::2], row[1::2], strict=True):
        cells = (*_cells(left), *reversed(_cells(right)))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _cells(pin: Pin) -> tuple[str, str, str]:
    note = f" ({pin.use.note})" if pin.use.kind is PinKind.FREE and pin.use.note else ""
    strong = "**" if pin.use.kind in BUTTON_KINDS else ""
    return f"{strong}{pin.use.label}{strong}{note}", pin.name, str(pin.number)


def _use(claim: Claim) -> PinUse:
    """The wire in words for the builder."""
    match claim.kind:
        case ClaimKind.POWER:
            return PinUse(PinKind.POWER, "POWER BUTTON", "circuit 2, back to pin 9")
        case ClaimKind.BUS:
            return PinUse(PinKind.PANEL, f"PANELS {claim.name.split()[0]}", "circuit 5")
        case ClaimKind.LAMP:
            return PinUse(PinKind.LAMP, f"LAMP {claim.name}", "circuit 3")
        case ClaimKind.BUZZER:
            return PinUse(PinKind.BUZZER, "BUZZER", "circuit 4")
        case _:
            console = console_of(claim.name)
            note = f"circuit 1 or 2, back to pin {_RETURNS[console]}"
            return PinUse(_KINDS[console], button_text(claim.name), note)
