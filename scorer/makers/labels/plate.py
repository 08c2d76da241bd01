"""Where the holes of a box are, in millimetres from the upper left corner of a plate.

Buttons stand as a hand finds them without looking: what is said above, what is answered below,
TANTOS at the right end. It knows no paper and no words.
"""

from __future__ import annotations

from typing import NamedTuple

from scorer.session.input.keymap import buttons
from scorer.session.settings import Layout

BUTTON = 30.0  # mm, the usual arcade button; a 24 mm one sits on the same centre
SMALL_BUTTON = 24.0
LAMP = 5.0
PITCH_X, PITCH_Y = 42.0, 46.0
MARGIN_X, MARGIN_Y = 30.0, 34.0
WINDOW = (58.0, 30.0)  # of a 2.42 inch panel; what shines behind it is 55.0 by 27.5


class Hole(NamedTuple):
    """A round hole: its centre, its diameter and the button that goes through it."""

    x: float
    y: float
    diameter: float
    button: str


class Plate(NamedTuple):
    """One plate of the box: its size, its holes, and the corner of the window of a panel."""

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
    """The plate between the teams: one panel and the buttons that both share."""
    shared = [name for name in buttons(layout) if "." not in name]
    width = 126.0
    step = width / (len(shared) + 1)
    row = 20.0 + WINDOW[1] + 34.0
    holes = tuple(Hole(step * at, row, BUTTON, key) for at, key in enumerate(shared, 1))
    return Plate(width, row + 28.0, holes, ((width - WINDOW[0]) / 2, 20.0))
