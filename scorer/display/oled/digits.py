"""Both scores in large digits, as an alternative to the tally."""

from __future__ import annotations

from scorer.display import fonts
from scorer.display.fonts import GIANT, SMALL, TINY
from scorer.display.oled import text
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, columns
from scorer.phrases.scene import Scene

SPOKEN_WIDTH = 9  # minimum columns of a spoken score: "14" over "m."


def fits(box: Rect, scene: Scene) -> bool:
    """True if the largest digits fit with the spoken scores beside them.

    Never on a low panel: the names leave 22 rows, which the usual digits already fill.
    """
    cell = columns(box, len(scene.order), 3)[0]
    return box.h > GIANT.caps and cell.w > fonts.width(GIANT, "00") + SPOKEN_WIDTH


def draw(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """Draws the scores as high as possible, with the spoken scores beside them."""
    cells = columns(box, len(scene.order), 3)
    beside = cells[0].w - fonts.width(GIANT, "00") - 1
    # All sides get the same size.
    spoken = [words for side in scene.order if (words := scene.spoken_wordings(side))]
    settings = [text.paragraph(words, beside - 2, box.h, (SMALL, TINY)) for words in spoken]
    faces = (TINY,) if any(setting.font == TINY for setting in settings) else (SMALL, TINY)
    spoken_width = beside if scene.view.half else 0
    for place, cell in enumerate(cells):
        # The figures at the outer edge.
        right = scene.align_of(place) > 0.5
        room = cell.rightmost(cell.w - spoken_width) if right else cell.left(cell.w - spoken_width)
        align = 0.5 if not spoken_width else 1.0 if right else 0.0
        canvas.one_line(room, (str(scene.side(place).score),), (GIANT,), align=align)
        if place:
            canvas.dots((cell.x - 2, box.y), box.h, upright=True)
        if wordings := scene.spoken_wordings(scene.order[place]):
            room = cell.left(beside) if right else cell.rightmost(beside)
            canvas.paragraph(room, wordings, faces)
