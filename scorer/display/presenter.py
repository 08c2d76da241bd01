"""Builds the scene of one panel: order of the sides, shortening of names."""

from __future__ import annotations

from scorer.display.fonts import TINY
from scorer.display.oled.text import short_name
from scorer.i18n import Say
from scorer.phrases.scene import Scene
from scorer.session.view.view import View


def build_scene(view: View, say: Say, left_side: int | None, *, is_neutral: bool = False) -> Scene:
    """The scene with ``left_side`` first; the others follow in the order of play.

    In pata de gallo the first panel is always the gallo's and any other the pair's.
    """
    count = len(view.sides)
    first = left_side or 0
    if view.gallo is not None:
        first = (view.gallo + (1 if first else 0)) % count
    order = tuple((first + step) % count for step in range(count))
    return Scene(view, say, order, _shorten, is_neutral)


def _shorten(text: str, width: int) -> str:
    return short_name(text, width, TINY)
