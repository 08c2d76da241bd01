"""The 40 pins of the header and their connections.

Buttons, lamps and the buzzer come from ``scorer.config.pin_map``; defined here are the board, and
what config.txt or a connector determines.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorer.config import pin_map
from scorer.session.input.keymap import console_of
from scorer.session.settings import Layout

# Pins 1 to 40 in order: a BCM number, or the supply.
_BOARD: tuple[int | str, ...] = (
    "3V3", "5V",
    2,     "5V",
    3,     "GND",
    4,     14,
    "GND", 15,
    17,    18,
    27,    "GND",
    22,    23,
    "3V3", 24,
    10,    "GND",
    9,     25,
    11,    8,
    "GND", 7,
    0,     1,
    5,     "GND",
    6,     12,
    13,    "GND",
    19,    16,
    26,    20,
    "GND", 21,
)  # fmt: skip


class PinKind(StrEnum):
    """The kind of a connection."""

    SUPPLY = "supply"
    GROUND = "ground"
    PANEL = "panel"
    A = "console A"
    B = "console B"
    SHARED = "shared button"
    LAMP = "lamp"
    BUZZER = "buzzer"
    POWER = "power button"
    FREE = "free"
    EMPTY = "leave empty"


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

POWER_BUTTON = 4  # as in config.txt: dtoverlay=gpio-shutdown,gpio_pin=4

# By BCM number: fixed by the Pi's hardware.
_FIXED = {
    0:  PinUse(PinKind.EMPTY, "leave empty", "identity of add-on boards"),
    1:  PinUse(PinKind.EMPTY, "leave empty", "identity of add-on boards"),
    2:  PinUse(PinKind.PANEL, "PANELS SDA", "circuit 5"),
    3:  PinUse(PinKind.PANEL, "PANELS SCL", "circuit 5"),
    POWER_BUTTON: PinUse(PinKind.POWER, "POWER BUTTON", "circuit 2, back to pin 9"),
}  # fmt: skip
_SPARE = {
    7:  "D/C of an SPI panel",
    8:  "CE0 of an SPI panel",
    10: "MOSI of an SPI panel",
    11: "SCLK of an SPI panel",
    14: "UART TX",
    15: "UART RX",
}  # fmt: skip
_RETURNS = {"A": 30, "B": 14, "": 39}  # the ground of each console's buttons
_KINDS = {"A": PinKind.A, "B": PinKind.B, "": PinKind.SHARED}


def header_pins(layout: Layout) -> tuple[Pin, ...]:
    """Pins 1 to 40. Raises ValueError if a pin is used twice."""
    uses = _uses(layout)
    return tuple(_pin(number, what, uses) for number, what in enumerate(_BOARD, start=1))


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
    strong = "**" if pin.use.kind in (PinKind.A, PinKind.B, PinKind.SHARED) else ""
    return f"{strong}{pin.use.label}{strong}{note}", pin.name, str(pin.number)


def _pin(number: int, what: int | str, uses: dict[int, PinUse]) -> Pin:
    if isinstance(what, str):
        return Pin(number, what, None, _SUPPLIES[number])
    spare = PinUse(PinKind.FREE, "free", _SPARE.get(what, ""))
    return Pin(number, f"GPIO {what}", what, uses.get(what, spare))


def _uses(layout: Layout) -> dict[int, PinUse]:
    wanted = [
        *_FIXED.items(),
        *((pin, _button(name)) for name, pin in pin_map.pins_for(layout).items()),
        *(
            (pin, PinUse(PinKind.LAMP, f"LAMP {side}", "circuit 3"))
            for side, pin in pin_map.LAMPS.items()
        ),
        (pin_map.BUZZER, PinUse(PinKind.BUZZER, "BUZZER", "circuit 4")),
    ]
    uses: dict[int, PinUse] = {}
    for pin, use in wanted:
        if pin in uses:
            raise ValueError(f"GPIO {pin} is {uses[pin].label} and {use.label}")
        uses[pin] = use
    return uses


def _button(name: str) -> PinUse:
    console = console_of(name)
    return PinUse(
        _KINDS[console], button_text(name), f"circuit 1 or 2, back to pin {_RETURNS[console]}"
    )
