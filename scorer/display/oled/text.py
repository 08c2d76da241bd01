"""Text layout: choose wording, font and number of lines.

A panel has 128 x 64 or 128 x 32 pixels, a sentence has four languages, and a name is chosen by the
players. Nothing scrolls and nothing is hyphenated: a text is read across a table, in a second. So a
text is not one string that is made to fit, but a list of wordings, from the best to the shortest,
that mean the same: "for the game", "game". The module ``phrases`` makes them; a layout only
chooses.

One rule serves all screens. The first wording is tried in the fonts of its place, from the largest
to the smallest; then the next wording, again from the largest font. A complete sentence in small
letters is better than an abbreviation in large ones. ``one_line`` wants a single line;
``paragraph`` breaks a wording at its blanks and takes the first font in which all lines fit;
``address`` breaks anywhere but never shortens, because an address is typed.

What fits is measured in ink. The cell of a font has empty rows for accents and descenders, and a
panel of 32 rows cannot spare them: "VALE" has neither and fits where "¿Qué?" does not. So the
height of a text is that of its pixels, from the accents of the first line to the descenders of the
last one, and of two words in the same place one may get a larger font. ``height`` is without both,
from the capitals to the foot of the capitals: texts beside each other are aligned by that.

Names have no wordings. ``short_name`` makes them shorter from the last word to the second: a word
becomes its initial, then initials are dropped; the first word stays, and is cut at the worst.

A text that fits in no wording and no font is cut, and ``TextLayout.is_cut`` says so. That is a
fault of the wordings: a test draws every screen in every language and size and finds none. Screens
also ask for ``is_cut`` to choose among several arrangements, as the answers of a question do.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scorer.display import fonts
from scorer.display.fonts import Font
from scorer.phrases.scene import LONGEST_NAME

ELLIPSIS = "."
_PARTS = r"[:/]?[^.:/-]+[.-]*|."  # parts of an address, between which it is broken
# Rows from one line of text to the next, by the height of a cell; larger cells have spare rows.
_LINE_HEIGHTS = {8: 8, 12: 11, 16: 15, 24: 22, 28: 30, 32: 27}


class TextLayout(NamedTuple):
    """A text laid out in one or more lines of one font."""

    font: Font
    lines: tuple[str, ...]
    text: str  # the complete chosen wording
    is_cut: bool = False

    @property
    def height(self) -> int:
        """Rows from the capitals of the first line to the foot of those of the last."""
        return (len(self.lines) - 1) * line_height(self.font) + self.font.caps

    @property
    def ink_above(self) -> int:
        """Rows of ink above the capitals of the first line: its accents."""
        return max(0, self.font.top - fonts.ink(self.font, self.lines[0])[0])

    @property
    def ink_below(self) -> int:
        """Rows of ink under the last line: its descenders."""
        return max(0, fonts.ink(self.font, self.lines[-1])[1] - self.font.top - self.font.caps)

    @property
    def ink_height(self) -> int:
        """Rows from the first to the last with ink."""
        return self.ink_above + self.height + self.ink_below


def line_height(font: Font) -> int:
    """Rows from one line of text to the next."""
    return _LINE_HEIGHTS[font.height]


def one_line(wordings: Sequence[str], width: int, height: int, faces: Sequence[Font]) -> TextLayout:
    """One line within ``width`` x ``height`` pixels of ink; wording before size.

    ``wordings`` go from the best to the shortest, ``faces`` from the largest to the smallest.
    """
    return _one_line(tuple(wordings), width, height, tuple(faces))


# The lines of a screen are mostly those of the screen before.
@lru_cache(maxsize=512)
def _one_line(
    wordings: tuple[str, ...], width: int, height: int, faces: tuple[Font, ...]
) -> TextLayout:
    for text in wordings:
        for font in faces:
            setting = TextLayout(font, (text,), text)
            if fonts.width(font, text) <= width and setting.ink_height <= height:
                return setting
    return _cut_to_fit(wordings[-1], width, faces[-1])


def paragraph(
    wordings: Sequence[str], width: int, height: int, faces: Sequence[Font]
) -> TextLayout:
    """A text in as many lines as fit into ``width`` x ``height`` pixels."""
    for text in wordings:
        for font in faces:
            lines = wrap(text, width, font)
            if lines and TextLayout(font, lines, text).ink_height <= height:
                return TextLayout(font, lines, text)
    return _cut_to_fit(wordings[-1], width, faces[-1])


def wrap(text: str, width: int, font: Font) -> tuple[str, ...] | None:
    """``text`` broken at its blanks; None if a single word is too wide."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and fonts.width(font, longer) <= width:
            lines[-1] = longer
        elif fonts.width(font, word) <= width:
            lines.append(word)
        else:
            return None
    return tuple(lines)


def address(words: str, width: int, height: int, faces: Sequence[Font]) -> TextLayout:
    """An address in as few lines as possible, broken at its dots and colons.

    It is never shortened or hyphenated, because it must be typed.
    """
    for font in faces:
        setting = TextLayout(font, _break_address(words, width, font), words)
        if setting.ink_height <= height:
            return setting
    return setting._replace(is_cut=True)


def _break_address(words: str, width: int, font: Font) -> tuple[str, ...]:
    lines = [""]
    for part in re.findall(_PARTS, words):
        if lines[-1] and fonts.width(font, lines[-1] + part) > width:
            lines.append("")
        for letter in part:
            # A name of one long word is broken anywhere.
            if lines[-1] and fonts.width(font, lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return tuple(lines)


@lru_cache(maxsize=256)
def short_name(name: str, width: int, font: Font) -> str:
    """A name within ``width`` pixels: words become initials, then are dropped.

    "Los Pibes del Fondo" -> "Los Pibes d. F." -> "Los P. d. F." -> "Los P."
    """
    words = name[:LONGEST_NAME].split()
    for position in range(len(words) - 1, 0, -1):
        if fonts.width(font, " ".join(words)) <= width:
            break
        words[position] = words[position][0] + ELLIPSIS
    while len(words) > 1 and fonts.width(font, " ".join(words)) > width:
        words.pop()
    return _ellipsize(" ".join(words), width, font)


def _ellipsize(text: str, width: int, font: Font) -> str:
    if fonts.width(font, text) <= width:
        return text
    text = text[:width]  # a letter has at least one pixel
    while text and fonts.width(font, text + ELLIPSIS) > width:
        text = text[:-1]
    return text + ELLIPSIS if text else ""


def _cut_to_fit(text: str, width: int, font: Font) -> TextLayout:
    return TextLayout(font, (_ellipsize(text, width, font),), text, is_cut=True)
