"""A new password of the desk, with its name and the page to enter both on.

A phone reads the page off the code, and the letters are typed from the panel.
"""

from __future__ import annotations

from scorer.display.fonts import HUGE, LARGE, MEDIUM, SMALL, TINY
from scorer.display.oled import widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import rows
from scorer.display.oled.qr import qr_image
from scorer.phrases.scene import Scene
from scorer.session.values.setup_view import DeskPasswordView

_SCHEME = "https://"
_FACES = (HUGE, LARGE, MEDIUM, SMALL)
_ROWS = ((SMALL, TINY), _FACES, _FACES)


def draw(canvas: Canvas, scene: Scene, shown: DeskPasswordView) -> None:
    """The password in two rows beside the code; without one, in one row."""
    box, low = canvas.box, widgets.is_low(canvas)
    is_code = not low and shown.address.startswith(_SCHEME)
    code = qr_image(shown.address, (box.h, box.h)) if is_code else None
    left = box.left(box.w - code.width) if code is not None else box
    head = left.top(10 if low else 13)
    canvas.fill(head)
    title = [scene.say("setup.desk_password"), scene.say("setup.desk_password.short")]
    address = shown.address.removeprefix(_SCHEME)
    heading = [address] if low else [words.upper() for words in title]
    canvas.one_line(head.inset(1), heading, (SMALL, TINY), ink=0)
    body = left.below(head.h + 1)
    if low:
        wide = (body.w - 4) * 3 // 10
        name, password = body.left(wide), body.rightmost(body.w - wide - 4)
        canvas.one_line(name, [shown.name], (SMALL, TINY))
        canvas.one_line(password, [shown.password], (MEDIUM, SMALL))
        return
    if code is None:
        name, password, where = rows(body, (11, 24, 15))
        canvas.one_line(name, [shown.name], (SMALL, TINY))
        canvas.one_line(password, [shown.password], _FACES)
        canvas.one_line(where, [address], (SMALL, TINY))
        return
    canvas.paste(code, left.right, (box.h - code.height) // 2)
    half = len(shown.password) // 2
    lines = (shown.name, shown.password[:half], shown.password[half:])
    for row, words, faces in zip(rows(body, (10, 20, 20)), lines, _ROWS, strict=True):
        canvas.one_line(row, [words], faces)
