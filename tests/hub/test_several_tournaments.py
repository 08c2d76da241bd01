"""Several tournaments at once: one queue, people in two of them, the archive."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scorer.hub.tournaments import names_of
from scorer.tournament import Result
from scorer.tournament.events import Draw, Enter, RecordResult, StartPhase
from scorer.tournament.model import Ending
from tests.hub.hub_process import HubProcess
from tests.hub.joining_box import log_in
from tests.hub.open_tournaments import SharedTables
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import LIST, Director, Table, join, restart
from tests.tournament.play import Played, built_in, format_of

Json = dict[str, Any]
MAIN, OTHER = 1, 2  # tournaments
WON = Result(0, (1, 0), (30, 12), Ending.PLAYED)
ROUND_ROBIN = {"id": "z", "kind": "zones", "zones": 1}


def zones_of(teams: dict[int, str], priorities: dict[int, int] | None = None) -> SharedTables:
    """Tournaments of one zone each; every letter is a team."""
    hall = SharedTables(priorities)
    for number, names in teams.items():
        hall.begin(number, Played(format_of(ROUND_ROBIN)), names)
        for event in (Draw("20261123"), StartPhase("z")):
            hall.do(number, event)
    return hall


@pytest.mark.parametrize(
    ("priorities", "expected"),
    [
        pytest.param({}, [MAIN, OTHER], id="the longest wait"),
        pytest.param({OTHER: 1}, [OTHER, MAIN], id="first"),
        pytest.param({MAIN: 3}, [OTHER, MAIN], id="last"),
    ],
)
def test_a_tournament_is_called_by_its_priority(
    priorities: dict[int, int], expected: list[int]
) -> None:
    hall = zones_of({MAIN: "AB", OTHER: "CD"}, priorities)
    assert [key.tournament for key in hall.waiting().ready] == expected


def test_of_two_tournaments_the_match_that_waits_longest_is_called_first() -> None:
    hall = zones_of({MAIN: "ABCD", OTHER: "EFGH"})
    # Those of one tournament are free first, in the next round those of the other.
    for order in ([OTHER, MAIN], [MAIN, OTHER]):
        hall.call(range(4))
        for number in order:
            for table in [at for at, key in hall.at.items() if key.tournament == number]:
                hall.end(table, RecordResult(hall.at[table].match, WON))
        waiting = [key.tournament for key in hall.waiting().ready]
        assert waiting == [number for number in order for _ in range(2)]


def test_players_count_as_their_team_does() -> None:
    played = Played(built_in("zones_and_bracket"))
    played.do(Enter("Los Primos", ("Ana  Paz", "Beto")))
    (team,) = played.state.teams.values()
    assert names_of(team) == {"los primos", "ana paz", "beto"}


# ---- a hub --------------------------------------------------------------------------------------


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubProcess]:
    config = tmp_path / "scorer.toml"
    config.write_text("[hub]\n")
    made = HubProcess(tmp_path / "hub", config)
    made.state.mkdir()
    made.start()
    yield made
    made.stop()


@pytest.fixture
def director(hub: HubProcess) -> Director:
    return Director(hub, log_in(hub))


def begun(director: Director, teams: str, **more: object) -> int:
    """Zones that have begun beside the others; ``more``: of the form of the desk."""
    seen = director.desk["seq"]
    form = {"format": "zones_and_bracket", "teams": teams, "seen": seen, **more}
    number = director.act("t.begin", **form)["tournament"]
    for event in ({"do": "Draw", "seed": "20261123"}, {"do": "StartPhase", "phase": "zonas"}):
        seen = director.desk["seq"]
        director.act("t.event", tournament=number, event=event, seen=seen)
    director.act("t.by_itself", tournament=number, on=True)
    return int(number)


def play_all(director: Director, tables: list[Table], numbers: list[int]) -> list[str]:
    """Play the zones of these tournaments; returns the tags Hall in order."""
    played: list[str] = []
    while not all(director.read(each)["phases"][0]["is_over"] for each in numbers):
        for table in tables:
            header = table.assigned().get("header", "")
            hall = header.split('[Hall "')[1].split('"')[0] if header else ""
            if not header or hall in played:
                continue
            played.append(hall)
            table.play("A award 30", "A agree", "B agree")
            wait_for(partial(is_left, director, numbers, table, header))
    return played


def is_left(director: Director, numbers: list[int], table: Table, header: str) -> bool:
    """Whether the match of this header is official, or its table has another one."""
    open_ = (
        each
        for number in numbers
        for each in director.read(number)["tables"]
        if each["device"] == table.device and each["match"]["result"] is None
    )
    return table.assigned().get("header") != header or not any(open_)


CONSOLATION = "\n".join(f"Equipo {name}" for name in ("Ana", "Bia", "Raúl", "Sol", "Tito", "Uma"))


def test_two_tournaments_are_played_at_once_from_rows_and_archived(director: Director) -> None:
    tables = join(director, [1, 2, 3])
    main = begun(director, LIST, name="Otoño", date="2026-11-28", category="A")
    other = begun(director, CONSOLATION, name="Consuelo")
    assert other != main
    (question,) = director.desk["people"]
    assert (question["titles"], question["is_alike"]) == (["Otoño · A", "Consuelo"], False)
    names = [each["name"] for each in question["names"]]
    assert [each["text"] for each in question["names"]] == ["Equipo Ana", "Equipo Bia"]
    # Until it is answered, no name is at two tables.
    assert_no_name_twice(director)
    assert_the_wall_names_tournaments(director, {main: "Otoño", other: "Consuelo"})
    asked = {"names": names[:1], "tournaments": question["tournaments"]}
    director.act("t.people", **asked, is_same_person=False)
    assert director.refused("t.people", **asked, is_same_person=True) == "resolved"
    # A wrong click is taken back.
    (answered,) = director.desk["people_answered"]
    assert [(each["text"], each["is_same_person"]) for each in answered["names"]] == [
        ("Equipo Ana", False)
    ]
    director.act("t.people", **asked, is_same_person=None)
    assert director.desk["people_answered"] == []
    director.act("t.people", **asked, is_same_person=False)
    director.act("t.people", **{**asked, "names": names[1:]}, is_same_person=True)
    assert director.desk["people"] == []
    halls = play_all(director, tables, [main, other])
    matches = [director.read(each)["phases"][0]["matches"] for each in (main, other)]
    assert len(halls) == len(set(halls)) == sum(map(len, matches))
    # A closed one is read, refuses decisions, and is open again.
    director.act("t.close", tournament=other)
    assert [each["is_open"] for each in director.desk["tournaments"]] == [True, False]
    closed = director.read(other)
    refused = {"tournament": other, "seen": director.desk["seq"]}
    event = {"do": "StartPhase", "phase": "llave"}
    assert director.refused("t.event", event=event, **refused) == "t.closed"
    get = director.client.get
    assert get(f"/desk/paper/standings?t={other}").status == 200
    assert get(f"/api/v1/tournaments/{other}").document["title"] == "Consuelo"
    assert get("/api/v1/tournament").document["date"] == "28/11/2026"
    restart(director)
    assert director.read(other)["official"] == closed["official"]
    director.act("t.reopen", tournament=other)
    director.act("t.event", event=event, **{**refused, "seen": director.desk["seq"]})


def assert_the_wall_names_tournaments(director: Director, names: dict[int, str]) -> None:
    """The wall names the tournament of each match that the desk has at a table."""
    wall = director.client.get("/api/v1/hall").document
    assert {each["id"]: each["name"] for each in wall["tournaments"]} == names
    expected = {
        table["match"]["table"]: number
        for number in names
        for table in director.read(number)["tables"]
    }
    assert {each["table"]: each["tournament"] for each in wall["tables"]} == expected
    plain = director.client.get("/plain").body.decode()
    assert all(names[number] in plain for number in expected.values())


def assert_no_name_twice(director: Director) -> None:
    names = Counter(
        side["name"]
        for tournament in director.tournaments
        for each in tournament["tables"]
        if each["match"]["result"] is None
        for side in each["match"]["sides"]
    )
    assert names and max(names.values()) == 1


def test_a_tournament_in_play_is_not_closed(director: Director) -> None:
    (table,) = join(director, [1])
    number = begun(director, LIST)
    wait_for(lambda: "header" in table.assigned())
    assert director.refused("t.close", tournament=number) == "t.in_play"


def test_a_second_click_begins_no_second_tournament(director: Director) -> None:
    seen = director.desk["seq"]
    form = {"format": "zones_and_bracket", "teams": LIST, "seen": seen}
    director.act("t.begin", **form)
    assert director.refused("t.begin", **form) == "t.changed"


# ---- a hub of a program with one tournament at a time -------------------------------------------


def summary(tournament: Json) -> Json:
    """What the desk was shown, in few words."""
    phase_keys = ("id", "is_begun", "is_over", "todo", "official")
    at_tables = (each["match"] for each in tournament["tables"])
    return {
        "id": tournament["id"],
        "champion": tournament["champion"],
        "teams": [each["name"] for each in tournament["teams"]],
        "phases": [[each[key] for key in phase_keys] for each in tournament["phases"]],
        "official": [[each["id"], each["result"]] for each in tournament["official"]],
        "tables": [[each[key] for key in ("table", "id", "state", "points")] for each in at_tables],
    }


OLD = Path(__file__).parent / "one_tournament.sql"


def test_a_hub_with_one_tournament_at_a_time_goes_on(tmp_path: Path) -> None:
    """Its store, of that program: one tournament replaced by another, a match in play."""
    state = tmp_path / "hub"
    state.mkdir()
    with closing(sqlite3.connect(state / "hub.sqlite")) as database:
        database.executescript(OLD.read_text(encoding="utf-8"))
    config = tmp_path / "scorer.toml"
    config.write_text("[hub]\n")
    hub = HubProcess(state, config)
    hub.start()
    try:
        director = Director(hub, log_in(hub))
        before = json.loads((OLD.with_suffix(".json")).read_text(encoding="utf-8"))
        second, first = director.desk["tournaments"]
        assert (first["is_open"], second["is_open"]) == (False, True)
        assert summary(director.tournament) == before["tournament"]
        assert summary(director.read(first["id"])) == before["replaced"]
        assert director.tournament["calls_by_itself"] is True
        assert director.tournament["publish_after"] is None
        assert director.tournament["screens"] == {"TMP": {"show": "standings", "phase": "zonas"}}
        checked = hub.run("rebuild")
        assert checked.returncode == 0, checked.stdout
    finally:
        hub.stop()
