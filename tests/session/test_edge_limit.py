"""A device that reports more than hands can is muted until it is quiet."""

from __future__ import annotations

import random

import pytest

from scorer.demo.buttons import press_edges
from scorer.session.input.edge_limit import MAX_EDGES, MUTED_AFTER, QUIET, EdgeLimit, Heard

BOX = {"A.truco": "A", "A.envido": "A"}


def flood(limit: EdgeLimit, line: str, rate: int, seconds: float, start: float = 0.0) -> float:
    """Change a line ``rate`` times a second; the time of the last change."""
    time = start
    for number in range(round(rate * seconds)):
        time = start + number / rate
        limit.hear(line, number % 2 == 0, time)
    return time


def is_down(number: int) -> bool:
    return number % 2 == 0


@pytest.mark.parametrize(("rate", "is_muted"), [(MAX_EDGES - 1, False), (MAX_EDGES + 6, True)])
def test_only_more_than_sixty_changes_a_second_mute(rate: int, is_muted: bool) -> None:
    limit = EdgeLimit()
    flood(limit, "undo", rate, 30.0)
    assert limit.is_muted("undo") is is_muted


def test_it_is_muted_after_two_seconds_of_them() -> None:
    limit = EdgeLimit()
    heard = [limit.hear("undo", is_down(number), number / 300) for number in range(900)]
    muted_at = heard.index(Heard.MUTES) / 300
    assert MUTED_AFTER <= muted_at <= MUTED_AFTER + 1.0
    assert set(heard[: heard.index(Heard.MUTES)]) == {Heard.TAKEN}
    assert set(heard[heard.index(Heard.MUTES) + 1 :]) == {Heard.IGNORED}
    assert limit.muted == ("undo",)


def test_a_burst_and_a_pause_mute_nothing() -> None:
    limit = EdgeLimit()
    for burst in range(20):
        flood(limit, "undo", 3000, 0.5, burst * 2.0)
    assert limit.muted == ()


def test_a_repeated_level_is_no_change() -> None:
    limit = EdgeLimit()
    assert {limit.hear("undo", True, at / 1000) for at in range(9000)} == {Heard.TAKEN}


def test_the_lines_of_a_box_are_one_device_and_those_of_the_header_are_not() -> None:
    for devices, muted in ((BOX, ("A",)), ({}, ())):
        limit = EdgeLimit(devices)
        for number in range(900):
            line = ("A.truco", "A.envido")[number % 2]
            limit.hear(line, is_down(number // 2), number / 100)
        assert limit.muted == muted
        assert limit.is_muted("A.envido") is bool(muted) and not limit.is_muted("undo")
        assert limit.hear("undo", True, 9.0) is Heard.TAKEN


def test_it_is_heard_again_after_five_quiet_seconds() -> None:
    limit = EdgeLimit(BOX)
    last = flood(limit, "A.truco", 300, 4.0)
    assert limit.deadline() == last + QUIET
    assert limit.release_quiet(last + QUIET - 0.1) == ()
    limit.hear("A.envido", True, last + QUIET - 0.1)
    assert limit.release_quiet(last + QUIET) == () and limit.deadline() == last + 2 * QUIET - 0.1
    assert limit.release_quiet(last + 2 * QUIET - 0.1) == ("A",)
    assert (limit.muted, limit.deadline()) == ((), None)
    assert limit.hear("A.truco", True, last + 11.0) is Heard.TAKEN


def test_fingers_that_drum_on_bouncing_contacts_are_heard() -> None:
    limit, chance = EdgeLimit(dict.fromkeys(("A.truco", "A.quiero"), "A")), random.Random(7)
    heard = set()
    for press in range(100):
        for edge in press_edges(("A.truco", "A.quiero")[press % 2], press * 0.3, 0.12, chance):
            heard.add(limit.hear(edge.line, edge.level == 0, edge.time))
    assert heard == {Heard.TAKEN}
