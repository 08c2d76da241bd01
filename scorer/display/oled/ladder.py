"""The bet ladder of the hand: values, current rung, sides that may raise."""

from typing import NamedTuple

from scorer.display import fonts
from scorer.display.fonts import MEDIUM, SMALL, TINY, Font
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect
from scorer.phrases.scene import Scene
from scorer.session.view.view import RungState, RungView

ARROW = 7  # width of the arrow to a side that may raise
GAP = 5  # pixels between two rungs
RIM = 3  # pixels between a boxed rung and its frame


class RungText(NamedTuple):
    """The text of a rung."""

    text: str
    font: Font
    state: RungState

    @property
    def width(self) -> int:
        """Width in pixels, including a frame."""
        rim = 2 * RIM if self.state in (RungState.CURRENT, RungState.CALLED) else 0
        return fonts.width(self.font, self.text) + rim


def draw_strip(canvas: Canvas, box: Rect, scene: Scene) -> None:
    """All rungs in one line, the current in inverse; arrows to sides that may raise."""
    raisers = [index for index, side in enumerate(scene.view.sides) if side.may_raise]
    for side in raisers:
        at_left = scene.is_left(side)
        place = box.left(ARROW) if at_left else box.rightmost(ARROW)
        height = min(box.h, 2 * ARROW - 1)
        top = place.y + (box.h - height) // 2
        canvas.triangle(Rect(place.x, top, place.w, height), to_left=at_left)
    between = box.inset(ARROW + 2)
    pieces = _fit(between, scene)
    x = between.x + (between.w - _total_width(pieces)) // 2
    for piece in pieces:
        rung = Rect(x, between.y, piece.width, between.h)
        _draw_rung(canvas, rung, piece, blink=scene.view.blink)
        x += piece.width + GAP


def _draw_rung(canvas: Canvas, box: Rect, piece: RungText, *, blink: bool) -> None:
    top = box.y + (box.h - piece.font.caps) // 2
    if piece.state is RungState.CURRENT or (piece.state is RungState.CALLED and blink):
        canvas.fill(box)
        canvas.write(box.x + RIM, top, piece.text, piece.font, ink=0)
    elif piece.state is RungState.CALLED:
        canvas.frame(box)
        canvas.write(box.x + RIM, top, piece.text, piece.font)
    else:
        canvas.write(box.x, top, piece.text, piece.font)


def _fit(box: Rect, scene: Scene) -> list[RungText]:
    """Tries all rungs with "vale", without it, in tiny letters; then fewer rungs."""
    faces = [
        pair for pair in ((MEDIUM, SMALL), (SMALL, TINY), (TINY, TINY)) if pair[0].caps <= box.h - 2
    ]
    rungs = list(scene.view.ladder)
    while True:
        for main, rest in faces:
            for worded in (True, False):
                pieces = [_rung_text(rung, scene, main, rest, worded=worded) for rung in rungs]
                pieces = [piece._replace(font=_font_within(box.h, piece)) for piece in pieces]
                if _total_width(pieces) <= box.w:
                    return pieces
        if len(rungs) < 2:
            return []
        # Past rungs are dropped first, then those furthest ahead.
        rungs = rungs[1:] if rungs[0].state is RungState.PAST else rungs[:-1]


def _rung_text(rung: RungView, scene: Scene, main: Font, rest: Font, *, worded: bool) -> RungText:
    if rung.state is RungState.CURRENT:
        text = scene.stake(rung.value) if worded else scene.points(rung.value)
        return RungText(text, main, rung.state)
    font = main if rung.state is RungState.CALLED else rest
    return RungText(scene.points(rung.value), font, rung.state)


def _font_within(height: int, piece: RungText) -> Font:
    """The font of ``piece``, or a smaller one if a descender would overlap."""
    for font in (piece.font, SMALL):
        hangs = max(0, fonts.ink(font, piece.text)[1] - font.top - font.caps)
        if (height - font.caps) // 2 + font.caps + hangs <= height:
            return font
    return TINY


def _total_width(pieces: list[RungText]) -> int:
    return sum(piece.width + GAP for piece in pieces) - GAP if pieces else 0
