"""A temporary notice at the foot of a television picture."""

from __future__ import annotations

from scorer.display.oled import notice
from scorer.display.tv import colours
from scorer.display.tv.canvas import TvCanvas
from scorer.phrases.scene import Scene

HEIGHT = 160  # units; below all scores and payments


def draw(canvas: TvCanvas, scene: Scene) -> None:
    """The notice of the view, if there is one."""
    told = scene.view.notice
    if told is None:
        return
    box = canvas.box.bottommost(HEIGHT)
    canvas.cover(box, colours.WARN if told.urgent else colours.DEEP)
    ink = colours.WARN_INK if told.urgent else colours.INK
    canvas.paragraph(box.inset(50, 16), notice.notice_words(scene, told), 52, ink)
