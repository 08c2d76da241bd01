"""The page of the night by pair: a column per pair, a line per figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.display.fonts import MEDIUM, SMALL, TINY
from scorer.display.oled import text, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import columns
from scorer.phrases.names import default_side_name
from scorer.phrases.scene import Scene

if TYPE_CHECKING:
    from scorer.session.view.night_view import NightStanding

_LINE = 8  # least height of a line
_LABEL = 60 / 128  # of the width: the words
_COLUMN = 30  # least width of a pair


def draw(canvas: Canvas, scene: Scene) -> None:
    """The best pairs; on a low panel the first figures only."""
    night, say, box = scene.view.night, scene.say, canvas.box
    if night is None or not night.games:
        canvas.one_line(box, (say("page.night.none"),), (MEDIUM, SMALL, TINY))
        return
    line = max(_LINE, (box.h - 2) // (len(_FIGURES) + 1))
    words = box.left(int(box.w * _LABEL))
    shown = night.rows[: (box.w - words.w) // _COLUMN]
    cells = columns(box.rightmost(box.w - words.w).inset(1), len(shown), 3)
    canvas.fill(box.top(line + 1))
    faces = widgets.faces_within(line)
    for row, cell in zip(shown, cells, strict=True):
        name = row.name or default_side_name(scene, row.key)
        wordings = (name, text.short_name(name, cell.w, TINY))
        canvas.one_line(cell.top(line), wordings, faces, align=1.0, ink=0)
    for at in range(min(len(_FIGURES), (box.h - 2) // line - 1)):
        key, figure = _FIGURES[at]
        top = 2 + line * (at + 1)
        canvas.one_line(words.below(top).top(line).inset(1), (say(key),), faces, align=0.0)
        for row, cell in zip(shown, cells, strict=True):
            canvas.one_line(cell.below(top).top(line), (str(figure(row)),), faces, align=1.0)


def _minutes(row: NightStanding) -> str:
    return str(row.longest) if row.longest else "-"


# The words and figures, the most asked for first.
_FIGURES = (
    ("page.pairs.called", lambda row: row.called),
    ("page.pairs.refused", lambda row: row.refused),
    ("page.pairs.envidos", lambda row: row.envidos),
    ("page.pairs.comeback", lambda row: row.comeback),
    ("page.pairs.streak", lambda row: row.best_streak),
    ("page.pairs.longest", _minutes),
)
