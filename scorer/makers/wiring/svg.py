"""SVG primitives of circuit drawings: lines, text, resistors, switches.

Lengths are in page units; the ``y`` of a text is its baseline.
"""

from __future__ import annotations

from typing import Literal
from xml.sax.saxutils import escape, quoteattr

Anchor = Literal["start", "middle", "end"]
INK, FAINT = "#1b1b1b", "#5c5c5c"


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: float = 12,
    anchor: Anchor = "start",
    bold: bool = False,
    fill: str = INK,
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
        f' fill="{fill}"{weight}>{escape(words)}</text>'
    )


def line(*points: tuple[float, float], dashed: bool = False, stroke: str = INK) -> str:
    """One line through all points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<polyline points="{path}" fill="none" stroke="{stroke}" stroke-width="1.6"{dashes}/>'


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    fill: str = "#ffffff",
    stroke: str = INK,
    dashed: bool = False,
    radius: float = 0,
) -> str:
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"'
        f' fill="{fill}" stroke="{stroke}" stroke-width="1.4"{dashes}/>'
    )


def circle(x: float, y: float, radius: float, *, fill: str = "#ffffff", stroke: str = INK) -> str:
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"'
        f' stroke="{stroke}" stroke-width="1.4"/>'
    )


def group(*parts: str, at: tuple[float, float] = (0, 0), **attributes: object) -> str:
    """Parts moved together; ``data_gpio=17`` becomes the attribute ``data-gpio``."""
    named = "".join(
        f" {key.replace('_', '-')}={quoteattr(str(value))}" for key, value in attributes.items()
    )
    moved = f' transform="translate({at[0]:g} {at[1]:g})"' if at != (0, 0) else ""
    inner = "\n".join(parts)
    return f"<g{named}{moved}>\n{inner}\n</g>"


def dot(x: float, y: float) -> str:
    """A junction of crossing wires."""
    return circle(x, y, 3, fill=INK)


def ground(x: float, y: float) -> str:
    bars = ((11, 0), (7, 4), (3, 8))
    lines = (line((x - half, y + 8 + down), (x + half, y + 8 + down)) for half, down in bars)
    return "\n".join((line((x, y), (x, y + 8)), *lines))


def resistor(x: float, y: float, value: str, *, upright: bool = False) -> str:
    """Over an existing wire, centred at x, y."""
    if upright:
        return rect(x - 6, y - 16, 12, 32) + text(x + 11, y + 4, value, bold=True)
    return rect(x - 16, y - 6, 32, 12) + text(x, y - 11, value, anchor="middle", bold=True)


def capacitor(x: float, y: float, value: str) -> str:
    """In a vertical wire, centred at x, y."""
    gap = rect(x - 4, y - 3, 8, 6, stroke="#ffffff")
    plates = (line((x - 11, y + side), (x + 11, y + side)) for side in (-4, 4))
    return "\n".join((gap, *plates, text(x + 14, y + 5, value, bold=True)))


def fuse(x: float, y: float, value: str) -> str:
    """A polyfuse in an upright wire."""
    return (
        rect(x - 7, y - 11, 14, 22, fill="#ffe9b0", radius=7)
        + line((x - 12, y + 14), (x - 12, y + 8), (x + 12, y - 12), stroke=FAINT)
        + text(x + 18, y + 4, value, bold=True)
    )


def diode(x: float, y: float, name: str, *, zener: bool = False) -> str:
    """In a vertical wire, cathode up; ``zener`` bends the ends of the bar."""
    bend = [(x - 12, y - 4)] if zener else []
    other = [(x + 12, y - 12)] if zener else []
    bar = line(*bend, (x - 9, y - 8), (x + 9, y - 8), *other)
    body = (
        f'<polygon points="{x - 9:g},{y + 8:g} {x + 9:g},{y + 8:g} {x:g},{y - 8:g}" fill="#ffffff"'
        f' stroke="{INK}" stroke-width="1.6"/>'
    )
    return "\n".join((body, bar, text(x + 14, y + 5, name, bold=True)))


def switch(x: float, y: float) -> str:
    """A push button in a vertical wire, centred at x, y; 24 high."""
    gap = rect(x - 4, y - 12, 8, 24, stroke="#ffffff")
    contacts = circle(x, y - 12, 3) + circle(x, y + 12, 3)
    plunger = line((x + 8, y - 14), (x + 8, y + 14)) + line((x + 8, y), (x + 20, y))
    cap = line((x + 20, y - 8), (x + 20, y + 8))
    return "\n".join((gap, contacts, plunger, cap))


def npn(x: float, y: float, name: str) -> str:
    """Base at x, y; collector at x + 30, y - 30; emitter at x + 30, y + 30."""
    bar = line((x + 10, y - 14), (x + 10, y + 14))
    base = line((x, y), (x + 10, y))
    collector = line((x + 10, y - 6), (x + 30, y - 20), (x + 30, y - 30))
    emitter = line((x + 10, y + 6), (x + 30, y + 20), (x + 30, y + 30))
    arrow = (
        f'<polygon points="{x + 29:g},{y + 19:g} {x + 19:g},{y + 17:g} {x + 24:g},{y + 10:g}"'
        f' fill="{INK}"/>'
    )
    return "\n".join((bar, base, collector, emitter, arrow, text(x + 38, y + 4, name, bold=True)))
