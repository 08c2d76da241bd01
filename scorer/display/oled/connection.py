"""The page of MENU with the address for phones, as QR code and text.

In a network of the box itself the code is that of the network, and the text names its password. A
panel too low for a readable code shows the text only.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from scorer.display.fonts import MEDIUM, SMALL, TINY, Font
from scorer.display.oled import text, widgets
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect, rows
from scorer.display.oled.qr import qr_image, qr_text, wifi_text
from scorer.phrases.scene import Scene
from scorer.session.values.shown import LinkState, LinkView

MOST_GAP = 5  # maximum rows between two lines beside the code
GAP = 3  # columns between the code and the letters
MAX_LINES = 2  # of the address or the host name, if both are shown
_SIZES = (SMALL, TINY)


class Line(NamedTuple):
    """The rows of a text beside a code, and its draw function."""

    height: int
    draw: Callable[[Canvas, Rect], object]


def draw(canvas: Canvas, scene: Scene) -> None:
    """The code on the left, the text beside it; without an address, the problem."""
    link = _link(scene)
    if not link.address:
        _draw_no_address(canvas, scene)
    elif widgets.is_low(canvas):
        _draw_low(canvas, scene, link)
    else:
        code = _draw_code(canvas, Rect(0, 0, canvas.box.h, canvas.box.h), link)
        beside = Rect(code.right + GAP, 0, canvas.box.w - code.right - GAP, canvas.box.h)
        _column(canvas, beside.inset(0, 1), _text_blocks(scene, link, beside.w))


def _link(scene: Scene) -> LinkView:
    return scene.view.link or LinkView()


def _draw_code(canvas: Canvas, room: Rect, link: LinkView) -> Rect:
    """Draws the code at the left of ``room``; returns its box."""
    content = wifi_text(link.wifi, link.password) if link.password else qr_text(link.address)
    picture = qr_image(content, (room.w, room.h))
    if picture is None:
        return Rect(room.x, room.y, 0, 0)
    y = room.y + (room.h - picture.height) // 2
    canvas.paste(picture, room.x, y)
    return Rect(room.x, y, *picture.size)


def _text_blocks(scene: Scene, link: LinkView, width: int) -> list[Line]:
    """The texts beside a code: network, address, host name, number of viewers."""
    if link.password:
        return [
            _address_block(link.wifi, width),
            _words(scene.say("link.key"), width),
            _address_block(link.password, width),
            _address_block(_without_scheme(link.address), width),
        ]
    state = text.short_name(_state_words(scene, link, width)[0], width, TINY)
    return [
        _words(state, width),
        *(_address_block(each, width) for each in _lines_to_type(link, width)),
        _words(_viewers_text(scene, link), width),
    ]


def _column(canvas: Canvas, box: Rect, lines: list[Line]) -> None:
    """Draws the lines from the top of ``box``, sharing spare rows among the gaps."""
    spare = box.h - sum(line.height for line in lines)
    gap = max(0, min(MOST_GAP, spare // (len(lines) - 1)))
    for line in lines:
        line.draw(canvas, box.top(line.height))
        box = box.below(line.height + gap)


def _lines_to_type(link: LinkView, width: int, max_lines: int = MAX_LINES) -> list[str]:
    """The address and the host name to type; the name is omitted if either is long."""
    address = _without_scheme(link.address)
    port = address.rpartition(":")[2]
    named = f"{link.name}:{port}" if port.isdigit() and port != address else link.name
    fits = (_line_count(each, width) <= max_lines for each in (address, named))
    return [address, named] if link.name and all(fits) else [address]


def _line_count(words: str, width: int) -> int:
    return len(text.address(words, width, 1000, (TINY,)).lines)


def _without_scheme(address: str) -> str:
    """The address without the scheme that browsers add; they do not add https."""
    return address.removeprefix("http://").rstrip("/")


def _words(words: str, width: int) -> Line:
    height = text.paragraph((words,), width, 1000, (TINY,)).ink_height
    return Line(height, partial(Canvas.paragraph, wordings=(words,), faces=(TINY,)))


def _address_block(words: str, width: int) -> Line:
    """The address in larger letters if it fits in one or two lines."""
    faces: tuple[Font, ...] = _SIZES if _line_count(words, width) == 1 else (TINY,)
    height = text.address(words, width, 1000, faces[:1]).ink_height
    return Line(height, partial(Canvas.address, words=words, faces=faces))


def _draw_low(canvas: Canvas, scene: Scene, link: LinkView) -> None:
    """Three lines: the address in the largest letters that fit, or in two lines."""
    if link.password:
        _draw_low_own_network(canvas, scene, link)
        return
    spelled = _lines_to_type(link, canvas.box.w, max_lines=1)
    first, second, third = rows(canvas.box, [13, 9, 8])
    is_long = _line_count(spelled[0], canvas.box.w) > 1
    room = canvas.box.top(first.h + second.h) if is_long else first
    canvas.address(room, spelled[0], (MEDIUM, SMALL, TINY))
    for name in spelled[1:]:
        canvas.one_line(second, (name,), (TINY,))
    seen = canvas.one_line(third, (_viewers_text(scene, link),), (TINY,), align=1.0)
    room = third.left(seen.x - GAP)
    state = text.short_name(_state_words(scene, link, room.w)[0], room.w, TINY)
    canvas.one_line(room, (state,), (TINY,), align=0.0)


def _draw_low_own_network(canvas: Canvas, scene: Scene, link: LinkView) -> None:
    """Three lines: the network, its password, the address."""
    first, second, third = rows(canvas.box, [9, 13, 8])
    state = text.short_name(_state_words(scene, link, first.w)[0], first.w, TINY)
    canvas.one_line(first, (state,), (TINY,), align=0.0)
    label = canvas.one_line(second, (scene.say("link.key"),), (TINY,), align=0.0)
    beside = second.rightmost(second.w - label.right - GAP)
    canvas.one_line(beside, (link.password,), _SIZES, align=0.0)
    canvas.one_line(third, (_without_scheme(link.address),), (TINY,), align=0.0)


def _draw_no_address(canvas: Canvas, scene: Scene) -> None:
    """The known reason for the missing address."""
    head = canvas.box.top(9 if widgets.is_low(canvas) else 11)
    canvas.fill(head)
    canvas.one_line(head.inset(2), (scene.say("page.link").upper(),), _SIZES, ink=0)
    room = canvas.box.below(head.h + 1).inset(2, 0)
    canvas.paragraph(room, _state_words(scene, _link(scene), room.w), (MEDIUM, *_SIZES))


def _state_words(scene: Scene, link: LinkView, width: int) -> tuple[str, ...]:
    """The state of the connection; then with a shorter network name."""
    is_wifi = link.state is LinkState.ONLINE and bool(link.wifi)
    key = "link.wifi" if is_wifi else f"link.{link.state}"
    short = (text.short_name(link.wifi, room, TINY) for room in (width, width // 2))
    return tuple(scene.say(key, name=name) for name in (link.wifi, *short))


def _viewers_text(scene: Scene, link: LinkView) -> str:
    if link.clients == 1:
        return scene.say("page.link.viewers.one")
    key = "page.link.viewers" if link.clients else "page.link.viewers.none"
    return scene.say(key, number=link.clients)
