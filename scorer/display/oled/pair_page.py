"""The page of the night by pair: a column per pair, a line per figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.display.fonts import MEDIUM, SMALL, TINY
from scorer.display.oled import text
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, columns
from scorer.phrases.names import default_side_name
from scorer.phrases.scene import Scene

if TYPE_CHECKING:
    from scorer.session.view.night_view import NightStanding

_LINE = 8  # height of a line
_LABEL = 60  # width of the words
_COLUMN = 30  # least width of a pair


def draw(canvas: Canvas, scene: Scene) -> None:
    """The best pairs; on a low panel the first figures only."""
    night, say, box = scene.view.night, scene.say, canvas.box
    if night is None or not night.games:
        canvas.one_line(box, (say("page.night.none"),), (MEDIUM, SMALL, TINY))
        return
    shown = night.rows[: (box.w - _LABEL) // _COLUMN]
    cells = columns(Rect(box.x + _LABEL, box.y, box.w - _LABEL, _LINE), len(shown), 3)
    canvas.fill(box.top(_LINE + 1))
    for row, cell in zip(shown, cells, strict=True):
        name = row.name or default_side_name(scene, row.key)
        wordings = (name, text.short_name(name, cell.w, TINY))
        canvas.one_line(cell, wordings, (TINY,), align=1.0, ink=0)
    for line in range(min(len(_FIGURES), (box.h - _LINE - 2) // _LINE)):
        key, figure = _FIGURES[line]
        y = _LINE + 2 + line * _LINE
        label = Rect(box.x, y, _LABEL - 2, _LINE)
        canvas.one_line(label, (say(key),), (TINY,), align=0.0)
        for row, cell in zip(shown, cells, strict=True):
            number = Rect(cell.x, y, cell.w, _LINE)
            canvas.one_line(number, (str(figure(row)),), (TINY,), align=1.0)


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
