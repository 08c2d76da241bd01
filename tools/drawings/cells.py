"""Drawings that only the build guide has, each in a cell of WIDTH by HEIGHT."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.config import pin_map
from scorer.makers.wiring.circuits import CONSOLES, HEIGHT, WIDTH
from scorer.makers.wiring.header import Pin, PinKind
from scorer.makers.wiring.svg import (
    FAINT,
    capacitor,
    circle,
    dot,
    ground,
    group,
    line,
    rect,
    resistor,
    switch,
    text,
)

_COPPER, _PANEL, _BOARD = "#e9c46a", "#d5f2f1", "#dff0dc"
# Printed names on a panel with seven pins, in the usual order.
_SEVEN = ("GND", "VCC", "SCL", "SDA", "RES", "DC", "CS")


def board(header: Sequence[Pin]) -> str:
    """Where pin 1 is, and the three places to measure before the first power-on."""
    left, top, pitch = 196, 62, 8.6
    pins = [
        circle(
            left + 14 * (1 - pin.number % 2),
            top + pitch * ((pin.number - 1) // 2),
            3.2,
            fill="#e02020" if pin.number == 1 else _COPPER,
        )
        for pin in header
    ]
    names = ((1, "3V3"), (2, "5V"), (6, "GND"))
    marks = []
    for number, name in names:
        y = top + pitch * ((number - 1) // 2)
        if number % 2:
            marks.append(text(left - 12, y + 4, f"{number}  {name}", anchor="end", bold=True))
        else:
            marks.append(text(left + 26, y + 4, f"{number}  {name}", bold=True))
    return _cell(
        "Where is pin 1?",
        rect(96, 40, 126, 196, fill=_BOARD, radius=8),
        rect(138, 34, 42, 20, fill="#b0b0b0"),
        text(159, 48, "microSD", size=9, anchor="middle"),
        rect(left - 8, top - 8, 30, 19 * pitch + 16, fill="#2b2b2b", radius=3),
        *pins,
        *marks,
        _captions("No beep between 1 and 6, 2 and 6, 1 and 2."),
    )


def keypad() -> str:
    """Two numeric keypads with the words on their keys."""
    keys = (
        ("7", "TRUCO", 0, 0),
        ("8", "ENVIDO", 1, 0),
        ("9", "FLOR", 2, 0),
        ("4", "", 0, 1),
        ("5", "", 1, 1),
        ("6", "", 2, 1),
        ("1", "QUIERO", 0, 2),
        ("2", "", 1, 2),
        ("3", "NO", 2, 2),
        ("0", "UNDO", 0, 3),
        (".", "MENU", 2, 3),
        ("Enter", "TANTOS", 3, 2),
    )
    parts = []
    for key, word, column, row in keys:
        x, y = 42 + 58 * column, 40 + 43 * row
        width, height = (110 if key == "0" else 52), (80 if key == "Enter" else 37)
        parts += [
            rect(x, y, width, height, fill=CONSOLES[PinKind.A] if word else "#f2f2f2", radius=5),
            text(x + 6, y + 14, key, size=10, fill=FAINT),
            text(x + width / 2, y + height - 9, word, size=11, anchor="middle", bold=True),
        ]
    return _cell(
        "A numeric keypad as a console", *parts, _captions("One for each team, on any USB socket.")
    )


def panel_seven_pin(header: Sequence[Pin]) -> str:
    """A panel with seven pins, set to I2C: what each pin needs."""
    places = {
        "GND": f"GND, pin {_number(header, 'PANELS GND')}",
        "VCC": f"3V3, pin {_number(header, 'PANELS VCC')}",
        "SCL": f"SCL, pin {_number(header, 'PANELS SCL')}",
        "SDA": f"SDA, pin {_number(header, 'PANELS SDA')}",
        "RES": "10k to 3V3, 1 µF to GND",
        "DC": "GND: 0x3C   3V3: 0x3D",
        "CS": "GND",
    }
    return _cell(
        "A seven-pin panel in I2C",
        *_strip(places),
        _captions("First move the resistors on its back to IIC,", "as its print says."),
    )


def panel_spi(header: Sequence[Pin]) -> str:
    """A panel with seven pins as delivered: SPI."""
    spare = {pin.gpio: pin.number for pin in header if pin.gpio is not None}
    places = {
        "GND": f"GND, pin {_number(header, 'PANELS GND')}",
        "VCC": f"3V3, pin {_number(header, 'PANELS VCC')}",
        "SCL": f"GPIO 11, pin {spare[11]}",
        "SDA": f"GPIO 10, pin {spare[10]}",
        "RES": "10k to 3V3, 1 µF to GND",
        "DC": f"GPIO 7, pin {spare[7]}",
        "CS": f"GPIO 8, pin {spare[8]}",
    }
    return _cell(
        "The same panel as delivered: SPI",
        *_strip(places),
        _captions(
            "On this panel SCL is the clock, SDA the data.", "20 cm at most. One panel only."
        ),
    )


def power_button(header: Sequence[Pin]) -> str:
    """The power button: GPIO 4 to GND through 1k."""
    top, rail, far = 112, 182, 250
    return _cell(
        "The power button",
        line((14, top), (far, top), (far, rail), (14, rail)),
        text(14, top - 6, f"GPIO 4, pin {_number(header, 'POWER BUTTON')}"),
        text(14, rail + 16, f"GND, pin {_number(header, 'POWER BUTTON GND')}"),
        resistor(160, top, "1k"),
        switch(far, 147),
        _captions("Held for two seconds it shuts the Pi down.", "It starts no halted Pi."),
    )


def five_volt(header: Sequence[Pin]) -> str:
    """The 5 V that leaves the box, and the capacitor of the panels."""
    supply = _number(header, "LAMPS, BUZZER +")
    panels, back = _number(header, "PANELS VCC"), _number(header, "PANELS GND")
    high, low, rail = 62, 140, 196
    return _cell(
        "Fuse and capacitor",
        text(12, high - 8, f"5 V, pin {supply}"),
        line((14, high), (286, high)),
        rect(104, high - 8, 56, 16, fill="#ffe9b0", radius=8),
        line((96, high + 12), (110, high + 12), (154, high - 12), stroke=FAINT),
        text(132, high + 28, "polyfuse 0.25 A", anchor="middle", bold=True),
        text(286, high - 8, "to a lamp", anchor="end", size=11, fill=FAINT),
        text(12, low - 8, f"3V3, pin {panels}"),
        line((14, low), (286, low)),
        line((14, rail), (286, rail)),
        text(12, rail + 16, f"GND, pin {back}"),
        line((150, low), (150, rail)),
        dot(150, low),
        dot(150, rail),
        capacitor(150, 168, "100 µF"),
        text(136, 162, "+", anchor="end", bold=True),
        rect(222, low - 12, 70, rail - low + 24, fill=_PANEL, radius=4),
        text(257, 172, "panel", anchor="middle", bold=True),
        _captions(
            "The capacitor sits at the panel, 6.3 V or more.",
            "One fuse for each lamp, none for the buzzer.",
        ),
    )


def case(header: Sequence[Pin]) -> str:
    """A metal case: one bond to GND, shields at one end."""
    return _cell(
        "A metal case, one bond",
        rect(30, 48, 250, 132, fill="#e4e7ea", radius=8),
        text(40, 66, "metal case", fill=FAINT),
        rect(52, 84, 74, 60, fill=_BOARD, radius=5),
        text(89, 118, "Pi", anchor="middle", bold=True),
        line((89, 144), (89, 180)),
        dot(89, 180),
        text(98, 166, f"GND, pin {_number(header, 'MIDDLE GND')}", size=11),
        ground(89, 180),
        line((176, 110), (300, 110)),
        line((176, 122), (300, 122), dashed=True, stroke=FAINT),
        line((238, 122), (238, 180), dashed=True, stroke=FAINT),
        dot(238, 180),
        text(206, 103, "cable", size=11),
        text(232, 136, "shield", size=11, anchor="end", fill=FAINT),
        _captions(
            "One screw, scratched bare, toothed washer.",
            "The shield ends here, open at the console.",
        ),
    )


def channel() -> str:
    """Circuit 1 on perfboard: the parts of one button, seen from above."""
    columns, rows, step, left, top = 12, 6, 22, 34, 58
    holes = [
        circle(left + step * x, top + step * y, 2.4, fill="#ffffff", stroke="#b58b3b")
        for x in range(columns)
        for y in range(rows)
    ]

    def at(x: int, y: int) -> tuple[float, float]:
        return left + step * x, top + step * y

    def part(x: int, y: int, width: int, name: str, fill: str) -> str:
        px, py = at(x, y)
        body = rect(px + 6, py - 8, step * width - 12, 16, fill=fill, radius=4)
        middle = px + step * width / 2
        return (
            line((px, py), (px + step * width, py))
            + body
            + text(middle, py + 4, name, size=10.5, anchor="middle", bold=True)
        )

    adapter = at(8, 1)
    return _cell(
        "Circuit 1 on perfboard",
        rect(left - 14, top - 14, step * columns + 8, step * rows + 8, fill="#f3dfb0", radius=4),
        *holes,
        line(at(0, 0), at(10, 0), stroke="#d03030"),
        text(left + step * 10 + 8, top + 4, "3V3", size=10, bold=True),
        line(at(0, 5), at(10, 5)),
        text(left + step * 10 + 8, top + 5 * step + 4, "GND", size=10, bold=True),
        line(at(1, 0), at(1, 1)),
        part(1, 1, 3, "3k3", "#e8d0b0"),
        line(at(4, 1), at(4, 3)),
        part(4, 3, 3, "470R", "#e8d0b0"),
        part(1, 4, 3, "100 nF", "#f0b860"),
        line(at(4, 3), at(4, 4)),
        line(at(1, 4), at(1, 5)),
        line(at(0, 3), at(4, 3)),
        dot(*at(4, 3)),
        text(left - 8, top + 3 * step - 6, "GPIO", size=10, bold=True),
        rect(adapter[0] - 10, adapter[1] - 10, 2 * step + 20, step + 20, fill="#9cc7a2", radius=3),
        text(adapter[0] + step, adapter[1] + 8, "TVS", size=10, anchor="middle", bold=True),
        text(adapter[0] + step, adapter[1] + 22, "SOT-23-6", size=8.5, anchor="middle"),
        line(at(7, 3), at(8, 3), at(8, 2)),
        line(at(8, 3), at(11, 3)),
        dot(*at(8, 3)),
        line(at(9, 2), at(9, 5)),
        dot(*at(9, 5)),
        text(left + step * 10 - 4, top + 3 * step - 6, "plug", size=10, bold=True),
        _captions("One adapter protects four buttons: order the", "channels in fours around it."),
    )


def third_console() -> str:
    """The four buttons of console C and their pins."""
    pins = {7: 26, 8: 24, 10: 19, 11: 23}
    holes = []
    for at, (name, gpio) in enumerate(pin_map.THIRD_CONSOLE.items()):
        x, y = 80 + 128 * (at % 2), 84 + 74 * (at // 2)
        holes += [
            circle(x, y, 20),
            text(x, y + 6, str(pins[gpio]), size=16, anchor="middle", bold=True),
            text(x, y + 36, name.removeprefix("C.").upper(), size=11, anchor="middle", bold=True),
            text(x + 26, y + 5, f"GPIO {gpio}", size=11, fill=FAINT),
        ]
    return _cell(
        "Console C, for three",
        rect(20, 44, 270, 160, fill="#cdeed2", radius=6),
        *holes,
        _captions("GND: pin 20. No SPI panel and no third panel", "then: these are their pins."),
    )


def strip(header: Sequence[Pin]) -> str:
    """A strip of WS2812 pixels: level shifter, fuse and capacitor."""
    numbers = {pin.gpio: pin.number for pin in header if pin.gpio is not None}
    supply, data, back, left, pixels = 62, 128, 196, 114, 262
    return _cell(
        "A strip in team colours",
        text(12, supply - 8, "5 V, pin 4"),
        line((14, supply), (pixels, supply)),
        rect(92, supply - 8, 36, 16, fill="#ffe9b0", radius=8),
        line((84, supply + 12), (96, supply + 12), (124, supply - 12), stroke=FAINT),
        text(134, supply - 8, "0.5 A", size=11, bold=True),
        text(12, data - 8, f"GPIO 10, pin {numbers[10]}", size=11),
        line((14, data), (left, data)),
        dot(30, data),
        line((30, data), (30, back)),
        resistor(30, 162, "10k", upright=True),
        rect(left, 100, 66, 60, fill=_BOARD, radius=4),
        text(left + 33, 122, "74AHCT", size=11, anchor="middle", bold=True),
        text(left + 33, 135, "125", size=11, anchor="middle", bold=True),
        text(left + 33, 152, "1 to GND", size=9, anchor="middle"),
        *(
            text(x, y, number, size=9)
            for x, y, number in (
                (left + 4, data + 3, "2"),
                (left + 57, data + 3, "3"),
                (left + 36, 97, "14"),
                (left + 36, 170, "7"),
            )
        ),
        line((left + 33, supply), (left + 33, 100)),
        dot(left + 33, supply),
        line((left + 33, 160), (left + 33, back)),
        dot(left + 33, back),
        dot(30, back),
        line((left + 66, data), (pixels, data)),
        resistor(232, data, "330R"),
        line((14, back), (pixels, back)),
        text(12, back + 16, "GND, pin 20"),
        rect(pixels, 48, 40, 162, fill="#2b2b2b", radius=4),
        *(
            text(pixels + 5, y + 4, name, size=10.5, bold=True, fill="#ffffff")
            for name, y in (("5V", supply), ("DIN", data), ("GND", back))
        ),
        *(
            circle(pixels + 31, 72 + 24 * at, 7, fill=colour)
            for at, colour in enumerate(("#5aa9e6", "#5aa9e6", "#5aa9e6", "#f0b860", "#f0b860"))
        ),
        line((198, supply), (198, back)),
        dot(198, supply),
        dot(198, back),
        capacitor(198, 172, "470 µF"),
        _captions(
            "330R and 470 µF sit at the strip, 100 nF at the",
            "74AHCT125. Its pins 4, 5, 9, 10, 12, 13 to GND.",
        ),
    )


def _cell(title: str, *parts: str) -> str:
    frame = rect(0, 0, WIDTH, HEIGHT, stroke="#a0a0a0", radius=8)
    return group(frame, text(12, 24, title, size=14, bold=True), *parts)


def _captions(*lines: str) -> str:
    top = HEIGHT - 10 - 15 * (len(lines) - 1)
    return "\n".join(
        text(12, top + 15 * at, words, size=11.5, fill=FAINT) for at, words in enumerate(lines)
    )


def _number(header: Sequence[Pin], label: str) -> int:
    return next(pin.number for pin in header if pin.use.label == label)


def _strip(places: dict[str, str]) -> list[str]:
    """The row of pins of a panel, each with its wire."""
    parts = [rect(12, 40, 78, 178, fill=_PANEL, radius=4)]
    for at, name in enumerate(_SEVEN):
        y = 56 + 24 * at
        parts += [
            circle(84, y, 5, fill=_COPPER),
            text(72, y + 4, name, anchor="end", bold=True),
            line((89, y), (128, y)),
            text(136, y + 4, places[name]),
        ]
    return parts
