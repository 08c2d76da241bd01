"""Matches that are played anew: their earlier games do not count."""

from __future__ import annotations

import pytest

from scorer.hall import wire
from tests.hub.boxes import greet
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, Table, begin, is_official, join, restart

PLAYED = ("A award 30", "A agree", "B agree")


def called(director: Director, table: Table, at: int = 0) -> str:
    """The match of the queue that is called to the table."""
    match = str(director.tournament["queue"][at]["id"])
    director.act("t.call", match=match, device=table.device)
    return match


def official(director: Director) -> list[str]:
    return [each["id"] for each in director.tournament["official"]]


def waits(director: Director, match: str) -> bool:
    """Whether the match is in the queue, without a result."""
    return match in [each["id"] for each in director.tournament["queue"]]


@pytest.mark.sampled(0)
def test_an_annulled_match_waits_for_a_table_and_is_played_anew(director: Director) -> None:
    table, other = join(director, [1, 2])
    begin(director)
    match = called(director, table)
    table.play(*PLAYED)
    wait_for(lambda: official(director) == [match])
    called(director, other)
    director.event("AnnulResult", match=match, reason="baraja marcada")
    assert waits(director, match) and table.device in director.tournament["free"]
    assert table.assigned() == {"do": "release"}
    # A row of another table, and another start of the hub, make nothing official.
    other.play("A award 3")
    restart(director)
    for each in (table, other):
        each.box.client = director.hub.client()
    assert official(director) == [] and waits(director, match)
    director.act("t.call", match=match, device=table.device)
    other.play("A award 3", is_new=False)
    assert (director.state_of(match), official(director)) == ("offered", [])
    # A row of the game before the annulment changes nothing either.
    table.play("- undo", is_new=False)
    assert director.state_of(match) == "offered"
    table.play("B award 30", "A agree", "B agree")
    wait_for(lambda: official(director) == [match])
    assert director.tournament["official"][0]["result"]["points"] == [0, 30]


def test_a_match_annulled_while_its_table_has_another_one_begins_at_zero(
    director: Director,
) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = called(director, table)
    table.play("A award 12")
    result = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "played"}
    director.event("RecordResult", match=match, result=result)
    wait_for(lambda: table.assigned() == {"do": "release"})
    called(director, table)
    director.event("AnnulResult", match=match, reason="otra mesa")
    director.act("t.take_back", match=director.tournament["tables"][0]["match"]["id"])
    director.act("t.call", match=match, device=table.device)
    assert '[Start "A=0 B=0"]' in table.assigned()["header"]
    assert director.state_of(match) == "offered"


def test_a_decision_that_is_sent_again_to_its_table_revives_no_annulled_match(
    director: Director,
) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = called(director, table)
    table.play(*PLAYED)
    wait_for(lambda: official(director) == [match])
    director.event("AnnulResult", match=match, reason="baraja marcada")
    # The hub has forgotten what it assigned to this table since then.
    forgotten = greet(table.seq, table.prev)._replace(rev=10_000, decision="ab" * 8)
    table.box.client.post(wire.GREET_PATH, wire.encode(forgotten), table.box.token)
    restart(director)
    assert waits(director, match) and table.device in director.tournament["free"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("answer", ["agree", "contest"])
def test_a_match_over_at_its_table_and_called_again_is_played_anew(
    director: Director, answer: str
) -> None:
    (table,) = join(director, [1])
    begin(director)
    director.act("t.publish_after", minutes=600)
    match = called(director, table)
    table.play("A award 30", "A agree", f"B {answer}")
    wait_for(lambda: director.state_of(match) in ("agreed", "contested"))
    director.act("t.take_back", match=match)
    director.act("t.call", match=match, device=table.device)
    assert director.state_of(match) == "offered"
    table.play("B award 30", "A agree", "B agree")
    wait_for(lambda: director.state_of(match) == "agreed")
    director.act("t.publish", match=match)
    assert director.tournament["official"][0]["result"]["points"] == [0, 30]


def test_a_match_in_play_goes_on_when_it_is_called_again(director: Director) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = called(director, table)
    table.play("A award 12")
    wait_for(lambda: director.state_of(match) == "playing")
    director.act("t.take_back", match=match)
    director.act("t.call", match=match, device=table.device)
    assert '[Start "A=12 B=0"]' in table.assigned()["header"]
    table.play("A award 18", "A agree", "B agree", is_new=False)
    wait_for(lambda: is_official(director, match))


def test_a_round_that_is_paired_anew_has_no_games(director: Director) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = called(director, table)
    table.play("A award 12")
    wait_for(lambda: director.state_of(match) == "playing")
    director.event("TakeBack", phase="zonas")
    director.event("StartPhase", phase="zonas")
    assert waits(director, match)
