"""Renders a view in a language as a 1-bit picture.

The same code writes the picture and the list of its texts, so that both always agree. It must not
import devices, clocks or rules.
"""

from __future__ import annotations

from PIL import Image

from scorer.display.oled import (
    cantando,
    connection,
    match,
    notice,
    pages,
    pending,
    playing,
    question,
    results,
    setup,
)
from scorer.display.oled.canvas import Canvas
from scorer.display.presenter import build_scene
from scorer.i18n import translator
from scorer.phrases.scene import Scene
from scorer.session.values.shown import Screen
from scorer.session.view.view import View

SIZE = (128, 64)


def _draw_pairs(canvas: Canvas, scene: Scene) -> None:
    # Imported lazily: the table starts without this page.
    from scorer.display.oled.pair_page import draw

    draw(canvas, scene)


SCREENS = {
    Screen.PLAYING: playing.draw,
    Screen.PENDING: pending.draw,
    Screen.WINNER: pending.draw_winner,
    Screen.HAND_OVER: results.draw_hand,
    Screen.QUESTION: question.draw_question,
    Screen.MAO: question.draw_mao,
    Screen.CANTANDO: cantando.draw,
    Screen.GAME_OVER: results.draw_game,
    Screen.MATCH_OVER: results.draw_game,
    Screen.TALLY: pages.draw_tally,
    Screen.LADDER: pages.draw_ladder,
    Screen.HISTORY: pages.draw_history,
    Screen.NIGHT: pages.draw_night,
    Screen.PAIRS: _draw_pairs,
    Screen.CONNECTION: connection.draw,
    Screen.HALL: match.draw_hall,
    Screen.STATUS: pages.draw_status,
    Screen.SETUP: setup.draw,
    Screen.MATCH_OFFER: match.draw_offer,
    Screen.STORE_FAILURE: pages.draw_store_failure,
}


def draw_view(
    view: View,
    language: str,
    size: tuple[int, int] = SIZE,
    left_side: int | None = None,
    *,
    is_neutral: bool = False,
) -> Canvas:
    """The finished canvas: ``image``, ``texts`` and ``overflow`` (always empty).

    ``is_neutral``: the panel is not that of one side.
    """
    canvas = Canvas(size)
    seen = build_scene(view, translator(language), left_side, is_neutral=is_neutral)
    SCREENS[view.screen](canvas, seen)
    notice.draw(canvas, seen)
    return canvas


def render(
    view: View,
    language: str,
    size: tuple[int, int] = SIZE,
    left_side: int | None = None,
    *,
    is_neutral: bool = False,
) -> Image.Image:
    """The picture of ``view`` in mode "1", exactly ``size`` pixels.

    ``left_side`` is the index of the side on the left; None is the first.
    """
    return draw_view(view, language, size, left_side, is_neutral=is_neutral).image


# Offsets after each shift: one pixel around the origin, and back.
_OFFSETS = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


def shifted(image: Image.Image, moves: int, step: int = 1) -> Image.Image:
    """``image`` shifted by ``step`` pixels, to prevent burn-in.

    The outermost line of pixels may be lost, which does not matter on a dimmed panel.
    """
    dx, dy = _OFFSETS[moves % len(_OFFSETS)]
    if (dx, dy) == (0, 0):
        return image
    moved = Image.new(image.mode, image.size, 0)
    moved.paste(image, (dx * step, dy * step))
    return moved


def screen_text(
    view: View,
    language: str,
    size: tuple[int, int] = SIZE,
    left_side: int | None = None,
    *,
    is_neutral: bool = False,
) -> list[str]:
    """All texts of the picture, unabridged, in reading order."""
    return draw_view(view, language, size, left_side, is_neutral=is_neutral).texts
