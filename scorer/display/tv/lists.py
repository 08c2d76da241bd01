"""List pages on a television: history, night, status, and the failed store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.display.fonts import TINY
from scorer.display.oled import text
from scorer.display.oled.layout import Rect
from scorer.display.tv import colours, widgets
from scorer.display.tv.canvas import TvCanvas
from scorer.phrases import history
from scorer.phrases.names import default_side_name
from scorer.phrases.scene import Scene
from scorer.session.view.view import HistoryLine

if TYPE_CHECKING:
    from scorer.session.values.night_view import NightStanding

HEAD, ROW = 92, 66  # heights of title and line in units
LINES = 8  # of the history


def draw_history(canvas: TvCanvas, scene: Scene) -> None:
    """The newest entries, last at the bottom: hand, time, side, text, points, score."""
    box = widgets.safe_area(canvas)
    entries = scene.view.history[-LINES:]
    if not entries:
        canvas.paragraph(box, (scene.say("page.history.none"),), 64)
        return
    for entry, row in zip(entries, _rows(box, len(entries)), strict=True):
        _draw_entry(canvas, row, scene, entry)


def _rows(box: Rect, count: int) -> list[Rect]:
    step = min(ROW + widgets.GAP, box.h // max(1, count))
    return [Rect(box.x, box.y + index * step, box.w, step - 8) for index in range(count)]


def _draw_entry(canvas: TvCanvas, row: Rect, scene: Scene, entry: HistoryLine) -> None:
    canvas.fill(row, colours.PANEL, round_by=widgets.RADIUS // 2)
    room = row.inset(20, 4)
    ink = colours.INK if entry.side is None else colours.of_side(scene, entry.side)
    hand, time, who = room.left(60), Rect(room.x + 70, room.y, 120, room.h), 260
    canvas.write(hand, (str(entry.hand),), 32, colours.SOFT, align=0.0)
    if entry.time:
        canvas.write(time, (entry.time,), 32, colours.SOFT, align=0.0)
    name = Rect(time.right + 10, room.y, who, room.h)
    if entry.side is not None:
        canvas.write(name, widgets.name_wordings(scene, entry.side), 34, ink, align=0.0)
    scores = room.rightmost(230)
    canvas.write(scores, (scene.figures(entry.scores),), 34, align=1.0)
    points = Rect(scores.x - 90, room.y, 80, room.h)
    if entry.points:
        canvas.write(points, (f"{entry.points:+d}",), 36, ink, align=1.0)
    what = Rect(name.right + 10, room.y, points.x - name.right - 20, room.h)
    done = history.entry_text(scene, entry)
    short = text.short_name(entry.word or done, 100, TINY)
    canvas.write(what, (done, entry.word or done, short), 34, align=0.0)


def draw_night(canvas: TvCanvas, scene: Scene) -> None:
    """The games of tonight: wins, winning streak, longest game."""
    night, say = scene.view.night, scene.say
    if night is None or not night.games:
        canvas.paragraph(widgets.safe_area(canvas), (say("page.night.none"),), 64)
        return
    head, body = widgets.stack_rows(widgets.safe_area(canvas), (HEAD, None))
    games = say("page.night.one" if night.games == 1 else "page.night", games=night.games)
    widgets.draw_banner(canvas, head, (games,), ground=colours.LINE, ink=colours.DEEP, size=50)
    if night.longest:
        words = say("page.night.longest", minutes=night.longest)
        canvas.write(body.bottommost(60), (words,), 36, colours.SOFT)
        body = body.top(body.h - 70)
    shown = night.rows[: body.h // (ROW + widgets.GAP)]
    for standing, row in zip(shown, _rows(body, len(shown)), strict=True):
        _draw_standing(canvas, row, scene, standing)


def _draw_standing(canvas: TvCanvas, row: Rect, scene: Scene, standing: NightStanding) -> None:
    canvas.fill(row, colours.PANEL, round_by=widgets.RADIUS // 2)
    room = row.inset(20, 4)
    canvas.write(room.rightmost(110), (str(standing.won),), 44, align=1.0)
    streak = Rect(room.right - 430, room.y, 310, room.h)
    if standing.streak > 1:
        words = scene.say("page.night.streak", games=standing.streak)
        canvas.write(streak, (words,), 32, colours.WARN, align=1.0)
    name = standing.name or default_side_name(scene, standing.key)
    wordings = (name, text.short_name(name, 110, TINY), text.short_name(name, 70, TINY))
    canvas.write(room.left(room.w - 450), wordings, 44, align=0.0)


def draw_status(canvas: TvCanvas, scene: Scene) -> None:
    """The number of the hand and the game, and the problems of the box."""
    head, body = widgets.stack_rows(widgets.safe_area(canvas), (HEAD, None))
    title = (scene.say("page.status").upper(),)
    widgets.draw_banner(canvas, head, title, ground=colours.LINE, ink=colours.DEEP, size=50)
    lines = scene.status_lines()[:7]
    for words, row in zip(lines, _rows(body, len(lines)), strict=True):
        canvas.fill(row, colours.PANEL, round_by=widgets.RADIUS // 2)
        canvas.write(row.inset(20, 4), (words,), 42, align=0.0)


def draw_store_failure(canvas: TvCanvas, scene: Scene) -> None:
    """The store cannot be opened: reason (from the marks of the view) and remedy."""
    why = scene.view.marks[0] if scene.view.marks else "io"
    head, body = widgets.stack_rows(widgets.safe_area(canvas), (150, None))
    title = (scene.say("trouble.title").upper(),)
    widgets.draw_banner(canvas, head, title, ground=colours.NO, ink=colours.NO_INK, size=84)
    canvas.fill(body, colours.PANEL, round_by=widgets.RADIUS)
    canvas.paragraph(body.inset(60, 40), (scene.say(f"trouble.{why}"),), 72)
