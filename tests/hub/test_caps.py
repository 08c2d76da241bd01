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
from tests.hub.test_tournament import Director, join, restart

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


@pytest.mark.sampled(0)
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


@pytest.mark.sampled(0)
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


@pytest.mark.sampled(0)
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


@pytest.fixture
def hub_of_one(tmp_path: Path) -> Iterator[HubProcess]:
    yield from started(tmp_path, best_of=3, cap=60)


@pytest.mark.sampled(0)
def test_a_match_in_play_gets_more_time_and_keeps_it_at_another_table(
    hub_of_one: HubProcess,
) -> None:
    director = Director(hub_of_one, log_in(hub_of_one))
    one, other = join(director, [1, 2])
    match = call(director, one)
    assert director.refused("t.more_time", match=match, minutes=5) == "t.no_time", "not begun"
    one.play("A award 3")
    wait_for(lambda: director.state_of(match) == "playing")
    header = one.assigned()["header"]
    director.act("t.more_time", match=match, minutes=5, seen=director.desk["seq"])
    director.act("t.more_time", match=match, minutes=10)
    assert (one.assigned()["cap"], one.assigned()["header"]) == (75 * 60, header)
    (at,) = director.tournament["tables"]
    assert at["match"]["time"]["left"] > 60 and at["match"]["state"] == "playing"
    stale = {"match": match, "minutes": 5, "seen": 1}
    assert director.refused("t.more_time", **stale) == "t.changed"
    restart(director)
    call(director, other, match)
    assert 75 * 60 - PATIENCE < other.assigned()["cap"] <= 75 * 60
    other.box.client = director.hub.client()
    other.play("A award 27", "- new_hand", "A award 30", "A agree", "B agree")
    result_of(director, match)
    assert director.refused("t.more_time", match=match, minutes=5) == "t.no_time"


@pytest.mark.sampled(0)
def test_more_time_counts_from_now_where_the_time_is_over(hub_of_one: HubProcess) -> None:
    director = Director(hub_of_one, log_in(hub_of_one))
    (table,) = join(director, [1])
    match = call(director, table)
    table.play("A award 3")
    table.minutes = 80
    table.play("A award 4", is_new=False)
    wait_for(lambda: director.tournament["tables"][0]["match"]["time"]["over"] >= 19)
    director.act("t.more_time", match=match, minutes=5)
    assert director.tournament["tables"][0]["match"]["time"]["left"] == 5
    assert abs(table.assigned()["cap"] - 85 * 60) < PATIENCE
    answer = director.client.desk("/desk/act", {"do": "t.more_time", "match": match, "minutes": 0})
    assert answer.status == 400
