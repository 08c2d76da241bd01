"""The page of the night by pair: a column per pair, a line per figure."""

from __future__ import annotations

from scorer.display.fonts import MEDIUM, SMALL, TINY
from scorer.display.oled import text, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import columns
from scorer.phrases.names import default_side_name
from scorer.phrases.pair_figures import pair_figures
from scorer.phrases.scene import Scene

_LINE = 8  # least height of a line
_LABEL = 60 / 128  # of the width: the words
_COLUMN = 30  # least width of a pair


def draw(canvas: Canvas, scene: Scene) -> None:
    """The best pairs; on a low panel the first figures only."""
    night, say, box = scene.view.night, scene.say, canvas.box
    if night is None or not night.games:
        canvas.one_line(box, (say("page.night.none"),), (MEDIUM, SMALL, TINY))
        return
    words = box.left(int(box.w * _LABEL))
    shown = night.rows[: (box.w - words.w) // _COLUMN]
    figures = pair_figures(night.rows)
    line = max(_LINE, (box.h - 2) // (len(figures.labels) + 1))
    cells = columns(box.rightmost(box.w - words.w).inset(1), len(shown), 3)
    canvas.fill(box.top(line + 1))
    faces = widgets.faces_within(line)
    for row, cell in zip(shown, cells, strict=True):
        name = row.name or default_side_name(scene, row.key)
        wordings = (name, text.short_name(name, cell.w, TINY))
        canvas.one_line(cell.top(line), wordings, faces, align=1.0, ink=0)
    for at, label in enumerate(figures.labels[: (box.h - 2) // line - 1]):
        top = 2 + line * (at + 1)
        canvas.one_line(words.below(top).top(line).inset(1), (say(label),), faces, align=0.0)
        for texts, cell in zip(figures.texts, cells, strict=False):
            canvas.one_line(cell.below(top).top(line), (texts[at],), faces, align=1.0)
