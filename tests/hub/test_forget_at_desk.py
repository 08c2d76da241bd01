"""A person is forgotten at the desk of a running hub."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.hub.hub_process import running_hub
from tests.hub.joining_box import log_in
from tests.hub.postgresql import Cluster
from tests.hub.test_desk_files import FILES
from tests.hub.test_published import answer_names, files_in
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin, is_official, join

TEAMS = """Equipo;Jugador 1;Jugador 2;Club;Publicar
Quesada y Paz;Zoilo Quesada;Luis Paz;Club Sur;sí
Dos;Ana Ruiz;Eva Sol;;sí
Tres;;;;
Cuatro;;;;
Cinco;;;;
Seis;;;;"""
WORDS = ("Zoilo", "Quesada")


def left_in(director: Director, paths: list[str]) -> dict[str, set[str]]:
    found = {}
    for path in paths:
        answer = director.client.get(path)
        assert answer.status == 200, path
        text = answer.body.decode()
        plain = json.dumps(json.loads(text), ensure_ascii=False) if text.startswith("{") else text
        found[path] = {word for word in WORDS if word in plain}
    return {path: words for path, words in found.items() if words}


def places_of(director: Director, name: str, **more: object) -> list[dict[str, object]]:
    found = director.act("names.find", name=name, **more)["places"]
    assert isinstance(found, list)
    return found


def forget(director: Director, name: str, **more: object) -> dict[str, object]:
    keys = ("tournament", "team", "kind", "text")
    places = [
        [each[key] for key in keys]
        for each in places_of(director, name, **more)
        if each["is_meant"]
    ]
    return director.act("names.forget", name=name, places=places, language="en")


def test_a_person_is_forgotten_during_a_match_and_in_the_archive(tmp_path: Path) -> None:
    site = tmp_path / "srv"
    site.mkdir()
    settings = f'name = "Club"\npublish = "{site}"'
    with running_hub(tmp_path / "hub", settings) as hub:
        director = Director(hub, log_in(hub))
        old = closed_tournament(director)
        begin(director, TEAMS)
        answer_names(director)
        number = director.tournament["id"]
        (table,) = join(director, [7])
        match = next(
            each["id"]
            for each in director.read(number)["queue"]
            if "Quesada y Paz" in [side["name"] for side in each["sides"]]
        )
        director.act("t.call", tournament=number, match=match, device=table.device)
        table.play("A award 12")
        rev = newest_rev(director)
        wait_for(lambda: "Quesada" in json.dumps(files_in(site), default=bytes.decode))
        paths = [*(f"/desk/{each}?t={number}" for each in FILES), "/e/", "/api/v1/hall", "/tv"]
        paths += [f"/api/v1/tournaments/{each}/teams/1" for each in (number, old)]
        paths += [f"/api/v1/tournaments/{number}", "/desk/state", "/drawn/hall"]
        before = left_in(director, paths)
        assert {
            f"/api/v1/tournaments/{old}/teams/1",
            "/api/v1/hall",
            "/desk/state",
        } <= before.keys()
        found = places_of(director, "quesada, ZOILO")
        assert {each["tournament"] for each in found} == {number, old}
        done = forget(director, "Zoilo Quesada")
        assert done["games"] == 1
        assert left_in(director, paths) == {}
        wait_for(lambda: b"Quesada" not in b"".join(files_in(site).values()))
        # The match goes on, is over under the number, and its table was called once.
        table.play("A award 18", "A agree", "B agree", is_new=False)
        wait_for(lambda: is_official(director, match))
        assert newest_rev(director) == rev
        assert left_in(director, paths) == {}
        assert director.desk["alarms"] == []
        audit = hub.run("audit")
        assert "digest equal" in audit.stdout and "there is a difference" not in audit.stdout
        # Every command is one that a shell takes; that of the copies leaves the new one.
        folder = tmp_path / "hub" / "copies"
        copies = [*folder.glob("*.copy")]
        bodies = b"".join(each.read_bytes() for each in copies)
        assert copies and [word for word in WORDS if word.encode() in bodies] == []
        remains = {each["kind"]: each for each in done["remains"]}  # type: ignore[attr-defined]
        assert "hub-*.copy" in str(remains["copies"]["command"])
        assert set(remains) == {"copies", "boxes", "site", "files"}
        assert "7" in remains["boxes"]["text"]
        (folder / "hub-000000.copy").write_text("older")
        command = str(remains["copies"]["command"]).removeprefix("sudo ")
        subprocess.run(command, shell=True, check=True)
        assert [*folder.glob("*.copy")] == copies
        # What another search finds is nothing; a second click is refused.
        assert places_of(director, "Zoilo Quesada") == []
        assert director.refused("names.forget", name="", places=[]) == "no_place"
        # Another name of the team, and the whole team by its button.
        assert forget(director, "", tournament=number, team=2)["entries"] == 1
        team = director.read(number)["teams"][1]
        assert (team["name"], team["players"], team["club"]) == ("#2", [], "")


def closed_tournament(director: Director) -> int:
    form = {"format": "swiss", "teams": "Zoilo Quesada\nB\nC\nD\nE\nF", "name": "Viejo"}
    number = director.act("t.begin", **form)["tournament"]
    director.act("t.close", tournament=number)
    return int(number)


def newest_rev(director: Director) -> int:
    """The number of the newest assignment."""
    with closing(sqlite3.connect(director.hub.state / "hub.sqlite")) as database:
        return int(database.execute("SELECT max(rev) FROM desired").fetchone()[0])


@pytest.mark.sampled(0)
def test_a_second_process_of_the_hub_forgets_too(tmp_path: Path, cluster: Cluster) -> None:
    settings = f'name = "Club"\ndatabase = "{cluster.new_database()}"'
    with running_hub(tmp_path / "one", settings) as one:
        director = Director(one, log_in(one))
        begin(director, TEAMS)
        number = director.tournament["id"]
        with running_hub(tmp_path / "two", settings) as two:
            other = Director(two, log_in(two, "beto"))
            path = [f"/api/v1/tournaments/{number}", "/e/?q=quesada"]
            assert left_in(other, path) != {}
            done = forget(director, "Zoilo Quesada")
            kinds = [each["kind"] for each in done["remains"]]  # type: ignore[attr-defined]
            assert kinds == ["postgresql", "files"]
            wait_for(lambda: left_in(other, [path[0]]) == {})


@pytest.mark.sampled(0)
def test_only_a_director_forgets(director: Director) -> None:
    begin(director, TEAMS)
    helper = log_in(director.hub, "beto", "desk")
    for action in ("names.find", "names.forget"):
        assert helper.desk("/desk/act", {"do": action, "name": "Zoilo"}).status == 403
    for places in ("", [[1]], [[1, 2, "colour", "x"]], [[1, 2, "player", 3]], [None]):
        bad = {"do": "names.forget", "name": "", "places": places}
        assert director.client.desk("/desk/act", bad).status == 400
