"""The name of a team is blanked at the desk: no file and no page has it any more."""

from __future__ import annotations

import json

import pytest

from tests.hub.test_desk_files import FILES, get
from tests.hub.test_server import wait_for
from tests.hub.test_several_tournaments import begun
from tests.hub.test_tournament import Director, begin, is_official, join

TEAMS = """Equipo;Jugador 1;Jugador 2;Club;Publicar
Los Ñandúes;Ana Ruiz;Luis Paz;Club Olimpo;sí
Dos;;;;
Tres;;;;
Cuatro;;;;
Cinco;;;;
Seis;;;;"""
GONE = ("Los Ñandúes", "Ana Ruiz", "Luis Paz", "Club Olimpo")


def has(director: Director, path: str) -> set[str]:
    answer = director.client.get(path)
    assert answer.status == 200, path
    text = answer.body.decode()
    plain = json.dumps(json.loads(text), ensure_ascii=False) if text.startswith("{") else text
    return {name for name in GONE if name in plain}


@pytest.mark.sampled(0)
def test_a_blanked_name_is_in_no_file_and_on_no_page(director: Director) -> None:
    (table,) = join(director, [7])
    begin(director, TEAMS)
    number = director.tournament["id"]
    seen = director.desk["seq"]
    match = next(
        each["id"]
        for each in director.read(number)["queue"]
        if "Los Ñandúes" in [side["name"] for side in each["sides"]]
    )
    director.act("t.call", tournament=number, match=match, device=table.device)
    table.play("A award 30", "A agree", "B agree")
    wait_for(lambda: is_official(director, match))
    paths = [*(f"/desk/{each}?t={number}" for each in FILES), "/e/"]
    paths += [f"/api/v1/tournaments/{number}", f"/api/v1/tournaments/{number}/teams/1"]
    assert all(has(director, path) for path in paths)
    results = [each["result"] for each in director.read(number)["official"]]
    blank = {"event": {"do": "BlankName", "team": 1}, "tournament": number}
    # Its page is older than another decision on the team.
    director.event("MarkMissing", team=1)
    assert director.refused("t.event", **blank, seen=seen) == "t.changed"
    # It is asked for in the archive too.
    director.act("t.close", tournament=number, seen=director.desk["seq"])
    director.act("t.event", **blank, seen=director.desk["seq"])
    for path in paths:
        assert has(director, path) == set(), path
    assert not [name for name in GONE if name in repr(director.read(number))]
    assert [each["result"] for each in director.read(number)["official"]] == results
    games = get(director, f"games.truco?t={number}").body
    assert games.count(b'"#1"]') == games.count(b"[Match ") == 1
    (team, *_) = director.read(number)["teams"]
    assert (team["name"], team["players"], team["consents"]) == ("#1", [], False)


def test_all_teams_that_have_a_name_consent_at_once(director: Director) -> None:
    begin(director, TEAMS)
    director.event("BlankName", team=2)
    director.act("t.consent", seen=director.desk["seq"])
    teams = director.tournament["teams"]
    assert [each["consents"] for each in teams] == [True, False, *[True] * 4]
    assert teams[0]["players"] == ["Ana Ruiz", "Luis Paz"]
    seq = director.desk["seq"]
    director.act("t.consent", seen=seq)
    assert director.desk["seq"] == seq
    director.act("t.close", seen=seq)


def test_no_name_of_another_tournament_is_asked_about_for_a_number(director: Director) -> None:
    one, other = begun(director, TEAMS), begun(director, TEAMS.replace("Dos", "Otra"))
    for number in (one, other):
        event = {"do": "BlankName", "team": 1}
        director.act("t.event", tournament=number, event=event, seen=director.desk["seq"])
    names = [each["text"] for asked in director.desk["people"] for each in asked["names"]]
    assert names == ["Tres", "Cuatro", "Cinco", "Seis"]
