"""A tournament from the list to the champion: desk, tables and rows."""

from __future__ import annotations

import itertools
import json
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from scorer.hall import wire
from scorer.hall.events import Desired, Release, Resend
from scorer.hall.rows import Opening, Row, digest_in
from scorer.hall.wire import CallRequest
from scorer.hub import pages
from scorer.hub.tournament_actions import VIEWS
from tests.hub.boxes import HEADER, greet, row, rows_message
from tests.hub.hub_process import Client, HubProcess
from tests.hub.joining_box import JoiningBox, join_box, log_in
from tests.hub.test_server import wait_for

LIST = "\n".join(f"Equipo {name}" for name in ("Ana", "Bia", "Caio", "Dora", "Ema", "Fito"))
EIGHT = f"{LIST}\nEquipo Gina\nEquipo Hugo"
TV = (Path(pages.__file__).parent / "tv.js").read_text("utf-8")
Json = dict[str, Any]
TOKENS = (f"{number:032x}" for number in itertools.count(1))


@dataclass
class Table:
    """A box that plays what the hub assigns to it.

    ``minutes``: how long ago its first rows were written when it sends the next ones.
    """

    hub: HubProcess
    box: JoiningBox
    number: int
    device: int = 0
    seq: int = 0
    game: int = 0
    prev: str = ""
    minutes: int = 0

    def assigned(self) -> Json:
        """The newest assignment of the table."""
        with closing(sqlite3.connect(self.hub.state / "hub.sqlite")) as database:
            query = "SELECT document FROM desired WHERE device = ?"
            found = database.execute(query, (self.device,)).fetchone()
        return {} if found is None else dict(json.loads(found[0]))

    @property
    def hall(self) -> str:
        """The tag Hall of the newest assignment."""
        return str(self.assigned()["header"]).split('[Hall "')[1].split('"')[0]

    def play(self, *lines: str, is_new: bool = True, header: str = "") -> None:
        """Send the rows of the assigned match; the first opens its game.

        ``header``: of a game that the table opens by itself.
        """
        openings: tuple[Opening, ...] = ()
        if is_new:
            self.game += 1
            header = header or self.assigned()["header"]
            openings = (Opening(self.game, self.seq + 1, header),)
        rows: list[Row] = []
        for line in lines:
            self.seq += 1
            made = row(self.seq, line, self.game)
            passed = made.monotonic_ms + self.minutes * 60_000
            rows.append(made._replace(monotonic_ms=passed, trusted=False))
        message = rows_message(rows, openings=openings, prev=self.prev)
        answer = self.box.client.post(wire.ROWS_PATH, wire.encode(message), self.box.token)
        assert (answer.status, answer.document) == (200, {"last": self.seq})
        self.prev = digest_in(rows[-1], openings)


@dataclass
class Director:
    """The desk over HTTPS."""

    hub: HubProcess
    client: Client

    def act(self, do: str, **values: object) -> Json:
        answer = self.client.desk("/desk/act", {"do": do, **values})
        assert answer.status == 200, answer.document
        return dict(answer.document)

    def refused(self, do: str, **values: object) -> str:
        answer = self.client.desk("/desk/act", {"do": do, **values})
        assert answer.status == 409, answer
        return str(answer.document["key"])

    def event(self, do: str, **values: object) -> Json:
        return self.act("t.event", event={"do": do, **values}, seen=self.tournament["seq"])

    @property
    def desk(self) -> Json:
        return dict(self.client.get("/desk/state").document)

    @property
    def tournament(self) -> Json:
        return self.read()

    def read(self, tournament: int = 0) -> Json:
        """A tournament as the desk has it; 0: the first open one."""
        found = self.client.get(f"/desk/state?t={tournament or ''}").document["tournament"]
        assert isinstance(found, dict)
        return found

    @property
    def tournaments(self) -> list[Json]:
        """The open ones, the oldest first."""
        found = self.client.get("/desk/state?others=yes").document
        return [found["tournament"], *found["others"]] if found["tournament"] else []

    @property
    def replaces(self) -> int:
        """The tournament that a new one replaces, or 0."""
        found = self.desk["tournament"]
        return found["id"] if found else 0

    def phase(self, at: int) -> Json:
        found = self.tournament["phases"][at]
        assert isinstance(found, dict)
        return found

    def state_of(self, match: str) -> str:
        listed = [*self.tournament["queue"], *(each["match"] for each in self.tournament["tables"])]
        return next((str(each["state"]) for each in listed if each["id"] == match), "")


def restart(director: Director) -> None:
    """Kill the hub and start it again; a session outlasts that."""
    cookie = director.client.cookie
    director.hub.kill()
    director.hub.start()
    director.client = director.hub.client()
    director.client.cookie = cookie


def join(director: Director, numbers: Iterable[int], replaces: int = 0) -> list[Table]:
    """Boxes at these tables, each greeted.

    ``replaces``: the one that gives up its table.
    """
    tables = []
    for number in numbers:
        box = join_box(director.hub, director.client, next(TOKENS), number, replaces)
        assert box.client.post(wire.GREET_PATH, wire.encode(greet()), box.token).status == 200
        tables.append(Table(director.hub, box, number))
    devices = {each["table"]: each["device"] for each in director.desk["boxes"]}
    for table in tables:
        table.device = devices[table.number]
    return tables


def begin(director: Director, teams: str = LIST) -> None:
    director.act("t.begin", format="zones_and_bracket", teams=teams, replaces=director.replaces)
    director.event("Draw", seed="20261123")
    director.event("StartPhase", phase="zonas")


def test_a_tournament_is_played_from_the_list_to_the_champion(director: Director) -> None:
    tables = join(director, [1, 2])
    checked = director.act("t.check", format="zones_and_bracket", teams=LIST, language="en")
    assert (checked["has_errors"], checked["teams"]) == (False, 6)
    begin(director)
    director.act("t.by_itself", on=True)
    played = 0
    wait_for(lambda: "header" in tables[0].assigned())
    assert tables[0].assigned()["tolerance"] == 15 * 60
    while not director.phase(1)["is_over"]:
        for table in tables:
            if director.phase(0)["is_over"] and director.phase(1)["todo"] == "start":
                director.event("StartPhase", phase="llave")
            header = table.assigned().get("header", "")
            if not header or table_is_over(director, table):
                continue
            win = ["A award 30"] if "best_of=3" not in header else SERIES
            table.play(*win, "A agree", "B agree")
            played += 1
            match = header.split('[Match "')[1].split('"')[0]
            wait_for(partial(is_official, director, match))
    assert played == 2 * 3 + 4
    # Restarted from its log, the hub shows the same.
    before = director.tournament
    restart(director)
    assert {**director.tournament, "free": []} == {**before, "free": []}
    check_export(director)


def test_a_play_off_is_begun_at_the_desk_and_called_by_itself(director: Director) -> None:
    (table,) = join(director, [1])
    director.act("t.begin", format="zones_and_playoffs", teams=LIST, replaces=director.replaces)
    director.event("Draw", seed="20261123")
    director.event("StartPhase", phase="zonas")
    play_in_circles(director)
    assert (director.phase(0)["todo"], director.phase(0)["is_over"]) == ("playoff", False)
    director.event("PairRound", phase="zonas")
    assert director.phase(0)["todo"] == ""
    director.act("t.by_itself", on=True)
    played = 0
    while not director.phase(0)["is_over"]:
        match = table.assigned()["header"].split('[Match "')[1].split('"')[0]
        table.play("A award 30", "A agree", "B agree")
        played += 1
        wait_for(partial(is_official, director, match))
        wait_for(lambda: director.phase(0)["is_over"] or not table_is_over(director, table))
    assert played == 6
    bracket = director.phase(1)
    assert (bracket["todo"], bracket["absent"]) == ("start", [])


def test_a_play_off_that_is_not_needed_any_more_leaves_its_table(director: Director) -> None:
    (table,) = join(director, [1])
    director.act("t.begin", format="zones_and_playoffs", teams=LIST, replaces=director.replaces)
    director.event("Draw", seed="20261123")
    director.event("StartPhase", phase="zonas")
    play_in_circles(director)
    director.event("PairRound", phase="zonas")
    playoff = director.tournament["queue"][0]
    director.act("t.call", match=playoff["id"], device=table.device)
    teams = {side["team"] for side in playoff["sides"]}
    match = next(
        each
        for each in director.tournament["official"]
        if {side["team"] for side in each["sides"]} == teams
    )
    winner = 1 - match["result"]["winner"]
    games, points = ([1, 0], [30, 0]) if winner == 0 else ([0, 1], [0, 30])
    result = {"winner": winner, "games": games, "points": points, "ending": "played"}
    director.event("CorrectResult", match=match["id"], result=result, reason="typed wrong")
    assert table.assigned()["do"] == "release"
    assert table.device in director.tournament["free"]


def play_in_circles(director: Director) -> None:
    """In each zone of three teams every one wins once, by the same score."""
    for match in director.phase(0)["matches"]:
        document = next(each for each in director.tournament["queue"] if each["id"] == match)
        teams = [side["team"] for side in document["sides"]]
        zone = zone_of(director, teams[0])
        winner = 0 if (zone.index(teams[1]) - zone.index(teams[0])) % 3 == 1 else 1
        games, points = ([1, 0], [30, 0]) if winner == 0 else ([0, 1], [0, 30])
        result = {"winner": winner, "games": games, "points": points, "ending": "played"}
        director.event("RecordResult", match=match, result=result)


def zone_of(director: Director, team: int) -> list[int]:
    """The teams of the zone of a team, in the order of their numbers."""
    found = director.client.get(f"/api/v1/tournament/teams/{team}").document
    return sorted(row["team"] for row in found["standings"][0]["rows"])


def check_export(director: Director) -> None:
    """The file of a tournament makes the same one in an empty hub, and the same file."""
    folder = director.hub.state
    first, second = folder / "first.json", folder / "second.json"
    assert director.hub.run("tournament", "export", str(first)).returncode == 0
    other = HubProcess(folder / "other", director.hub.config)
    other.state.mkdir()
    # Beside the tournament of this hub, too.
    for hub in (other, director.hub):
        imported = hub.run("tournament", "import", str(first))
        assert imported.returncode == 0
        number = imported.stdout.partition(":")[0]
        exported = hub.run("tournament", "export", str(second), "--tournament", number)
        assert exported.returncode == 0
        assert first.read_bytes() == second.read_bytes()
    unnamed = director.hub.run("tournament", "export", str(second))
    assert (unnamed.returncode, "several tournaments" in unnamed.stderr) == (1, True)
    assert director.hub.run("tournament", "close", "--tournament", number).returncode == 0
    assert f"{number}: closed" in director.hub.run("tournament", "list").stdout


SERIES = ("A award 30", "- new_hand", "A award 30")


def is_official(director: Director, match: str, tournament: int = 0) -> bool:
    """Whether no match without a result is at a table under this id."""
    return not any(
        each["match"]["id"] == match and each["match"]["result"] is None
        for each in director.read(tournament)["tables"]
    )


def table_is_over(director: Director, table: Table) -> bool:
    """Whether the match at a table is official."""
    return not any(
        each["device"] == table.device and each["match"]["result"] is None
        for each in director.tournament["tables"]
    )


def test_a_contested_match_waits_for_the_director_and_is_decided_on_paper(
    director: Director,
) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = director.tournament["queue"][0]["id"]
    director.act("t.call", match=match, device=table.device)
    assert director.state_of(match) == "offered"
    table.play("A award 30", "A agree", "B contest")
    wait_for(lambda: director.state_of(match) == "contested")
    call = wire.encode(CallRequest("c1", match, "contest"))
    assert table.box.client.post(wire.CALL_PATH, call, table.box.token).status == 200
    wait_for(lambda: kinds(director) == ["call.contest"])
    result = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "played"}
    director.event("RecordResult", match=match, result=result)
    wait_for(lambda: is_official(director, match))
    # The result answers the call; a later call is another one.
    wait_for(lambda: kinds(director) == [])
    call = wire.encode(CallRequest("c2", match, "contest"))
    assert table.box.client.post(wire.CALL_PATH, call, table.box.token).status == 200
    wait_for(lambda: kinds(director) == ["call.contest"])
    (alarm,) = director.desk["alarms"]
    director.act("resolve", alarm=alarm["id"], how="ignore")
    # Another result of the same match needs a reason, and lists what follows.
    other = {"winner": 1, "games": [0, 1], "points": [12, 30], "ending": "played"}
    found = director.act("t.consequences", match=match, result=other)["consequences"]
    assert found["blocking"] == []
    seen = director.tournament["seq"]
    event = {"do": "CorrectResult", "match": match, "result": other, "reason": ""}
    assert director.refused("t.event", event=event, seen=seen) == "t.reason"
    director.event("CorrectResult", match=match, result=other, reason="planilla mal copiada")
    # The rows of the table say another result: an alarm, and nothing is changed.
    wait_for(lambda: "result" in [each["kind"] for each in director.desk["alarms"]])


def test_a_walkover_frees_the_table_and_a_match_moves_while_it_is_played(
    director: Director,
) -> None:
    second, first = join(director, [1, 2])
    begin(director)
    match = director.tournament["queue"][0]["id"]
    director.act("t.call", match=match, device=first.device)
    first.play("A award 3")
    wait_for(lambda: director.state_of(match) == "playing")
    assert director.refused("t.call", match=match, device=first.device) == "t.not_free"
    director.act("t.call", match=match, device=second.device)
    assert first.assigned() == {"do": "release"}
    assert director.state_of(match) == "offered"
    result = {"winner": 1, "games": [0, 1], "points": [0, 30], "ending": "walkover"}
    director.event("RecordResult", match=match, result=result, reason="no llegó")
    wait_for(lambda: second.assigned() == {"do": "release"})
    # The longest free one first: desk.md.
    assert director.tournament["free"] == [first.device, second.device]


def test_a_result_ends_by_a_decision_or_by_two_absences(director: Director) -> None:
    helper = log_in(director.hub, "helper", "desk")
    director.act("t.begin", format="lnt", teams=LNT, replaces=director.replaces)
    director.event("Draw", seed="20261123")
    director.event("StartPhase", phase="zonas")
    one, two = director.tournament["queue"][:2]
    assert (one["has_cap"], one["has_draws"]) == (False, True)
    none = {"winner": None, "games": [0, 0], "points": [0, 0], "ending": "walkover"}
    decided = {"winner": 0, "games": [1, 1], "points": [30, 30], "ending": "decided"}
    for match, result in ((one, none), (two, decided)):
        event = {"do": "RecordResult", "match": match["id"], "result": result, "reason": "acta"}
        message = {"do": "t.event", "event": event, "seen": director.tournament["seq"]}
        is_decided = result is decided
        # What the director decides is not a helper's.
        assert (helper.desk("/desk/act", message).status == 403) is is_decided
        if is_decided:
            director.act("t.event", event=event, seen=message["seen"])
        assert director.tournament["official"][0]["result"] == {
            **result,
            "is_absence": result is none,
            "text": "W.O." if result is none else "decidido por el director",
        }


LNT = "\n".join(f"Equipo {at}" for at in range(1, 41))


def test_a_stale_decision_is_refused_and_another_subject_is_not(director: Director) -> None:
    begin(director)
    seen = director.tournament["seq"]
    one, other = (each["id"] for each in director.tournament["queue"][:2])
    result = {"winner": 0, "games": [1, 0], "points": [30, 4], "ending": "played"}
    event = {"do": "RecordResult", "result": result}
    director.act("t.event", event={**event, "match": one}, seen=seen)
    annul = {"do": "AnnulResult", "match": one, "reason": "otra mesa"}
    assert director.refused("t.event", event=annul, seen=seen) == "t.changed"
    director.act("t.event", event={**event, "match": other}, seen=seen)
    again = {"format": "zones_and_bracket", "teams": LIST, "replaces": 0}
    assert director.refused("t.begin", **again) == "t.changed"


def test_a_team_that_enters_has_the_texts_of_a_list(director: Director) -> None:
    director.act("t.begin", format="swiss", teams=EIGHT, replaces=director.replaces)
    seen = director.tournament["seq"]
    for name in ("x" * 41, "=1+1", "a\u202eb"):
        for event in ({"do": "Enter"}, {"do": "ChangeTeam", "team": 1}):
            assert (
                director.refused("t.event", event={**event, "name": name}, seen=seen) == "t.cells"
            )
    found = director.act("t.check", format="", teams="Equipo Anna\t", language="en")
    assert found["has_errors"] is False and "Equipo Ana" in found["lines"][0]
    # A team that is changed is not compared with itself.
    line = {"format": "", "teams": "Equipo Ana\tJosé Pérez\tEva Sol", "language": "en"}
    assert director.act("t.check", **line)["has_errors"] is True
    assert director.act("t.check", **line, team=1)["lines"] == []
    director.event("Enter", name="Equipo Iris")
    assert [each["name"] for each in director.tournament["teams"]][-1] == "Equipo Iris"


def test_what_can_be_decided_on_a_phase_is_shown(director: Director) -> None:
    director.act("t.begin", format="swiss", teams=EIGHT, replaces=director.replaces)
    keys = ("next_round", "may_miss", "absent", "takes_back", "may_enter_again")
    assert [director.phase(0)[key] for key in keys] == [1, [*range(1, 9)], [], "", []]
    director.event("Draw", seed="1")
    director.event("MissRound", phase=director.phase(0)["id"], round=1, team=2)
    assert [director.phase(0)[key] for key in keys[1:3]] == [[1, *range(3, 9)], [2]]
    director.event("StartPhase", phase=director.phase(0)["id"])
    assert director.phase(0)["takes_back"] == "start"
    director.event("PairRound", phase=director.phase(0)["id"])
    now = [director.phase(0)[key] for key in ("takes_back", "paired", "next_round")]
    assert now == ["round", 1, 2]
    assert director.tournament["can_enter"] is True
    begin(director)
    assert (director.phase(0)["next_round"], director.phase(0)["may_miss"]) == (0, [])
    assert (director.phase(0)["takes_back"], director.tournament["can_enter"]) == ("start", False)
    won = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "played"}
    director.event("RecordResult", match=director.tournament["queue"][0]["id"], result=won)
    assert director.phase(0)["takes_back"] == ""


def test_every_result_is_found_by_phase_and_team(director: Director) -> None:
    director.act("t.begin", format="lnt", teams=LNT, replaces=director.replaces)
    director.event("Draw", seed="20261123")
    director.event("StartPhase", phase="zonas")
    absent = {"winner": None, "games": [0, 0], "points": [0, 0], "ending": "walkover"}
    listed = [each["id"] for each in director.tournament["queue"]][:20]
    for match in listed:
        director.event("RecordResult", match=match, result=absent, reason="lluvia")
    while len(listed) < 45:
        match = director.tournament["queue"][0]
        listed.append(match["id"])
        director.event("RecordResult", match=match["id"], result=absent, reason="lluvia")
    assert len(director.tournament["official"]) == 40
    found = director.act("t.results", phase="zonas", team=0)["results"]
    assert [each["id"] for each in found] == listed[::-1]
    team = found[-1]["sides"][0]["team"]
    of_team = director.act("t.results", phase="", team=team)["results"]
    assert found[-1] == of_team[-1]
    assert all(team in [side["team"] for side in each["sides"]] for each in of_team)
    assert director.act("t.results", phase="final", team=0)["results"] == []


def test_a_stale_call_is_refused_with_who_decided_what_and_when(director: Director) -> None:
    one, two = join(director, [1, 2])
    begin(director)
    first, second = (each["id"] for each in director.tournament["queue"][:2])
    other = Director(director.hub, log_in(director.hub, "eva", "director"))

    def stale(do: str, **values: object) -> str:
        """The newest decision that the refusal names."""
        answer = director.client.desk("/desk/act", {"do": do, "seen": seen, **values})
        assert (answer.status, answer.document["key"]) == (409, "t.changed"), answer.document
        change = answer.document["change"]
        assert change["who"] == "eva" and change["at"].endswith("Z")
        return str(change["what"])

    seen = director.tournament["seq"]
    other.act("t.call", match=first, device=one.device)
    # The same match at another table, another match at the same table.
    assert stale("t.call", match=first, device=two.device) == "assign"
    assert stale("t.call", match=second, device=one.device) == "assign"
    assert stale("t.take_back", match=first) == "assign"
    director.act("t.call", match=second, device=two.device, seen=seen)
    seen = director.tournament["seq"]
    other.act("t.take_back", match=first)
    assert stale("t.call", match=second, device=one.device) == "release"
    result = {"winner": 1, "games": [0, 1], "points": [0, 30], "ending": "played"}
    other.event("RecordResult", match=second, result=result)
    assert stale("t.publish", match=second) == "RecordResult"
    assert stale("t.exchange", match=first, other=second) == "RecordResult"
    other.act("t.by_itself", on=True)
    assert stale("t.by_itself", on=False) == "calls_by_itself"
    other.act("t.publish_after", minutes=5)
    assert stale("t.publish_after", minutes=10) == "publish_after"
    # The page shows the matches of the tournament before, whose names are the same.
    begin(other)
    assert stale("t.call", match=first, device=one.device) == "begun"
    event = {"do": "RecordResult", "match": first, "result": result}
    assert stale("t.event", event=event) == "begun"


def test_a_list_with_errors_creates_nothing(director: Director) -> None:
    wrong = {
        "Ana\nana": "Line 2",
        "=1+1": "formula",
        "A;b;c;d;e;f;g;h;i;j;k;l;m": "Line 1",
        "Ana\nBia": "needs 6",
    }
    before = director.replaces
    for listed, sentence in wrong.items():
        message = {"format": "zones_and_bracket", "teams": listed, "replaces": 0}
        found = director.act("t.check", **message, language="en")
        assert found["has_errors"] and sentence in " ".join(found["lines"])
        assert director.refused("t.begin", **message) == "t.list"
    assert director.replaces == before


def test_the_first_teams_of_a_list_are_shown_as_they_are_read(director: Director) -> None:
    listed = "Los Ñatos;Ana Ruiz;Beto Paz;Norte\nLa Yunta;Caio Luna;Dora Mar;Norte"
    found = director.act("t.check", format="swiss", teams=listed, language="pt-BR")
    assert found["preview"] == {
        "title": "As primeiras equipes, como são lidas:",
        "columns": ["equipe", "jogadores", "clube"],
        "rows": [
            [["Los Ñatos"], ["Ana Ruiz", "Beto Paz"], ["Norte"]],
            [["La Yunta"], ["Caio Luna", "Dora Mar"], ["Norte"]],
        ],
    }


def test_a_long_list_is_read_whole(director: Director) -> None:
    lines = [f"Equipo {at};Jugador {at};Jugadora {at};Suplente {at};Club {at}" for at in range(300)]
    full = {"format": "zones_and_bracket", "teams": "\n".join(lines), "language": "es-AR"}
    found = director.act("t.check", **full)
    assert found["teams"] == 256
    assert found["lines"] == ["Línea 257: el torneo tiene lugar para 256 equipos"]
    teams = "\n".join(lines[:256])
    director.act("t.begin", **{**full, "teams": teams}, replaces=director.replaces)
    assert len(director.tournament["teams"]) == 256


def test_a_missing_team_is_not_called_and_loses_by_walkover(director: Director) -> None:
    begin(director)
    match = director.tournament["queue"][0]
    director.event("MarkMissing", team=match["sides"][0]["team"])
    assert [each["id"] for each in director.tournament["missing"]][:1] == [match["id"]]
    director.act("t.by_itself", on=True)
    (table,) = join(director, [1])
    wait_for(lambda: director.tournament["tables"])
    assert director.tournament["tables"][0]["match"]["id"] != match["id"]
    assert table.device not in director.tournament["free"]
    result = {"winner": 1, "games": [0, 1], "points": [0, 30], "ending": "walkover"}
    seen = director.tournament["seq"]
    event = {"do": "RecordResult", "match": match["id"], "result": result}
    assert director.refused("t.event", event=event, seen=seen) == "t.reason"
    director.event("RecordResult", match=match["id"], result=result, reason="no llegó")
    decision = director.tournament["official"][0]["decision"]
    assert (decision["who"], decision["reason"]) == ("ana", "no llegó")
    assert match["id"] not in {each["id"] for each in director.tournament["missing"]}


def test_the_desk_decides_what_a_television_shows(director: Director) -> None:
    begin(director)
    director.act("t.screen", screen="ABC", show="standings", phase="zonas")
    director.act("t.screen", screen="TMP", show="where")
    public = director.client.get("/api/v1/tournament").document
    assert public["screens"] == {
        "ABC": {"show": "standings", "phase": "zonas"},
        "TMP": {"show": "where"},
    }
    wrong = {"do": "t.screen", "screen": "ABC", "show": "nothing"}
    assert director.client.desk("/desk/act", wrong).status == 400
    # What a screen of this name reads.
    assert all(f'"{view}"' in TV for view in VIEWS)


def test_a_screen_gets_the_tournament_again_only_after_a_change(director: Director) -> None:
    path = "/api/v1/tournament?lang=pt-BR"
    begin(director)
    first = director.client.get(path)
    assert first.document["title"] == "Grupos e chave"
    assert director.client.get("/api/v1/tournament").document["title"] == "Zonas y llave"
    known = {"If-None-Match": first.headers["etag"]}
    again = director.client.request("GET", path, b"", known)
    assert (again.status, again.body) == (304, b"")
    director.act("t.screen", screen="ABC", show="where")
    changed = director.client.request("GET", path, b"", known)
    assert (changed.status, "ABC" in changed.document["screens"]) == (200, True)


def test_a_team_does_not_wait_for_a_table_while_the_other_one_plays(director: Director) -> None:
    (table,) = join(director, [1])
    begin(director)
    queue = director.tournament["queue"]
    director.act("t.call", match=queue[0]["id"], device=table.device)
    walkover = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "walkover"}
    director.event("RecordResult", match=queue[1]["id"], result=walkover, reason="no llegó")
    rows = director.client.get("/api/v1/tournament").document["where"]
    states = {row["match"]["id"]: row["match"]["state"] for row in rows}
    ready = {each["id"] for each in director.tournament["queue"]}
    assert {match for match, state in states.items() if state == "ready"} == ready & states.keys()
    assert states[queue[0]["id"]] == "offered"
    assert "later" in states.values()
    team = next(row for row in rows if row["match"]["state"] == "later")["team"]
    document = director.client.get(f"/api/v1/tournament/teams/{team}").document
    assert document["next"]["state"] == "later"


def test_results_are_published_with_the_last_of_their_round(director: Director) -> None:
    tables = join(director, [1, 2])
    begin(director)
    director.act("t.publish_after", minutes=None)
    first_round = [
        each["id"] for each in director.tournament["queue"] if each["stage"]["round"] == 1
    ]
    assert len(first_round) == 2
    for match, table in zip(first_round, tables, strict=True):
        director.act("t.call", match=match, device=table.device)
    tables[0].play("A award 30", "A agree", "B agree")
    wait_for(lambda: director.state_of(first_round[0]) == "agreed")
    (marks,) = (
        each["match"]["marks"]
        for each in director.tournament["tables"]
        if each["match"]["id"] == first_round[0]
    )
    assert marks == {"table": True, "hub": True, "published": False}
    tables[1].play("A award 30", "A agree", "B agree")
    wait_for(lambda: len(director.tournament["official"]) == 2)
    assert all(each["marks"]["published"] for each in director.tournament["official"])


def test_a_table_whose_match_is_agreed_is_called_before_the_round_is_over(
    director: Director,
) -> None:
    (table,) = join(director, [1])
    begin(director)
    director.act("t.publish_after", minutes=None)
    director.act("t.by_itself", on=True)
    for official in range(3):
        wait_for(lambda: director.state_of(match_at(table)) == "offered")
        assert len(director.tournament["official"]) == official
        table.play("A award 30", "A agree", "B agree")


def match_at(table: Table) -> str:
    """The match that the table was assigned last, or ""."""
    header = str(table.assigned().get("header", ""))
    return header.split('[Match "')[1].split('"')[0] if header else ""


def test_an_agreed_result_is_published_by_hand_and_the_setting_survives_a_kill(
    director: Director,
) -> None:
    (table,) = join(director, [1])
    begin(director)
    assert director.tournament["publish_after"] == 0
    director.act("t.publish_after", minutes=600)
    match = director.tournament["queue"][0]["id"]
    director.act("t.call", match=match, device=table.device)
    assert director.refused("t.publish", match=match) == "t.not_agreed"
    table.play("A award 30", "A agree", "B agree")
    restart(director)
    assert director.tournament["publish_after"] == 600
    assert director.tournament["official"] == []
    director.act("t.publish", match=match)
    assert [each["id"] for each in director.tournament["official"]] == [match]
    assert director.act("t.why", match=match)["why"] == [
        "Todos los equipos de la zona 1 se enfrentan."
    ]
    assert director.refused("t.why", match="none") == "t.unknown_match"


def test_a_match_that_moves_goes_on_where_it_was(director: Director) -> None:
    first, second = join(director, [1, 2])
    begin(director)
    match = director.tournament["queue"][0]["id"]
    director.act("t.call", match=match, device=first.device)
    first.play("A award 12", "B award 9")
    wait_for(lambda: director.state_of(match) == "playing")
    director.act("t.call", match=match, device=second.device)
    assert '[Start "A=12 B=9"]' in second.assigned()["header"]
    second.play("A award 18", "A agree", "B agree")
    wait_for(lambda: is_official(director, match))
    result = director.tournament["official"][0]["result"]
    assert (result["games"], result["points"]) == ([1, 0], [30, 9])


def test_a_spare_box_takes_up_the_series_of_a_broken_one(director: Director) -> None:
    begin(director)
    win_zones(director)
    director.event("StartPhase", phase="llave")
    (broken,) = join(director, [1])
    match = director.tournament["queue"][0]["id"]
    director.act("t.call", match=match, device=broken.device)
    broken.play("A award 30", "- new_hand", "A award 4", "B award 7")
    wait_for(lambda: director.state_of(match) == "playing")
    (spare,) = join(director, [1], broken.device)
    wait_for(lambda: match in [each["id"] for each in director.tournament["queue"]])
    director.act("t.call", match=match, device=spare.device)
    header = spare.assigned()["header"]
    assert '[Start "A=4 B=7"]' in header and '[Games "A=1 B=0"]' in header
    spare.play("A award 26", "A agree", "B agree")
    wait_for(lambda: is_official(director, match))
    result = director.tournament["official"][0]["result"]
    assert (result["games"], result["points"]) == ([2, 0], [60, 7])


def test_a_box_at_the_number_of_another_one_is_accepted_only_as_its_successor(
    director: Director,
) -> None:
    (table,) = join(director, [7])
    box = JoiningBox(director.hub.client(), director.hub.pin, next(TOKENS))
    box.show_digits()
    accept = {"key": box.key, "table": 7}
    for values in ({}, {"replaces": 0}, {"replaces": table.device + 1}):
        assert director.refused("accept", **accept, **values) == "occupied"
    assert [each["device"] for each in director.desk["boxes"]] == [table.device]
    assert director.desk["boxes"][0]["minutes"] == 0
    assert table.device not in replaced(director)
    director.act("accept", **accept, replaces=table.device)
    assert replaced(director)[table.device]["table"] == 7
    assert replaced(director)[table.device]["machine"] == "a91c"


def replaced(director: Director) -> dict[int, Json]:
    """The boxes that have lost their tables."""
    return {each["device"]: each for each in director.desk["replaced"]}


def test_a_box_that_was_replaced_by_mistake_goes_on_with_its_match(director: Director) -> None:
    (table,) = join(director, [7])
    begin(director)
    match = director.tournament["queue"][0]["id"]
    director.act("t.call", match=match, device=table.device)
    table.play("A award 12")
    (other,) = join(director, [7], table.device)
    # Its rows are held, and its match is called to the next free table.
    message = wire.encode(rows_message([row(2, "B award 3")], first=2, prev=table.prev))
    assert table.box.client.post(wire.ROWS_PATH, message, table.box.token).status == 423
    director.act("t.call", match=match, device=other.device)
    # The mistake is mended in either order: the other box gets the number that was meant.
    assert director.refused("reinstate", device=table.device, table=7) == "occupied"
    director.act("name", device=other.device, table=8, name="")
    stream = director.hub.client().events(wire.EVENTS_PATH, table.box.token)
    director.act("reinstate", device=table.device, table=7)
    assert Resend() in [stream.next(), stream.next(), stream.next()]
    (at,) = director.tournament["tables"]
    assert (at["device"], at["match"]["id"], at["match"]["table"]) == (table.device, match, 7)
    assert other.assigned() == {"do": "release"}
    table.play("B award 3", is_new=False)
    wait_for(lambda: director.tournament["tables"][0]["match"]["points"] == [12, 3])
    assert table.device not in replaced(director)
    assert director.refused("reinstate", device=table.device, table=7) == "gone"


def test_a_match_of_a_box_that_comes_back_in_place_of_the_other_one(director: Director) -> None:
    (table,) = join(director, [7])
    begin(director)
    match = director.tournament["queue"][0]["id"]
    director.act("t.call", match=match, device=table.device)
    table.play("A award 12")
    (other,) = join(director, [7], table.device)
    director.act("t.call", match=match, device=other.device)
    director.act("reinstate", device=table.device, table=7, replaces=other.device)
    (at,) = director.tournament["tables"]
    assert (at["device"], at["match"]["id"], at["match"]["state"]) == (
        table.device,
        match,
        "playing",
    )
    assert other.device in replaced(director)
    # The hub shows the same after a restart.
    restart(director)
    assert [each["device"] for each in director.desk["boxes"]] == [table.device]


def test_a_semifinal_is_corrected_after_the_final_in_one_decision(director: Director) -> None:
    begin(director)
    win_zones(director)
    director.event("StartPhase", phase="llave")
    won = {"winner": 0, "games": [2, 0], "points": [60, 0], "ending": "played"}
    while queue := director.tournament["queue"]:
        director.event("RecordResult", match=queue[0]["id"], result=won)
    ends = director.tournament["official"][:2]
    (final,) = (each for each in ends if each["stage"]["key"] == "final")
    semifinal = final["sides"][0]["winner_of"]
    lost = {"winner": 1, "games": [0, 2], "points": [0, 60], "ending": "played"}
    change = {"match": semifinal, "result": lost, "reason": "planilla"}
    event = {"do": "CorrectResult", **change}
    before = director.tournament["seq"]
    assert director.refused("t.event", event=event, seen=before) == "t.rests"
    found = director.act("t.consequences", match=semifinal, result=lost)["consequences"]
    blocking = found["blocking"]
    assert len(found["lines"]) >= len(blocking)
    assert sorted(blocking) == sorted(each["id"] for each in ends)
    # The page has listed something else, or a phase that does not change.
    assert director.refused("t.correct", **change, seen=before) == "t.changed"
    listed = {**change, "seen": before, "annuls": blocking}
    assert director.refused("t.correct", **listed, takes_back=["llave"]) == "t.changed"
    assert director.refused("t.correct", **{**listed, "reason": " "}) == "t.reason"
    assert director.tournament["seq"] == before
    director.act("t.correct", **listed)
    assert director.tournament["seq"] == before + 3
    waiting = {each["id"]: each["sides"][0]["name"] for each in director.tournament["queue"]}
    assert waiting.keys() == set(blocking)
    assert waiting[final["id"]] != final["sides"][0]["name"]
    assert director.tournament["champion"] == ""


def test_a_correction_takes_back_the_start_of_a_phase_with_other_teams(director: Director) -> None:
    begin(director)
    win_zones(director)
    director.event("StartPhase", phase="llave")
    for match in director.tournament["official"]:
        other = {"winner": 1, "games": [0, 1], "points": [0, 30], "ending": "played"}
        found = director.act("t.consequences", match=match["id"], result=other)["consequences"]
        if found["begun"]:
            break
    (begun,) = found["begun"]
    text = "Llave empezó con otros equipos y todavía no tiene resultados. ¿Anular su comienzo?"
    assert begun == {"id": "llave", "text": text}
    leaving = re.findall("^Llave: (.*) → ", "\n".join(found["lines"]), re.MULTILINE)[0].split(", ")
    change = {"match": match["id"], "result": other, "reason": "planilla"}
    director.act("t.correct", **change, seen=director.tournament["seq"], takes_back=["llave"])
    assert director.phase(1)["todo"] == "start"
    director.event("StartPhase", phase="llave")
    names = {side["name"] for each in director.tournament["queue"] for side in each["sides"]}
    assert leaving and names.isdisjoint(leaving)


def test_two_tables_exchange_their_matches_in_one_decision(director: Director) -> None:
    one, two = join(director, [1, 2])
    begin(director)
    first, second = (each["id"] for each in director.tournament["queue"][:2])
    director.act("t.call", match=first, device=one.device)
    assert director.refused("t.exchange", match=first, other=second) == "t.no_exchange"
    director.act("t.call", match=second, device=two.device)
    one.play("A award 12", "B award 9")
    wait_for(lambda: director.state_of(first) == "playing")
    for number, (table, match) in enumerate(((one, first), (two, second))):
        call = wire.encode(CallRequest(f"c{number}", match, "table"))
        assert table.box.client.post(wire.CALL_PATH, call, table.box.token).status == 200
    wait_for(lambda: kinds(director).count("call.table") == 2)
    stream = director.hub.client().events(wire.EVENTS_PATH, one.box.token)
    assert isinstance(stream.next_wish(), Desired)
    director.act("t.exchange", match=first, other=second, seen=director.tournament["seq"])
    # Released first, the box does not go on with the match in play.
    assert isinstance(stream.next_wish(), Release)
    assert isinstance(wished := stream.next_wish(), Desired)
    assert f'[Match "{second}"]' in wished.header == one.assigned()["header"]
    stream.close()
    assert '[Start "A=12 B=9"]' in two.assigned()["header"]
    assert "call.table" not in kinds(director)
    two.play("A award 18", "A agree", "B agree")
    wait_for(lambda: is_official(director, first))
    assert director.tournament["official"][0]["result"]["points"] == [30, 9]
    assert director.refused("t.exchange", match=first, other=second) == "t.no_exchange"
    assert director.state_of(second) == "offered"


def kinds(director: Director) -> list[str]:
    """The kinds of the open alarms."""
    return [each["kind"] for each in director.desk["alarms"]]


def test_the_wall_shows_who_is_called_to_a_table_until_they_accept(director: Director) -> None:
    (table,) = join(director, [1])

    def called() -> list[str]:
        (shown,) = director.client.get("/api/v1/hall").document["tables"]
        return list(shown["called"])

    for _ in ("rehearsal", "tournament"):
        begin(director)
        assert called() == []
        match = director.tournament["queue"][0]
        director.act("t.call", match=match["id"], device=table.device)
        assert called() == [side["name"] for side in match["sides"]]
        waiting = [
            [side["name"] for side in each["sides"]] for each in director.tournament["queue"]
        ]
        assert waiting and director.client.get("/api/v1/hall").document["queue"] == waiting[:8]
        table.play("A award 12")
        wait_for(lambda: called() == [])


def test_the_wall_names_the_winner_of_a_corrected_match(director: Director) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = call_first(director, table)
    table.play("A award 30", "A agree", "B agree")
    wait_for(lambda: director.tournament["official"] != [])

    def winner() -> str:
        (shown,) = director.client.get("/api/v1/hall").document["tables"]
        return str(shown["game"]["winner"])

    assert winner() == "A"
    other = {"winner": 1, "games": [0, 1], "points": [0, 30], "ending": "played"}
    seen = director.tournament["seq"]
    director.act("t.correct", match=match, result=other, reason="planilla", seen=seen, annuls=[])
    assert winner() == "B"
    # The correction is none of the next game there, which is of no match.
    table.play("A award 30", header=HEADER)
    wait_for(lambda: winner() == "A")
    (shown,) = director.client.get("/api/v1/hall").document["tables"]
    assert shown["tournament"] == 0


def win_zones(director: Director) -> None:
    """The first team of every match of the zones has won."""
    while queue := director.tournament["queue"]:
        result = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "played"}
        director.event("RecordResult", match=queue[0]["id"], result=result)


def test_the_games_of_a_rehearsal_are_not_those_of_the_tournament(director: Director) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = director.tournament["queue"][0]["id"]
    for _ in ("rehearsal", "tournament"):
        director.act("t.call", match=match, device=table.device)
        assert director.state_of(match) == "offered"
        assert "Start" not in table.assigned()["header"].replace('[Start "A=0 B=0"]', "")
        table.play("A award 12")
        wait_for(lambda: director.state_of(match) == "playing")
        begin(director)
        assert match in [each["id"] for each in director.tournament["queue"]]


def call_first(director: Director, table: Table) -> str:
    """Call the first match that waits to a table."""
    match = str(director.tournament["queue"][0]["id"])
    director.act("t.call", match=match, device=table.device)
    return match


def is_alarmed(director: Director) -> bool:
    """Whether the wall says that the director comes to the one table."""
    (shown,) = director.client.get("/api/v1/hall").document["tables"]
    return bool(shown["alarm"])


def test_the_alarms_of_a_replaced_tournament_end_with_it(director: Director) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = call_first(director, table)
    table.play("A award 30", "A agree", "B contest")
    for id, why, about in (
        ("r1", "contest", match),
        ("r2", "director", match),
        ("r3", "table", ""),
    ):
        call = wire.encode(CallRequest(id, about, why))
        assert table.box.client.post(wire.CALL_PATH, call, table.box.token).status == 200
    wait_for(lambda: len(kinds(director)) == 3)
    begin(director)
    # A call that names no match is none of the tournament.
    wait_for(lambda: kinds(director) == ["call.table"])
    (alarm,) = director.desk["alarms"]
    director.act("resolve", alarm=alarm["id"], how="ignore")


def test_a_decision_for_the_winner_of_the_table_raises_no_alarm(director: Director) -> None:
    (table,) = join(director, [1])
    begin(director)
    for winner, expected in ((0, []), (1, ["result"])):
        match = call_first(director, table)
        table.play("A award 30", "A agree", "B contest")
        wait_for(lambda match=match: director.state_of(match) == "contested")  # type: ignore[misc]
        result = {"winner": winner, "games": [0, 0], "points": [0, 0], "ending": "decided"}
        director.event("RecordResult", match=match, result=result, reason="vimos las jugadas")
        document = director.tournament["tables"][0]["match"]
        assert document["marks"] == {"table": True, "hub": False, "published": not winner}
        wait_for(lambda expected=expected: kinds(director) == expected)  # type: ignore[misc]
    # A correction answers the alarm.
    result = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "played"}
    director.event("CorrectResult", match=match, result=result, reason="era al revés")
    wait_for(lambda: kinds(director) == [])


def test_the_wall_has_an_alarm_of_a_match_only_while_its_teams_are_there(
    director: Director,
) -> None:
    (table,) = join(director, [1])
    begin(director)
    match = call_first(director, table)
    table.play("A award 30", "A agree", "B agree")
    wait_for(lambda: is_official(director, match))
    assert not is_alarmed(director)
    other = {"winner": 1, "games": [0, 1], "points": [12, 30], "ending": "played"}
    director.event("CorrectResult", match=match, result=other, reason="planilla mal copiada")
    wait_for(lambda: kinds(director) == ["result"])
    assert is_alarmed(director)
    call_first(director, table)
    assert kinds(director) == ["result"]
    assert not is_alarmed(director)


def test_an_official_match_keeps_its_table_and_marks_when_the_next_is_called(
    director: Director,
) -> None:
    (table,) = join(director, [1])
    begin(director)
    played = []
    for _ in range(5):
        played.append(call_first(director, table))
        table.play("A award 30", "A agree", "B agree")
        wait_for(lambda: is_official(director, played[-1]))
    call_first(director, table)

    def shown() -> list[Json]:
        return [each for each in director.tournament["official"] if each["id"] in played]

    def is_kept() -> bool:
        marks = {"table": True, "hub": True, "published": True}
        return all((each["table"], each["marks"]) == (1, marks) for each in shown())

    assert len(shown()) == len(played)
    assert is_kept()
    restart(director)
    assert is_kept()
    # One on paper was at no table.
    result = {"winner": 0, "games": [1, 0], "points": [30, 0], "ending": "played"}
    begin(director)
    paper = director.tournament["queue"][0]["id"]
    director.event("RecordResult", match=paper, result=result)
    assert director.tournament["official"][0]["table"] == 0
