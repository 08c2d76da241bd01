"""Matches of two legs: added up over tables; one more game if they are level."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.hall import wire
from tests.hub.boxes import greet
from tests.hub.hub_process import HubProcess
from tests.hub.joining_box import log_in
from tests.hub.test_result import alarms_of, code
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, Json, Table, is_official, join, restart

PHASE = {"id": "z", "kind": "bracket", "variant": "argentine", "target": 30}


def tournament_hub(state: Path, **phase: object) -> HubProcess:
    """A hub, not started, whose tournament has one phase of 16 teams that has begun."""
    state.mkdir()
    made = HubProcess(state, state / "scorer.toml")
    made.config.write_text('[hub]\nname = "Club"\n', "utf-8")
    none = {"players": [], "reserves": [], "club": "", "seed": 0}
    entries = [{"do": "Enter", "name": f"Equipo {name}", **none} for name in "ABCDEFGHIJKLMNOP"]
    begun = [{"do": "Draw", "seed": "1"}, {"do": "StartPhase", "phase": "z"}]
    format_ = {"title": "Copa", "teams": [2, 16], "players": 2, "phase": [{**PHASE, **phase}]}
    file = {"truco_tournament": 1, "id": "copa", "format": format_, "events": entries + begun}
    (state / "copa.json").write_text(json.dumps(file), "utf-8")
    imported = made.run("tournament", "import", str(state / "copa.json"))
    assert imported.returncode == 0, imported.stderr
    return made


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    made = tournament_hub(tmp_path_factory.mktemp("hub") / "state", legs=2)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def director(hub: HubProcess) -> Iterator[Director]:
    made = Director(hub, log_in(hub))
    yield made
    for box in made.desk["boxes"]:
        made.act("revoke", device=box["device"])


def call(director: Director, table: Table, match: str = "") -> str:
    """The match that is called to the table: a certain one, or the first of the queue."""
    match = match or str(director.tournament["queue"][0]["id"])
    director.act("t.call", match=match, device=table.device)
    return match


def play_leg(table: Table, leg: str, *lines: str) -> None:
    """Play a leg that the table opens by itself."""
    header = str(table.assigned()["header"])
    assigned = header.split('[Leg "')[1].split('"')[0]
    table.play(*lines, header=header.replace(f'[Leg "{assigned}"]', f'[Leg "{leg}"]'))


def shown(director: Director, match: str) -> tuple[str, list[int], list[int]]:
    """State, games and points of a match at a table."""
    (found,) = (e["match"] for e in director.tournament["tables"] if e["match"]["id"] == match)
    return found["state"], found["games"], found["points"]


def result_of(director: Director, match: str) -> Json:
    wait_for(lambda: is_official(director, match))
    (found,) = (e["result"] for e in director.tournament["official"] if e["id"] == match)
    return {key: found[key] for key in ("winner", "games", "points", "ending")}


def result(winner: int, games: list[int], points: list[int], ending: str = "played") -> Json:
    return {"winner": winner, "games": games, "points": points, "ending": ending}


def test_two_legs_at_one_table_are_added_up(director: Director) -> None:
    (table,) = join(director, [1])
    match = call(director, table)
    table.play("B award 12", "A award 30")
    wait_for(lambda: director.state_of(match) == "playing")
    play_leg(table, "2/2", "A award 7", "B award 30", "A agree", "B agree")
    # A game each: more points win.
    assert result_of(director, match) == result(1, [1, 1], [37, 42])


def test_a_level_match_goes_on_with_one_more_game(director: Director) -> None:
    (table,) = join(director, [1])
    match = call(director, table)
    table.play("A award 30")
    play_leg(table, "2/2", "B award 30", "A agree", "B agree")
    wait_for(lambda: director.state_of(match) == "offered")
    assert shown(director, match)[1:] == ([1, 1], [30, 30])
    assert '[Leg "3/3"]' in table.assigned()["header"]
    table.play("A award 30", "B agree", "A agree")
    assert result_of(director, match) == result(0, [2, 1], [60, 30])
    assert alarms_of(director, table) == []


def test_the_legs_of_a_match_count_at_whichever_tables_they_are_played(
    director: Director,
) -> None:
    first, second, third = join(director, [1, 2, 3])
    match = call(director, first)
    first.play("B award 12", "A award 30")
    wait_for(lambda: director.state_of(match) == "playing")
    # Between the legs.
    call(director, second, match)
    assert '[Leg "2/2"]' in second.assigned()["header"]
    assert shown(director, match) == ("offered", [1, 0], [30, 12])
    second.play("A award 4", "B award 9")
    wait_for(lambda: shown(director, match) == ("playing", [1, 0], [34, 21]))
    # Within a leg.
    call(director, third, match)
    header = third.assigned()["header"]
    assert '[Leg "2/2"]' in header and '[Start "A=4 B=9"]' in header
    third.play("A award 26", "A agree", "B agree")
    assert result_of(director, match) == result(0, [2, 0], [60, 21])


def test_a_spare_box_takes_up_the_running_leg_of_a_broken_one(director: Director) -> None:
    (broken,) = join(director, [1])
    match = call(director, broken)
    broken.play("A award 30")
    play_leg(broken, "2/2", "A award 3")
    wait_for(lambda: director.state_of(match) == "playing")
    (spare,) = join(director, [1], broken.device)
    call(director, spare, match)
    spare.play("B award 30", "A agree", "B agree")
    assert result_of(director, match) == result(0, [1, 1], [33, 30])


@pytest.mark.sampled(0)
def test_a_leg_counts_after_other_matches_at_its_table(director: Director) -> None:
    first, second = join(director, [1, 2])
    match = call(director, first)
    first.play("B award 12", "A award 30")
    wait_for(lambda: director.state_of(match) == "playing")
    call(director, second, match)
    for _ in range(2):
        other = call(director, first)
        first.play("A award 30")
        play_leg(first, "2/2", "A award 30", "A agree", "B agree")
        assert result_of(director, other) == result(0, [2, 0], [60, 0])
    restart(director)
    second.box.client = director.hub.client()
    second.play("B award 30", "A agree", "B agree")
    assert result_of(director, match) == result(1, [1, 1], [30, 42])


def test_a_code_of_the_last_leg_adds_the_legs_that_the_hub_has(director: Director) -> None:
    table, other = join(director, [1, 2])
    match = call(director, table)
    rev = rev_of(table)
    table.play("B award 12", "A award 30")
    wait_for(lambda: director.state_of(match) == "playing")
    director.act("scan", code=code(rev, 9, table.box.token, match, 5))
    assert result_of(director, match) == result(0, [2, 0], [60, 17])
    # Without the first leg, the last one decides nothing.
    missing = call(director, other)
    director.act("scan", code=code(rev_of(other), 9, other.box.token, missing, 5))
    assert alarms_of(director, other) == ["result.undecided"]
    assert director.state_of(missing) == "offered"


def rev_of(table: Table) -> int:
    """The newest assignment of a box that has sent no row yet."""
    greeted = table.box.client.post(wire.GREET_PATH, wire.encode(greet()), table.box.token)
    return int(greeted.document["desired"])


def test_an_agreed_result_that_decides_nothing_raises_one_alarm(director: Director) -> None:
    table, other = join(director, [1, 2])
    match = call(director, table)
    # The phase has no limit of time.
    table.play("A award 5", "- time", "A agree", "B agree")
    wait_for(lambda: alarms_of(director, table) == ["result.undecided"])
    following = call(director, other)
    other.play("A award 5")
    wait_for(lambda: director.state_of(following) == "playing")
    assert alarms_of(director, table) == ["result.undecided"]
    director.event("RecordResult", match=match, result=result(0, [2, 0], [60, 0]))
    assert is_official(director, match)


def test_a_match_whose_teams_change_leaves_its_table_and_begins_anew(director: Director) -> None:
    (table,) = join(director, [1])
    bracket = director.tournament["phases"][0]["matches"]
    semifinal, quarterfinals = bracket[12], bracket[8:10]
    for match in (*bracket[:8], *quarterfinals):
        if match in [each["id"] for each in director.tournament["queue"]]:
            director.event("RecordResult", match=match, result=result(0, [2, 0], [60, 0]))
    assert call(director, table, semifinal) == semifinal
    table.play("A award 5")
    wait_for(lambda: director.state_of(semifinal) == "playing")
    other = result(1, [0, 2], [0, 60])
    event = {"match": quarterfinals[0], "result": other, "reason": "planilla mal copiada"}
    director.event("CorrectResult", **event)
    assert table.assigned() == {"do": "release"}
    call(director, table, semifinal)
    assert director.state_of(semifinal) == "offered"
    assert '[Start "A=0 B=0"]' in table.assigned()["header"]
