"""Paper and files of a tournament, from the desk and by the commands of the hub."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.hub.paper import KINDS
from scorer.rules.sheet import Header, SheetLine, read_sheet
from scorer.tournament.export import TournamentFile, decode
from tests.hub.hub_process import Answer, HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin, is_official, join

FILES = (
    "tables/teams.csv",
    "tables/matches.csv",
    "tables/standings-zonas.csv",
    "tournament.json",
    "games.truco",
)
PATHS = (*(f"paper/{kind}" for kind in KINDS), *FILES)


@pytest.fixture(scope="module")
def director(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Director]:
    """An official match at table 7, and one that is played at table 3."""
    with running_hub(tmp_path_factory.mktemp("hub"), 'name = "Club"') as hub:
        found = Director(hub, log_in(hub))
        before, after = join(found, [7, 3])
        begin(found)
        first, second = (each["id"] for each in found.tournament["queue"][:2])
        found.act("t.call", match=first, device=before.device)
        before.play("A award 12", "- undo", "A award 30", "A agree", "B agree")
        wait_for(lambda: is_official(found, first))
        found.act("t.call", match=second, device=after.device)
        after.play("B award 3")
        yield found


def matches_of(director: Director) -> tuple[str, str]:
    """The match that is official, and the one that is played."""
    official, playing = director.tournament["official"], director.tournament["tables"]
    return official[0]["id"], next(e["match"]["id"] for e in playing if not e["match"]["result"])


def get(director: Director, path: str) -> Answer:
    answer = director.client.get(f"/desk/{path}")
    assert answer.status == 200, answer
    return answer


def test_paper_and_files_need_a_login_and_no_more_than_a_helper_has(director: Director) -> None:
    helper = log_in(director.hub, "eva", "desk")
    for path in PATHS:
        assert director.hub.client().get(f"/desk/{path}").status == 401, path
        answer = helper.get(f"/desk/{path}")
        assert answer.status == 200, path
        assert answer.headers["cache-control"] == "no-store"
        is_file = not path.startswith("paper")
        assert answer.headers.get("content-disposition", "").startswith("attachment") is is_file


def test_score_sheets_are_in_the_order_of_the_tables_and_have_the_score(director: Director) -> None:
    first, second = matches_of(director)
    page = get(director, "paper/sheets?lang=pt-BR").body.decode()
    found = re.findall(r"Súmula</bdi></b> <bdi>([\w-]+)<.*?Mesa</bdi> <b>(\d+|_+)</b>", page)
    assert dict(found) == {**dict.fromkeys(dict(found), "____"), first: "7", second: "3"}
    upper = [
        re.findall(r"Súmula</bdi></b> <bdi>([\w-]+)", each)[0] for each in page.split("<sec")[1:]
    ]
    assert upper[:2] == [second, first]
    assert "<td class=points>30</td>" in page
    blank = get(director, "paper/blank-sheets").body.decode()
    assert second in blank
    assert first not in blank


def test_a_page_has_its_paper_and_posters_the_address_of_the_wall(director: Director) -> None:
    letter = get(director, "paper/set?lang=es-VE").body.decode()
    assert 'href="/desk/paper/Letter.css"' in letter
    assert "size: A4" in get(director, "paper/A4.css").body.decode()
    assert get(director, "paper/posters").body.count(b"<svg") == 6
    assert re.findall(rb"<b>(\d+)</b>", get(director, "paper/labels").body) == [b"3", b"7"]
    for path in ("paper/none", "paper/set?paper=A5", "paper/A5.css", "tables/none.csv"):
        assert director.client.get(f"/desk/{path}").status == 404


def test_the_games_are_read_as_score_sheets(director: Director, tmp_path: Path) -> None:
    text = get(director, "games.truco").body
    read = list(read_sheet(text.splitlines(keepends=True)))
    headers = [each for each in read if isinstance(each, Header)]
    assert {each.match.id for each in headers if each.match} == set(matches_of(director))
    steps = [each for each in read if isinstance(each, SheetLine)]
    assert len(steps) == 6
    path = tmp_path / "games.truco"
    assert director.hub.run("tournament", "games", str(path)).returncode == 0
    assert path.read_bytes() == text


def test_the_file_of_the_desk_is_that_of_the_command(director: Director, tmp_path: Path) -> None:
    data = get(director, "tournament.json").body
    path = tmp_path / "tournament.json"
    assert director.hub.run("tournament", "export", str(path)).returncode == 0
    assert path.read_bytes() == data
    assert isinstance(decode(data), TournamentFile)


def test_the_command_prints_the_tournament_of_the_hub(director: Director, tmp_path: Path) -> None:
    page, folder = tmp_path / "paper.html", tmp_path / "csv"
    run = director.hub.run
    assert run("tournament", "paper", "--pages", "sheets", "--out", str(page)).returncode == 0
    assert "<b>7</b>" in page.read_text(encoding="utf-8")
    assert run("tournament", "tables", "--out", str(folder)).returncode == 0
    assert (folder / "teams.csv").read_bytes() == get(director, "tables/teams.csv").body


def test_a_hub_without_a_tournament_prints_nothing(tmp_path: Path) -> None:
    config = tmp_path / "scorer.toml"
    config.write_text("[hub]\n")
    found = HubProcess(tmp_path, config).run("tournament", "paper")
    assert (found.returncode, found.stderr) == (1, "scorer hub: there is no tournament\n")
