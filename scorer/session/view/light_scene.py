"""What a team light shows: who owes an answer, the pending call, the winner.

Its sides are colours; the frames are drawn by ``scorer.display.light_frames``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

THIRD_COLOUR: Final = "pink"  # of a third console, which has no lamp colour


class Shape(StrEnum):
    """How a call appears; one for each family of calls."""

    FLASH = "flash"  # all pixels at once
    RUN = "run"  # one pixel after the other
    BLOOM = "bloom"  # from the middle to the ends


class Pattern(NamedTuple):
    """The pattern of a call: a shape, and how often it is repeated."""

    shape: Shape
    repeats: int


class LightScene(NamedTuple):
    """What the light shows."""

    awaited: tuple[str, ...] = ()  # colours of the consoles that owe an answer
    call: Pattern | None = None  # of the newest call, while it is pending
    calls: int = 0  # made in this hand, so that a repeated call is another one
    winner: str = ""  # colour of the winner of the game
