"""Matches called to one table alone: of a broken box, of a team with a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.hub.match_place import MatchKey, MatchPlace
from scorer.hub.matches import Call, OpenTournament, next_calls, waiting_matches
from scorer.hub.tournaments import RunningTournament
from scorer.tournament import EventRefusal, apply
from scorer.tournament.events import FixTable, encode, parse
from scorer.tournament.export import TournamentFile, decode
from scorer.tournament.model import Reason
from tests.hub.hub_process import running_hub
from tests.hub.joining_box import log_in
from tests.hub.open_tournaments import ID, opened
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin, join, restart
from tests.tournament.play import Played

FIRST, SECOND, THIRD, FOURTH = (
    f"zonas-{each}" for each in ("Z1-R1-M1", "Z1-R1-M2", "Z2-R1-M1", "Z2-R1-M2")
)


def called(one: OpenTournament, *tables: int) -> dict[int, str]:
    """The match that each table gets; they are free longest in this order."""
    waiting = waiting_matches([one], {})
    numbers = {100 + table: table for table in tables}
    calls = next_calls(waiting.ready, {one.running.id: one.reader}, numbers, {}, waiting.tables)
    assert all(isinstance(each, Call) for each in calls)
    return {numbers[each.device]: each.match.match for each in calls}


# ---- a team with a table of its own -------------------------------------------------------------


def fix(played: Played, match: str, table: int, side: int = 0) -> None:
    team = played.reader.sides(match)[side]
    assert team
    played.do(FixTable(team, table))


def test_a_team_plays_at_its_table_and_the_others_leave_it_free_as_long_as_they_can(
    played: Played,
) -> None:
    fix(played, THIRD, 5)
    one = opened(played, {})
    assert called(one, 5, 1, 2, 3) == {5: THIRD, 1: FIRST, 2: SECOND, 3: FOURTH}
    assert called(one, 1, 2, 3, 4) == {1: FIRST, 2: SECOND, 3: FOURTH}
    assert called(one, 5) == {5: THIRD}


def test_a_match_of_an_earlier_round_takes_the_table_of_a_later_one_if_no_other_is_left(
    played: Played,
) -> None:
    fix(played, FIRST, 5)
    places = {each: MatchPlace(table, "playing") for table, each in enumerate((FIRST, THIRD), 1)}
    one = opened(played, places)
    # The team plays, so its next match does not wait yet.
    assert called(one, 5) == {5: SECOND}


def test_two_teams_with_tables_meet_at_either_one(played: Played) -> None:
    fix(played, FIRST, 5)
    fix(played, FIRST, 7, side=1)
    one = opened(played, {})
    assert called(one, 7)[7] == called(one, 5)[5] == FIRST
    assert FIRST not in called(one, 1, 2, 3).values()


def test_a_table_is_taken_back_and_wrong_ones_are_refused(played: Played) -> None:
    fix(played, FIRST, 5)
    fix(played, FIRST, 0)
    assert played.state.tables == {}
    refused = apply(played.state, FixTable(99, 5))
    assert isinstance(refused, EventRefusal) and refused.reason is Reason.UNKNOWN_TEAM
    assert "999" in str(parse({"do": "FixTable", "team": 1, "table": 1000}))
    assert parse(encode(FixTable(1, 5))) == FixTable(1, 5)


# ---- a match whose box has left -----------------------------------------------------------------


def test_a_match_whose_box_has_left_is_called_first_and_at_its_table_alone(played: Played) -> None:
    running = RunningTournament(ID, played.state)
    one = OpenTournament(running, played.reader, {}, {FOURTH: 5})
    waiting = waiting_matches([one], {})
    assert waiting.ready[0] == MatchKey(ID, FOURTH)
    assert called(one, 1, 5) == {1: FIRST, 5: FOURTH}
    assert called(one, 1, 2, 3, 4) == {1: FIRST, 2: SECOND, 3: THIRD}


def test_its_table_counts_more_than_the_one_of_its_team(played: Played) -> None:
    fix(played, FIRST, 7)
    one = OpenTournament(RunningTournament(ID, played.state), played.reader, {}, {FIRST: 5})
    assert called(one, 7, 5)[5] == FIRST


@pytest.fixture
def director(tmp_path: Path) -> Iterator[Director]:
    with running_hub(tmp_path / "hub", 'name = "Club"') as hub:
        yield Director(hub, log_in(hub))


def in_play(director: Director) -> str:
    """The match at table 1, in play; the hub calls the matches by itself."""
    director.act("t.by_itself", on=True)
    (at, *_) = [each for each in director.tournament["tables"] if each["match"]["table"] == 1]
    return str(at["match"]["id"])


@pytest.mark.sampled(0)
@pytest.mark.parametrize("is_removed_first", [False, True])
def test_a_match_stays_at_its_table_until_a_spare_box_takes_the_number(
    director: Director, *, is_removed_first: bool
) -> None:
    broken, other = join(director, [1, 2])
    begin(director)
    match = in_play(director)
    broken.play("A award 12", "B award 7")
    wait_for(lambda: director.state_of(match) == "playing")
    if is_removed_first:
        director.act("revoke", device=broken.device)
        wait_for(lambda: match in director.tournament["held"])
        (waiting,) = [each for each in director.tournament["queue"] if each["id"] == match]
        assert (waiting["state"], waiting["place"]) == ("ready", "espera la mesa 1")
        # A table that is free gets another match, also after a restart.
        other.play("A award 30", "A agree", "B agree")
        restart(director)
        assert match in director.tournament["held"]
        assert match not in other.assigned().get("header", "")
        (spare,) = join(director, [1])
    else:
        # The longest free table is not its own.
        other.play("A award 30", "A agree", "B agree")
        (spare,) = join(director, [1], broken.device)
    wait_for(lambda: match in str(spare.assigned().get("header")))
    assert '[Start "A=12 B=7"]' in spare.assigned()["header"]
    assert director.tournament["held"] == []
    spare.play("A award 18", "A agree", "B agree")
    wait_for(lambda: match in [each["id"] for each in director.tournament["official"]])
    director.act("revoke", device=spare.device)
    assert match not in director.tournament["held"], "it is over"


@pytest.mark.sampled(0)
def test_the_director_lets_a_match_go_to_any_table(director: Director) -> None:
    broken, other = join(director, [1, 2])
    begin(director)
    match = in_play(director)
    broken.play("A award 12")
    wait_for(lambda: director.state_of(match) == "playing")
    director.act("revoke", device=broken.device)
    wait_for(lambda: match in director.tournament["held"])
    assert director.refused("t.take_back", match="zonas-Z1-R3-M1") == "t.no_table"
    director.act("t.take_back", match=match, seen=director.desk["seq"])
    assert director.tournament["held"] == []
    # It has waited as long as any other one, and goes on at the next free table.
    director.act("t.by_itself", on=False)
    other.play("A award 30", "A agree", "B agree")
    wait_for(lambda: other.device in director.tournament["free"])
    director.act("t.call", match=match, device=other.device)
    assert '[Start "A=12"]' in other.assigned()["header"].replace(" B=0", "")


@pytest.mark.sampled(0)
def test_a_fixed_table_is_shown_called_and_exported(director: Director) -> None:
    begin(director)
    match = director.tournament["queue"][-1]
    team = match["sides"][0]["team"]
    director.event("FixTable", team=team, table=2)
    (fixed,) = [each for each in director.tournament["teams"] if each["table"]]
    assert (fixed["id"], fixed["table"]) == (team, 2)
    (shown,) = [each for each in director.tournament["queue"] if each["id"] == match["id"]]
    assert shown["place"] == "espera la mesa 2"
    one, two = join(director, [1, 2])
    director.act("t.by_itself", on=True)
    wait_for(lambda: match["id"] in str(two.assigned().get("header")))
    assert match["id"] not in one.assigned()["header"]
    restart(director)
    assert [each["table"] for each in director.tournament["teams"] if each["table"]] == [2]
    found = decode(director.client.get("/desk/tournament.json").body)
    assert isinstance(found, TournamentFile) and found.state.tables == {team: 2}
