"""A picture of the small panels on a television: every pixel a square, in colour.

For pages that are seldom seen, and for whatever has no picture of its own there.
"""

from __future__ import annotations

from PIL import Image

from scorer.display.tv import colours

HIGH = 120  # rows that a television has of such squares: of 6 pixels at 720, of 9 at 1080
WIDE = 128  # columns of the smallest panel, which one that is higher than wide has to have too
VISIBLE_SHARE = 0.94  # of its width and height: some televisions hide the rest


def small_size(size: tuple[int, int]) -> tuple[int, int]:
    """How large a small picture is to be that will fill what is seen of one of ``size``."""
    times = max(1, min(size[0] // WIDE, size[1] // HIGH))
    return int(size[0] * VISIBLE_SHARE) // times, int(size[1] * VISIBLE_SHARE) // times


def enlarge(small: Image.Image, size: tuple[int, int]) -> Image.Image:
    """``small`` (mode "1") in the middle of a picture of ``size``, as large as whole pixels go."""
    times = max(1, min(size[0] // small.width, size[1] // small.height))
    wide, high = small.width * times, small.height * times
    picture = Image.new("RGB", size, colours.DEEP)
    mask = small.resize((wide, high), Image.Resampling.NEAREST)
    picture.paste(colours.INK, ((size[0] - wide) // 2, (size[1] - high) // 2), mask)
    return picture
