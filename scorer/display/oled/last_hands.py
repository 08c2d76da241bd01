"""The last hands, one line each, and the correction of the selected one."""

from __future__ import annotations

from scorer.display import fonts
from scorer.display.fonts import SMALL, TINY
from scorer.display.oled import setup, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect
from scorer.phrases.last_hands import hand_wordings
from scorer.phrases.scene import Scene
from scorer.session.values.setup_view import LastHandsView, MenuLine

ROW, LOW_ROW = 9, 11  # rows of pixels per hand


def draw(canvas: Canvas, box: Rect, scene: Scene, shown: LastHandsView) -> None:
    """The hands from the newest on, and below them what QUIERO does."""
    is_low = widgets.is_low(canvas)
    height = LOW_ROW if is_low else ROW
    first, end = _visible(box, scene, shown, most=1 if is_low else len(shown.hands))
    for index in range(first, end):
        row = Rect(box.x, box.y + (index - first) * height, box.w, height)
        is_selected = index == shown.at
        if is_selected:
            canvas.fill(row.below(1) if is_low else row)
        line = Rect(row.x + 2, row.y + 1, row.w - 4, row.h - 1)
        if is_low:  # a high panel has the arrows at its foot
            line = line.left(line.w - setup.ARROW - 3)
        words = hand_wordings(scene, shown.hands[index])
        canvas.one_line(line, words, (TINY,), align=0.0, ink=0 if is_selected else 1)
        if is_low and is_selected:
            setup.draw_arrow(canvas, box.right - setup.ARROW - 2, row.y + 4, up=False, ink=0)
    _draw_choice(canvas, box.below(height * (end - first)), scene, shown)


def _visible(box: Rect, scene: Scene, shown: LastHandsView, most: int) -> tuple[int, int]:
    """The hands that are drawn: only two if a long choice needs two rows."""
    if shown.choice is not None and most > 2 and not _fits_one_row(box.w, scene, shown.choice):
        most = 2
    first = min(max(0, shown.at - most + 1), len(shown.hands) - most)
    return first, first + (0 if most == 1 and shown.at == len(shown.hands) else most)


def _after(scene: Scene, choice: MenuLine) -> str:
    return f"> {scene.figures(choice.scores)}"


def _fits_one_row(width: int, scene: Scene, choice: MenuLine) -> bool:
    """True if the shortest wording with the whole call has room beside its scores."""
    wide = fonts.width(TINY, _after(scene, choice)) + setup.GAP
    mark = 0 if choice.side is None or scene.has_three else 8
    room = width - setup.ARROW - 7 - mark - wide
    return any(
        choice.word in words and fonts.width(TINY, words) <= room
        for words in setup.item_wordings(scene, choice, room)
    )


def _draw_choice(canvas: Canvas, box: Rect, scene: Scene, shown: LastHandsView) -> None:
    """The correction with the scores after it, or the rest of the menu."""
    room = Rect(box.x + 2, box.y + 1, box.w - setup.ARROW - 7, box.h - 1)
    if shown.at == len(shown.hands) or shown.choice is None:
        key = "notice.not_now" if shown.at < len(shown.hands) else "setup.all_lines"
        canvas.one_line(room, (scene.say(key),), (SMALL, TINY), align=0.0)
        return
    if shown.choices > 1:
        setup.draw_arrow(canvas, box.right - setup.ARROW - 2, room.y + 4, up=True)
    after = _after(scene, shown.choice)
    if box.h >= 2 * ROW:
        top = box.h // 2
        setup.draw_item(canvas, room.top(top), scene, shown.choice)
        canvas.one_line(room.below(top), (after,), (SMALL, TINY), align=0.0)
        return
    if _fits_one_row(box.w, scene, shown.choice):
        wide = fonts.width(TINY, after)
        canvas.one_line(room.rightmost(wide), (after,), (TINY,), align=1.0)
        room = room.left(room.w - wide - setup.GAP)
    setup.draw_item(canvas, room, scene, shown.choice)
