"""The wiring page, A4 portrait: the header with its connections, circuits below."""

from __future__ import annotations

from scorer.makers.wiring.circuits import CONSOLES, HEIGHT, WIDTH, cells
from scorer.makers.wiring.header import Pin, PinKind, header_pins
from scorer.makers.wiring.svg import FAINT, INK, circle, group, line, rect, text
from scorer.session.values.settings import Layout

PAGE = (1000, 1414)
_TOP, _PITCH = 128, 34  # of the rows of pins
_MIDDLE = 500
_FILLS = {
    **CONSOLES,
    PinKind.SUPPLY: "#ffc9c4",
    PinKind.GROUND: "#3a3a3a",
    PinKind.PANEL: "#d5f2f1",
    PinKind.LAMP: "#fff0a0",
    PinKind.BUZZER: "#d9f2d0",
    PinKind.POWER: "#f8d3e6",
    PinKind.FREE: "#ffffff",
    PinKind.EMPTY: "#d8d8d8",
}


def draw_page(layout: Layout, consoles: int = 2) -> str:
    """The page as SVG; deterministic."""
    pins = header_pins(layout, consoles)
    width, height = PAGE
    size = f"{layout} layout" + (", three consoles" if consoles > 2 else "")
    # The circuits, three per row.
    top = _TOP + 20 * _PITCH + 10
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="DejaVu Sans, Verdana, sans-serif">',
        rect(0, 0, width, height, stroke="none"),
        text(24, 40, f"Truco Scorer: wiring, {size}", size=24, bold=True),
        text(24, 64, "Any Raspberry Pi with 40 pins, seen from above.", size=14),
        text(
            24,
            84,
            "Turn the microSD card up and the header to the right:"
            " pin 1 is the inner one at the top.",
            size=14,
        ),
        _board(890, 10),
        rect(_MIDDLE - 40, _TOP - 21, 80, 20 * _PITCH + 8, fill="#2b2b2b", radius=4),
        *(_row(pin) for pin in pins),
        *(
            group(cell, at=(20 + (WIDTH + 15) * (at % 3), top + (HEIGHT + 12) * (at // 3)))
            for at, cell in enumerate(cells(pins))
        ),
        text(24, height - 14, "Wires that cross are joined only where there is a dot.", size=12),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _board(x: float, y: float) -> str:
    """A small Pi that shows the orientation."""
    return "\n".join(
        (
            rect(x, y, 60, 86, fill="#dff0dc", radius=5),
            rect(x + 22, y - 2, 16, 12, fill="#b0b0b0"),
            text(x + 30, y + 22, "SD", size=9, anchor="middle"),
            rect(x + 46, y + 8, 10, 58, fill="#2b2b2b"),
            circle(x + 49, y + 12, 2.6, fill="#e02020", stroke="#e02020"),
            line((x + 47, y + 12), (x + 36, y + 36), stroke="#e02020"),
            text(x + 6, y + 48, "pin 1", size=11, fill="#c01010", bold=True),
        )
    )


def _row(pin: Pin) -> str:
    """A pin, its name, its connection and a note, outwards from the middle."""
    y = _TOP + _PITCH * ((pin.number - 1) // 2)
    out = -1 if pin.number % 2 else 1
    x = _MIDDLE + 19 * out
    label = _MIDDLE + 200 * out
    fill = "#ffe680"
    # Square for pin 1, as on the board.
    pad = (
        rect(x - 13, y - 13, 26, 26, fill=fill) if pin.number == 1 else circle(x, y, 13, fill=fill)
    )
    return group(
        line((x, y), (label - 90 * out, y)),
        pad + text(x, y + 4.5, str(pin.number), anchor="middle", bold=True),
        rect(_MIDDLE + 74 * out - 29, y - 9, 58, 18, stroke="none"),
        text(_MIDDLE + 74 * out, y + 4.5, pin.name, size=12.5, anchor="middle"),
        _label(pin, label, y),
        text(
            label + 98 * out,
            y + 4,
            pin.use.note,
            size=11.5,
            anchor="end" if out < 0 else "start",
            fill=FAINT,
        ),
        id=f"pin-{pin.number}",
        data_gpio="" if pin.gpio is None else pin.gpio,
        data_use=pin.use.label,
    )


def _label(pin: Pin, x: float, y: float) -> str:
    kind = pin.use.kind
    words = (
        "#ffffff"
        if kind is PinKind.GROUND
        else FAINT
        if kind in (PinKind.FREE, PinKind.EMPTY)
        else INK
    )
    return rect(
        x - 90, y - 13, 180, 26, fill=_FILLS[kind], dashed=kind is PinKind.FREE, radius=5
    ) + text(
        x,
        y + 4.5,
        pin.use.label,
        size=14,
        anchor="middle",
        bold=kind not in (PinKind.FREE, PinKind.EMPTY),
        fill=words,
    )
