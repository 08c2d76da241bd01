"""A match of a tournament before it is accepted, on a television."""

from __future__ import annotations

from scorer.display.oled.layout import columns
from scorer.display.tv import colours, widgets
from scorer.display.tv.canvas import TvCanvas
from scorer.phrases import match as phrases
from scorer.phrases.scene import Scene


def draw_offer(canvas: TvCanvas, scene: Scene) -> None:
    """Who plays by which rules, and the press that begins."""
    match = scene.view.match
    if match is None:
        return
    head, body, line, foot = widgets.stack_rows(widgets.safe_area(canvas), (110, None, 64, 70))
    title = scene.say("page.offer").upper()
    titles = (f"{title} · {phrases.match_name(scene.say, match.id)}", title)
    widgets.draw_banner(canvas, head, titles, ground=colours.LINE, ink=colours.DEEP, size=64)
    for side, cell in zip(scene.order, columns(body, len(scene.order), widgets.GAP), strict=True):
        canvas.fill(cell, colours.PANEL, round_by=widgets.RADIUS)
        names = widgets.name_wordings(scene, side)
        canvas.paragraph(cell.inset(26, 16), names, 84, colours.of_side(scene, side))
    rules, times = phrases.rules_wordings(scene, match), phrases.tolerance_wordings(scene)
    lines = tuple(" · ".join((each, *times[:1])) for each in rules)
    canvas.write(line, lines, 42, colours.SOFT)
    words = (phrases.accept_words(scene),)
    widgets.draw_banner(canvas, foot, words, ground=colours.YES, ink=colours.YES_INK, size=40)
