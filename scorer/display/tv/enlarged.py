"""An enlarged panel picture on a television: each pixel a coloured square.

For rarely used pages without a picture of their own.
"""

from __future__ import annotations

from PIL import Image

from scorer.display.tv import colours

HIGH = 120  # rows of such squares: of 6 pixels at 720, of 9 at 1080
WIDE = 128  # columns of the smallest panel, the minimum also for portrait format
VISIBLE_SHARE = 0.94  # of width and height: some televisions hide the rest (overscan)


def small_size(size: tuple[int, int]) -> tuple[int, int]:
    """The size of a small picture that fills the visible part of ``size``."""
    times = max(1, min(size[0] // WIDE, size[1] // HIGH))
    return int(size[0] * VISIBLE_SHARE) // times, int(size[1] * VISIBLE_SHARE) // times


def enlarge(small: Image.Image, size: tuple[int, int]) -> Image.Image:
    """``small`` (mode "1") centred in ``size``, enlarged by a whole factor."""
    times = max(1, min(size[0] // small.width, size[1] // small.height))
    wide, high = small.width * times, small.height * times
    picture = Image.new("RGB", size, colours.DEEP)
    mask = small.resize((wide, high), Image.Resampling.NEAREST)
    picture.paste(colours.INK, ((size[0] - wide) // 2, (size[1] - high) // 2), mask)
    return picture
