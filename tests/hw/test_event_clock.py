"""Times of events by the clock of their source."""

from __future__ import annotations

from math import inf, nan

import pytest

from scorer.hw.event_clock import MAX_AGE, EventClock


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        (0.0, 100.0),
        (0.3, 99.7),
        (MAX_AGE, 90.0),
        # The clock of the source is another one, was set, or has wrapped: 2**32 microseconds.
        (-0.001, 100.0),
        (-1.7e9, 100.0),
        (MAX_AGE + 0.1, 100.0),
        (4294.967, 100.0),
        (inf, 100.0),
        (nan, 100.0),
    ],
)
def test_an_impossible_age_is_none(age: float, expected: float) -> None:
    assert EventClock().date(age, 100.0) == expected


def test_times_do_not_go_back() -> None:
    clock = EventClock()
    assert [clock.date(age, 100.0) for age in (0.2, 0.5, 0.1)] == [99.8, 99.8, 99.9]
