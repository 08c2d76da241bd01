"""Elements shared by several screens: names, scores, pips, marks."""

from __future__ import annotations

from scorer.display import fonts
from scorer.display.fonts import MEDIUM, SMALL, TINY, Font
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, columns
from scorer.phrases import mao
from scorer.phrases.names import name_wordings
from scorer.phrases.scene import SHORT_HALF, Scene

LOW = 48  # panels of fewer rows have no spoken score and no state line
DISC = 5  # the mark of the mano
PIP = 3  # one game won
SCORE_GAP = 3  # between two names with their scores


def is_low(canvas: Canvas) -> bool:
    """Whether the panel is one of the low ones (128x32)."""
    return canvas.box.h < LOW


def draw_name_line(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """The names, each with the mark of the mano and the games won."""
    for place, cell in enumerate(columns(box, len(scene.order), 4)):
        draw_name(canvas, cell, scene, place, right=scene.align_of(place) > 0.5)


def draw_name(canvas: Canvas, cell: Rect, scene: Scene, place: int, *, right: bool = False) -> None:
    """One name with its marks, aligned left or right."""
    side = scene.order[place]
    seen = scene.view.sides[side]
    games = _games_to_win(scene)
    room = (DISC + 3 if seen.mano else 0) + (games * (PIP + 1) + 2 if games else 0)
    # The single player of this hand is shown in inverse.
    ink = 0 if side == scene.view.gallo else 1
    if not ink:
        canvas.fill(cell)
        cell = cell.inset(1)
    name = Rect(cell.x + (room if right else 0), cell.y, cell.w - room, cell.h)
    stands = canvas.one_line(
        name,
        name_wordings(scene, side, name.w),
        faces_within(cell.h),
        align=1.0 if right else 0.0,
        ink=ink,
    )
    x = stands.x - 3 if right else stands.right + 3
    if seen.mano:
        x -= DISC if right else 0
        canvas.disc(Rect(x, cell.y + (cell.h - DISC) // 2, DISC, DISC), ink=ink)
        x += -2 if right else DISC + 2
    _draw_pips(canvas, x, cell, scene, side, right=right)


def faces_within(height: int) -> tuple[Font, ...]:
    """The fonts whose letters fit within ``height`` rows, largest first."""
    return tuple(font for font in (MEDIUM, SMALL, TINY) if font.caps + 2 <= height) or (TINY,)


def _games_to_win(scene: Scene) -> int:
    return (scene.view.best_of + 1) // 2 if scene.view.best_of > 1 else 0


def _draw_pips(canvas: Canvas, x: int, cell: Rect, scene: Scene, side: int, *, right: bool) -> None:
    games, ink = scene.view.sides[side].games, 0 if side == scene.view.gallo else 1
    for index in range(_games_to_win(scene)):
        step = index * (PIP + 1)
        left = x - PIP - step if right else x + step
        pip = Rect(left, cell.y + (cell.h - PIP) // 2, PIP, PIP)
        if index < games:
            canvas.fill(pip, ink=ink)
        else:
            canvas.fill(Rect(pip.x + 1, pip.y + 1, 1, 1), ink=ink)


def draw_score_line(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """Names with mano, scores with half, in one line; awaited sides in inverse."""
    for place, cell in enumerate(_score_cells(box, scene)):
        # Two numbers meet in the middle; with three, each follows its name.
        right = scene.align_of(place) > 0.5 and not scene.has_three
        _draw_scored_name(canvas, cell, scene, place, right=right)
        if place:
            canvas.dots((cell.x - 2, cell.y), cell.h, upright=True)


def _score_cells(box: Rect, scene: Scene) -> tuple[Rect, ...]:
    """A cell per side: halves, or the width of each name if only so both fit."""
    cells = columns(box, len(scene.order), SCORE_GAP)
    needed = []  # by the whole name in small letters with its mano, and by the score
    for side in scene.order:
        name = fonts.width(TINY, scene.name(side)) + (DISC + 2) * (side == mao.marked_mano(scene))
        needed.append(name + _number_width(box, scene, side) + 3 + 2 * 2)
    halves_do = all(width <= cell.w for width, cell in zip(needed, cells, strict=True))
    slack = box.w - SCORE_GAP - sum(needed)
    if scene.has_three or halves_do or slack < 0:
        return cells
    left = needed[0] + slack // 2
    return box.left(left), box.rightmost(box.w - left - SCORE_GAP)


def _number_width(box: Rect, scene: Scene, side: int) -> int:
    figures = fonts.width(faces_within(box.h)[0], str(scene.view.sides[side].score))
    half = _half_letter(scene, side)
    return figures + (fonts.width(TINY, half) + 1 if half else 0)


def _draw_scored_name(canvas: Canvas, cell: Rect, scene: Scene, place: int, *, right: bool) -> None:
    side = scene.order[place]
    seen = scene.view.sides[side]
    ink = 0 if seen.owes else 1
    if seen.owes:
        canvas.fill(cell)
    faces = faces_within(cell.h)
    figures, half = str(seen.score), _half_letter(scene, side)
    figures_width, half_width = fonts.width(faces[0], figures), fonts.width(TINY, half)
    # The boxes of the name (outer) and the number (inner).
    inner, width = cell.inset(2), _number_width(cell, scene, side)
    rest = inner.w - width - 3
    name = inner.rightmost(rest) if right else inner.left(rest)
    number = inner.left(width) if right else inner.rightmost(width)
    if not right:
        _draw_name_and_mano(canvas, name, scene, side, right=right, ink=ink)
    canvas.one_line(number.left(figures_width), (figures,), faces[:1], ink=ink)
    if half:
        canvas.one_line(number.rightmost(half_width), (half,), (TINY,), ink=ink)
    if right:
        _draw_name_and_mano(canvas, name, scene, side, right=right, ink=ink)


def _half_letter(scene: Scene, side: int) -> str:
    """The letter of the half that a score is in; three names leave no room for it."""
    half = scene.view.sides[side].half
    if half is None or scene.has_three:
        return ""
    return scene.say(SHORT_HALF[half], number="").strip(" .")


def _draw_name_and_mano(
    canvas: Canvas, box: Rect, scene: Scene, side: int, *, right: bool, ink: int
) -> None:
    mano = side == mao.marked_mano(scene)
    room = Rect(
        box.x + (DISC + 2 if mano and right else 0), box.y, box.w - (DISC + 2) * mano, box.h
    )
    faces = faces_within(box.h)
    wordings = name_wordings(scene, side, room.w)
    stands = canvas.one_line(
        room, wordings, faces[1:] or faces, align=1.0 if right else 0.0, ink=ink
    )
    if mano:
        x = stands.x - DISC - 2 if right else stands.right + 2
        canvas.disc(Rect(x, box.y + (box.h - DISC) // 2, DISC, DISC), ink=ink)
