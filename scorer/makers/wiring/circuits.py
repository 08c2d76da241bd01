"""The circuits of the drawing: button, lamp, buzzer, panels, consoles.

Each is drawn in a cell of WIDTH by HEIGHT. Component values are those of wiring.md; pins come from
the header.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.config.input_boxes import CONSOLE_KEYS, SHARED_KEYS
from scorer.makers.wiring.header import Pin, PinKind, button_text
from scorer.makers.wiring.svg import (
    FAINT,
    capacitor,
    circle,
    diode,
    dot,
    fuse,
    ground,
    group,
    line,
    npn,
    rect,
    resistor,
    switch,
    text,
)

WIDTH, HEIGHT = 310, 262
CONSOLES = {
    PinKind.A: "#cfe2ff",
    PinKind.B: "#ffe0b8",
    PinKind.C: "#d3eed0",
    PinKind.SHARED: "#e6daf7",
}

_ORDER = [button_text(key) for key in (*CONSOLE_KEYS, *SHARED_KEYS)]


def cells(header: Sequence[Pin]) -> tuple[str, ...]:
    """All circuits, in order of their numbers."""
    return (
        _cell("1  A button on a cable", *_long_cable(header)),
        _cell("2  A button in the same box", *_short_cable()),
        _cell("3  A lamp, one for each team", *_lamp(header)),
        _cell("4  The buzzer (active, 5 V)", *_buzzer(header)),
        _cell("5  Two panels, four wires", *_panels(header)),
        _cell("6  The buttons and their pins", *_consoles(header)),
    )


def _cell(title: str, *parts: str) -> str:
    frame = rect(0, 0, WIDTH, HEIGHT, stroke="#a0a0a0", radius=8)
    return group(frame, text(12, 24, title, size=15, bold=True), *parts)


def _number(header: Sequence[Pin], label: str) -> int:
    """The number of the first pin with that label."""
    return next(pin.number for pin in header if pin.use.label == label)


def _captions(*lines: str) -> str:
    """Text at the bottom of a cell."""
    top = HEIGHT - 10 - 15 * (len(lines) - 1)
    return "\n".join(
        text(12, top + 15 * at, words, size=11.5, fill=FAINT) for at, words in enumerate(lines)
    )


def _long_cable(header: Sequence[Pin]) -> tuple[str, ...]:
    top, rail, node, connector, far = 112, 182, 88, 208, 272
    return (
        line((node, 56), (node, rail)),
        text(node, 50, f"3V3, pin {_number(header, 'PULL-UPS 3k3')}", anchor="middle"),
        resistor(node, 82, "3k3", upright=True),
        line((14, top), (far, top), (far, rail), (node, rail)),
        text(14, top - 6, "GPIO pin"),
        dot(node, top),
        capacitor(node, 148, "100 nF"),
        dot(node, rail),
        ground(node, rail),
        text(node - 18, rail + 16, "GND", anchor="end"),
        resistor(142, top, "470R"),
        line((178, top), (178, rail)),
        dot(178, top),
        dot(178, rail),
        diode(178, 148, "", zener=True),
        text(150, 204, "TVS", bold=True),
        line((170, 192), (176, 162), stroke=FAINT),
        circle(connector, top, 4),
        circle(connector, rail, 4),
        text(connector, 70, "plug", anchor="middle", fill=FAINT),
        line((connector, 76), (connector, 104), dashed=True, stroke=FAINT),
        text(239, 132, "twisted", size=11, anchor="middle", fill=FAINT),
        text(239, 145, "pair", size=11, anchor="middle", fill=FAINT),
        switch(far, 148),
        _captions(
            "Pressed 0.41 V and 0.9 mA, released 3.3 V.",
            "The TVS sits at the plug, before the 470R.",
        ),
    )


def _short_cable() -> tuple[str, ...]:
    top, rail, far = 112, 182, 250
    return (
        line((14, top), (far, top), (far, rail)),
        ground(far, rail),
        text(far - 18, rail + 16, "GND", anchor="end"),
        text(14, top - 6, "GPIO pin"),
        resistor(160, top, "1k"),
        switch(far, 148),
        rect(12, 122, 118, 74, dashed=True, stroke=FAINT, radius=6),
        text(71, 142, "inside the Pi:", size=11.5, anchor="middle", fill=FAINT),
        text(71, 158, "a pull-up to 3V3", size=11.5, anchor="middle", fill=FAINT),
        text(71, 174, "of about 50k", size=11.5, anchor="middle", fill=FAINT),
        _captions(
            "30 cm at most, in one closed box. No 100 nF",
            "here: the weak pull-up would charge it slowly.",
        ),
    )


def _transistor_cell(header: Sequence[Pin], switched: PinKind, *part: str) -> tuple[str, ...]:
    """A load between 5 V and a transistor, switched by pins of one kind."""
    supply, back = _number(header, "LAMPS, BUZZER +"), _number(header, "LAMPS, BUZZER GND")
    labels = [f"{pin.use.label}: pin {pin.number}" for pin in header if pin.use.kind is switched]
    base, rail, load = 148, 192, 210
    return (
        text(load, 50, f"5 V, pin {supply}", anchor="middle"),
        line((load, 56), (load, base - 30)),
        *part,
        line((14, base), (180, base)),
        *(text(14, base - 48 + 16 * at, label) for at, label in enumerate(labels)),
        resistor(86, base, "1k"),
        line((134, base), (134, rail), (load, rail), (load, base + 30)),
        dot(134, base),
        resistor(134, 171, "10k", upright=True),
        npn(180, base, "BC337"),
        dot(load, rail),
        ground(load, rail),
        text(load + 16, rail + 14, f"GND, pin {back}"),
    )


def _lamp(header: Sequence[Pin]) -> tuple[str, ...]:
    lamp = (
        fuse(210, 70, "0.25 A"),
        circle(210, 102, 12),
        line((202, 94), (218, 110)),
        line((218, 94), (202, 110)),
        text(196, 96, "+", anchor="end", bold=True),
        text(228, 98, "5 V lamp", bold=True),
        text(228, 113, "to 100 mA", bold=True),
    )
    return (
        *_transistor_cell(header, PinKind.LAMP, *lamp),
        _captions(
            "A polyfuse for each lamp, at the Pi's end.",
            "The lamp brings its own resistor, or add one.",
            "The 10k keeps it dark while the pin is not driven.",
        ),
    )


def _buzzer(header: Sequence[Pin]) -> tuple[str, ...]:
    part = (
        rect(196, 70, 28, 32),
        text(210, 84, "+", anchor="middle", bold=True),
        text(210, 98, "−", anchor="middle", bold=True),  # noqa: RUF001 (a minus sign)
        line((210, 62), (262, 62), (262, 110), (210, 110)),
        dot(210, 62),
        dot(210, 110),
        diode(262, 86, ""),
        text(262, 126, "1N4148", anchor="middle", bold=True),
        text(188, 90, "buzzer", anchor="end", bold=True),
    )
    return (
        *_transistor_cell(header, PinKind.BUZZER, *part),
        _captions(
            "The diode's ring points to 5 V.",
            "Active: it sounds by itself on a battery.",
        ),
    )


def _panels(header: Sequence[Pin]) -> tuple[str, ...]:
    wires = [pin for pin in header if pin.use.label.startswith("PANELS ")]
    parts = []
    for at, pin in enumerate(wires):
        y = 54 + 24 * at
        name = pin.use.label.removeprefix("PANELS ")
        parts += [text(12, y + 4, f"{name}, pin {pin.number}"), line((92, y), (220 + 18 * at, y))]
        for left in (110, 220):
            x = left + 18 * at
            parts += [line((x, y), (x, 160)), dot(x, y)]
    for left, name, address in ((100, "Panel A", "0x3C"), (210, "Panel B", "0x3D")):
        parts += [
            rect(left, 160, 74, 50, fill="#d5f2f1", radius=4),
            text(left + 37, 181, name, anchor="middle", bold=True),
            text(left + 37, 199, address, anchor="middle"),
        ]
    return (
        *parts,
        _captions(
            "Wire by the names printed on the panel: VCC and",
            "GND change places from one maker to another.",
        ),
    )


def _consoles(header: Sequence[Pin]) -> tuple[str, ...]:
    present = [kind for kind in CONSOLES if any(pin.use.kind is kind for pin in header)]
    # As on the plates and on the labels, not in the order of the header.
    ordered = sorted(
        header, key=lambda pin: _ORDER.index(_word(pin)) if _word(pin) in _ORDER else -1
    )
    *teams, shared = ([pin for pin in ordered if pin.use.kind is kind] for kind in present)
    draw, step = (_console, 148) if len(teams) == 2 else (_narrow_console, 99)
    return (
        *(
            draw(buttons, kind, 10 + step * at, _console_title(header, kind))
            for at, (buttons, kind) in enumerate(zip(teams, present, strict=False))
        ),
        rect(10, 206, 290, 46, fill=CONSOLES[PinKind.SHARED], radius=6),
        text(20, 233, f"In the middle, GND pin {_number(header, 'MIDDLE GND')}", size=11),
        *(_draw_hole(pin, 190 + 66 * at, 222) for at, pin in enumerate(shared)),
    )


def _console_title(header: Sequence[Pin], kind: PinKind) -> tuple[str, str]:
    """The name of a console, and its ground."""
    letter = kind.rpartition(" ")[2]
    return f"Console {letter}", f"GND pin {_number(header, f'CONSOLE {letter} GND')}"


def _console(buttons: Sequence[Pin], kind: PinKind, left: int, title: tuple[str, str]) -> str:
    """The buttons in two rows, as on the box."""
    across = len(buttons) // 2
    step = 132 / across
    holes = (
        _draw_hole(pin, left + 5 + step * (at % across + 0.5), 84 + 62 * (at // across))
        for at, pin in enumerate(buttons)
    )
    return "\n".join(
        (
            rect(left, 34, 142, 166, fill=CONSOLES[kind], radius=6),
            text(left + 71, 49, ", ".join(title), size=11, anchor="middle"),
            *holes,
        )
    )


def _narrow_console(
    buttons: Sequence[Pin], kind: PinKind, left: int, title: tuple[str, str]
) -> str:
    """The buttons in one column, beside two other consoles."""
    rows = (
        "\n".join(
            (
                circle(left + 14, 76 + 22 * at, 10),
                text(left + 14, 80 + 22 * at, str(pin.number), size=11, anchor="middle", bold=True),
                text(left + 27, 79.5 + 22 * at, _word(pin), size=9.5, bold=True),
            )
        )
        for at, pin in enumerate(buttons)
    )
    return "\n".join(
        (
            rect(left, 34, 92, 166, fill=CONSOLES[kind], radius=6),
            *(
                text(left + 46, 47 + 13 * at, words, size=11, anchor="middle")
                for at, words in enumerate(title)
            ),
            *rows,
        )
    )


def _word(pin: Pin) -> str:
    """What is printed at a button."""
    return pin.use.label if pin.use.kind is PinKind.SHARED else pin.use.label.partition(" ")[2]


def _draw_hole(pin: Pin, x: float, y: float) -> str:
    return "\n".join(
        (
            circle(x, y, 13),
            text(x, y + 4.5, str(pin.number), anchor="middle", bold=True),
            *(
                text(x, y + 25 + 10 * at, word, size=9.5, anchor="middle", bold=True)
                for at, word in enumerate(_word(pin).split())
            ),
        )
    )
