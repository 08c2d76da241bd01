"""Results at the desk: what is asked, refused and shown of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hub.joining_box import log_in
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import EIGHT, Director, Table, begin, is_official, join, restart

Json = dict[str, Any]


def won(winner: int, points: list[int], ending: str = "played") -> Json:
    games = [1, 0] if winner == 0 else [0, 1]
    return {"winner": winner, "games": games, "points": points, "ending": ending}


def match_in_play(director: Director) -> tuple[Table, Json]:
    """The only table, and its match, in which A has 12 points."""
    (table,) = join(director, [1])
    begin(director)
    match = director.tournament["queue"][0]
    director.act("t.call", match=match["id"], device=table.device)
    table.play("A award 12")
    wait_for(lambda: director.state_of(match["id"]) == "playing")
    return table, match


def official(director: Director, match: str) -> Json:
    found = director.tournament["official"]
    return next(dict(each) for each in found if each["id"] == match)


@pytest.mark.sampled(0)
def test_a_contested_match_has_the_result_of_its_table_which_one_event_makes_official(
    director: Director,
) -> None:
    table, match = match_in_play(director)
    assert director.tournament["tables"][0]["match"]["at_table"] is None
    table.play("A award 18", "A agree", "B contest", is_new=False)
    wait_for(lambda: director.state_of(match["id"]) == "contested")
    at_table: Json | None = director.tournament["tables"][0]["match"]["at_table"]
    name = match["sides"][0]["name"]
    assert at_table is not None
    assert (at_table["result"], at_table["text"]) == (won(0, [30, 0]), f"ganó {name} 30–0")
    director.event("RecordResult", match=match["id"], result=at_table["result"])
    wait_for(lambda: is_official(director, match["id"]))
    assert "result" not in [each["kind"] for each in director.desk["alarms"]]


def test_a_decision_without_numbers_shows_its_winner_and_no_score(director: Director) -> None:
    begin(director)
    match = director.tournament["queue"][0]
    none = {"winner": 1, "games": [0, 0], "points": [0, 0], "ending": "decided"}
    director.event("RecordResult", match=match["id"], result=none, reason="conducta")
    found = official(director, match["id"])
    name = match["sides"][1]["name"]
    assert (found["score"], found["outcome"]) == ("", f"ganó {name} (decidido por el director)")


def test_walk_overs_of_a_withdrawn_team_are_results_with_its_reason(director: Director) -> None:
    begin(director)
    match = director.tournament["queue"][0]
    team, other = (side["team"] for side in match["sides"])
    director.event("Withdraw", team=team, reason="se enfermó")
    found = official(director, match["id"])
    assert found["outcome"] == f"ganó {match['sides'][1]['name']} 30–0 (W.O.)"
    decision = found["decision"]
    assert (decision["who"], decision["what"], decision["reason"]) == (
        "ana",
        "Withdraw",
        "se enfermó",
    )
    assert not found["is_decided"]
    listed = director.act("t.results", phase="zonas", team=team)["results"]
    assert match["id"] in [each["id"] for each in listed]
    assert [each["id"] for each in listed] != []
    gone = {each["id"]: each["withdrawal"] for each in director.tournament["teams"]}
    assert (gone[team]["reason"], gone[other]) == ("se enfermó", None)
    director.event("Return", team=team)
    assert director.tournament["official"] == []
    assert director.tournament["teams"][team - 1]["withdrawal"] is None


def test_what_happens_to_the_matches_of_a_team_that_leaves_is_listed_and_annulled(
    director: Director,
) -> None:
    begin(director, EIGHT)
    first = director.tournament["queue"][0]
    team, name = first["sides"][0]["team"], first["sides"][0]["name"]
    director.event("RecordResult", match=first["id"], result=won(0, [30, 11]))
    # One of three matches: the format annuls.
    found = director.act("t.leaving", team=team, annuls=None)
    assert found["annuls"] == ["zonas"]
    assert len(found["lines"]) == 4  # of its matches, and of the table
    played, *others, table = found["lines"]
    assert played.endswith(f": ganó {name} 30–11 → 30–11 (anulado)")
    assert all(line.endswith(": sin resultado → anulado") for line in others)
    assert table.startswith("Cambia la tabla: Zona")
    lost = director.act("t.leaving", team=team, annuls=False)
    assert lost["annuls"] == []
    assert [line.endswith("30–0 (W.O.)") for line in lost["lines"][:2]] == [True, True]
    assert "Resultados suyos que quedan: 1" in lost["lines"]
    director.event("Withdraw", team=team, reason="se enfermó", annuls=found["annuls"])
    annulled = official(director, first["id"])
    assert (annulled["outcome"], annulled["score"]) == ("30–11 (anulado)", "30–11")
    assert (annulled["result"]["ending"], annulled["result"]["winner"]) == ("annulled", None)
    assert (annulled["decision"]["what"], annulled["is_decided"]) == ("Withdraw", False)
    path = f"/api/v1/tournament/teams/{first['sides'][1]['team']}"
    match = director.client.get(path).document["matches"][0]
    assert (match["outcome"], match["result"]["text"]) == ("", "anulado")
    csv = director.client.get("/desk/tables/matches.csv").body.decode("utf-8-sig")
    assert csv.count("anulado") == 3
    exported = director.client.get("/desk/tournament.json").body.decode()
    assert '"annuls":["zonas"]' in exported
    assert director.refused("t.leaving", team=team, annuls=None) == "t.withdrawn"
    restart(director)
    director.event("Return", team=team)
    assert official(director, first["id"])["outcome"] == f"ganó {name} 30–11"


def test_a_match_in_play_of_a_team_that_leaves_is_annulled_and_its_table_free(
    director: Director,
) -> None:
    table, match = match_in_play(director)
    director.event("Withdraw", team=match["sides"][1]["team"], reason="lesión", annuls=["zonas"])
    wait_for(lambda: director.tournament["free"] == [table.device])
    assert official(director, match["id"])["outcome"] == "anulado"
    # It goes on where it was when the team comes back.
    director.event("Return", team=match["sides"][1]["team"])
    director.act("t.call", match=match["id"], device=table.device)
    table.play("A award 18", "A agree", "B agree", is_new=False)
    wait_for(lambda: is_official(director, match["id"]))
    assert official(director, match["id"])["outcome"].endswith("30–0")


@pytest.mark.sampled(0)
def test_table_and_marks_stay_with_a_result_after_the_table_plays_on(director: Director) -> None:
    one, two = join(director, [4, 7])
    begin(director, EIGHT)
    first, second, third = director.tournament["queue"][:3]
    director.act("t.call", match=first["id"], device=one.device)
    one.play("A award 30", "A agree", "B agree")
    director.act("t.call", match=second["id"], device=two.device)
    two.play("A award 30", "A agree", "B contest")
    wait_for(lambda: director.state_of(second["id"]) == "contested")
    director.event("RecordResult", match=second["id"], result=won(0, [30, 0]))
    wait_for(lambda: len(director.tournament["official"]) == 2)
    before = {match["id"]: official(director, match["id"]) for match in (first, second)}
    director.act("t.call", match=third["id"], device=one.device)
    (fourth,) = director.tournament["queue"][:1]
    director.act("t.call", match=fourth["id"], device=two.device)
    wait_for(lambda: director.state_of(fourth["id"]) == "offered")
    for match, table in ((first, 4), (second, 7)):
        found = official(director, match["id"])
        assert (found["table"], found["marks"]) == (table, before[match["id"]]["marks"])
        assert found["place"] == f"Mesa {table} · oficial"
    assert official(director, first["id"])["marks"] == {
        "table": True,
        "hub": True,
        "published": True,
    }
    restart(director)
    assert official(director, first["id"])["table"] == 4


IMPOSSIBLE = {
    "level": won(0, [0, 0]) | {"games": [0, 0]},
    "games": won(0, [30, 4]) | {"games": [2, 0]},
    "points": won(0, [31, 4]),
    "winner": won(1, [4, 30]) | {"winner": 0},
}


def test_an_impossible_result_says_what_is_wrong_with_it(director: Director) -> None:
    begin(director)
    match, seen = director.tournament["queue"][0]["id"], director.tournament["seq"]
    for fault, result in IMPOSSIBLE.items():
        event = {"do": "RecordResult", "match": match, "result": result}
        for message in (
            {"do": "t.event", "event": event, "seen": seen},
            {"do": "t.questions", "match": match, "result": result},
            {"do": "t.consequences", "match": match, "result": result},
        ):
            answer = director.client.desk("/desk/act", message)
            assert (answer.status, answer.document["key"]) == (409, f"t.impossible.{fault}")
            assert answer.document["field"] == ("games" if fault == "games" else "points")
            assert answer.document["numbers"] == {"n": 1, "target": 30}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("points", "sentence"),
    [([29, 8], "29–8"), ([3, 2], "3–2"), ([5, 5], "5–5"), ([0, 0], "0"), ([30, 29], "")],
)
def test_an_unusual_result_is_asked_about(
    director: Director, points: list[int], sentence: str
) -> None:
    begin(director)
    match = director.tournament["queue"][0]["id"]
    found = director.act("t.questions", match=match, result=won(0, points))["questions"]
    assert [sentence in each for each in found] == [True] * bool(sentence)
    # A director may mean it: the team gave up.
    director.event("RecordResult", match=match, result=won(0, points))
    found = director.act("t.consequences", match=match, result=won(1, [29, 30]))
    before, after = found["consequences"]["change"].split(" → ")
    assert before.startswith("ganó Equipo") and after.endswith("30–29")


def test_a_refusal_says_who_has_decided_what(director: Director) -> None:
    (table,) = join(director, [3])
    begin(director)
    one, two = director.tournament["queue"][:2]
    seen = director.tournament["seq"]
    eva = Director(director.hub, log_in(director.hub, "eva", "director"))
    eva.event("RecordResult", match=one["id"], result=won(1, [22, 30]))
    eva.act("t.call", match=two["id"], device=table.device)

    def refusal(**message: object) -> tuple[str, str, str, str]:
        answer = director.client.desk("/desk/act", {"seen": seen, "language": "pt-BR", **message})
        assert answer.status == 409, answer.document
        change = answer.document["change"]
        return answer.document["key"], change["who"], change["what"], change["text"]

    def event(do: str, **values: object) -> Json:
        return {"do": "t.event", "event": {"do": do, **values}}

    winner = one["sides"][1]["name"]
    record = event("RecordResult", match=one["id"], result=won(0, [30, 22]))
    said = ("eva", "RecordResult", f"vitória de {winner} 30–22")
    assert refusal(**record) == ("t.changed", *said)
    # A page that has seen it gets the same.
    assert refusal(**record | {"seen": director.tournament["seq"]}) == ("t.has_result", *said)
    sides = " – ".join(side["name"] for side in two["sides"])
    called = refusal(do="t.call", match=two["id"], device=table.device)
    assert called == ("t.changed", "eva", "assign", f"Mesa 3: {sides}")
    eva.event("Withdraw", team=two["sides"][0]["team"], reason="lluvia")
    gone = event("ChangeTeam", team=two["sides"][0]["team"], name="Otro")
    assert refusal(**gone)[1:] == ("eva", "Withdraw", two["sides"][0]["name"])


def test_a_missed_round_is_taken_back(director: Director) -> None:
    director.act("t.begin", format="swiss", teams=EIGHT, replaces=director.replaces)
    assert (director.tournament["can_enter"], director.tournament["no_entry"]) == (True, "")
    phase = director.phase(0)["id"]
    seen = director.tournament["seq"]
    attend = {"do": "AttendRound", "phase": phase, "round": 1, "team": 2}
    assert director.refused("t.event", event=attend, seen=seen) == "t.not_missing"
    director.event("MissRound", phase=phase, round=1, team=2)
    assert director.phase(0)["absent"] == [2]
    director.event(**attend)
    assert (director.phase(0)["absent"], 2 in director.phase(0)["may_miss"]) == ([], True)
    director.event("Draw", seed="1")
    director.event("StartPhase", phase=phase)
    director.event("PairRound", phase=phase)
    seen = director.tournament["seq"]
    assert director.refused("t.event", event=attend, seen=seen) == "t.too_late"


def test_all_teams_are_marked_missing_until_they_come(director: Director) -> None:
    director.act("t.begin", format="swiss", teams=EIGHT, replaces=director.replaces)

    def missing() -> list[int]:
        return [each["id"] for each in director.tournament["teams"] if each["is_missing"]]

    director.event("Withdraw", team=8, reason="avisó")
    director.act("t.presence", present=False)
    assert missing() == [*range(1, 8)]
    director.event("MarkPresent", team=3)
    assert missing() == [1, 2, 4, 5, 6, 7]
    director.act("t.presence", present=True)
    assert missing() == []


def test_a_round_is_changed_by_hand_with_a_reason_and_leaves_its_tables(
    director: Director,
) -> None:
    (table,) = join(director, [1])
    director.act("t.begin", format="swiss", teams=EIGHT, replaces=director.replaces)
    director.event("Draw", seed="1")
    phase = director.phase(0)["id"]
    director.event("StartPhase", phase=phase)
    director.event("PairRound", phase=phase)
    first, second = director.tournament["queue"][:2]
    director.act("t.call", match=first["id"], device=table.device)
    one, other = (each["sides"][0]["team"] for each in (first, second))
    assert {one, other} <= set(director.phase(0)["exchangeable"])
    swap = {"do": "ExchangeTeams", "phase": phase, "one": one, "other": other}
    seen = director.tournament["seq"]
    assert director.refused("t.event", event={**swap, "reason": " "}, seen=seen) == "t.reason"
    director.event(**swap, reason="llegaron juntos")
    # Its table was called for other teams.
    wait_for(lambda: table.assigned() == {"do": "release"})
    queue = {each["id"]: each for each in director.tournament["queue"]}
    assert queue[first["id"]]["sides"][0]["team"] == other
    assert queue[second["id"]]["sides"][0]["team"] == one
    for match in [*queue]:
        director.event("RecordResult", match=match, result=won(0, [30, 0]))
    assert director.phase(0)["todo"] == "pair"
    pairs = [[1, 2], [3, 4], [5, 6], [7, 8]]
    director.event("PairByHand", phase=phase, pairs=pairs, bye=0, reason="no había cruces")
    teams = [[side["team"] for side in each["sides"]] for each in director.tournament["queue"]]
    assert teams == pairs
    for each in director.tournament["queue"]:
        director.event("RecordResult", match=each["id"], result=won(0, [30, 0]))
    director.event("EndPhase", phase=phase, reason="se hizo tarde")
    found = director.phase(0)
    assert (found["is_over"], found["todo"], found["takes_back"]) == (True, "", "end")
    before = director.tournament["phases"]
    restart(director)
    assert director.tournament["phases"] == before
    director.event("TakeBack", phase=phase)
    assert director.phase(0)["todo"] == "pair"


def test_why_no_team_can_enter_is_known(director: Director) -> None:
    begin(director)
    assert director.tournament["no_entry"] == "too_late"
