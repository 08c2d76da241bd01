"""A hand in play: scores, tallies, the ladder, and a state line in words."""

from __future__ import annotations

from scorer.display import fonts
from scorer.display.fonts import HUGE, LARGE, MEDIUM, SMALL, TINY
from scorer.display.oled import digits, ladder, tally, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, columns
from scorer.phrases import gains, match, state_line
from scorer.phrases.scene import Scene
from scorer.session.view.view import SpecialKind

UNSENT_WIDTH = 5  # columns of the mark of rows that wait to be sent


def draw(canvas: Canvas, scene: Scene) -> None:
    """The main screen."""
    if widgets.is_low(canvas):
        _draw_low(canvas, scene)
    else:
        _draw_tall(canvas, scene)


def _draw_tall(canvas: Canvas, scene: Scene) -> None:
    box = canvas.box
    widgets.draw_name_line(canvas, box.top(10), scene)
    foot = box.bottommost(box.h // 3)
    body = Rect(box.x, box.y + 11, box.w, box.h - 10 - foot.h - 1)
    if scene.view.large_digits and digits.fits(body, scene):
        # The state of a special hand starts higher than the ladder.
        digits.draw(canvas, body.top(body.h - (3 if scene.view.special else 0)), scene)
    else:
        _draw_sides(canvas, body, scene, spoken=8)
    if scene.view.special:
        # A notice would cover part of it: it needs space from above the ladder.
        if scene.view.notice is None:
            _draw_special(canvas, box.bottommost(box.h // 3 + 3), scene)
        return
    ladder.draw_strip(canvas, foot.top(12), scene)
    draw_state_line(canvas, foot.bottommost(8), scene)


def _draw_low(canvas: Canvas, scene: Scene) -> None:
    box = canvas.box
    if scene.view.gains:
        canvas.one_line(box.top(9), gains.gain_line_wordings(scene), (TINY,))
    elif scene.view.special:
        _draw_special_line(canvas, box.top(9), scene)
    elif scene.view.duel is not None:
        canvas.one_line(box.top(9), state_line.duel_words(scene, scene.view.duel), (TINY,))
    elif match.is_time_short(scene):
        _draw_time(canvas, box.top(9), scene)
    else:
        widgets.draw_name_line(canvas, box.top(9), scene)
    if scene.has_three:
        # The stake is beside the figures of the middle side.
        _draw_sides(canvas, box.below(10), scene, spoken=0)
        centre = columns(box.below(10), 3, 3)[1].rightmost(16)
    else:
        # The word for the whole game is wider than a figure.
        middle = max(22, fonts.width(TINY, scene.points(scene.view.stake)) + 8)
        _draw_sides(canvas, box.below(10), scene, spoken=0, middle=middle)
        centre = Rect(box.x + (box.w - middle) // 2, box.y + 10, middle, box.h - 10)
    _draw_stake_tower(canvas, centre, scene)


def _draw_sides(canvas: Canvas, box: Rect, scene: Scene, *, spoken: int, middle: int = 3) -> None:
    cells = columns(box, len(scene.order), middle)
    for place, cell in enumerate(cells):
        _draw_side(canvas, cell, scene, place, spoken)
        if place and not spoken:
            continue
        if place:
            canvas.dots((cell.x - 2, box.y), box.h - spoken, upright=True)


def _draw_side(canvas: Canvas, cell: Rect, scene: Scene, place: int, spoken: int) -> None:
    side = scene.order[place]
    seen = scene.view.sides[side]
    right = scene.align_of(place) > 0.5
    upper = cell.top(cell.h - spoken)
    wide = fonts.width(HUGE, "00")
    number = upper.rightmost(wide) if right else upper.left(wide)
    number = Rect(number.x, number.y, number.w, HUGE.caps) if spoken else number
    # On a low panel the stake is beside the middle side: all three use the small size.
    face = HUGE if spoken or not scene.has_three else LARGE
    canvas.one_line(number, (str(seen.score),), (face,), align=1.0 if right else 0.0)
    rest = upper.left(upper.w - wide - 2) if right else upper.rightmost(upper.w - wide - 2)
    if spoken or not scene.has_three:
        view = scene.view
        tally.draw(
            canvas,
            rest,
            seen.score,
            scene.tally_points,
            view.half,
            mirrored=right,
            shape=view.shape,
        )
    if spoken and (wordings := scene.spoken_wordings(side)):
        canvas.one_line(cell.bottommost(spoken), wordings, (TINY,), align=scene.align_of(place))


def _draw_stake_tower(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """On a low panel: the stake in the middle, and the sides that may raise."""
    raisers = [index for index, side in enumerate(scene.view.sides) if side.may_raise]
    sign = Rect(box.x + 3, box.y + 1, box.w - 6, 14)
    canvas.fill(sign)
    canvas.one_line(sign.inset(1), (scene.points(scene.view.stake),), ink=0)
    for side in raisers:
        left = scene.is_left(side)
        arrow = Rect(box.x + 3 if left else box.right - 8, box.y + 16, 5, 7)
        canvas.triangle(arrow, to_left=left)
    # A mark of the hall between the arrows: a low panel has no state line.
    mark = Rect(box.x + 8, box.y + 14, UNSENT_WIDTH, 8)
    if match.WAITING in scene.view.marks:
        canvas.triangle(Rect(mark.x, mark.y + 1, 4, 7), to_left=False)
        canvas.line((mark.right - 1, mark.y + 1), (mark.right - 1, mark.y + 7))
    elif match.UNSENT in scene.view.marks:
        _draw_unsent(canvas, mark)


def draw_state_line(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """One line of text: a problem, else the state, else the mano."""
    mark = scene.gravest_mark
    if mark:
        canvas.fill(box)
        canvas.one_line(box.inset(2), scene.mark_wordings(mark), (TINY,), ink=0)
        return
    if match.is_time_short(scene):
        _draw_time(canvas, box, scene)
        return
    if match.WAITING in scene.view.marks:
        canvas.one_line(box, (scene.mark(match.WAITING),), (TINY,))
        return
    if match.UNSENT in scene.view.marks:
        _draw_unsent(canvas, box.rightmost(UNSENT_WIDTH))
        box = box.left(box.w - UNSENT_WIDTH - 2)
    if times := match.time_wordings(scene)[-1:]:
        wide = fonts.width(TINY, times[0])
        canvas.one_line(box.rightmost(wide), times, (TINY,))
        box = box.left(box.w - wide - 3)
    canvas.one_line(box, state_line.state_words(scene), (TINY,))


def _draw_time(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """The last minutes of a match; inverted when they are over."""
    is_over = scene.view.match is not None and scene.view.match.minutes_left == 0
    if is_over:
        canvas.fill(box)
    words = match.time_wordings(scene)
    canvas.one_line(box.inset(1), words, (TINY,), ink=0 if is_over else 1)


def _draw_unsent(canvas: Canvas, box: Rect) -> None:
    """The calm mark of rows that wait here: an arrow up from a line."""
    middle = box.x + box.w // 2
    canvas.line((middle, box.y + 1), (middle, box.y + 5))
    canvas.line((middle - 2, box.y + 3), (middle, box.y + 1))
    canvas.line((middle, box.y + 1), (middle + 2, box.y + 3))
    canvas.line((box.x, box.y + 7), (box.right - 1, box.y + 7))


def _draw_special(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """Mão de onze or de ferro: its name while it lasts, without raises."""
    banner = box.top(13)
    canvas.fill(banner)
    faces = (MEDIUM, SMALL, TINY)
    canvas.one_line(
        banner.inset(3), tuple(map(str.upper, state_line.special_title(scene))), faces, ink=0
    )
    canvas.one_line(box.below(13), (state_line.special_detail(scene),), (SMALL, TINY))


def _draw_special_line(canvas: Canvas, box: Rect, scene: Scene) -> None:
    canvas.fill(box)
    key = "state.no_truco" if scene.view.special is SpecialKind.IRON else "state.no_raise"
    rests = (state_line.special_detail(scene), scene.say(key))
    words = tuple(
        f"{title} · {rest}" for rest in rests for title in state_line.special_title(scene)
    )
    canvas.one_line(box.inset(1), words, (SMALL, TINY), ink=0)
