"""Elements shared by pictures of a television: names, scores, ladder, banner."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.display.fonts import TINY
from scorer.display.oled import text
from scorer.display.oled.layout import Rect, columns
from scorer.display.tv import colours
from scorer.display.tv.canvas import TvCanvas
from scorer.display.tv.colours import Colour
from scorer.phrases import mao
from scorer.phrases.names import shrinking_wordings
from scorer.phrases.scene import Scene
from scorer.session.view.view import RungState, RungView

# Televisions may hide the outermost pixels of a picture (overscan).
RIM_X, RIM_Y = 36, 26
GAP = 14
RADIUS = 16  # corner radius in units
NAME = 270  # width of a caller's name beside the call, in units
HALF = 150  # of a score as it is spoken
ARROW = 44  # units of the arrow to a side that may raise
DISC = 26  # the mark of the mano
PIP = 20  # one game won


def safe_area(canvas: TvCanvas) -> Rect:
    """The part of the picture visible on every television."""
    return canvas.box.inset(RIM_X, RIM_Y)


def stack_rows(box: Rect, heights: Sequence[int | None]) -> list[Rect]:
    """Rows of these heights with gaps between; the one that is None takes the rest."""
    rest = box.h - sum(height or 0 for height in heights) - GAP * (len(heights) - 1)
    made, y = [], box.y
    for height in heights:
        row = Rect(box.x, y, box.w, rest if height is None else height)
        made.append(row)
        y = row.bottom + GAP
    return made


def name_wordings(scene: Scene, side: int) -> tuple[str, ...]:
    """The full name, then shortened in steps."""
    return shrinking_wordings(scene, side, 100, 70, 50, 34)


def draw_name(canvas: TvCanvas, box: Rect, scene: Scene, place: int, size: int) -> None:
    """One name with the mark of the mano and the games won, towards the middle."""
    side = scene.order[place]
    seen, right = scene.view.sides[side], scene.align_of(place) > 0.5
    wanted = (scene.view.best_of + 1) // 2 if scene.view.best_of > 1 else 0
    room = (DISC + 12 if seen.mano else 0) + (wanted * (PIP + 8) + 8 if wanted else 0)
    name = box.rightmost(box.w - room) if right else box.left(box.w - room)
    ink = colours.of_side(scene, side)
    # The single player of this hand is shown on a ground of the side's colour.
    if side == scene.view.gallo:
        canvas.fill(name, ink, round_by=RADIUS // 2)
        name, ink = name.inset(12), colours.DEEP
    stands = canvas.write(name, name_wordings(scene, side), size, ink, align=1.0 if right else 0.0)
    x = stands.x - 12 if right else stands.right + 12
    if side == scene.view.gallo:
        x = name.x - 24 if right else name.right + 24
    if seen.mano:
        x -= DISC if right else 0
        canvas.disc(Rect(x, box.y + (box.h - DISC) // 2, DISC, DISC), colours.LINE)
        x += -10 if right else DISC + 10
    for index in range(wanted):
        left = x - (index + 1) * (PIP + 8) if right else x + index * (PIP + 8)
        won = index < seen.games
        pip = Rect(left, box.y + (box.h - PIP) // 2, PIP, PIP)
        canvas.fill(pip, colours.LINE if won else colours.FAINT, round_by=3)


def draw_score_row(canvas: TvCanvas, box: Rect, scene: Scene) -> None:
    """Names, mano, scores in figures and as spoken; sides awaited on their colour."""
    for place, cell in enumerate(columns(box, len(scene.order), GAP)):
        side = scene.order[place]
        seen, right = scene.view.sides[side], scene.align_of(place) > 0.5
        ground = colours.of_side(scene, side) if seen.owes else colours.PANEL
        ink = colours.DEEP if seen.owes else colours.of_side(scene, side)
        canvas.fill(cell, ground, round_by=RADIUS)
        room = cell.inset(18, 8)
        mirrored = right and not scene.has_three
        wide = 110
        figure = room.left(wide) if mirrored else room.rightmost(wide)
        rest = room.w - wide - 10
        name = room.rightmost(rest) if mirrored else room.left(rest)
        if (spoken := scene.spoken_wordings(side)) and not scene.has_three:
            half = name.left(HALF) if mirrored else name.rightmost(HALF)
            canvas.write(half, spoken, 32, ink, align=0.0 if mirrored else 1.0)
            rest -= HALF + 10
            name = name.rightmost(rest) if mirrored else name.left(rest)
        if side == mao.marked_mano(scene):
            x = name.x if mirrored else name.right - DISC
            canvas.disc(Rect(x, name.y + (name.h - DISC) // 2, DISC, DISC), ink)
            rest -= DISC + 10
            name = name.rightmost(rest) if mirrored else name.left(rest)
        canvas.write(name, name_wordings(scene, side), 42, ink, align=1.0 if mirrored else 0.0)
        canvas.write(figure, (str(seen.score),), 64, ink, align=0.0 if mirrored else 1.0)


def draw_banner(
    canvas: TvCanvas, box: Rect, wordings: Sequence[str], *, ground: Colour, ink: Colour, size: int
) -> None:
    """A line of text on its own ground."""
    canvas.fill(box, ground, round_by=RADIUS)
    canvas.write(box.inset(24, 8), wordings, size, ink)


def draw_call_banner(
    canvas: TvCanvas, box: Rect, scene: Scene, by: int, wordings: Sequence[str]
) -> None:
    """A call on the caller's colour, with an arrow and the name at that side."""
    ground = colours.of_side(scene, by)
    canvas.fill(box, ground, round_by=RADIUS)
    left = scene.is_left(by)
    room = box.inset(28, 8)
    arrow = Rect(room.x if left else room.right - 48, box.y + (box.h - 64) // 2, 48, 64)
    canvas.triangle(arrow, colours.DEEP, to_left=not left)
    room = Rect(room.x + (66 if left else 0), room.y, room.w - 66, room.h)
    name, word = room.left(NAME), room.rightmost(room.w - NAME - GAP)
    if not left:
        name, word = room.rightmost(NAME), room.left(room.w - NAME - GAP)
    canvas.write(name, name_wordings(scene, by), 40, colours.DEEP, align=0.0 if left else 1.0)
    canvas.write(word, wordings, 84, colours.DEEP)


def draw_ladder(canvas: TvCanvas, box: Rect, scene: Scene) -> None:
    """All rungs with value and word; arrows to the sides that may raise."""
    for side, seen in enumerate(scene.view.sides):
        if seen.may_raise:
            left = scene.is_left(side)
            x = box.x if left else box.right - ARROW
            arrow = Rect(x, box.y + (box.h - 56) // 2, ARROW, 56)
            canvas.triangle(arrow, colours.of_side(scene, side), to_left=left)
    rungs = scene.view.ladder
    for rung, cell in zip(rungs, columns(box.inset(ARROW + 16), len(rungs), 12), strict=True):
        _draw_rung(canvas, cell, scene, rung)


def _draw_rung(canvas: TvCanvas, cell: Rect, scene: Scene, rung: RungView) -> None:
    holds = rung.state is RungState.CURRENT or (rung.state is RungState.CALLED and scene.view.blink)
    ink = {RungState.PAST: colours.FAINT, RungState.CALLED: colours.WARN}.get(
        rung.state, colours.SOFT
    )
    if holds:
        ground = colours.INK if rung.state is RungState.CURRENT else colours.WARN
        canvas.fill(cell, ground, round_by=RADIUS)
        ink = colours.DEEP
    elif rung.state is RungState.CALLED:
        canvas.frame(cell, colours.WARN, width=4, round_by=RADIUS)
    room = cell.inset(8, 6)
    values = (scene.stake(rung.value), scene.points(rung.value))
    value = values if rung.state is RungState.CURRENT else values[1:]
    if not rung.word:
        canvas.write(room, value, 40, ink)
        return
    half = room.h * 11 // 20
    canvas.write(room.top(half), value, 38, ink)
    words = (rung.word, text.short_name(rung.word, 56, TINY), text.short_name(rung.word, 40, TINY))
    canvas.write(room.below(half), words, 26, ink, least=18)
