"""The tally on the panel: one match per point, in two halves (rules.md#tally)."""

from __future__ import annotations

from itertools import product

import pytest
from PIL import ImageDraw

from scorer.display.oled import tally
from scorer.display.oled.canvas import Canvas
from scorer.display.oled.layout import Rect
from scorer.session.values.settings import Tally

PLAYING = Rect(0, 0, 33, 23)  # the place of a tally beside the figures of a playing panel


class Table(Canvas):
    """A canvas that counts the matches drawn on it: vertical, horizontal and diagonal."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(size)
        self.matches: list[tuple[tuple[int, int], tuple[int, int]]] = []

    def fill(self, box: Rect, *, ink: int = 1) -> None:
        if max(box.w, box.h) > 1:
            self.matches.append(((box.x, box.y), (box.right - 1, box.bottom - 1)))
        super().fill(box, ink=ink)

    def line(self, start: tuple[int, int], end: tuple[int, int], *, ink: int = 1) -> None:
        if (start, end) not in self.matches:
            self.matches.append((start, end))
        super().line(start, end, ink=ink)

    @property
    def diagonals(self) -> int:
        return sum(start[0] != end[0] and start[1] != end[1] for start, end in self.matches)


def laid(
    score: int, target: int, half: int | None, box: Rect = PLAYING, *, shape: int = 5
) -> Table:
    table = Table((128, 64))
    tally.draw(table, box, score, target, half, shape=shape)
    return table


@pytest.mark.parametrize("chosen", Tally)
@pytest.mark.parametrize(
    ("target", "half"), [(30, 15), (24, 12), (18, 9), (12, None), (15, None), (9, None)]
)
def test_every_point_is_one_match(target: int, half: int | None, chosen: Tally) -> None:
    shape = chosen.points_a_shape(target, half)
    pictures = []
    for score in range(target + 1):
        line = 1 if half else 0
        table = laid(score, target, half, shape=shape)
        assert len(table.matches) == score + line
        pictures.append(table.image.tobytes())
    assert len(set(pictures)) == target + 1


@pytest.mark.parametrize(
    ("chosen", "target", "half", "points"),
    [
        (Tally.THREES, 18, 9, 3),  # three triangles a half
        (Tally.THREES, 24, 12, 3),  # four
        (Tally.FOURS, 24, 12, 4),  # three squares a half
        (Tally.FOURS, 18, 9, 5),  # 9 is no number of squares
        (Tally.FOURS, 30, 15, 5),
        (Tally.THREES, 40, 20, 5),
        (Tally.FOURS, 25, 12, 5),  # the buenas would be 13
        (Tally.THREES, 12, None, 3),
        (Tally.FIVES, 24, 12, 5),
    ],
)
def test_squares_of_four_and_triangles_add_up_to_the_half(
    chosen: Tally, target: int, half: int | None, points: int
) -> None:
    assert chosen.points_a_shape(target, half) == points


@pytest.mark.parametrize("chosen", Tally)
def test_a_full_half_is_whole_shapes_and_the_next_match_begins_one_below(chosen: Tally) -> None:
    for target, half in ((18, 9), (24, 12)):
        shape = chosen.points_a_shape(target, half)
        full = laid(half, target, half, shape=shape).matches
        assert len(full) == half + 1  # and the line
        more = [each for each in laid(half + 1, target, half, shape=shape).matches]
        lowest = max(max(start[1], end[1]) for start, end in full)
        assert sum(max(start[1], end[1]) > lowest for start, end in more) == 1


@pytest.mark.parametrize("shape", [3, 4])
@pytest.mark.parametrize("size", range(tally.SMALLEST, 30))
def test_a_triangle_and_a_square_are_closed_and_stay_in_their_place(shape: int, size: int) -> None:
    table = Table((40, 40))
    tally.draw(table, Rect(4, 4, size, size), shape, shape, None, largest=size, shape=shape)
    assert table.image.getbbox() == (4, 4, 4 + size, 4 + size)
    outside = table.image.copy()
    ImageDraw.floodfill(outside, (0, 0), 1)
    assert outside.getextrema() == (0, 1), "the ground inside is not reached from outside"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("chosen", Tally)
def test_a_chosen_shape_never_costs_the_tally(chosen: Tally) -> None:
    """Where too many shapes would be too small, squares of five are drawn."""
    boxes = (PLAYING, Rect(0, 0, 16, 23), Rect(0, 0, 33, 31), Rect(0, 0, 61, 21))
    for box, target in product(boxes, range(1, 100)):
        for half in {None, target // 2 or None}:
            shape = chosen.points_a_shape(target, half)
            made = tally.find_layout(box, target, half, shape=shape)
            assert (made is None) == (tally.find_layout(box, target, half) is None), (box, target)


@pytest.mark.parametrize(
    ("score", "half", "squares"), [(4, 15, 0), (5, 15, 1), (14, 15, 2), (15, 15, 3), (21, 15, 4)]
)
def test_five_make_a_square_with_its_diagonal(score: int, half: int, squares: int) -> None:
    assert laid(score, 30, half).diagonals == squares


def test_the_malas_stand_above_the_line_and_the_buenas_below() -> None:
    table = laid(16, 30, 15)
    line = next(match for match in table.matches if match[1][0] - match[0][0] > tally.LARGEST)
    height = line[0][1]
    ends = [max(start[1], end[1]) for start, end in table.matches if (start, end) != line]
    assert sum(end < height for end in ends) == 15
    assert sum(end > height for end in ends) == 1


def test_a_mirrored_tally_is_the_mirror_image_of_a_whole_one() -> None:
    plain, mirrored = Table((32, 23)), Table((32, 23))
    tally.draw(plain, plain.box, 10, 15, None)
    tally.draw(mirrored, mirrored.box, 10, 15, None, mirrored=True)
    first = min(start[0] for start, _ in plain.matches)
    last = max(end[0] for _, end in mirrored.matches)
    assert first + last == 31


def test_a_square_in_play_is_nine_or_ten_pixels_large() -> None:
    for target, half in ((30, 15), (24, 12), (18, 9), (12, None)):
        made = tally.find_layout(Rect(0, 0, 33, 31), target, half)
        assert made is not None
        assert 9 <= made.size <= 10, target


def test_nothing_is_drawn_outside_its_box() -> None:
    for target, half in ((30, 15), (40, 20), (12, None), (99, None)):
        for box in (Rect(20, 20, 33, 23), Rect(20, 20, 60, 40), Rect(20, 20, 9, 9)):
            canvas = Canvas((128, 64))
            tally.draw(canvas, box, target, target, half)
            inked = canvas.image.getbbox() or (box.x, box.y, box.right, box.bottom)
            assert inked[0] >= box.x
            assert inked[1] >= box.y
            assert inked[2] <= box.right
            assert inked[3] <= box.bottom


def test_where_not_even_small_squares_fit_nothing_is_drawn() -> None:
    assert tally.find_layout(Rect(0, 0, 9, 9), 30, 15) is None
    assert laid(12, 30, 15, Rect(0, 0, 9, 9)).image.getbbox() is None
