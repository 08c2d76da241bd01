"""Renders a view for a television, in colour, legible across a bar.

Imported only if a television is connected. Screens without a picture here use an enlarged panel
picture. It must not import devices, clocks or rules.
"""

from __future__ import annotations

from PIL import Image

from scorer.display import draw_view as drawn_small
from scorer.display.presenter import build_scene
from scorer.display.tv import calls, lists, match, notice, pages, playing, results
from scorer.display.tv.canvas import TvCanvas
from scorer.display.tv.enlarged import enlarge, small_size
from scorer.i18n import translator
from scorer.session.values.shown import Screen
from scorer.session.view.view import View

SCREENS = {
    Screen.PLAYING: playing.draw,
    Screen.PENDING: calls.draw_pending,
    Screen.WINNER: calls.draw_winner,
    Screen.HAND_OVER: results.draw_hand,
    Screen.QUESTION: calls.draw_question,
    Screen.MAO: calls.draw_mao,
    Screen.CANTANDO: calls.draw_cantando,
    Screen.GAME_OVER: results.draw_game,
    Screen.MATCH_OVER: results.draw_game,
    Screen.MATCH_OFFER: match.draw_offer,
    Screen.TALLY: pages.draw_tally,
    Screen.LADDER: pages.draw_ladder,
    Screen.HISTORY: lists.draw_history,
    Screen.NIGHT: lists.draw_night,
    Screen.STATUS: lists.draw_status,
    Screen.STORE_FAILURE: lists.draw_store_failure,
}


def draw_view(
    view: View, language: str, size: tuple[int, int], left_side: int | None = None
) -> TvCanvas | None:
    """The finished canvas; None for a screen shown as an enlarged panel picture."""
    draw = SCREENS.get(view.screen)
    if draw is None:
        return None
    wall = TvCanvas(size)
    seen = build_scene(view, translator(language), left_side, is_neutral=True)
    draw(wall, seen)
    notice.draw(wall, seen)
    return wall


def render(
    view: View, language: str, size: tuple[int, int], left_side: int | None = None
) -> Image.Image:
    """The picture of ``view`` in mode "RGB", exactly ``size`` pixels."""
    wall = draw_view(view, language, size, left_side)
    if wall is not None:
        return wall.image
    small = drawn_small(view, language, small_size(size), left_side, is_neutral=True)
    return enlarge(small.image, size)
