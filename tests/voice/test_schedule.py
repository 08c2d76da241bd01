"""Which phrase is spoken when, with simulated time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.voice.schedule import MAX_DELAY, Phrase, Schedule


def phrase(row: int, at: float) -> Phrase:
    return Phrase(f"row {row}", row, at)


def start(schedule: Schedule, now: float, *, is_silent: bool = False) -> int | None:
    """Prepare and start what may start now; return its row."""
    found = schedule.next(now, is_silent=is_silent)
    if found is None or not schedule.start(found, now, is_silent=is_silent):
        return None
    return found.row


def test_a_phrase_starts_at_once() -> None:
    schedule = Schedule()
    schedule.offer(phrase(1, at=5.0))
    assert start(schedule, 5.0) == 1
    assert start(schedule, 5.0) is None


def test_a_newer_phrase_replaces_one_that_has_not_started() -> None:
    schedule = Schedule()
    schedule.offer(phrase(1, at=5.0))
    schedule.offer(phrase(2, at=5.1))
    assert start(schedule, 5.1) == 2
    schedule.end()
    assert start(schedule, 5.2) is None


def test_a_prepared_phrase_does_not_start_after_its_replacement() -> None:
    schedule = Schedule()
    schedule.offer(phrase(1, at=5.0))
    prepared = schedule.next(5.0, is_silent=False)
    assert prepared is not None
    schedule.offer(phrase(2, at=5.3))
    assert not schedule.start(prepared, 5.3, is_silent=False)
    assert start(schedule, 5.3) == 2


def test_a_newer_phrase_waits_for_the_spoken_one() -> None:
    schedule = Schedule()
    schedule.offer(phrase(1, at=5.0))
    start(schedule, 5.0)
    schedule.offer(phrase(2, at=5.5))
    assert start(schedule, 5.6) is None
    schedule.end()
    assert start(schedule, 6.0) == 2


@pytest.mark.parametrize(("delay", "spoken"), [(0.0, 2), (MAX_DELAY, 2), (MAX_DELAY + 0.25, None)])
def test_a_phrase_starts_at_most_a_second_late(delay: float, spoken: int | None) -> None:
    schedule = Schedule()
    schedule.offer(phrase(2, at=8.0))
    assert start(schedule, 8.0 + delay) == spoken


def test_a_slow_synthesis_drops_its_phrase() -> None:
    schedule = Schedule()
    schedule.offer(phrase(1, at=5.0))
    prepared = schedule.next(5.5, is_silent=False)
    assert prepared is not None
    assert not schedule.start(prepared, 6.5, is_silent=False)


def test_an_undone_score_is_not_spoken() -> None:
    schedule = Schedule()
    schedule.offer(phrase(7, at=5.0))
    assert schedule.withdraw({7}), "its preparation must stop"
    assert start(schedule, 5.0) is None


def test_a_score_that_stands_is_spoken_after_another_step() -> None:
    schedule = Schedule()
    schedule.offer(phrase(7, at=5.0))
    assert not schedule.withdraw({8, 9})
    assert start(schedule, 5.2) == 7


def test_a_spoken_phrase_stops_when_its_step_is_undone() -> None:
    schedule = Schedule()
    schedule.offer(phrase(7, at=5.0))
    start(schedule, 5.0)
    assert not schedule.withdraw({8})
    assert schedule.withdraw({7, 8})


def test_nothing_is_spoken_in_silence_nor_later() -> None:
    schedule = Schedule()
    schedule.offer(phrase(1, at=5.0))
    assert start(schedule, 5.0, is_silent=True) is None
    assert start(schedule, 5.1) is None


def test_what_is_said_of_a_game_that_is_over_waits_for_its_turn() -> None:
    schedule = Schedule()
    schedule.offer(phrase(1, at=5.0))
    start(schedule, 5.0)
    for row in (2, 3):
        schedule.offer(phrase(row, at=6.0)._replace(max_delay=math.inf, is_kept=True))
    schedule.offer(phrase(4, at=7.0))
    schedule.end()
    assert start(schedule, 12.0) == 2
    schedule.end()
    assert start(schedule, 15.0) == 3
    schedule.end()
    assert start(schedule, 18.0) is None, "the step after the game is old by then"


def test_an_undone_end_is_not_said() -> None:
    schedule = Schedule()
    schedule.offer(phrase(2, at=6.0)._replace(max_delay=math.inf, is_kept=True))
    assert schedule.withdraw({2})
    schedule.offer(phrase(1, at=6.5))
    assert start(schedule, 6.5) == 1


class Spoken(NamedTuple):
    row: int
    began: float
    ended: float


def speak(steps: Sequence[tuple[float, float]]) -> list[Spoken]:
    """What is heard if each step is a pause and the length of its phrase."""
    schedule, heard, now, until = Schedule(), list[Spoken](), 0.0, 0.0

    def run(to: float) -> None:
        nonlocal until
        while True:
            moment = max(now, until)
            if moment > to:
                return
            schedule.end()
            row = start(schedule, moment)
            if row is None:
                return
            until = moment + steps[row][1]
            heard.append(Spoken(row, moment, until))

    for row, (pause, _) in enumerate(steps):
        run(now + pause)
        now += pause
        schedule.offer(phrase(row, now))
        run(now)
    run(now + 1000)
    return heard


@given(st.lists(st.tuples(st.floats(0, 4), st.floats(0.1, 6)), max_size=30))
def test_phrases_never_overlap_nor_come_late(steps: list[tuple[float, float]]) -> None:
    heard = speak(steps)
    made = 0.0
    at = [made := made + pause for pause, _ in steps]
    for before, after in pairwise(heard):
        assert before.ended <= after.began
        assert before.row < after.row
    for each in heard:
        assert at[each.row] <= each.began <= at[each.row] + MAX_DELAY
