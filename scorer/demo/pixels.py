"""A 1-bit picture as lines of text: half blocks, quadrants or braille."""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image


class Glyphs(NamedTuple):
    """A way to put ``width`` x ``height`` pixels into one character cell.

    ``characters`` is indexed by the pixels as bits: the cell's top left one is bit 0, then to the
    right, then down.
    """

    name: str
    width: int
    height: int
    characters: str

    def cells(self, size: tuple[int, int]) -> tuple[int, int]:
        """Columns and rows of text that a picture of ``size`` pixels takes."""
        return -(-size[0] // self.width), -(-size[1] // self.height)


# Braille numbers its dots down the left column first; the last two rows were added later.
_DOTS = (0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80)


def _braille() -> str:
    def character(bits: int) -> str:
        dots = sum(dot for place, dot in enumerate(_DOTS) if bits >> place & 1)
        return chr(0x2800 + dots) if dots else " "

    return "".join(character(bits) for bits in range(256))


HALF_BLOCKS = Glyphs("half blocks", 1, 2, " ▀▄█")
QUADRANTS = Glyphs("quadrants", 2, 2, " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")
BRAILLE = Glyphs("braille", 2, 4, _braille())
LARGEST_FIRST = (HALF_BLOCKS, QUADRANTS, BRAILLE)


def largest(size: tuple[int, int], room: tuple[int, int]) -> Glyphs | None:
    """The largest way to draw ``size`` pixels in ``room`` (columns, rows), or None."""
    for glyphs in LARGEST_FIRST:
        columns, rows = glyphs.cells(size)
        if columns <= room[0] and rows <= room[1]:
            return glyphs
    return None


def to_text(picture: Image.Image, glyphs: Glyphs) -> list[str]:
    """The picture's rows of text, all of the same width."""
    columns, rows = glyphs.cells(picture.size)
    canvas = Image.new("L", (columns * glyphs.width, rows * glyphs.height))
    canvas.paste(picture.convert("L"))
    lit = canvas.tobytes()
    # The offsets of a cell's pixels in the canvas, in the order of the bits.
    offsets = [
        down * canvas.width + right
        for down in range(glyphs.height)
        for right in range(glyphs.width)
    ]
    text = list[str]()
    for row in range(rows):
        first = row * glyphs.height * canvas.width
        starts = range(first, first + canvas.width, glyphs.width)
        cells = [sum(1 << at for at, to in enumerate(offsets) if lit[x + to]) for x in starts]
        text.append("".join(glyphs.characters[bits] for bits in cells))
    return text
