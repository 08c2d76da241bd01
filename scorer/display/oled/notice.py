"""A temporary notice over a screen: the reason of a refusal, the entry undone.

It covers the lower third below the scores; on a low panel the scores move into one line above it.
"""

from __future__ import annotations

from scorer.display.fonts import MEDIUM, SMALL, TINY
from scorer.display.oled import text, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect
from scorer.phrases.gains import gain_line_wordings, total_wordings
from scorer.phrases.names import name_wordings, refusing_press
from scorer.phrases.rule_change import change_text
from scorer.phrases.scene import Scene
from scorer.session.values.keys import NoticeKey
from scorer.session.values.shown import Notice

FACES = (MEDIUM, SMALL, TINY)
RIM = 2  # columns left free at both sides


def draw(canvas: Canvas, scene: Scene) -> None:
    """The notice of the view, if there is one."""
    notice = scene.view.notice
    if notice is None:
        return
    wordings = notice_words(scene, notice)
    box = _notice_box(canvas, wordings)
    if widgets.is_low(canvas):
        head = canvas.box.top(canvas.box.h - box.h)
        canvas.cover(head)
        widgets.draw_score_line(canvas, head.top(11), scene)
    canvas.cover(box)
    if notice.urgent:
        canvas.fill(_inner(box))
    else:
        canvas.line((box.x, box.y), (box.right - 1, box.y))
    room = _inner(box).inset(RIM)
    canvas.paragraph(room, wordings, FACES, ink=0 if notice.urgent else 1)


def _notice_box(canvas: Canvas, wordings: tuple[str, ...]) -> Rect:
    """The lower third; on a low panel everything below a line of scores."""
    height = canvas.box.h // 3 if not widgets.is_low(canvas) else canvas.box.h - 12
    box = canvas.box.bottommost(height)
    inner = _inner(box)
    if text.paragraph(wordings, inner.w - 2 * RIM, inner.h, FACES).is_cut:
        return canvas.box.bottommost(canvas.box.h // 2)
    return box


def _inner(box: Rect) -> Rect:
    """The box without a dark row that separates it from the content above."""
    return box.below(1)


def notice_words(scene: Scene, notice: Notice) -> tuple[str, ...]:
    """The text of a notice, with names in full and then short."""
    if notice.key is NoticeKey.PAID:
        return tuple(scene.say("notice.paid", paid=line) for line in gain_line_wordings(scene))
    if notice.key is NoticeKey.STUCK:
        buttons = scene.button_wordings(notice.word)
        return tuple(scene.say("notice.stuck", word=button) for button in buttons)
    if notice.change is not None:
        return (change_text(scene.say, notice.change),)
    key = f"refusal.{notice.key}" if notice.key.isupper() else f"notice.{notice.key}"
    names = [
        ("", "") if side is None else name_wordings(scene, side, 44)
        for side in (notice.side, notice.side_to)
    ]
    gains = total_wordings(scene, dict(notice.gains))
    return tuple(
        scene.say(
            key,
            word=scene.action(notice.word),
            side=side,
            side_to=side_to,
            points=f"{notice.points:+d}",
            gains=gained,
            number=notice.number,
            yes=scene.say("label.quiero"),
            tantos=scene.say("label.tantos"),
            no=refusing_press(scene),
        )
        for side, side_to, gained in zip(*names, (gains[0], gains[-1]), strict=True)
    )
