"""Plates of the console box and of the centre box, with all of their holes, in mm.

The drilling templates and the case are drawn from these plates. Buttons are arranged to be found
without looking: calls in the upper row, answers below, TANTOS at the right end. The centre box
stands between the teams: a panel in its front and one in its back, shared buttons on its lid.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout

BUTTON = 30.0  # mm, the usual arcade button; one of 24 mm has the same centre
SMALL_BUTTON = 24.0
PITCH_X, PITCH_Y = 42.0, 46.0
# From the first button to the edges. A label fits above each button, the nut of a button and the
# post of a screw fit into the corner.
MARGIN_X, MARGIN_Y = 34.0, 38.0
CONSOLE_HEIGHT = 60.0  # inside; a button with its microswitch and its plugs
CENTRE = (150.0, 106.0, 95.0)  # width and depth outside, height inside
# A 2.42 inch panel: its active area of 55.0 by 27.5 with 0.75 around, its board, its screws.
WINDOW = (56.5, 28.5)
BOARD = (61.5, 39.5)
BOARD_SCREWS = (56.5, 34.5)
PI = (85.0, 56.0)
# Screws of a Pi, from the corner beside its card, the header at the top; those of a Zero too.
PI_SCREWS = ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))
ZERO_SCREWS = ((3.5, 26.5), (61.5, 26.5))
PLUG = (16.0, 10.0)  # the plug of the supply passes through


class Use(StrEnum):
    """The purpose of a hole or of an opening."""

    BUTTON = "button"
    LAMP = "lamp"
    SCREW = "screw"  # joins lid and bottom
    BUZZER = "buzzer"
    CABLE = "cable"  # a cable gland PG7
    POWER_BUTTON = "power_button"
    POWER_CABLE = "power_cable"
    PANEL = "panel"
    PANEL_SCREW = "panel_screw"
    PI_SCREW = "pi_screw"
    VENT = "vent"
    DRAIN = "drain"


DIAMETERS = {
    Use.LAMP: 5.0,
    Use.SCREW: 3.2,  # M3
    Use.BUZZER: 5.0,
    Use.CABLE: 12.5,
    Use.POWER_BUTTON: 12.0,
    Use.PANEL_SCREW: 2.7,  # M2.5
    Use.PI_SCREW: 2.7,
    Use.VENT: 5.0,
    Use.DRAIN: 5.0,
}


class Hole(NamedTuple):
    """A round hole: its centre, its diameter, its use, and its button if any."""

    x: float
    y: float
    diameter: float
    use: Use
    button: str = ""


class Cutout(NamedTuple):
    """A rectangular opening: its centre, its size and its use."""

    x: float
    y: float
    width: float
    height: float
    use: Use


class Plate(NamedTuple):
    """Positions from the upper left corner; seen from outside, the bottom from above."""

    width: float
    height: float
    holes: tuple[Hole, ...] = ()
    openings: tuple[Cutout, ...] = ()

    @property
    def cuts(self) -> tuple[Hole | Cutout, ...]:
        """Everything to cut inside the plate."""
        return (*self.holes, *self.openings)


class Face(StrEnum):
    """The plates of a box; the front is nearest to the player."""

    LID = "lid"
    BOTTOM = "bottom"
    FRONT = "front"
    BACK = "back"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class Enclosure:
    """A box: width and depth outside, height inside, thickness of its plates.

    Lid and bottom cover the walls; the height of a wall includes the bottom.
    """

    name: str
    width: float
    depth: float
    height: float
    thickness: float
    plates: dict[Face, Plate]


def console_box(layout: Layout, thickness: float = 3.0, button: float = BUTTON) -> Enclosure:
    """The box of one team: buttons, a lamp, glands for its cables at the back."""
    keys = [name.partition(".")[2] for name in buttons(layout) if name.startswith("A.")]
    across = len(keys) // 2
    width = 2 * MARGIN_X + (across - 1) * PITCH_X
    depth = 2 * MARGIN_Y + PITCH_Y
    lid = [
        Hole(
            MARGIN_X + at % across * PITCH_X,
            MARGIN_Y + at // across * PITCH_Y,
            button,
            Use.BUTTON,
            key,
        )
        for at, key in enumerate(keys)
    ]
    # Two cables of four pairs: one pair for each button, one for the lamp.
    glands = (width / 2 - PITCH_X / 2, width / 2 + PITCH_X / 2)
    return _box(
        f"console-{layout}",
        (width, depth, CONSOLE_HEIGHT, thickness),
        {
            Face.LID: (*lid, _hole(10.0, depth / 2, Use.LAMP)),
            Face.BOTTOM: (_hole(width / 2, depth / 2, Use.DRAIN),),
            Face.BACK: tuple(_hole(x, 30.0, Use.CABLE) for x in glands),
        },
    )


def centre_box(layout: Layout, thickness: float = 3.0, button: float = BUTTON) -> Enclosure:
    """The box between the teams: two panels, shared buttons, the Pi, all cables."""
    width, depth, height = CENTRE
    shared = [name for name in buttons(layout) if "." not in name]
    step = width / (len(shared) + 1)
    middle = depth / 2
    cables = tuple(_hole(middle + dx, 70.0, Use.CABLE) for dx in (-14.0, 14.0))
    vents = tuple(_hole(middle + dx, 12.0, Use.VENT) for dx in (-15.0, 0.0, 15.0))
    panel = (_opening(width / 2, 28.0, WINDOW, Use.PANEL),)
    screws = _corners(width / 2, 28.0, BOARD_SCREWS, Use.PANEL_SCREW)
    # Room for the plug of the supply in front of the Pi.
    x, y = (width - PI[0]) / 2, thickness + 4.0
    pi = [_hole(x + dx, y + dy, Use.PI_SCREW) for dx, dy in (*PI_SCREWS, *ZERO_SCREWS)]
    drains = [_hole(width / 2 + dx, y + 38.0, Use.DRAIN) for dx in (-20.0, -10.0, 0.0)]
    ends = {
        Face.LEFT: (*cables, *vents),
        Face.RIGHT: (
            *cables,
            *vents,
            _hole(middle - 20.0, 40.0, Use.POWER_BUTTON),
            _hole(middle + 20.0, 40.0, Use.BUZZER),
        ),
    }
    return _box(
        f"centre-{layout}",
        (width, depth, height, thickness),
        {
            Face.LID: tuple(
                Hole(step * at, depth / 2, button, Use.BUTTON, key)
                for at, key in enumerate(shared, 1)
            ),
            Face.BOTTOM: (*pi, *drains),
            Face.FRONT: screws,
            Face.BACK: screws,
            **ends,
        },
        {
            Face.FRONT: panel,
            Face.BACK: panel,
            Face.LEFT: (_opening(middle, 40.0, PLUG, Use.POWER_CABLE),),
        },
    )


def boxes(
    layout: Layout, thickness: float = 3.0, button: float = BUTTON
) -> tuple[Enclosure, Enclosure]:
    """Both kinds of box of a layout; two consoles are needed."""
    return console_box(layout, thickness, button), centre_box(layout, thickness, button)


def _box(
    name: str,
    size: tuple[float, float, float, float],
    holes: dict[Face, tuple[Hole, ...]],
    openings: dict[Face, tuple[Cutout, ...]] | None = None,
) -> Enclosure:
    """A box with these holes, and a screw in each corner of lid and bottom."""
    width, depth, height, thickness = size
    wall = height + thickness
    sizes = {
        Face.LID: (width, depth),
        Face.BOTTOM: (width, depth),
        Face.FRONT: (width, wall),
        Face.BACK: (width, wall),
        Face.LEFT: (depth, wall),
        Face.RIGHT: (depth, wall),
    }
    # A post of 9 mm stands in the corner, beside both walls.
    inset = 2 * (thickness + 5.0)
    screws = _corners(width / 2, depth / 2, (width - inset, depth - inset), Use.SCREW)
    plates = {
        side: Plate(
            *sizes[side],
            (*holes.get(side, ()), *(screws if side in (Face.LID, Face.BOTTOM) else ())),
            (openings or {}).get(side, ()),
        )
        for side in Face
    }
    return Enclosure(name, width, depth, height, thickness, plates)


def _hole(x: float, y: float, use: Use) -> Hole:
    return Hole(x, y, DIAMETERS[use], use)


def _opening(x: float, y: float, size: tuple[float, float], use: Use) -> Cutout:
    return Cutout(x, y, *size, use)


def _corners(x: float, y: float, spacing: tuple[float, float], use: Use) -> tuple[Hole, ...]:
    """Four holes around a centre."""
    dx, dy = spacing[0] / 2, spacing[1] / 2
    return tuple(_hole(x + a * dx, y + b * dy, use) for b in (-1, 1) for a in (-1, 1))
