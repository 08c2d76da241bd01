"""Set-up on a panel that stands upright: each line of a list takes as many rows as its words."""

from __future__ import annotations

from functools import partial

from scorer.screen import card, fonts, pairing, parts, setting_up, spelling
from scorer.screen.canvas import Canvas
from scorer.screen.flow import Piece, Room, Words, draw
from scorer.screen.fonts import HUGE, LARGE, SMALL, TINY
from scorer.screen.layout import Box
from scorer.screen.narrow import SMALLER, upper
from scorer.screen.narrow_pages import draw_entry
from scorer.screen.scene import Scene
from scorer.screen.text import line_height, paragraph
from scorer.session.view import CardPage, CardRow, SetupItem, SetupView

BUTTONS = 18  # rows that tell what the buttons do
MORE = 5  # rows for an arrow that says that the list goes on
BESIDE = 6  # columns of the arrow that says whose line it is
NUMBER = 36  # rows of a number under its name


def draw_setup(canvas: Canvas, scene: Scene) -> None:
    """The level that is open under its title, and what the buttons do at the foot."""
    setup = scene.view.setup
    if setup is None:
        return
    scene = setting_up.of_the_game_to_be(scene, setup)
    title = Words(upper(setting_up.titles_of(scene, setup)), SMALLER, inverse=True)
    if setup.card is not None:
        draw(canvas, canvas.box, [title, *_card(scene, setup.card)])
        return
    if setup.code:
        draw(canvas, canvas.box, [title, *pairing.pieces(scene, setup, canvas.box.w)])
        return
    _buttons(canvas, canvas.box.bottommost(BUTTONS), scene, setup)
    box = canvas.box.top(canvas.box.h - BUTTONS - 1)
    if setup.missing:
        item = setup.items[setup.at]
        missing = Words(setting_up.missing_of(scene, setup.missing))
        draw(canvas, box, [title, _line(scene, item, chosen=False), missing])
    elif setup.values:
        draw(canvas, box, [title, *_numbers(scene, setup)])
    elif setup.letters:
        draw(canvas, box, [title, *_letters(scene, setup)])
    else:
        draw(canvas, box, [title, Room(20, partial(_list, scene=scene, setup=setup), 200)])


def _buttons(canvas: Canvas, box: Box, scene: Scene, setup: SetupView) -> None:
    """NO QUIERO leads to the left, QUIERO to the right; between them the arrows of TANTOS."""
    refuse, yes = scene.view.refuse.upper(), scene.view.accept.upper()
    upper_row, lower = box.top(9), box.below(9)
    canvas.triangle(Box(box.x, upper_row.y + 1, 4, 7), to_left=True)
    back = scene.say("setup.skip", no=refuse) if setup.first else refuse
    wordings = (back, scene.say("setup.skip", no=refuse.split()[0]) if setup.first else refuse)
    canvas.one_line(upper_row.rightmost(box.w - 6), wordings, (TINY,), align=0.0)
    canvas.triangle(Box(box.right - 4, lower.y + 1, 4, 7), to_left=False)
    stands = canvas.one_line(lower.left(box.w - 6), (yes,), (TINY,), align=1.0)
    if not setup.missing:
        setting_up.ups_and_downs(canvas, Box(box.x, lower.y, stands.x - box.x - 3, 9), scene)


def _rows_of(scene: Scene, item: SetupItem, width: int) -> int:
    """Rows that a line of a list takes, what is chosen there included."""
    if item.moment is not None:
        return 19
    words = paragraph(setting_up.wordings_of(scene, item, width), width, 40, (TINY,))
    value = setting_up.value_of(scene, item)
    chosen = paragraph((value,), width, 40, (TINY,)).lines if value else ()
    return (len(words.lines) + len(chosen)) * line_height(TINY) + 3


def _list(canvas: Canvas, box: Box, scene: Scene, setup: SetupView) -> None:
    """The selected line in inverse, and those around it as far as there are rows."""
    room = box.inset(0, MORE)
    heights = [_rows_of(scene, item, _text_width(scene, item, room.w)) for item in setup.items]
    first, last = _shown(heights, setup.at, room.h)
    y = room.y
    for at in range(first, last + 1):
        row = Box(room.x, y, room.w, min(heights[at], room.bottom - y))
        _item(canvas, row, scene, setup.items[at], chosen=at == setup.at)
        y += heights[at]
    x = box.x + box.w // 2 - 2
    if first + setup.above:
        setting_up.up_or_down(canvas, x, box.y, up=True)
    if len(setup.items) - last - 1 + setup.below:
        setting_up.up_or_down(canvas, x, y + 1, up=False)


def _shown(heights: list[int], at: int, most: int) -> tuple[int, int]:
    """The first and the last line that are shown around the one at ``at``."""
    first = last = at
    while True:
        used = sum(heights[first : last + 1])
        if last + 1 < len(heights) and used + heights[last + 1] <= most:
            last += 1
        elif first and used + heights[first - 1] <= most:
            first -= 1
        else:
            return first, last


def _text_width(scene: Scene, item: SetupItem, width: int) -> int:
    """Columns for the words of a line: beside them may stand an arrow, or a mark."""
    if item.side is not None and not scene.has_three:
        return width - 4 - BESIDE
    return width - 4 - (setting_up.MARK + 2 if item.marked else 0)


def _item(canvas: Canvas, row: Box, scene: Scene, item: SetupItem, *, chosen: bool) -> None:
    ink = 0 if chosen else 1
    if chosen:
        canvas.fill(row.top(row.h - 1))
    inner = row.top(row.h - 1).inset(2, 1)
    if item.moment is not None:
        draw_entry(canvas, inner, scene, item.moment, ink=ink)
        return
    if item.marked:
        mark = setting_up.MARK
        dot = Box(inner.right - mark, inner.y + (inner.h - mark) // 2, mark, mark)
        canvas.disc(dot, filled=True, ink=ink)
    if item.side is not None and not scene.has_three:
        arrow = Box(inner.x, inner.y + (inner.h - 7) // 2, 4, 7)
        canvas.triangle(arrow, to_left=scene.is_left(item.side), ink=ink)
        inner = inner.rightmost(inner.w - BESIDE)
    elif item.marked:
        inner = inner.left(inner.w - setting_up.MARK - 2)
    value = setting_up.value_of(scene, item)
    wordings = setting_up.wordings_of(scene, item, inner.w)
    if not value:
        canvas.paragraph(inner, wordings, (TINY,), align=0.0, ink=ink)
        return
    under = paragraph((value,), inner.w, inner.h, (TINY,))
    height = len(under.lines) * line_height(TINY)
    canvas.paragraph(inner.top(inner.h - height), wordings, (TINY,), align=0.0, ink=ink)
    canvas.paragraph(inner.bottommost(height), (value,), (TINY,), align=1.0, ink=ink)


def _line(scene: Scene, item: SetupItem, *, chosen: bool) -> Piece:
    rows = _rows_of(scene, item, 60 - BESIDE)
    return Room(rows, partial(_item, scene=scene, item=item, chosen=chosen))


def _numbers(scene: Scene, setup: SetupView) -> list[Piece]:
    """One number, or one a side; the one that is being set stands in inverse."""
    if setup.option:
        return [Words((str(setup.values[0]),), (HUGE, LARGE), inverse=True)]
    if len(setup.values) == 1 and setup.side is not None:
        return [_number(scene, setup.side, setup.values[0], NUMBER, chosen=True)]
    height = NUMBER if len(scene.order) == 2 else 28
    return [
        _number(scene, side, setup.values[side], height, chosen=side == setup.side)
        for side in scene.order
    ]


def _number(scene: Scene, side: int, value: int, height: int, *, chosen: bool) -> Room:
    return Room(height, partial(_draw_number, scene=scene, side=side, value=value, chosen=chosen))


def _draw_number(
    canvas: Canvas, box: Box, scene: Scene, side: int, value: int, *, chosen: bool
) -> None:
    if chosen:
        canvas.fill(box)
    ink, name = 0 if chosen else 1, box.top(10).inset(2)
    wordings = parts.name_wordings(scene, side, name.w)
    canvas.one_line(name, wordings, (SMALL, TINY), ink=ink)
    canvas.one_line(box.below(10), (str(value),), (HUGE, LARGE), ink=ink)


def _letters(scene: Scene, setup: SetupView) -> list[Piece]:
    """The name so far, the letters around the one that is turned to, and that one."""
    name = (setup.text + spelling.CURSOR, setup.text[-8:] + spelling.CURSOR)
    letter = setup.letters[len(setup.letters) // 2]
    words = scene.say(f"setup.letter.{letter}") if letter in spelling.SIGNS else letter
    ring = Room(12, partial(_ring, letters=setup.letters))
    return [Words(name, SMALLER), ring, Words((words,), inverse=True)]


def _ring(canvas: Canvas, box: Box, letters: tuple[str, ...]) -> None:
    wide = box.w // len(letters)
    for at, letter in enumerate(letters):
        cell = Box(box.x + at * wide, box.y, wide, box.h)
        if at == len(letters) // 2:
            canvas.frame(cell)
        sign = spelling.SIGNS.get(letter, letter)
        told = "" if at == len(letters) // 2 else sign
        x = cell.x + (cell.w - fonts.width(TINY, sign)) // 2
        canvas.write(x, cell.y + 3, sign, TINY, told=told)


def _card(scene: Scene, page: CardPage) -> list[Piece]:
    return [piece for row in page.rows for piece in _card_row(scene, row)]


def _card_row(scene: Scene, row: CardRow) -> list[Piece]:
    """Left and right of a row, the right one under the left one."""
    left, right = card.row_text(row, 24, scene.say)
    first = [Words((left,), (TINY,), align=0.0)] if left else []
    return [*first, *([Words((right,), (TINY,), align=1.0, joined=bool(left))] if right else [])]
