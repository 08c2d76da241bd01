"""The information pages of MENU, and the page for a failed store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.display import fonts
from scorer.display.fonts import MEDIUM, SMALL, TINY, Font
from scorer.display.oled import tally, text, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, columns, rows
from scorer.phrases import history
from scorer.phrases.names import default_side_name
from scorer.phrases.scene import Scene
from scorer.session.view.view import HistoryLine, RungState

if TYPE_CHECKING:
    from scorer.session.values.night_view import NightStanding

PAIR = "&"  # the pair of pata de gallo
LINE = 9  # height of a line of small letters in rows


def draw_tally(canvas: Canvas, scene: Scene) -> None:
    """Both tallies as large as the panel allows."""
    head = canvas.box.top(10 if widgets.is_low(canvas) else 13)
    widgets.draw_score_line(canvas, head, scene)
    view = scene.view
    cells = columns(canvas.box.below(head.h + 1), len(scene.order), 5)
    for place, cell in enumerate(cells):
        score = scene.side(place).score
        mirrored = scene.align_of(place) > 0.5
        tally.draw(
            canvas,
            cell,
            score,
            scene.tally_points,
            view.half,
            mirrored=mirrored,
            largest=cell.h // 2,
            shape=view.shape,
        )
        if place:
            canvas.dots((cell.x - 3, cell.y), cell.h, upright=True)


def draw_ladder(canvas: Canvas, scene: Scene) -> None:
    """All rungs with both values: played and refused."""
    box = canvas.box
    # Those with a word; on a low panel those around the current one.
    rungs, most = [rung for rung in scene.view.ladder if rung.word], box.h // 8
    over = sum(rung.state is RungState.PAST for rung in rungs)
    first = max(0, min(over, len(rungs) - most))
    rungs = rungs[first : first + most]
    titled = box.h >= LINE * (len(rungs) + 1)
    if titled:
        head = box.top(LINE)
        titles = ("page.ladder", "page.ladder.yes", "page.ladder.no")
        _draw_row(canvas, head.top(8), tuple(map(scene.say, titles)), (TINY,))
        canvas.line((0, head.bottom - 1), (box.right - 1, head.bottom - 1))
        box = box.below(LINE + 1)
    height = box.h // max(1, len(rungs))
    for rung, row in zip(rungs, rows(box, [height] * len(rungs)), strict=True):
        holds = rung.state is RungState.CURRENT or (
            rung.state is RungState.CALLED and scene.view.blink
        )
        if holds:
            canvas.fill(row)
        figures = scene.points(rung.value), scene.points(rung.refused)
        faces = tuple(font for font in (MEDIUM, SMALL, TINY) if font.caps + 1 <= row.h)
        _draw_row(canvas, row, (rung.word, *figures), faces, ink=0 if holds else 1)


def _draw_row(
    canvas: Canvas, row: Rect, cells: tuple[str, ...], faces: tuple[Font, ...], *, ink: int = 1
) -> None:
    word, yes, no = cells
    name = Rect(row.x + 2, row.y, row.w - 68, row.h)
    wordings = (word, text.short_name(word, name.w, TINY))
    canvas.one_line(name, wordings, faces, align=0.0, ink=ink)
    canvas.one_line(Rect(name.right, row.y, 40, row.h), (yes,), faces, align=1.0, ink=ink)
    canvas.one_line(Rect(name.right + 42, row.y, 22, row.h), (no,), faces, align=1.0, ink=ink)


def draw_history(canvas: Canvas, scene: Scene) -> None:
    """The newest entries, the last at the bottom: hand, time, text, points, score."""
    entries = scene.view.history[-(canvas.box.h // 8) :]
    if not entries:
        canvas.one_line(canvas.box, (scene.say("page.history.none"),), (MEDIUM, SMALL, TINY))
        return
    for index, entry in enumerate(entries):
        row = Rect(canvas.box.x, canvas.box.y + 8 * index, canvas.box.w, 8)
        draw_entry(canvas, row, scene, entry)


def draw_entry(
    canvas: Canvas, row: Rect, scene: Scene, entry: HistoryLine, *, ink: int = 1
) -> None:
    """One line of the history in a row of 8 pixels."""
    scores = scene.figures(entry.scores)
    right = canvas.one_line(row, (scores,), (TINY,), align=1.0, ink=ink).x - 4
    if entry.points:
        amount = f"{entry.points:+d}"
        room = Rect(row.x, row.y, right - row.x, 8)
        right = canvas.one_line(room, (amount,), (TINY,), align=1.0, ink=ink).x - 3
    left = canvas.one_line(row, (str(entry.hand),), (TINY,), align=0.0, ink=ink).right + 3
    if entry.side is not None:
        left += draw_side_mark(canvas, Rect(left, row.y, 6, 8), scene, entry.side, ink)
    what = history.entry_text(scene, entry)
    width = right - left
    if entry.time and fonts.width(TINY, f"{entry.time} {what}") <= width:
        what = f"{entry.time} {what}"
    wordings = (what, entry.word, text.short_name(entry.word or what, width, TINY))
    words = tuple(wording for wording in wordings if wording)
    canvas.one_line(Rect(left, row.y, width, 8), words, (TINY,), align=0.0, ink=ink)


def draw_side_mark(canvas: Canvas, box: Rect, scene: Scene, side: int, ink: int) -> int:
    """Marks the side of an entry; returns the columns taken.

    Two sides are marked at their own edge of the panel, three by an initial. The pair of an older
    hand may differ from the current one.
    """
    if not scene.has_three:
        canvas.triangle(Rect(box.x, box.y + 1, 4, 7), to_left=scene.is_left(side), ink=ink)
        return 7
    initial = PAIR if side == len(scene.order) else scene.name(side)[:1]
    canvas.one_line(box, (initial,), (TINY,), align=0.0, ink=ink)
    return 8


def draw_night(canvas: Canvas, scene: Scene) -> None:
    """The games of tonight: wins, winning streak, longest game."""
    night, say = scene.view.night, scene.say
    if night is None or not night.games:
        canvas.one_line(canvas.box, (say("page.night.none"),), (MEDIUM, SMALL, TINY))
        return
    low = widgets.is_low(canvas)
    head = canvas.box.top(10 if low else 11)
    canvas.fill(head)
    games = say("page.night.one" if night.games == 1 else "page.night", games=night.games)
    short = say("page.night.longest.short", minutes=night.longest)
    titles = (f"{games} · {short}", games) if low and night.longest else (games,)
    canvas.one_line(head.inset(2), titles, (SMALL, TINY), ink=0)
    room = canvas.box.below(head.h + 1)
    if night.longest and not low:
        words = say("page.night.longest", minutes=night.longest)
        canvas.one_line(room.bottommost(LINE), (words,), (TINY,))
        room = room.top(room.h - LINE)
    count = min(room.h // LINE, len(night.rows))
    places = rows(room.top((LINE + 1) * count), [LINE] * count)
    for standing, row in zip(night.rows[:count], places, strict=True):
        _draw_standing(canvas, row, scene, standing)


def _draw_standing(canvas: Canvas, row: Rect, scene: Scene, standing: NightStanding) -> None:
    won = canvas.one_line(row.rightmost(14), (str(standing.won),), (TINY,), align=1.0)
    right = won.x - 4
    if standing.streak > 1:
        words = scene.say("page.night.streak", games=standing.streak)
        streak = canvas.one_line(row.left(right), (words,), (TINY,), align=1.0)
        right = streak.x - 4
    name = standing.name or default_side_name(scene, standing.key)
    wordings = (name, text.short_name(name, right, TINY))
    canvas.one_line(row.left(right), wordings, (TINY,), align=0.0)


def draw_status(canvas: Canvas, scene: Scene) -> None:
    """The number of the hand and the game, and the problems of the box."""
    lines = scene.status_wordings()
    head, rest = canvas.box.top(11), canvas.box.below(12)
    canvas.fill(head)
    canvas.one_line(head.inset(2), (scene.say("page.status").upper(),), (SMALL,), ink=0)
    count = min(len(lines), max(1, rest.h // 11))
    places = rows(rest.top(12 * count), [11] * count)
    for wordings, row in zip(lines[:count], places, strict=True):
        canvas.one_line(row.inset(2), wordings, (SMALL, TINY), align=0.0)


def draw_store_failure(canvas: Canvas, scene: Scene) -> None:
    """The store cannot be opened: reason (from the marks of the view) and remedy."""
    why = scene.view.marks[0] if scene.view.marks else "io"
    head = canvas.box.top(10 if widgets.is_low(canvas) else 15)
    canvas.fill(head)
    title = scene.say("trouble.title").upper()
    canvas.one_line(head.inset(2), (title,), widgets.faces_within(head.h), ink=0)
    sentence = (scene.say(f"trouble.{why}"),)
    canvas.paragraph(canvas.box.below(head.h + 1), sentence, (SMALL, TINY))
