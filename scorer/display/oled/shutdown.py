"""The picture shown after shutdown: safe to unplug.

It stays on the panel while the box has power, after the program has ended; it needs no view.
"""

from __future__ import annotations

from scorer.display.fonts import MEDIUM, SMALL, TINY
from scorer.display.oled import widgets
from scorer.display.oled.canvas import Canvas
from scorer.i18n import translator


def draw_safe_to_unplug(language: str, size: tuple[int, int]) -> Canvas:
    """The finished canvas, of ``size`` pixels."""
    canvas, say = Canvas(size), translator(language)
    head = canvas.box.top(10 if widgets.is_low(canvas) else 15)
    title = (say("farewell.title").upper(),)
    canvas.one_line(head.inset(2), title, widgets.faces_within(head.h))
    # No lit areas: the picture may stay for days (burn-in).
    canvas.line((0, head.bottom - 1), (head.right - 1, head.bottom - 1))
    canvas.paragraph(canvas.box.below(head.h + 1), (say("farewell.unplug"),), (MEDIUM, SMALL, TINY))
    return canvas
