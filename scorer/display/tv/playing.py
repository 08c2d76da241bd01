"""A hand in play on a television: scores in figures and matches, and the ladder."""

from __future__ import annotations

from scorer.display.oled.layout import Rect, columns
from scorer.display.tv import colours, matches, widgets
from scorer.display.tv.canvas import TvCanvas, fit_line
from scorer.phrases import match, state_line
from scorer.phrases.scene import Scene


def draw(canvas: TvCanvas, scene: Scene) -> None:
    """The main picture."""
    sides, strip, foot = widgets.stack_rows(widgets.safe_area(canvas), (None, 92, 56))
    for place, cell in enumerate(columns(sides, len(scene.order), widgets.GAP)):
        _draw_side(canvas, cell, scene, place)
    if scene.view.special:
        title = tuple(map(str.upper, state_line.special_title(scene)))
        widgets.draw_banner(
            canvas, strip, title, ground=colours.WARN, ink=colours.WARN_INK, size=56
        )
        canvas.write(foot, (state_line.special_detail(scene),), 36)
        return
    widgets.draw_ladder(canvas, strip, scene)
    if mark := scene.gravest_mark:
        widgets.draw_banner(
            canvas, foot, (scene.mark(mark),), ground=colours.WARN, ink=colours.WARN_INK, size=30
        )
        return
    times = match.time_wordings(scene)
    if times and match.is_time_short(scene):
        widgets.draw_banner(canvas, foot, times, ground=colours.WARN, ink=colours.WARN_INK, size=30)
        return
    # The state, with a calm mark of the hall.
    states = state_line.state_words(scene)
    marks = (each for each in (match.WAITING, match.UNSENT) if each in scene.view.marks)
    calm = next((scene.mark(each) for each in marks), "") or "".join(match.time_wordings(scene)[:1])
    if calm:
        states = (*(f"{state} · {calm}" for state in states), calm)
    canvas.write(foot, states, 36, colours.SOFT)


def _draw_side(canvas: TvCanvas, cell: Rect, scene: Scene, place: int) -> None:
    """Name, figures, matches and spoken score of one side."""
    canvas.fill(cell, colours.PANEL, round_by=widgets.RADIUS)
    room = cell.inset(24, 14)
    name, rest = room.top(62), room.below(74)
    widgets.draw_name(canvas, name, scene, place, 46)
    side = scene.order[place]
    if spoken := scene.spoken_wordings(side):
        canvas.write(rest.bottommost(52), spoken, 38, colours.SOFT)
        rest = rest.top(rest.h - 60)
    _draw_points(canvas, rest, scene, place)


def _draw_points(canvas: TvCanvas, box: Rect, scene: Scene, place: int) -> None:
    """The figures at the outer side, the matches beside or, with three, below them."""
    side = scene.order[place]
    score, ink = str(scene.view.sides[side].score), colours.of_side(scene, side)
    if scene.view.large_digits:
        canvas.write(box, (score,), _figure_size(box, 330), ink)
        return
    mirrored = scene.align_of(place) > 0.5
    if scene.has_three:
        figure, tally = box.top(box.h * 11 // 20), box.below(box.h * 11 // 20 + 14)
    else:
        wide = box.w * 43 // 100
        figure = box.rightmost(wide) if mirrored else box.left(wide)
        rest = box.w - wide - 20
        tally = box.left(rest) if mirrored else box.rightmost(rest)
    canvas.write(figure, (score,), _figure_size(figure, 260), ink)
    view = scene.view
    matches.draw(
        canvas,
        tally,
        view.sides[side].score,
        scene.tally_points,
        view.half,
        mirrored=mirrored,
        shape=view.shape,
    )


def _figure_size(box: Rect, size: int) -> float:
    """The height of figures in ``box``, equal for one and two digits."""
    return fit_line(box, ("00",), size).size
