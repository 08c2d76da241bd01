"""Paper and files of a tournament, from the desk and by the commands of the hub."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer.hub import pages
from scorer.hub.desk import MAX_FILE_BYTES
from scorer.hub.paper import KINDS
from scorer.rules.sheet import Header, SheetLine, read_sheet
from scorer.tournament.events import PairRound, StartPhase
from scorer.tournament.export import TournamentFile, decode, encode
from tests.hub.hub_process import Answer, Client, HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin, is_official, join
from tests.tournament.play import Played, built_in

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


@pytest.mark.sampled(0)
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
    names = [each.removeprefix("zonas-") for each in (first, second)]
    assert dict(found) == {**dict.fromkeys(dict(found), "____"), names[0]: "7", names[1]: "3"}
    upper = [
        re.findall(r"Súmula</bdi></b> <bdi>([\w-]+)", each)[0] for each in page.split("<sec")[1:]
    ]
    assert upper[:2] == names[::-1]
    assert "<td class=points>30</td>" in page
    blank = get(director, "paper/blank-sheets").body.decode()
    assert f"<bdi>{names[1]}</bdi>" in blank
    assert f"<bdi>{names[0]}</bdi>" not in blank


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
    assert {each.start.match.id for each in headers if each.start.match} == set(
        matches_of(director)
    )
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


# ---- the file is taken by another hub -----------------------------------------------------------

FILE = "/desk/tournament.json"
IMPORT_PAGE = (Path(pages.__file__).parent / "organise_import.js").read_text("utf-8")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Director]:
    """A hub without a tournament."""
    with running_hub(tmp_path_factory.mktemp("empty"), 'name = "Club"') as hub:
        yield Director(hub, log_in(hub))


def send(client: Client, data: bytes, query: str = "", **headers: str) -> Answer:
    return client.post(FILE + query, data, headers={"X-Truco": "1", **headers})


def small_file(change: Callable[[dict[str, Any]], None]) -> bytes:
    played = Played(built_in("zones_and_bracket"), 6)
    values = json.loads(encode(played.state.format, played.log))
    change(values)
    return json.dumps(values).encode()


BODIES = [
    (b"", "El archivo está cortado o dañado (línea 1)."),
    (b"Equipo Ana\nEquipo Bia", "El archivo está cortado o dañado (línea 1)."),
    (b'{"events":[\n{"do":', "El archivo está cortado o dañado (línea 2)."),
    (b"[" * 100_000, "El archivo está cortado o dañado."),
    (b'{"a":NaN}', "El archivo está cortado o dañado."),
    (b"[]", "No es el archivo de un torneo."),
    (b'{"do":"t.begin","teams":"Ana"}', "No es el archivo de un torneo."),
    (b'{"truco_tournament":2}', "El archivo es de otra versión del programa."),
    (b'{"truco_tournament":true}', "El archivo es de otra versión del programa."),
    (b'{"truco_tournament":1,"id":"x","events":[]}', "El campo «format» falta, sobra o no vale."),
]
CHANGES: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (lambda v: v.update(colour=1), "El campo «colour» falta, sobra o no vale."),
    (lambda v: v.update({"x" * 9999: 1}), f"El campo «{'x' * 60}» falta, sobra o no vale."),
    (lambda v: v.update(id=7), "El campo «id» falta, sobra o no vale."),
    (lambda v: v.update(format=[]), "El campo «format» falta, sobra o no vale."),
    (lambda v: v.update(events={}), "El campo «events» falta, sobra o no vale."),
    (lambda v: v["format"].update(title=3), "El campo «format.title» falta, sobra o no vale."),
    (
        lambda v: v["format"]["phase"][1].update(variant="unknown"),
        "El campo «format.phase.1» falta, sobra o no vale.",
    ),
    (lambda v: v["events"].insert(0, 3), "Registro 1: no se puede leer."),
    (lambda v: v["events"][2].update(seed=1.5), "Registro 3: no se puede leer."),
    (lambda v: v["events"][3].update(name="x" * 301), "Registro 4: no se puede leer."),
    (
        lambda v: v["events"][3].update(name="=1+1"),
        "Registro 4: Un texto tiene más de 40 letras, o un signo que no se admite.",
    ),
    (
        lambda v: v["events"][5].update(name="team 1"),
        "Registro 6: El nombre está vacío o es de otro equipo.",
    ),
]
HOSTILE = [*BODIES, *((small_file(change), line) for change, line in CHANGES)]


@pytest.mark.sampled(21)
@pytest.mark.parametrize("query", ["", "?check=yes"])
@pytest.mark.parametrize(("data", "line"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_file_with_errors_is_refused_with_their_place_and_begins_nothing(
    empty: Director, data: bytes, line: str, query: str
) -> None:
    answer = send(empty.client, data, query)
    assert (answer.status, answer.document["key"]) == (409, "t.file")
    assert answer.document["lines"] == [line]
    assert empty.desk["tournament"] is None


def test_all_wrong_fields_are_listed_in_the_language_of_the_page(empty: Director) -> None:
    data = small_file(lambda v: v["format"].update(title=3, players="two"))
    answer = send(empty.client, data, "?lang=en")
    assert answer.document["lines"] == [
        "The field “format.players” is missing, unknown or wrong.",
        "The field “format.title” is missing, unknown or wrong.",
    ]


def test_a_file_is_taken_from_a_page_of_the_hub_only_and_not_too_long(empty: Director) -> None:
    data = small_file(lambda _: None)
    assert empty.client.post(FILE, data).status == 403
    assert send(empty.client, data, Origin="https://example.org").status == 403
    answer = empty.client.post(FILE, data, headers={"X-Truco": "1", "Content-Type": "text/plain"})
    assert answer.status == 415
    answer = send(empty.client, b" " * MAX_FILE_BYTES)
    assert answer.document["lines"] == ["El archivo está cortado o dañado (línea 1)."]
    answer = empty.hub.client().post(FILE, b"", headers={"Content-Length": str(MAX_FILE_BYTES + 1)})
    assert answer.status == 413
    assert f"const MOST = {MAX_FILE_BYTES};" in IMPORT_PAGE
    assert empty.desk["tournament"] is None


@pytest.mark.parametrize(("role", "status"), [("", 401), ("desk", 403), ("director", 200)])
def test_a_file_is_taken_by_those_who_may_begin_a_tournament(
    empty: Director, role: str, status: int
) -> None:
    client = log_in(empty.hub, f"with {role}", role) if role else empty.hub.client()
    data = small_file(lambda _: None)
    answer = send(client, data, "?check=yes")
    assert answer.status == status
    assert status == 200 or send(client, data).status == status
    assert empty.desk["tournament"] is None


def test_a_hub_takes_the_file_of_another_beside_its_own_tournament(
    director: Director, tmp_path: Path
) -> None:
    data = get(director, "tournament.json").body
    with running_hub(tmp_path / "other") as hub:
        other = Director(hub, log_in(hub, role="director"))
        answer = send(other.client, data, "?check=yes")
        assert other.desk["tournament"] is None
        expected = {"ok": True, "title": "Zonas y llave", "teams": 6, "results": 1}
        assert (answer.status, answer.document) == (200, expected)
        seen = f"?seen={other.desk['seq']}"
        numbers = []
        for query in (seen, ""):
            answer = send(other.client, data, query)
            numbers.append(answer.document["tournament"])
            assert answer.document == {**expected, "tournament": numbers[-1]}
            assert get(other, f"tournament.json?t={numbers[-1]}").body == data
        assert [each["id"] for each in other.desk["tournaments"]] == numbers
        # A second click on a page that is older than both.
        answer = send(other.client, data, seen)
        assert (answer.status, answer.document["key"]) == (409, "t.changed")
        assert answer.document["change"]["what"] == "begun"


def test_an_imported_round_has_the_pairs_of_its_file(tmp_path: Path) -> None:
    """Also one that this program would pair in another way."""
    played = Played(built_in("swiss"), 6).draw()
    played.do(StartPhase("suizo"))
    played.do(PairRound("suizo"))
    *before, paired = played.log
    assert isinstance(paired, PairRound)
    (a, b), (c, d), rest = paired.pairs
    other = paired._replace(pairs=((a, c), (b, d), rest))
    path, again = tmp_path / "file.json", tmp_path / "again.json"
    path.write_bytes(encode(played.state.format, [*before, other]))
    (tmp_path / "scorer.toml").write_text("[hub]\n")
    hub = HubProcess(tmp_path, tmp_path / "scorer.toml")
    assert hub.run("tournament", "import", str(path)).returncode == 0
    assert hub.run("tournament", "export", str(again)).returncode == 0
    assert again.read_bytes() == path.read_bytes()
