"""A call in inverse, with an arrow from the side of its caller."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.display import fonts
from scorer.display.fonts import TINY
from scorer.display.oled import widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect
from scorer.phrases.names import shrinking_wordings
from scorer.phrases.scene import Scene

ARROW = 8
MIN_ROWS = 7  # minimum rows of a recognisable arrow


def draw(canvas: Canvas, box: Rect, scene: Scene, by: int, word: str) -> None:
    """``word`` in capitals as large as it fits beside the arrow and the caller's name."""
    left = scene.is_left(by)
    _draw_arrow(canvas, box, left=left)
    room, word = _room_beside_arrow(box, left=left), word.upper()
    faces = widgets.faces_within(box.h)
    name, font = _name_and_font(scene, by, word, room.w, faces)
    named = fonts.width(TINY, name) + 4 if name else 0
    canvas.one_line(room, (name,), (TINY,), align=0.0 if left else 1.0, ink=0)
    room = room.rightmost(room.w - named) if left else room.left(room.w - named)
    canvas.one_line(room, (word,), (font,), ink=0)


def _name_and_font(
    scene: Scene, by: int, word: str, width: int, faces: tuple[fonts.Font, ...]
) -> tuple[str, fonts.Font]:
    """The longest name beside which the word fits in a large font, else a short one."""
    for font in faces[:2]:
        for name in shrinking_wordings(scene, by, 50, 34, 24)[1:]:
            if fonts.width(TINY, name) + 4 + fonts.width(font, word) <= width:
                return name, font
    for font in faces:
        for name in (*shrinking_wordings(scene, by, 24, 14)[1:], ""):
            if fonts.width(TINY, name) + 4 + fonts.width(font, word) <= width:
                return name, font
    return "", faces[-1]


def draw_sentence(
    canvas: Canvas, box: Rect, scene: Scene, by: int, wordings: Sequence[str]
) -> None:
    """The best wording of a whole sentence beside the arrow."""
    left = scene.is_left(by)
    _draw_arrow(canvas, box, left=left)
    canvas.one_line(
        _room_beside_arrow(box, left=left), wordings, widgets.faces_within(box.h), ink=0
    )


def caller(canvas: Canvas, box: Rect, scene: Scene, by: int, name: str) -> None:
    """Only the arrow and the name of the caller."""
    left = scene.is_left(by)
    _draw_arrow(canvas, box, left=left)
    room = _room_beside_arrow(box, left=left)
    canvas.one_line(room, (name,), (TINY,), align=0.0 if left else 1.0, ink=0)


def _room_beside_arrow(box: Rect, *, left: bool) -> Rect:
    """The box without the columns of the arrow."""
    room = box.inset(2)
    return room.rightmost(room.w - ARROW - 2) if left else room.left(room.w - ARROW - 2)


def _draw_arrow(canvas: Canvas, box: Rect, *, left: bool) -> Rect:
    """Fills the box and draws the arrow; returns the space left, kept symmetric."""
    canvas.fill(box)
    height = min(max(box.h - 4, MIN_ROWS), 2 * ARROW - 1)
    x = box.x + 2 if left else box.right - 2 - ARROW
    arrow = Rect(x, box.y + (box.h - height) // 2, ARROW, height)
    canvas.triangle(arrow, to_left=not left, ink=0)
    return box.inset(ARROW + 5)
