"""Set-up: a list with one line in inverse, numbers, letters or a confirmation."""

from __future__ import annotations

from functools import partial

from scorer.display import fonts
from scorer.display.fonts import HUGE, LARGE, MEDIUM, SMALL, TINY
from scorer.display.oled import (
    desk_password,
    last_hands,
    match,
    name_entry,
    pages,
    pairing,
    rule_card,
    text,
    widgets,
)
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, columns, rows
from scorer.phrases.names import name_wordings, refusing_press
from scorer.phrases.scene import Scene
from scorer.session.values.keys import LineKey, PlainKey, SetupKey
from scorer.session.values.setup_view import (
    AgreementView,
    DeskPasswordView,
    EachNumberView,
    JoiningView,
    LastHandsView,
    ListView,
    MenuLine,
    OptionNumberView,
    PairingView,
    SetupView,
    SideNumberView,
    SpellingView,
)
from scorer.session.view.view import CardPage

LINE, LOW_LINE = 13, 11  # rows per line of a list
ARROW = 5  # columns of an arrow up or down
NAME_LINES = (PlainKey.SIDE, PlainKey.NAME)  # lines that only name a side
GAP = 6  # columns between a line's text and its value
MARK = 4  # the mark of the current choice


def draw(canvas: Canvas, scene: Scene) -> None:
    """The open level of set-up, under its title."""
    setup = scene.view.setup
    if setup is None:
        return
    if isinstance(setup.content, JoiningView):
        match.draw_join(canvas, scene, setup.content)
        return
    if isinstance(setup.content, PairingView):
        pairing.draw(canvas, scene, setup.content)
        return
    if isinstance(setup.content, DeskPasswordView):
        desk_password.draw(canvas, scene, setup.content)
        return
    scene = scene_of_new_game(scene, setup)
    head, body = _draw_frame(canvas, scene, setup)
    canvas.fill(head)
    titles = tuple(title.upper() for title in title_words(scene, setup))
    if setup.is_first_run and widgets.is_low(canvas):
        free = head.w - 4 - min(fonts.width(TINY, title) for title in titles)
        keys = head.rightmost(min(_tantos_width(scene), free))
        _draw_tantos(canvas, keys, scene, ink=0)
        head = head.left(keys.x - head.x)
    canvas.one_line(head.inset(2), titles, (SMALL, TINY), ink=0)
    match setup.content:
        case ListView() as lines:
            _draw_list(canvas, body, scene, lines)
        case LastHandsView() as hands:
            last_hands.draw(canvas, body, scene, hands)
        case AgreementView() as agreement:
            _draw_agreement(canvas, body, scene, agreement)
        case OptionNumberView(value, source):
            canvas.fill(body)
            faces = (LARGE, MEDIUM) if widgets.is_low(canvas) else (HUGE, LARGE)
            canvas.one_line(body, (str(value),), faces, ink=0)
            canvas.one_line(body.rightmost(44).inset(3), (source,), (TINY,), align=1.0, ink=0)
        case SideNumberView(side, value):
            _draw_number(canvas, body, scene, side, value, chosen=True)
        case EachNumberView(chosen, values):
            cells = columns(body, len(scene.order), 4)
            for side, cell in zip(scene.order, cells, strict=True):
                _draw_number(canvas, cell, scene, side, values[side], chosen=side == chosen)
        case SpellingView() as spelling:
            name_entry.draw(canvas, body, scene, spelling)
        case CardPage() as page:
            rule_card.draw(canvas, body, scene, page)


def scene_of_new_game(scene: Scene, setup: SetupView) -> Scene:
    """The scene with the sides of the drafted game, which may differ from the current."""
    if not setup.sides:
        return scene
    count = len(setup.sides)
    first = min(scene.order[0], count - 1)
    view = scene.view._replace(sides=setup.sides, gallo=None, pot=None)
    order = tuple((first + step) % count for step in range(count))
    return scene._replace(view=view, order=order)


def title_words(scene: Scene, setup: SetupView) -> tuple[str, ...]:
    """The title of the level; with the scores, or the pot while piles are set."""
    if isinstance(setup.content, CardPage):
        return (rule_card.title(setup.content, scene.say),)
    if isinstance(setup.content, SpellingView):
        return _names(scene, setup.content.side)
    # A title has no side: the words of a line that names one end in their colon.
    title = scene.say(message_key(scene, setup.title)).rstrip(": ")
    if isinstance(setup.content, LastHandsView):
        return (f"{title} {scene.figures(setup.content.scores)}", title)
    if scene.view.pot is None or not isinstance(setup.content, EachNumberView):
        return (title,)
    all_there_is = scene.view.pot + sum(side.score for side in scene.view.sides)
    pot = scene.say("setup.pot", points=all_there_is - sum(setup.content.values))
    return (f"{title} · {pot}", pot)


def message_key(scene: Scene, key: LineKey) -> str:
    """The key of a title or line, in its variant for three single players."""
    if not isinstance(key, SetupKey):
        return key
    is_player = key is SetupKey.AWARD and scene.has_three
    return "setup.award.player" if is_player else f"setup.{key}"


def _draw_frame(canvas: Canvas, scene: Scene, setup: SetupView) -> tuple[Rect, Rect]:
    """The boxes of title and content; a high panel shows the buttons at the foot."""
    box = canvas.box
    if widgets.is_low(canvas):
        return box.top(10), box.below(10)
    _draw_buttons(canvas, box.bottommost(9), scene, setup)
    return box.top(13), Rect(box.x, box.y + 14, box.w, box.h - 14 - 10)


def _draw_buttons(canvas: Canvas, box: Rect, scene: Scene, setup: SetupView) -> None:
    """The buttons: NO QUIERO left, QUIERO right, TANTOS of each team up or down."""
    canvas.triangle(Rect(box.right - 4, box.y + 1, 4, 7), to_left=False)
    on, inner = (scene.say("label.quiero"),), Rect(box.x + 5, box.y, box.w - 10, box.h)
    right = canvas.one_line(inner.rightmost(44), on, (TINY,), align=1.0)
    room = inner.left(right.x - inner.x)
    back: tuple[str, ...] = (refusing_press(scene), scene.say("label.no_quiero"))
    if setup.is_first_run:
        # Nothing on a new box says what TANTOS does, so it goes before NO QUIERO.
        free = room.w - 3 - _tantos_width(scene)
        back = tuple(words for words in back if fonts.width(TINY, words) <= free)
    left = room.left(0)
    if back:
        canvas.triangle(Rect(box.x, box.y + 1, 4, 7), to_left=True)
        left = canvas.one_line(room.left(80), back, (TINY,), align=0.0)
    middle = Rect(left.right + 1, box.y, room.right - left.right - 2, box.h)
    if isinstance(setup.content, AgreementView) or middle.w < 2 * ARROW + 2:
        return
    _draw_tantos(canvas, middle, scene)


def _tantos_width(scene: Scene) -> int:
    return fonts.width(TINY, scene.say("label.tantos")) + 2 * ARROW + 2


def _draw_tantos(canvas: Canvas, box: Rect, scene: Scene, *, ink: int = 1) -> None:
    """TANTOS between the arrows of the teams; only the arrows if it has no room."""
    wide = 2 * ARROW + 2
    room = Rect(box.x + (box.w - wide) // 2, box.y, wide, box.h)
    if _tantos_width(scene) <= box.w:
        stands = canvas.one_line(box, (scene.say("label.tantos"),), (TINY,), ink=ink)
        room = Rect(stands.x - ARROW - 1, box.y, stands.w + wide, box.h)
    # The arrow of each team on its half: up for the first team.
    first_up = scene.is_left(0)
    y = room.y + (room.h - 3) // 2
    draw_arrow(canvas, room.x, y, up=first_up, ink=ink)
    draw_arrow(canvas, room.right - ARROW, y, up=not first_up, ink=ink)


def draw_arrow(canvas: Canvas, x: int, y: int, *, up: bool, ink: int = 1) -> None:
    """An arrow of three rows, ``ARROW`` columns wide."""
    for row in range(3):
        inward = 2 - row if up else row
        canvas.line((x + inward, y + row), (x + ARROW - 1 - inward, y + row), ink=ink)


def _draw_list(canvas: Canvas, box: Rect, scene: Scene, lines: ListView) -> None:
    height = LOW_LINE if widgets.is_low(canvas) else LINE
    room = Rect(box.x, box.y, box.w - ARROW - 3, box.h)
    # The value goes below the text if a row has no room for both.
    tall = not _fits(scene, lines.selected, room.w - 4)
    count = max(1, min(box.h // height - tall, len(lines.items)))
    first = min(max(lines.at - count // 2, 0), len(lines.items) - count)
    shown = lines.items[first : first + count]
    heights = [height * (1 + (tall and at == lines.at)) for at in range(first, first + count)]
    places = rows(room.top(sum(heights)), heights)
    for index, (item, line) in enumerate(zip(shown, places, strict=True), first):
        chosen = index == lines.at
        # Descenders must not reach into the line below, nor ascenders into the title.
        line = line.below(1)
        if chosen:
            canvas.fill(line)
        draw_item_with_value(canvas, line.inset(2), scene, item, ink=0 if chosen else 1)
    x = room.right + 3
    if first + lines.above:
        draw_arrow(canvas, x, box.y + 2, up=True)
    if len(lines.items) - first - count + lines.below:
        draw_arrow(canvas, x, places[-1].bottom - 5, up=False)


def draw_item_with_value(
    canvas: Canvas, row: Rect, scene: Scene, item: MenuLine, *, ink: int
) -> None:
    """The text of a line with its value, on the right or below."""
    values = value_wordings(scene, item)
    value = values[-1]
    if item.marked:
        mark = Rect(row.right - MARK, row.y + (row.h - MARK) // 2, MARK, MARK)
        canvas.disc(mark, ink=ink)
        row = row.left(row.w - MARK - 3)
    if not value:
        draw_item(canvas, row, scene, item, ink=ink)
        return
    faces = (TINY,) if widgets.is_low(canvas) else (SMALL, TINY)
    if row.h > LINE:
        half = row.h // 2
        draw_item(canvas, row.top(half), scene, item, ink=ink)
        canvas.one_line(row.below(half), values, faces, align=1.0, ink=ink)
    elif _fits(scene, item, row.w):
        words = item_wordings(scene, item, row.w)[0]
        room = row.w - fonts.width(TINY, words) - GAP
        value = next((each for each in values if fonts.width(TINY, each) <= room), value)
        both = (font for font in faces if fonts.width(font, words + value) + GAP <= row.w)
        face = next(both, TINY)
        wide = fonts.width(face, value)
        canvas.one_line(row.rightmost(wide), (value,), (face, TINY), align=1.0, ink=ink)
        canvas.one_line(row.left(row.w - wide - GAP), (words,), (face, TINY), align=0.0, ink=ink)
    else:
        draw_item(canvas, row, scene, item, ink=ink)


def _fits(scene: Scene, item: MenuLine, width: int) -> bool:
    """True if one row has room for text and value."""
    value = value_text(scene, item)
    if not value or item.moment is not None:
        return True
    words = item_wordings(scene, item, width)[0]
    return fonts.width(TINY, words) + GAP + fonts.width(TINY, value) <= width


def value_text(scene: Scene, item: MenuLine) -> str:
    """The value of a line as short as it gets."""
    return value_wordings(scene, item)[-1]


def value_wordings(scene: Scene, item: MenuLine) -> tuple[str, ...]:
    """The value of a line, then shorter: words with a source, words, a figure."""
    if item.chosen_side is not None:
        return name_wordings(scene, item.chosen_side, 50)[-1:]
    if item.scores_now:
        return (f"{scene.figures(item.scores_now)} > {scene.figures(item.scores)}",)
    if item.scores:
        return (scene.figures(item.scores),)
    if not item.value:
        return (item.figure,)
    words = scene.say(item.value, number=item.number)
    figures = (item.figure, item.figure.partition(" +")[0]) if item.figure else ()
    return (*(f"{figure} · {words}" for figure in figures), words)


def draw_item(canvas: Canvas, row: Rect, scene: Scene, item: MenuLine, *, ink: int = 1) -> None:
    if item.moment is not None:
        small = Rect(row.x, row.y + (row.h - 8) // 2, row.w, 8)
        pages.draw_entry(canvas, small, scene, item.moment, ink=ink)
        return
    if item.side is not None and not scene.has_three:
        # The same mark as in the history, which knows the order of this panel.
        mark = Rect(row.x, row.y + (row.h - 7) // 2, 4, 7)
        canvas.triangle(mark, to_left=scene.is_left(item.side), ink=ink)
        row = Rect(row.x + 8, row.y, row.w - 8, row.h)
    # Small letters with descenders do not fit a line of a low panel: one size for all.
    faces = (TINY,) if widgets.is_low(canvas) else (SMALL, TINY)
    canvas.one_line(row, item_wordings(scene, item, row.w), faces, align=0.0, ink=ink)


def item_wordings(scene: Scene, item: MenuLine, width: int) -> tuple[str, ...]:
    if item.text:
        return item.text, text.short_name(item.text, width, TINY)
    names = ("",) if item.side is None else _names(scene, item.side)
    if item.key in NAME_LINES:
        return names
    if item.key is PlainKey.POINTS:
        return tuple(f"{item.number:+d} {name}" for name in names)
    key = message_key(scene, item.key)
    templates = [partial(scene.say, key, points=item.number, side=name) for name in names]
    if not item.word:
        return tuple(say(word=scene.view.refuse) for say in templates)
    # The name of a phone is free text: cut to the room that the words and the side leave.
    room = width - min(fonts.width(TINY, say(word="")) for say in templates)
    words = (item.word, *(text.short_name(item.word, wide, TINY) for wide in (width - 20, room)))
    return tuple(say(word=word) for word in words for say in templates)


def _names(scene: Scene, side: int) -> tuple[str, ...]:
    """A name in full, short, and shorter."""
    return (*name_wordings(scene, side, 60), name_wordings(scene, side, 36)[-1])


def _draw_number(
    canvas: Canvas, box: Rect, scene: Scene, side: int, value: int, *, chosen: bool
) -> None:
    """A number, in inverse while it is set: below the name, on a low panel beside it."""
    if chosen:
        canvas.fill(box)
    ink = 0 if chosen else 1
    if widgets.is_low(canvas):
        # A two-digit number and the name share the row.
        wide = fonts.width(LARGE, "00") + 4
        name, figure = box.left(box.w - wide).inset(2), box.rightmost(wide)
        faces: tuple[fonts.Font, ...] = (LARGE, MEDIUM)
    else:
        name, figure = box.top(12).inset(2), box.below(13)
        faces = (HUGE, LARGE)
    wordings = name_wordings(scene, side, name.w)
    canvas.one_line(name, wordings, (SMALL, TINY), ink=ink)
    canvas.one_line(figure, (str(value),), faces, ink=ink)


def _draw_agreement(canvas: Canvas, box: Rect, scene: Scene, agreement: AgreementView) -> None:
    """The action to confirm, and the sides whose QUIERO is missing."""
    height = LOW_LINE if widgets.is_low(canvas) else LINE + 2
    draw_item(canvas, box.top(height).inset(2), scene, agreement.line)
    if agreement.line.scores_now and not widgets.is_low(canvas):
        box = box.below(LOW_LINE)
        canvas.one_line(box.top(height), (value_text(scene, agreement.line),), (SMALL, TINY))
    faces = (SMALL, TINY) if widgets.is_low(canvas) else (MEDIUM, SMALL, TINY)
    canvas.paragraph(box.below(height), missing_words(scene, agreement.missing), faces)


def missing_words(scene: Scene, missing: tuple[int, ...]) -> tuple[str, ...]:
    """The sides whose yes is missing: both teams, all three, or by name."""
    yes = scene.say("label.quiero")
    if len(missing) > 1 and not scene.has_three:
        return (scene.say("setup.agree", yes=yes),)
    if len(missing) == len(scene.order) > 2:
        return (scene.say("setup.agree.all", yes=yes),)
    whole, short = (
        ", ".join(name_wordings(scene, side, 36)[at] for side in missing) for at in (0, -1)
    )
    asked = tuple(scene.say("game.wait", word=yes, side=names) for names in (whole, short))
    return (*asked, scene.say("setup.missing", side=short))
