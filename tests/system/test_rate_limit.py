"""How often an address may ask."""

from __future__ import annotations

import pytest

from scorer.system.rate_limit import MAX_KEYS, RateLimit


def test_a_burst_is_let_through_and_then_so_many_a_second() -> None:
    limit = RateLimit(rate=2, burst=3)
    assert [limit.acquire("a", 10.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert limit.acquire("a", 10.25) == 0.25
    assert limit.acquire("a", 10.5) == 0.0
    assert limit.acquire("a", 10.5) == 0.5


def test_who_asks_too_often_loses_nothing_by_it() -> None:
    limit = RateLimit(rate=1, burst=1)
    assert limit.acquire("a", 0.0) == 0.0
    refused = [limit.acquire("a", at / 10) for at in range(1, 10)]
    assert refused == pytest.approx([1 - at / 10 for at in range(1, 10)])
    assert limit.acquire("a", 1.0) == 0.0


def test_addresses_have_separate_limits() -> None:
    limit = RateLimit(rate=1, burst=1)
    assert [limit.acquire(who, 0.0) for who in "abc"] == [0.0, 0.0, 0.0]
    assert limit.acquire("a", 0.0) == 1.0


def test_a_long_pause_saves_up_no_more_than_a_burst() -> None:
    limit = RateLimit(rate=1, burst=2)
    limit.acquire("a", 0.0)
    assert [limit.acquire("a", 1e6) for _ in range(3)] == [0.0, 0.0, 1.0]


def test_a_clock_that_stands_still_gives_nothing_away() -> None:
    limit = RateLimit(rate=1, burst=1)
    limit.acquire("a", 100.0)
    assert limit.acquire("a", 50.0) == 1.0


def test_it_remembers_so_many_and_forgets_who_asked_longest_ago() -> None:
    limit = RateLimit(rate=1, burst=1)
    limit.acquire("first", 0.0)
    limit.acquire("busy", 0.0)
    for number in range(MAX_KEYS - 1):
        limit.acquire(number, 0.0)
        limit.acquire("busy", 0.0)
    assert limit.acquire("busy", 0.0) > 0
    assert limit.acquire("first", 0.0) == 0.0


@pytest.mark.parametrize(("rate", "burst"), [(0, 1), (-1, 1), (1, 0)])
def test_a_limit_without_any_request_is_an_error(rate: float, burst: int) -> None:
    with pytest.raises(ValueError, match="lets nobody in"):
        RateLimit(rate, burst)
