"""Convert text drawn by ``scorer.demo.pixels`` back to pixels."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from scorer.demo.pixels import Glyphs


def read_back(lines: Sequence[str], glyphs: Glyphs, size: tuple[int, int]) -> Image.Image:
    """The picture that these lines show; ValueError for a character that is no glyph."""
    picture = Image.new("1", size)
    for row, line in enumerate(lines):
        for column, character in enumerate(line):
            bits = glyphs.characters.index(character)
            for place in range(glyphs.width * glyphs.height):
                down, right = divmod(place, glyphs.width)
                x, y = column * glyphs.width + right, row * glyphs.height + down
                if bits >> place & 1 and x < size[0] and y < size[1]:
                    picture.putpixel((x, y), 1)
    return picture
