"""Table of the pins of buttons, lamps and buzzer (BCM numbers), and of the header.

wiring.md and its drawing are generated from this table. No button uses GPIO 0-3: the first two
belong to add-on boards, the others are the I2C bus.
"""

from __future__ import annotations

from scorer.session.input.keymap import buttons, console_of
from scorer.session.values.settings import Layout

BUTTONS = {
    "A.truco": 5,
    "A.envido": 6,
    "A.flor": 13,
    "A.quiero": 19,
    "A.no_quiero": 26,
    "A.tantos": 16,
    "B.truco": 17,
    "B.envido": 27,
    "B.flor": 22,
    "B.quiero": 23,
    "B.no_quiero": 24,
    "B.tantos": 25,
    "undo": 20,
    "menu": 21,
}
# A third console, for three players who each play alone, uses the pins of the SPI bus: with a panel
# on that bus there are two consoles.
THIRD_CONSOLE = {
    "C.truco": 10,
    "C.envido": 11,
    "C.quiero": 8,
    "C.tantos": 7,
}
LAMPS = {"A": 18, "B": 9}  # pins that are pulled down at power-on, so that lamps start dark
BUZZER = 12
POWER_BUTTON = 4  # as in config.txt: dtoverlay=gpio-shutdown,gpio_pin=4

# Pins 1 to 40 of the header in order: a BCM number, or the supply.
HEADER: tuple[int | str, ...] = (
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


def pins_for(layout: Layout, consoles: int = 2, plugged: str = "") -> dict[str, int]:
    """The pins of the buttons of a layout with this number of consoles.

    ``plugged``: letters of consoles with a cable of their own, without pins.
    """
    wired = {**BUTTONS, **THIRD_CONSOLE}
    own = (
        b for b in buttons(layout, consoles) if not console_of(b) or console_of(b) not in plugged
    )
    return {button: wired[button] for button in own}
