"""Two pages of MENU on a television: large tallies, and the complete ladder."""

from __future__ import annotations

from scorer.display.fonts import TINY
from scorer.display.oled import text
from scorer.display.oled.layout import Rect, columns
from scorer.display.tv import colours, matches, widgets
from scorer.display.tv.canvas import TvCanvas
from scorer.phrases.scene import Scene
from scorer.session.view.view import RungState, RungView


def draw_tally(canvas: TvCanvas, scene: Scene) -> None:
    """All tallies in matches, under the names and the scores."""
    scores, body = widgets.stack_rows(widgets.safe_area(canvas), (96, None))
    widgets.draw_score_row(canvas, scores, scene)
    view = scene.view
    for place, cell in enumerate(columns(body, len(scene.order), widgets.GAP)):
        canvas.fill(cell, colours.PANEL, round_by=widgets.RADIUS)
        mirrored = scene.align_of(place) > 0.5
        score = scene.side(place).score
        room = cell.inset(30, 20)
        matches.draw(
            canvas,
            room,
            score,
            scene.tally_points,
            view.half,
            mirrored=mirrored,
            largest=240,
            shape=view.shape,
        )


def draw_ladder(canvas: TvCanvas, scene: Scene) -> None:
    """All rungs with both values: played and refused."""
    rungs = [rung for rung in scene.view.ladder if rung.word]
    head, body = widgets.stack_rows(widgets.safe_area(canvas), (70, None))
    titles = (scene.say(key) for key in ("page.ladder", "page.ladder.yes", "page.ladder.no"))
    for cell, title, align in zip(_cells(head), titles, ALIGN, strict=True):
        canvas.write(cell, (title,), 36, colours.SOFT, align=align)
    step = min(120, body.h // max(1, len(rungs)))
    for index, rung in enumerate(rungs):
        row = Rect(body.x, body.y + index * step, body.w, step - 10)
        _draw_rung(canvas, row, scene, rung)


ALIGN = (0.0, 1.0, 1.0)


def _cells(row: Rect) -> tuple[Rect, Rect, Rect]:
    room = row.inset(24, 4)
    wide = room.w // 4
    return (
        room.left(room.w - 2 * wide - 20),
        Rect(room.right - 2 * wide - 10, room.y, wide, room.h),
        room.rightmost(wide),
    )


def _draw_rung(canvas: TvCanvas, row: Rect, scene: Scene, rung: RungView) -> None:
    holds = rung.state is RungState.CURRENT or (rung.state is RungState.CALLED and scene.view.blink)
    canvas.fill(row, colours.INK if holds else colours.PANEL, round_by=widgets.RADIUS)
    if rung.state is RungState.CALLED and not holds:
        canvas.frame(row, colours.WARN, width=4, round_by=widgets.RADIUS)
    ink = colours.DEEP if holds else colours.FAINT if rung.state is RungState.PAST else colours.INK
    name, yes, no = _cells(row)
    canvas.write(name, (rung.word, text.short_name(rung.word, 70, TINY)), 54, ink, align=0.0)
    canvas.write(yes, (scene.points(rung.value),), 54, ink, align=1.0)
    canvas.write(no, (scene.points(rung.refused),), 54, ink, align=1.0)
