"""Matches whose time is over before they are decided."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hub.hub_process import HubProcess
from tests.hub.joining_box import log_in
from tests.hub.test_legs import call, play_leg, result, result_of, tournament_hub
from tests.hub.test_result import alarms_of
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, join

PATIENCE = 600  # seconds that the test may take


def started(folder: Path, **phase: object) -> Iterator[HubProcess]:
    """A running hub whose tournament has this phase."""
    made = tournament_hub(folder / "state", **phase)
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    yield from started(tmp_path_factory.mktemp("hub"), best_of=3, cap=60)


def test_the_leader_in_games_and_then_in_points_wins_when_the_time_is_over(
    hub: HubProcess,
) -> None:
    director = Director(hub, log_in(hub))
    one, other = join(director, [1, 2])
    ahead, level = call(director, one), call(director, other)
    one.play("A award 30", "- new_hand", "A award 5", "B award 12", "- time", "A agree", "B agree")
    other.play("B award 9", "A award 4", "- time", "A agree", "B agree")
    assert result_of(director, ahead) == result(0, [1, 0], [35, 12], "cap")
    assert result_of(director, level) == result(1, [0, 0], [4, 9], "cap")
    # UNDO and another result leave the official one, with an alarm.
    one.play("- undo", "- undo", "- undo", "A award 25", "A agree", "B agree", is_new=False)
    wait_for(lambda: alarms_of(director, one) == ["result"])


@pytest.fixture(scope="module")
def hub_of_starts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    phase = {"best_of": 3, "cap": 60, "cap_ending": "start", "cap_start": 10}
    yield from started(tmp_path_factory.mktemp("hub"), **phase)


def test_a_table_is_sent_the_score_at_which_games_begin_once_the_time_is_over(
    hub_of_starts: HubProcess,
) -> None:
    director = Director(hub_of_starts, log_in(hub_of_starts))
    one, other = join(director, [1, 2])
    match = call(director, one)
    assert (one.assigned()["cap"], one.assigned()["cap_start"]) == (3600, 10)
    started = ("- new_hand", "A correct 10", "B correct 10  # time limit")
    one.play("B award 12", "A award 30", *started, "B award 20")
    wait_for(lambda: director.state_of(match) == "playing")
    # Another table takes it up between two games, with the time that is left.
    call(director, other, match)
    assert 3600 - PATIENCE < other.assigned()["cap"] <= 3600
    assert other.assigned()["cap_start"] == 10
    assert '[Games "A=1 B=1"]' in other.assigned()["header"]
    other.play("A correct 10", "B correct 10", "A award 20", "A agree", "B agree")
    assert result_of(director, match) == result(0, [2, 1], [70, 52])


@pytest.fixture(scope="module")
def hub_of_legs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    yield from started(tmp_path_factory.mktemp("hub"), legs=2, cap=60)


def test_the_time_of_a_later_leg_lets_the_leader_of_all_legs_win(hub_of_legs: HubProcess) -> None:
    director = Director(hub_of_legs, log_in(hub_of_legs))
    one, two, three = join(director, [1, 2, 3])
    # At one table: the leader of the second leg has lost the first one.
    here = call(director, one)
    one.play("B award 12", "A award 30")
    play_leg(one, "2/2", "A award 4", "B award 9", "- time", "B agree", "A agree")
    assert result_of(director, here) == result(0, [1, 0], [34, 21], "cap")
    # The second leg at another table.
    moved = call(director, two)
    two.play("B award 30")
    wait_for(lambda: director.state_of(moved) == "playing")
    call(director, three, moved)
    three.play("A award 29", "- time", "B agree", "A agree")
    assert result_of(director, moved) == result(1, [0, 1], [29, 30], "cap")
    assert alarms_of(director, one) == alarms_of(director, three) == []
