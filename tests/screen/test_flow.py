"""Texts one under the other: all of them fit, in the largest letters in which they do."""

from __future__ import annotations

from itertools import pairwise

import pytest

from scorer.screen.canvas import Canvas
from scorer.screen.flow import GAP, Room, Words, draw
from scorer.screen.fonts import MEDIUM, TINY
from scorer.screen.layout import Box

NARROW = (64, 128)


def placed(*pieces: Words | Room, size: tuple[int, int] = NARROW) -> Canvas:
    canvas = Canvas(size)
    draw(canvas, canvas.box, pieces)
    return canvas


def rows_of(canvas: Canvas) -> list[tuple[int, int]]:
    """First row of each text and the one after its last."""
    return [(place.y, place.bottom) for place, _ in canvas.told]


def test_pieces_stand_under_each_other_in_their_order() -> None:
    canvas = placed(Words(("uno",)), Words(("dos",)), Words(("tres",)))
    assert canvas.texts == ["uno", "dos", "tres"]
    ends = rows_of(canvas)
    assert all(above[1] <= below[0] for above, below in pairwise(ends))


def test_between_two_pieces_are_a_few_rows_and_none_where_they_are_joined() -> None:
    apart, joined = (
        placed(Words(("uno",), (TINY,)), Words(("dos",), (TINY,), joined=together))
        for together in (False, True)
    )
    assert rows_of(apart)[1][0] - rows_of(joined)[1][0] == GAP


@pytest.mark.parametrize("count", range(1, 15))
def test_letters_shrink_before_anything_is_cut(count: int) -> None:
    canvas = placed(*[Words(("vale cuatro",))] * count)
    heights = [bottom - top for top, bottom in rows_of(canvas)]
    assert canvas.cuts == []
    assert len(set(heights)) == 1
    assert (heights[0] > MEDIUM.caps) is (count <= 4)


def test_then_words_become_shorter() -> None:
    long, short = "la falta envido del partido", "falta"
    assert placed(*[Words((long, short))] * 3).texts == [long] * 3
    assert set(placed(*[Words((long, short))] * 12).texts) == {short}


def test_what_fits_in_no_way_is_reported() -> None:
    assert placed(*[Words(("una palabra y otra",))] * 12).cuts


def test_a_room_grows_into_the_rows_that_are_left() -> None:
    seen: list[Box] = []
    keep = Room(10, lambda _canvas, box: seen.append(box))
    grow = Room(10, lambda _canvas, box: seen.append(box), most=60)
    placed(keep, grow, grow)
    assert seen[0].h == 10
    assert 40 < seen[1].h <= 60
    assert seen[-1].bottom <= NARROW[1]


def test_a_text_of_no_words_takes_no_place() -> None:
    assert rows_of(placed(Words(("",)), Words(("uno",)))) == rows_of(placed(Words(("uno",))))


def test_a_text_in_inverse_has_light_around_it() -> None:
    canvas = placed(Words(("uno",), inverse=True))
    top, bottom = rows_of(canvas)[0]
    lit = [all(canvas.image.getpixel((x, y)) for x in range(64)) for y in (top - 1, bottom)]
    assert lit == [True, True]
