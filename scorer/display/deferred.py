"""Deferred drawing of pictures for a television.

Drawing and its imports happen only when the returned function is called: outside the main loop,
once the size of the television is known.
"""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from scorer.display import shifted
from scorer.session.view.view import View

Size = Callable[[], tuple[int, int]]
Draw = Callable[[], Image.Image]

SHIFT_STEPS = 320  # a picture shifts by 1/320 of its width


def defer_view(
    view: View, language: str, size: Size, left_side: int | None = None, moves: int = 0
) -> Draw:
    """A function that draws ``view`` in mode "RGB"; see ``shifted`` for ``moves``."""

    def draw() -> Image.Image:
        from scorer.display.tv import render

        pixels = size()
        return shifted(
            render(view, language, pixels, left_side), moves, max(1, pixels[0] // SHIFT_STEPS)
        )

    return draw


def defer_enlarged(small: Callable[[tuple[int, int]], Image.Image], size: Size) -> Draw:
    """A function that draws an enlarged panel picture; ``small`` makes the original."""

    def draw() -> Image.Image:
        from scorer.display.tv.enlarged import enlarge as grown
        from scorer.display.tv.enlarged import small_size

        pixels = size()
        return grown(small(small_size(pixels)), pixels)

    return draw
