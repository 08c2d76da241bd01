"""Every drawing as an SVG file, with its words in the language of its page.

The circuits and the whole pages are those of ``scorer wiring``; the cells that only the guide has
are in ``cells``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from scorer.makers.wiring.circuits import HEIGHT, WIDTH
from scorer.makers.wiring.circuits import cells as circuits
from scorer.makers.wiring.header import header_pins
from scorer.makers.wiring.page import draw_page
from scorer.makers.wiring.svg import rect
from scorer.session.values.settings import Layout
from tools.drawings import cells
from tools.drawings.words import SHORT, WORDS

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
FOLDER = IMAGES / "build"
# Whole pages of ``scorer wiring``: a layout, and a number of consoles.
WIRING = {
    "wiring-full": (Layout.FULL, 2),
    "wiring-compact": (Layout.COMPACT, 2),
    "wiring-full-3": (Layout.FULL, 3),
}
_TEXT = re.compile(r"(<text[^>]*>)([^<]*)(</text>)")
_NUMBERED = re.compile(
    r"(Console(?: [AB], GND pin)?|In the middle, GND pin"
    r"|circuit (?:1 or )?2, back to pin|BUZZER: pin)( \d+| [ABC])$"
)
# The same in every language: a pin, and what is printed on a key or on the board.
_NAMES = re.compile(r"\b(?:pin|Enter|microSD)\b")
_ZOOM = 2


def drawings() -> Iterator[tuple[str, str]]:
    """Names of files in FOLDER, and their SVG."""
    for name, cell in _cells():
        for suffix, words in _in_languages(cell):
            yield f"{name}{suffix}.svg", _page(words)


def wiring_pages() -> Iterator[tuple[str, str]]:
    """Names of files in IMAGES, and their SVG."""
    for name, box in WIRING.items():
        for suffix, page in _in_languages(draw_page(*box)):
            yield f"{name}{suffix}.svg", page


def _cells() -> Iterator[tuple[str, str]]:
    full, compact = (header_pins(layout) for layout in (Layout.FULL, Layout.COMPACT))
    names = ("button-cable", "button-box", "lamp", "buzzer", "panels", "consoles")
    yield from zip(names, circuits(full), strict=False)
    yield "consoles-compact", circuits(compact)[len(names) - 1]
    yield "board", cells.board(full)
    yield "keypad", cells.keypad()
    yield "panel-seven-pin", cells.panel_seven_pin(full)
    yield "panel-spi", cells.panel_spi(full)
    yield "power-button", cells.power_button(full)
    yield "five-volt", cells.five_volt(full)
    yield "case", cells.case(full)
    yield "channel", cells.channel()
    yield "third-console", cells.third_console()
    yield "strip", cells.strip(full)


def _page(cell: str) -> str:
    width, height = WIDTH + 10, HEIGHT + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 -5 {width} {height}"'
        f' width="{width * _ZOOM}" height="{height * _ZOOM}"'
        ' font-family="DejaVu Sans, Verdana, sans-serif">\n'
        f"{rect(-5, -5, width, height, stroke='none')}\n{cell}\n</svg>\n"
    )


def _in_languages(drawing: str) -> Iterator[tuple[str, str]]:
    """Suffixes of file names, and the drawing."""
    yield "", drawing
    for language in WORDS:
        yield f".{language}", _in_language(drawing, language)


def _in_language(drawing: str, language: str) -> str:
    return _TEXT.sub(lambda found: found[1] + translated(found[2], language) + found[3], drawing)


def translated(text: str, language: str) -> str:
    """A text of a drawing in another language; names and values stay.

    Raises KeyError for a sentence without a translation.
    """
    words = WORDS[language]
    if text in words:
        return words[text]
    if stem := _NUMBERED.match(text):
        return words[stem[1]] + stem[2]
    if not is_name(text):
        raise KeyError(text)
    for short, other in SHORT[language].items():
        text = text.replace(short, other)
    return re.sub(r"(\d)\.(\d)", r"\1,\2", text)


def is_name(text: str) -> bool:
    """Whether a text is a name, a value or a number: the same in every language."""
    return re.search(r"[a-z]{3}", _NAMES.sub("", text)) is None
