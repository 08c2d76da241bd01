"""The text of a page of a rule card: left and right part of each row.

The input is keys, words of the variant and numbers (``CardPage``).
"""

from __future__ import annotations

from scorer.display import fonts
from scorer.display.fonts import TINY
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect
from scorer.i18n import Say
from scorer.phrases.scene import Scene
from scorer.session.view.view import CardPage, CardRow

UNSEEN = "–"
GAP = 4  # columns between left and right


def draw(canvas: Canvas, box: Rect, scene: Scene, page: CardPage) -> None:
    """The rows of a page from the top of ``box``."""
    height = min(10, box.h // max(1, len(page.rows)))
    for at, row in enumerate(page.rows):
        line = Rect(box.x + 1, box.y + at * height, box.w - 2, height)
        left, right = row_text(row, line.w // TINY.width, scene.say)
        wide = fonts.width(TINY, right) if right else 0
        if right:
            canvas.one_line(line.rightmost(wide), (right,), (TINY,), align=1.0)
        if left:
            room = line.left(line.w - wide - (GAP if right else 0))
            canvas.one_line(room, (left,), (TINY,), align=0.0)


def title(page: CardPage, say: Say) -> str:
    """The topic and number of the page: "TRUCO 2/9"."""
    name = page.words or say(page.key)
    return f"{name.upper()} {page.number}/{page.total}"


def row_text(row: CardRow, columns: int, say: Say) -> tuple[str, str]:
    """Left and right part of a row; with a blank they fit in ``columns`` letters.

    A word that explains why a number depends on the score precedes it if there is room.
    """
    left = row.words or (say(row.key) if row.key else "")
    rights = _right_wordings(row, say)
    fitting = (each for each in rights if len(left) + bool(each) + len(each) <= columns)
    return left, next(fitting, rights[-1])


def _right_wordings(row: CardRow, say: Say) -> tuple[str, ...]:
    if row.value:
        return (say(row.value),)
    figures = "/".join(UNSEEN if number is None else str(number) for number in row.numbers)
    way = next((way for way in row.ways if way), "")
    return (f"{say(f'card.way.{way}')} {figures}", figures) if way else (figures,)
