"""Rows on the wire: what a digest covers, and how much a batch holds."""

from __future__ import annotations

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from scorer.hall.rows import BATCH_BYTES, BATCH_ROWS, Opening, Row, digest, digest_in, take_batch
from tests.hall.strategies import OPENINGS, ROWS, WORDS

ROW = Row(1303, 88, 1303, "A truco", "console A", "b0c7", 123456, "2026-11-22T20:14:05Z", True)
HEADER = '[Variant "argentine"]'


def row(seq: int, line: str = "A truco", game: int = 1) -> Row:
    return ROW._replace(seq=seq, press=seq, line=line, game=game)


def test_a_digest_is_computed_from_the_bytes_that_the_reference_prints() -> None:
    text = '[1303,88,1303,"A truco","console A","b0c7",123456,"2026-11-22T20:14:05Z",true]'
    assert digest(ROW) == sha256(text.encode()).hexdigest()[:16] == "e0f39926a4366030"


def test_the_digest_of_a_first_row_covers_the_header_of_its_game() -> None:
    assert digest_in(ROW, [Opening(88, 1303, HEADER)]) == digest(ROW, HEADER) != digest(ROW)


def test_the_header_of_a_game_is_not_in_its_later_rows() -> None:
    assert digest_in(ROW, [Opening(88, 1302, HEADER), Opening(87, 1303, HEADER)]) == digest(ROW)


@given(ROWS, ROWS)
def test_rows_that_differ_have_different_digests(one: Row, other: Row) -> None:
    assert (digest(one) == digest(other)) == (one == other)


@given(ROWS, st.integers(0, len(Row._fields) - 1), WORDS)
def test_every_value_of_a_row_is_in_its_digest(one: Row, at: int, text: str) -> None:
    values: list[object] = list(one)
    value = values[at]
    match value:
        case bool():
            values[at] = not value
        case int():
            values[at] = value + 1
        case _:
            values[at] = f"{value}{text}"
    assert digest(Row._make(values)) != digest(one)


def test_a_batch_has_at_most_fifty_rows() -> None:
    rows = [row(seq) for seq in range(1, 200)]
    assert [each.seq for each in take_batch(1, rows, []).rows] == [*range(1, BATCH_ROWS + 1)]


def test_a_batch_ends_before_48_KiB() -> None:
    rows = [row(seq, "x" * 1900) for seq in range(1, 51)]
    taken = take_batch(1, rows, []).rows
    size = sum(len(each.line) for each in taken)
    assert BATCH_BYTES - 4000 < size < BATCH_BYTES


def test_a_row_too_long_for_a_batch_travels_alone() -> None:
    opening = Opening(1, 1, "h" * (BATCH_BYTES + 1))
    batch = take_batch(1, [row(1), row(2)], [opening])
    assert (batch.rows, batch.openings) == ((row(1),), (opening,))


def test_a_game_that_was_only_opened_travels_without_a_row() -> None:
    opening = Opening(9, 71, HEADER)
    assert take_batch(71, [], [opening]) == (71, (), (opening,))


def test_a_game_opened_after_the_last_row_waits_for_the_next_batch_if_rows_are_left() -> None:
    rows = [row(seq) for seq in range(1, 61)]
    opening = Opening(2, 61, HEADER)
    assert take_batch(1, rows, [opening]).openings == ()
    assert take_batch(51, rows[50:], [opening]).openings == (opening,)


@given(st.integers(0, 130), st.lists(st.integers(1, 131), max_size=12), st.integers(0, 3))
def test_batches_one_after_another_carry_every_row_and_every_game_once(
    count: int, openings: list[int], weight: int
) -> None:
    rows = [row(seq, "y" * (1 + weight * 500)) for seq in range(1, count + 1)]
    games = [Opening(at, min(opened, count + 1), HEADER) for at, opened in enumerate(openings, 1)]
    first = 1
    carried: list[Row] = []
    seen: list[Opening] = []
    while first <= count:
        batch = take_batch(first, rows[first - 1 :], [g for g in games if g.opened >= first])
        assert batch.rows
        carried += batch.rows
        seen += batch.openings
        first += len(batch.rows)
    rest = take_batch(first, [], [game for game in games if game.opened == count + 1])
    assert carried == rows
    assert {*seen, *rest.openings} == {*games}


@given(OPENINGS, ROWS)
def test_a_header_counts_only_for_the_row_its_game_was_opened_at(
    opening: Opening, one: Row
) -> None:
    is_first = (opening.game, opening.opened) == (one.game, one.seq)
    assert (digest_in(one, [opening]) == digest(one)) is not is_first
