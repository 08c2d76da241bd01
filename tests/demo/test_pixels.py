"""A picture drawn in characters can be read back, pixel by pixel."""

from __future__ import annotations

from random import Random

import pytest
from PIL import Image

from scorer.demo.pixels import (
    BRAILLE,
    HALF_BLOCKS,
    LARGEST_FIRST,
    QUADRANTS,
    Glyphs,
    largest,
    to_text,
)
from tests.demo.read_pixels import read_back


def _noise(size: tuple[int, int], seed: int) -> Image.Image:
    stride = (size[0] + 7) // 8
    return Image.frombytes("1", size, Random(seed).randbytes(stride * size[1]))


@pytest.mark.parametrize("glyphs", LARGEST_FIRST, ids=lambda glyphs: glyphs.name)
@pytest.mark.parametrize("size", [(128, 64), (128, 32), (5, 7), (1, 1)])
def test_every_pixel_can_be_read_back(glyphs: Glyphs, size: tuple[int, int]) -> None:
    for seed in range(3):
        picture = _noise(size, seed)
        lines = to_text(picture, glyphs)
        assert (len(lines[0]), len(lines)) == glyphs.cells(size)
        assert read_back(lines, glyphs, size).tobytes() == picture.tobytes()


@pytest.mark.parametrize(
    ("glyphs", "pixel", "character"),
    [
        (HALF_BLOCKS, (0, 0), "▀"),
        (HALF_BLOCKS, (0, 1), "▄"),
        (QUADRANTS, (0, 0), "▘"),
        (QUADRANTS, (1, 0), "▝"),
        (QUADRANTS, (0, 1), "▖"),
        (QUADRANTS, (1, 1), "▗"),
        (BRAILLE, (0, 0), "⠁"),
        (BRAILLE, (1, 0), "⠈"),
        (BRAILLE, (0, 2), "⠄"),
        (BRAILLE, (0, 3), "⡀"),
        (BRAILLE, (1, 3), "⢀"),
    ],
)
def test_one_pixel_is_where_the_character_shows_it(
    glyphs: Glyphs, pixel: tuple[int, int], character: str
) -> None:
    picture = Image.new("1", (glyphs.width, glyphs.height))
    picture.putpixel(pixel, 1)
    assert to_text(picture, glyphs) == [character]


@pytest.mark.parametrize(
    ("room", "size", "glyphs"),
    [
        ((132, 35), (128, 64), HALF_BLOCKS),
        ((127, 35), (128, 64), QUADRANTS),
        ((132, 31), (128, 64), BRAILLE),
        ((80, 19), (128, 64), BRAILLE),
        ((80, 19), (128, 32), QUADRANTS),
        ((63, 40), (128, 64), None),
        ((80, 15), (128, 64), None),
    ],
)
def test_the_largest_that_fits_is_chosen(
    room: tuple[int, int], size: tuple[int, int], glyphs: Glyphs | None
) -> None:
    assert largest(size, room) == glyphs
