"""Windows of changed bytes: sufficient and cheapest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.hw.displays.ram_changes import Window, changed_runs, stack_windows

COLUMNS, PAGES = 16, 4
SIZE = COLUMNS * PAGES

# Few and mostly equal values, so that runs, gaps and equal columns are frequent.
ram = st.lists(st.sampled_from([0, 0, 0, 1]), min_size=SIZE, max_size=SIZE).map(bytes)
overheads = st.integers(1, 12)


def after(old: bytes, new: bytes, windows: list[Window]) -> bytes:
    """The RAM after the windows were written in order."""
    held = bytearray(old)
    for window in windows:
        data = iter(window.extract(new, COLUMNS))
        for page in range(window.top, window.bottom):
            for column in range(window.left, window.right):
                held[page * COLUMNS + column] = next(data)
        assert next(data, None) is None
    return bytes(held)


def cost(windows: list[Window], overhead: int) -> int:
    return sum(window.area + overhead for window in windows)


@given(ram, ram, overheads)
def test_the_windows_produce_the_new_picture(old: bytes, new: bytes, overhead: int) -> None:
    runs = changed_runs(old, new, COLUMNS, overhead)
    assert after(old, new, runs) == new
    assert after(old, new, stack_windows(runs, overhead)) == new


@given(ram, overheads)
def test_an_unchanged_picture_sends_nothing(held: bytes, overhead: int) -> None:
    assert changed_runs(held, held, COLUMNS, overhead) == []
    assert stack_windows([], overhead) == []


@given(ram, ram, overheads)
def test_no_run_begins_or_ends_with_a_byte_that_did_not_change(
    old: bytes, new: bytes, overhead: int
) -> None:
    for run in changed_runs(old, new, COLUMNS, overhead):
        was, is_ = run.extract(old, COLUMNS), run.extract(new, COLUMNS)
        assert was[0] != is_[0]
        assert was[-1] != is_[-1]


@given(ram, ram, overheads)
def test_the_runs_are_the_cheapest_cover(old: bytes, new: bytes, overhead: int) -> None:
    """Compared with the optimum per page, found by dynamic programming."""
    cheapest = 0
    for start in range(0, SIZE, COLUMNS):
        best = [0] * (COLUMNS + 1)  # cost of the first columns
        for end in range(1, COLUMNS + 1):
            at = start + end - 1
            dearest = overhead + COLUMNS + best[end - 1]
            left_out = best[end - 1] if old[at] == new[at] else dearest
            best[end] = min(
                left_out, *(best[begin] + overhead + end - begin for begin in range(end))
            )
        cheapest += best[COLUMNS]
    assert cost(changed_runs(old, new, COLUMNS, overhead), overhead) == cheapest


@given(ram, ram, overheads)
def test_stacking_never_costs_more(old: bytes, new: bytes, overhead: int) -> None:
    runs = changed_runs(old, new, COLUMNS, overhead)
    assert cost(stack_windows(runs, overhead), overhead) <= cost(runs, overhead)


@pytest.mark.parametrize(
    ("changed", "windows"),
    [
        ("one byte in a corner", [Window(0, 1, 0, 1)]),
        ("a gap of four is sent with the rest", [Window(0, 1, 0, 6)]),
        ("a gap of five is not", [Window(0, 1, 0, 1), Window(0, 1, 6, 7)]),
        ("a block over two pages is one window", [Window(1, 3, 4, 8)]),
        ("a page between them keeps two apart", [Window(0, 1, 2, 3), Window(2, 3, 2, 3)]),
        ("a change goes on only in its own page", [Window(0, 1, 15, 16), Window(1, 2, 0, 1)]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_windows_of_example_changes(changed: str, windows: list[Window]) -> None:
    pages = {
        "one byte in a corner": ["#..............."],
        "a gap of four is sent with the rest": ["#....#.........."],
        "a gap of five is not": ["#.....#........."],
        "a block over two pages is one window": ["." * 16, "....####........", "....####........"],
        "a page between them keeps two apart": ["..#.............", "." * 16, "..#............."],
        "a change goes on only in its own page": ["...............#", "#..............."],
    }[changed]
    new = "".join(pages).ljust(SIZE, ".").replace(".", "\0").encode()
    assert stack_windows(changed_runs(bytes(SIZE), new, COLUMNS, 4), 4) == windows
