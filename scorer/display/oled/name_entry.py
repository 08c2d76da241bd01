"""Spelling a name: the name so far above the ring of letters."""

from __future__ import annotations

from scorer.display.fonts import MEDIUM, SMALL, TINY
from scorer.display.oled import widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, rows
from scorer.phrases.scene import Scene
from scorer.session.values.setup_view import SpellingView

CURSOR = "_"
# Short signs for commands beside the selected one; the selected one is in words.
SIGNS = {"done": "ok", "erase": "<", "space": CURSOR}
CHOSEN_WIDTH, NEIGHBOUR_WIDTH = (
    48,
    18,
)  # columns of the selected entry and of its neighbours


def draw(canvas: Canvas, box: Rect, scene: Scene, spelling: SpellingView) -> None:
    """The name with a cursor, and below it the entry that QUIERO would take."""
    low = widgets.is_low(canvas)
    name, ring = rows(box, (10, 11) if low else (16, 18))
    faces = (SMALL, TINY) if low else (MEDIUM, SMALL)
    canvas.one_line(name, (spelling.text + CURSOR,), faces)
    x = ring.x + (ring.w - CHOSEN_WIDTH - 4 * NEIGHBOUR_WIDTH) // 2
    for at, letter in enumerate(spelling.letters):
        chosen = at == len(spelling.letters) // 2
        cell = Rect(x, ring.y, CHOSEN_WIDTH if chosen else NEIGHBOUR_WIDTH, ring.h)
        x = cell.right
        if chosen:
            canvas.fill(cell)
            words = scene.say(f"setup.letter.{letter}") if letter in SIGNS else letter
            canvas.one_line(cell.inset(1), (words,), widgets.faces_within(cell.h), ink=0)
        else:
            beside = (SMALL, TINY) if cell.h > 12 else (TINY,)
            canvas.one_line(cell, (SIGNS.get(letter, letter),), beside)
