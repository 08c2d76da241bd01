"""The panel's letters, enlarged for a television with smooth edges.

A letter of Spleen is enlarged, blurred and sharpened again, which smooths the steps of its pixels.
Sizes are heights of a capital, in the units of the caller.
"""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image, ImageFilter

from scorer.display import fonts
from scorer.display.fonts import GIANT, HUGE, Font

MARGIN = 2  # empty pixels around a letter before enlarging, for its edge
BLUR = 0.85  # of a pixel of the small letter
SHARPNESS = 2.2  # steepness of an edge per enlargement factor


def font_for(text: str, size: float) -> Font:
    """The font to enlarge; large figures use their own digits.

    Depends on the size in units, so that all resolutions show the same picture.
    """
    if text.isdigit() and size >= 2 * GIANT.caps:
        return GIANT
    return HUGE


def width(text: str, size: float) -> int:
    """The width of ``text`` with capitals ``size`` high, rounded up."""
    font = font_for(text, size)
    return math.ceil(fonts.width(font, text) * size / font.caps)


def ink_above_and_below(text: str, size: float) -> tuple[float, float]:
    """Ink above the capitals (accents) and below them (descenders)."""
    font = font_for(text, size)
    top, bottom = fonts.ink(font, text)
    times = size / font.caps
    return max(0, font.top - top) * times, max(0, bottom - font.top - font.caps) * times


@lru_cache(maxsize=64)
def mask(text: str, font: Font, size: int) -> tuple[Image.Image, int, int]:
    """``text`` with capitals of ``size`` pixels as a mask (mode "L"), and its origin."""
    small = fonts.picture(font, text).convert("L")
    rimmed = Image.new("L", (small.width + 2 * MARGIN, small.height + 2 * MARGIN))
    rimmed.paste(small, (MARGIN, MARGIN))
    times = size / font.caps
    grown = rimmed.resize(
        (round(rimmed.width * times), round(rimmed.height * times)), Image.Resampling.BICUBIC
    )
    soft = grown.filter(ImageFilter.GaussianBlur(BLUR * times))
    steepness = SHARPNESS * times
    curve = [max(0, min(255, round((value - 128) * steepness + 128))) for value in range(256)]
    return (
        soft.point(curve),
        round(MARGIN * times),
        round((MARGIN + font.top) * times),
    )
