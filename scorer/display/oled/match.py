"""A match of a tournament before it is accepted, and the page of the hall."""

from __future__ import annotations

from scorer.display.fonts import HUGE, LARGE, MEDIUM, SMALL, TINY, Font
from scorer.display.oled import text, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, rows
from scorer.display.oled.pairing import spaced
from scorer.display.oled.qr import qr_image
from scorer.phrases import match as phrases
from scorer.phrases.names import name_wordings
from scorer.phrases.scene import Scene
from scorer.session.values.setup_view import JoiningView
from scorer.session.values.shown import HallView

GAP = 3  # columns between the code and the letters


def draw_offer(canvas: Canvas, scene: Scene) -> None:
    """Who plays by which rules, and the press that begins."""
    match = scene.view.match
    if match is None:
        return
    accept = (phrases.accept_words(scene),)
    tolerance = phrases.tolerance_wordings(scene)
    rules = phrases.rules_wordings(scene, match)
    if widgets.is_low(canvas):
        head, names, *times, foot = rows(canvas.box, (8, 8, 8, 8) if tolerance else (10, 9, 11))
        _draw_head(canvas, head, rules, (TINY,) if tolerance else (SMALL, TINY))
        widgets.draw_name_line(canvas, names, scene)
        for line in times:
            canvas.one_line(line, tolerance, (TINY,))
        canvas.one_line(foot, accept, (TINY,) if tolerance else (SMALL, TINY))
        return
    count = len(scene.order)
    head, *lines, variant, terms, foot = rows(canvas.box, (11, *(22 // count,) * count, 8, 9, 10))
    title = scene.say("page.offer").upper()
    wordings = _name_wordings(phrases.match_name(scene.say, match.id), 70)
    _draw_head(canvas, head, tuple(f"{title} · {each}" for each in wordings))
    for place, line in enumerate(lines):
        _draw_name(canvas, line, scene, place)
    canvas.one_line(variant, rules if tolerance else (match.variant,), (TINY,))
    canvas.one_line(terms, tolerance or phrases.terms_wordings(scene, match), (TINY,))
    canvas.one_line(foot, accept, (SMALL, TINY))


def _draw_head(
    canvas: Canvas, box: Rect, wordings: tuple[str, ...], faces: tuple[Font, ...] = (SMALL, TINY)
) -> None:
    canvas.fill(box)
    canvas.one_line(box.inset(1), wordings, faces, ink=0)


def _draw_name(canvas: Canvas, line: Rect, scene: Scene, place: int) -> None:
    """A team on its side of the panel, with the arrow of its console."""
    right = scene.align_of(place) > 0.5 and not scene.has_three
    mark = Rect(line.right - 4 if right else line.x, line.y + (line.h - 7) // 2, 4, 7)
    canvas.triangle(mark, to_left=not right)
    room = line.left(line.w - 8) if right else line.rightmost(line.w - 8)
    wordings = name_wordings(scene, scene.order[place], room.w)
    faces = widgets.faces_within(line.h)
    canvas.one_line(room, wordings, faces, align=1.0 if right else 0.0)


def draw_hall(canvas: Canvas, scene: Scene) -> None:
    """Table, connection, the result as QR code, and the press that calls the director."""
    hall = scene.view.hall or HallView()
    box, is_low = canvas.box, widgets.is_low(canvas)
    # The height of the panel: 29 modules fit a low one at a pixel each.
    code = qr_image(hall.qr, (box.h, box.h), fine=is_low) if hall.qr else None
    if code is not None:
        canvas.paste(code, 0, (box.h - code.height) // 2)
        box = box.rightmost(box.w - code.width - GAP)
    call, words = phrases.call_wordings(scene), phrases.connection_wordings(scene, hall)
    times = phrases.span_wordings(scene)
    if is_low:
        head, state, foot = rows(box, (11, 11, 8))
        canvas.one_line(head, _hall_titles(scene, hall, box.w), (MEDIUM, SMALL, TINY))
        canvas.one_line(state, times or words, (SMALL, TINY))
        canvas.one_line(foot, call, (TINY,))
        return
    if times:
        # A match in play has no code of its result yet.
        head, table, time, state, foot = rows(box, (12, 14, 10, 12, 11))
        canvas.one_line(time, times, (SMALL, TINY))
    else:
        head, table, state, foot = rows(box, (12, 15, 17, 17 if code is not None else 11))
    canvas.fill(head)
    title = hall.name or scene.say("page.hall").upper()
    canvas.one_line(head.inset(2), _name_wordings(title, head.w - 4), (SMALL, TINY), ink=0)
    canvas.one_line(table, (phrases.table_words(scene, hall),), (MEDIUM, SMALL, TINY))
    canvas.paragraph(state, words, (SMALL, TINY))
    canvas.paragraph(foot, call, (SMALL, TINY))


def _hall_titles(scene: Scene, hall: HallView, width: int) -> tuple[str, ...]:
    table = phrases.table_words(scene, hall)
    name = hall.name or scene.say("page.hall")
    names = (name, text.short_name(name, width // 2, TINY))
    return (*(f"{table} · {each}" if table else each for each in names), table or names[-1])


def _name_wordings(name: str, width: int) -> tuple[str, str]:
    return name, text.short_name(name, width, TINY)


def draw_join(canvas: Canvas, scene: Scene, joining: JoiningView) -> None:
    """The digits that the desk of the hall shows too, large; before them, the wait."""
    head = canvas.box.top(10 if widgets.is_low(canvas) else 13)
    canvas.fill(head)
    canvas.one_line(head.inset(2), _name_wordings(joining.hall, head.w - 4), (SMALL, TINY), ink=0)
    body = canvas.box.below(head.h + 1)
    if not joining.code:
        canvas.paragraph(body, (scene.say("setup.hall_join"),), (MEDIUM, SMALL, TINY))
        return
    is_low = widgets.is_low(canvas)
    large, same = rows(body, (13, 8) if is_low else (30, 19))
    fonts = (MEDIUM,) if is_low else (HUGE, LARGE, MEDIUM)
    canvas.one_line(large, (spaced(joining.code),), fonts)
    # What is to be done with the digits: compare them, then wait for the desk.
    words: tuple[str, ...] = (scene.say("notice.hall_compare"),)
    if not joining.is_same:
        yes = scene.say("label.quiero")
        words = tuple(scene.say(key, yes=yes) for key in ("hall.same", "hall.same.short"))
    canvas.paragraph(same, words, (SMALL, TINY))
