"""Positions of the holes of a box, in mm from the upper left corner of a plate.

Buttons are arranged to be found without looking: calls in the upper row, answers below, TANTOS at
the right end.
"""

from __future__ import annotations

from typing import NamedTuple

from scorer.session.input.keymap import buttons
from scorer.session.settings import Layout

BUTTON = 30.0  # mm, the usual arcade button; one of 24 mm has the same centre
SMALL_BUTTON = 24.0
LAMP = 5.0
PITCH_X, PITCH_Y = 42.0, 46.0
MARGIN_X, MARGIN_Y = 30.0, 34.0
WINDOW = (58.0, 30.0)  # mm, of a 2.42 inch panel with an active area of 55.0 by 27.5


class Hole(NamedTuple):
    """A round hole: its centre, its diameter, and its button."""

    x: float
    y: float
    diameter: float
    button: str


class Plate(NamedTuple):
    """A plate of the box: its size, its holes, and the corner of the panel window."""

    width: float
    height: float
    holes: tuple[Hole, ...]
    window: tuple[float, float] | None = None


def console(layout: Layout) -> Plate:
    """The plate of one team: two rows of buttons and a lamp in the corner."""
    keys = [name.partition(".")[2] for name in buttons(layout) if name.startswith("A.")]
    across = len(keys) // 2
    holes = tuple(
        Hole(MARGIN_X + at % across * PITCH_X, MARGIN_Y + at // across * PITCH_Y, BUTTON, key)
        for at, key in enumerate(keys)
    )
    width = 2 * MARGIN_X + (across - 1) * PITCH_X
    lamp = Hole(10.0, 10.0, LAMP, "lamp")
    return Plate(width, 2 * MARGIN_Y + PITCH_Y, (*holes, lamp))


def middle(layout: Layout) -> Plate:
    """The plate between the teams: one panel and the shared buttons."""
    shared = [name for name in buttons(layout) if "." not in name]
    width = 126.0
    step = width / (len(shared) + 1)
    row = 20.0 + WINDOW[1] + 34.0
    holes = tuple(Hole(step * at, row, BUTTON, key) for at, key in enumerate(shared, 1))
    return Plate(width, row + 28.0, holes, ((width - WINDOW[0]) / 2, 20.0))
