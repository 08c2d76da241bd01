"""Bitmap fonts of the panel: Spleen (BSD-2-Clause, see LICENSE in this folder).

The digits of 28 rows are our own, drawn in ``digits-14x28.txt``, and so is the V of the
small sizes. Files are read at first use.

A font is a size; a letter is a 1-bit image without empty columns, so the spacing is proportional.
Digits have a fixed width, so that a score does not jump.
"""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops

SPACES = {8: 3, 12: 4, 16: 5, 24: 7, 28: 8, 32: 9}  # cell height -> width of a blank
UNKNOWN = "?"
_FOLDER = Path(__file__).parent
# The V of Spleen tapers in its last rows only: on a panel ENVIDO reads ENUIDO.
_OWN_GLYPHS = {
    (5, 8): {"V": "0 11 11 11 A A 4 0"},
    (6, 12): {"V": "0 22 22 22 22 14 14 8 8 0 0 0"},
    (8, 16): {"V": "0 0 C6 C6 C6 C6 6C 6C 6C 38 38 10 0 0 0 0"},
}


class Font(NamedTuple):
    """A size of Spleen; ``bold`` thickens strokes by a pixel to the right and below."""

    width: int
    height: int  # of the cell, in pixels
    top: int  # rows of the cell above the capitals, for accents
    caps: int  # height of a capital or a digit
    bold: bool = False

    @property
    def gap(self) -> int:
        """Empty pixels between two letters."""
        return 1 if self.height <= 16 else 2


TINY = Font(5, 8, 1, 6)
SMALL = Font(6, 12, 1, 8)
MEDIUM = Font(8, 16, 2, 10)
LARGE = Font(12, 24, 4, 16, bold=True)
HUGE = Font(16, 32, 6, 21, bold=True)
GIANT = Font(14, 28, 0, 28)  # digits only


@lru_cache(maxsize=512)
def picture(font: Font, text: str) -> Image.Image:
    """``text`` in one line: a "1" image of cell height and minimal width."""
    letters = [_letter(font, letter) for letter in text]
    image = Image.new("1", (_spread(font, letters), font.height))
    left = 0
    for letter in letters:
        image.paste(letter, (left, 0))
        left += letter.width + font.gap
    return image


@lru_cache(maxsize=2048)
def width(font: Font, text: str) -> int:
    """Width of ``text`` in pixels; 0 for ""."""
    return _spread(font, [_letter(font, letter) for letter in text])


@lru_cache(maxsize=2048)
def ink_box(font: Font, text: str) -> tuple[int, int, int, int]:
    """The pixels with ink: left, top, one after the right, one below; all 0 if none."""
    return picture(font, text).getbbox() or (0, 0, 0, 0)


def ink(font: Font, text: str) -> tuple[int, int]:
    """The range of cell rows with ink: first, and one after the last; 0, 0 if none."""
    _, top, _, bottom = ink_box(font, text)
    return top, bottom


def _spread(font: Font, letters: list[Image.Image]) -> int:
    return max(0, sum(letter.width + font.gap for letter in letters) - font.gap)


@cache
def _letter(font: Font, letter: str) -> Image.Image:
    if letter == " ":
        return Image.new("1", (SPACES[font.height] - font.gap, font.height))
    cell = _cell(font, letter)
    if letter.isdigit():
        left, right = _digit_columns(font)
        return cell.crop((left, 0, right, font.height))
    box = cell.getbbox() or (0, 0, 1, 1)
    return cell.crop((box[0], 0, box[2], font.height))


@cache
def _digit_columns(font: Font) -> tuple[int, int]:
    """First and last column that any digit uses: all digits are cropped alike."""
    boxes = [box for digit in "0123456789" if (box := _cell(font, digit).getbbox())]
    return min(box[0] for box in boxes), max(box[2] for box in boxes)


@cache
def _cell(font: Font, letter: str) -> Image.Image:
    glyphs = _glyphs(font.width, font.height)
    plain = unicodedata.normalize("NFD", letter)[0]  # without its accent
    found = glyphs.get(letter) or glyphs.get(plain) or glyphs[UNKNOWN]
    rows = [int(row, 16) for row in found.split()]
    wide = (font.width + 8) // 8 * 8  # whole bytes, with a spare column for bold
    packed = b"".join((row << (wide - font.width)).to_bytes(wide // 8, "big") for row in rows)
    cell = Image.frombytes("1", (wide, font.height), packed)
    for shift in ((1, 0), (0, 1)) if font.bold else ():
        moved = Image.new("1", cell.size)
        moved.paste(cell, shift)
        cell = ImageChops.logical_or(cell, moved)
    return cell


@cache
def _glyphs(width: int, height: int) -> dict[str, str]:
    """The rows of each letter in hex, unparsed: few letters of a font are ever drawn."""
    if height == GIANT.height:
        # Ten pictures of dots and hashes, each below its digit.
        lines = (_FOLDER / "digits-14x28.txt").read_text("utf-8").split()
        blocks = (lines[at : at + height + 1] for at in range(0, len(lines), height + 1))
        return {
            digit: " ".join(f"{int(row.replace('#', '1').replace('.', '0'), 2):x}" for row in rows)
            for digit, *rows in blocks
        }
    text = (_FOLDER / f"spleen-{width}x{height}.hex").read_text("utf-8")
    pairs = (line.split(":") for line in text.splitlines())
    drawn = {chr(int(code, 16)): rows for code, rows in pairs}
    return drawn | _OWN_GLYPHS.get((width, height), {})
