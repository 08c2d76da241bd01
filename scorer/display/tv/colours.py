"""Colours of a television: felt, matches and cardboard, as on the web board.

A colour is red, green and blue, 0 to 255 each.
"""

from __future__ import annotations

from scorer.phrases.scene import Scene

Colour = tuple[int, int, int]

GROUND: Colour = (0x0F, 0x3D, 0x2C)  # felt
DEEP: Colour = (0x08, 0x27, 0x1B)  # felt in the shade
PANEL: Colour = (0x0A, 0x2C, 0x1F)
INK: Colour = (0xF7, 0xF1, 0xE1)
SOFT: Colour = (0xB9, 0xCB, 0xB8)
FAINT: Colour = (0x3F, 0x6A, 0x55)
LINE: Colour = (0xE9, 0xDF, 0xC4)

# Of the lamps of teams A and B; black is grey on the dark ground.
LAMPS: dict[str, Colour] = {
    "yellow": (0xFF, 0xCE, 0x63),
    "sky_blue": (0x95, 0xD4, 0xFF),
    "red": (0xFF, 0x9F, 0x94),
    "green": (0x8F, 0xE3, 0x9B),
    "blue": (0xB3, 0xBC, 0xFF),
    "white": (0xFF, 0xFF, 0xFF),
    "orange": (0xFF, 0xA7, 0x5C),
    "black": (0xB4, 0xBD, 0xB8),
}
THIRD: Colour = (0xFF, 0xB3, 0xCF)  # of a third side, which has no lamp

YES: Colour = (0xF7, 0xF1, 0xE1)
YES_INK: Colour = (0x10, 0x27, 0x1C)
NO: Colour = (0x7C, 0x1D, 0x17)
NO_INK: Colour = (0xFF, 0xF1, 0xE6)
WARN: Colour = (0xFF, 0x9A, 0x4D)  # not used for a side
WARN_INK: Colour = (0x22, 0x15, 0x03)

WOOD: Colour = (0xDF, 0xB8, 0x77)
BULB: Colour = (0xE4, 0x4B, 0x38)


def of_side(scene: Scene, side: int) -> Colour:
    """The colour of a side by index; plain ink for the pair of pata de gallo."""
    sides = (*(LAMPS[lamp] for lamp in scene.view.lamps), THIRD)
    return sides[side] if side < len(sides) else INK
