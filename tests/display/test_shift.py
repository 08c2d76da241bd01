"""A shifted picture changes only its position."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from scorer.display import render, shifted
from scorer.samples import samples

PICTURE = render(samples()["playing"], "es-AR")


@pytest.mark.parametrize("moves", range(20))
def test_it_stands_at_most_one_pixel_from_its_place(moves: int) -> None:
    moved = shifted(PICTURE, moves)
    assert (moved.size, moved.mode) == (PICTURE.size, PICTURE.mode)
    places = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    inner = (2, 2, 126, 62)
    assert any(
        moved.crop(inner).tobytes() == ImageChops.offset(PICTURE, *place).crop(inner).tobytes()
        for place in places
    )


def test_every_place_is_used_and_the_first_is_home() -> None:
    assert shifted(PICTURE, 0) is PICTURE
    assert len({shifted(PICTURE, moves).tobytes() for moves in range(9)}) == 9


def test_nothing_comes_in_at_the_edge() -> None:
    full = Image.new("1", (128, 64), 1)
    for moves in range(1, 9):
        lost = 128 * 64 - sum(shifted(full, moves).convert("L").point(bool).tobytes())
        assert lost in (64, 128, 64 + 128 - 1)
