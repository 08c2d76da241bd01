"""How a picture for a television is drawn, handed over to whoever will draw it.

Nothing is drawn, and nothing that draws it is imported, before the function is called: that is
beside the table's loop, after the television was asked for its size. It knows no device.
"""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from scorer.display import shifted
from scorer.session.view.view import View

Size = Callable[[], tuple[int, int]]
Draw = Callable[[], Image.Image]

SHIFT_STEPS = 320  # a picture moves by so small a part of its width


def defer_view(
    view: View, language: str, size: Size, left_side: int | None = None, moves: int = 0
) -> Draw:
    """Draws ``view`` in mode "RGB", in the size that there is then; see ``shifted`` for moves."""

    def draw() -> Image.Image:
        from scorer.display.tv import render

        pixels = size()
        return shifted(
            render(view, language, pixels, left_side), moves, max(1, pixels[0] // SHIFT_STEPS)
        )

    return draw


def defer_enlarged(small: Callable[[tuple[int, int]], Image.Image], size: Size) -> Draw:
    """Draws a panel's picture as large as it goes; ``small`` makes it of the size it is given."""

    def draw() -> Image.Image:
        from scorer.display.tv.enlarged import enlarge as grown
        from scorer.display.tv.enlarged import small_size

        pixels = size()
        return grown(small(small_size(pixels)), pixels)

    return draw
