"""The pairing code for a new phone, with the page's address as QR code or text.

The digits must be legible across the table: they take all the remaining space.
"""

from __future__ import annotations

from scorer.display.fonts import HUGE, LARGE, MEDIUM, SMALL, TINY
from scorer.display.oled import widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import rows
from scorer.display.oled.qr import qr_image, qr_text
from scorer.phrases.scene import Scene
from scorer.session.values.setup_view import PairingView

PAGE, OWNERS_PAGE = "phone", "owner"  # of the board, where the digits are entered
DIGITS_A_GROUP = 3
_SCHEME = "http://"
_DIGIT_FONTS = (HUGE, LARGE, MEDIUM)


def draw(canvas: Canvas, scene: Scene, pairing: PairingView) -> None:
    """Digits beside the QR code of the page; without one, in a row below its address."""
    box, low = canvas.box, widgets.is_low(canvas)
    code = None
    if pairing.address and not low:
        code = qr_image(qr_text(pairing.address, f"/{_page(pairing)}"), (box.h, box.h))
    left = box.left(box.w - code.width) if code is not None else box
    head = left.top(10 if low else 13)
    canvas.fill(head)
    canvas.one_line(head.inset(1), _titles(scene, pairing, low=low), (SMALL, TINY), ink=0)
    body = left.below(head.h + 1)
    if code is not None:
        canvas.paste(code, left.right, (box.h - code.height) // 2)
        groups = pairing.code[:DIGITS_A_GROUP], pairing.code[DIGITS_A_GROUP:]
        for row, digits in zip(rows(body, (body.h // 2, body.h // 2)), groups, strict=True):
            canvas.one_line(row, (digits,), _DIGIT_FONTS)
        return
    if low:
        canvas.one_line(body, (spaced(pairing.code),), (LARGE, MEDIUM))
        return
    first, second = rows(body, (28, 20))
    canvas.one_line(first, (spaced(pairing.code),), _DIGIT_FONTS)
    where = scene.say("setup.code.where", page=f"/{_page(pairing)}")
    words = _page_address(pairing) if pairing.address else where
    canvas.paragraph(second, (words,), (SMALL, TINY))


def spaced(code: str) -> str:
    """The digits in two groups."""
    return f"{code[:DIGITS_A_GROUP]} {code[DIGITS_A_GROUP:]}"


def _titles(scene: Scene, pairing: PairingView, *, low: bool) -> tuple[str, ...]:
    keys = ("setup.new_phone", "setup.new_phone.short")
    if pairing.is_owner:
        keys = ("setup.new_owner", "setup.new_owner.short")
    title, short = (scene.say(key).upper() for key in keys)
    return (_page_address(pairing), short) if low and pairing.address else (title, short)


def _page_address(pairing: PairingView) -> str:
    """The address of the page to type."""
    return pairing.address.removeprefix(_SCHEME) + _page(pairing)


def _page(pairing: PairingView) -> str:
    return OWNERS_PAGE if pairing.is_owner else PAGE
