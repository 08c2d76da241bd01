"""Players find their team, and an unknown address says what there is."""

from __future__ import annotations

import gzip
import http.client
import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path

import pytest

from scorer.hub.page_addresses import HallPage, own_address, shared_host
from scorer.hub.team_search import found_teams
from scorer.i18n import languages, translator
from scorer.serving.qr_svg import qr_svg
from scorer.tournament.model import Team
from tests.hub.hub_process import TIMEOUT, Answer, HubProcess, running_hub
from tests.hub.joining_box import log_in
from tests.hub.test_tournament import Director

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "es-AR"}
TEAMS = (
    "nombre\tjugador\tjugador\tclub",
    "Ñandú Negro\tAna Díaz\tBeto\tClub Álamo",
    "Los Primos\tCaio\tDora\tClub Sur",
    "<b>Ancho</b>\tEma\tFito\tClub Sur",
    "Vale 7\tGina\tHugo",
)


@pytest.fixture(scope="module")
def director(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Director]:
    with running_hub(tmp_path_factory.mktemp("hub"), 'name = "Club"') as hub:
        found = Director(hub, log_in(hub))
        begun = found.act("t.check", format="double", teams="\n".join(TEAMS))
        assert not begun["has_errors"], begun
        found.act("t.begin", format="double", teams="\n".join(TEAMS), replaces=0)
        yield found


def ask(hub: HubProcess, path: str, headers: Mapping[str, str] = BROWSER) -> Answer:
    """A request at the port of the wall."""
    connection = http.client.HTTPConnection(*hub.wall, timeout=TIMEOUT)
    connection.request("GET", path, headers=dict(headers))
    answer = connection.getresponse()
    found = {name.lower(): value for name, value in answer.getheaders()}
    body = answer.read()
    connection.close()
    return Answer(answer.status, found, body)


def found_by(director: Director, query: str) -> list[int]:
    page = ask(director.hub, f"/e/?q={query}").body.decode()
    return [int(each) for each in re.findall(r'<li data-number="(\d+)"[^>]*(?<! hidden)>', page)]


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", [3, 2, 1, 4]),  # of the alphabet
        ("nandu", [1]),
        ("%C3%91AND%C3%9A", [1]),
        ("negro+nan", [1]),
        ("2", [2]),
        ("7", [4]),  # a word of a name
        ("alamo", [1]),
        ("sur", [3, 2]),
        ("diaz", [1]),
        ("hug", [4]),
        # With one wrong letter, if nothing is found without it.
        ("nanbu", [1]),
        ("rimos", [2]),
        ("imos", []),
        ("zorro", []),
        ("---", [3, 2, 1, 4]),
    ],
)
def test_a_team_is_found_by_name_number_club_and_player(
    director: Director, query: str, numbers: list[int]
) -> None:
    assert found_by(director, query) == numbers


def test_each_word_begins_a_word_of_the_team() -> None:
    team = Team(12, "D'Artagnan y Cía.", ("José",), ("Iñaki",), "25 de Mayo")
    for query in ("12", "artagnan", "d art cia", "jose", "inaki", "25", "mayo 25"):
        assert found_teams([team], query) == [True], query
    for query in ("1", "2 5", "tagnan", "jose 12", "mayo 26"):
        assert found_teams([team], query) == [False], query


def test_a_wrong_letter_finds_what_nothing_else_is_found_by() -> None:
    teams = [Team(1, "Los Uno", ("Juan Pérez",)), Team(2, "Los Dos", ("Juana Peres",))]
    for query, found in [("perez", [True, False]), ("peres", [False, True])]:
        assert found_teams(teams, query) == found
    for query in ("perec", "juan perec"):
        assert found_teams(teams, query) == [True, True], query
    assert found_teams(teams, "jaun perec") == [True, False]
    assert found_teams(teams, "juana perec") == [False, True]
    assert found_teams(teams, "ramirez") == [False, False]


def test_the_search_leads_to_the_page_of_the_team_and_has_no_markup_of_a_name(
    director: Director,
) -> None:
    page = ask(director.hub, "/e/?q=%22%3E%3Cscript%3E").body.decode()
    assert "<b>Ancho</b>" not in page.replace("<b><bdi>", "")
    assert "&lt;b&gt;Ancho&lt;/b&gt;" in page
    assert 'value="&#34;&gt;&lt;script&gt;"' in page
    assert ask(director.hub, re.findall(r'href="(/e/\d+/\d+)"', page)[0]).status == 200


def test_the_search_is_in_the_language_of_the_browser_and_keeps_it(director: Director) -> None:
    def page(accepted: str, query: str = "") -> str:
        return ask(
            director.hub, f"/e/{query}", {**BROWSER, "Accept-Language": accepted}
        ).body.decode()

    assert '<html lang="es-AR"' in page("xx")
    team = f"/e/{director.tournament['id']}/2"
    assert f'href="{team}"' in page("es-AR")
    portuguese = page("xx, fr;q=0.9, pt;q=0.8, en;q=0.2")
    assert '<html lang="pt-BR"' in portuguese
    assert f'href="{team}?lang=pt-BR"' in portuguese
    assert 'name="lang" value="pt-BR"' in portuguese
    assert '<html lang="en"' in page("pt-BR", "?lang=en")
    assert '<html lang="es-AR"' in page("pt;q=zero, en;q=0")


def test_the_address_without_a_slash_leads_to_the_search(director: Director) -> None:
    answer = ask(director.hub, "/e?lang=pt-BR")
    assert (answer.status, answer.headers["location"]) == (307, "/e/?lang=pt-BR")


def test_without_a_tournament_the_search_says_so(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub") as hub:
        assert translator("es-AR")("hub.tournament.none") in ask(hub, "/e/").body.decode()


# ---- unknown addresses


def links_of(page: str) -> list[str]:
    return [unescape(each) for each in re.findall(r'<a href="([^"]*)"', page)]


@pytest.mark.parametrize("language", languages())
def test_a_browser_at_an_unknown_address_reads_what_there_is(
    director: Director, language: str
) -> None:
    hub = director.hub
    headers = {**BROWSER, "Accept-Language": language}
    for path in ("/none", "/desk/none", "/api/v1/none", "/e/abc", "/e/7/"):
        answers = [ask(hub, path, headers), hub.client().request("GET", path, b"", headers)]
        for answer in answers:
            page = answer.body.decode()
            assert answer.status == 404, path
            assert answer.headers["content-type"].startswith("text/html")
            assert f'<html lang="{language}">' in page
            assert translator(language)("visitor.missing") in page
            assert links_of(page)[:3] == ["/e/", "/", "/tv"]
            assert ">visitor." not in page


def test_every_link_of_that_page_leads_somewhere(director: Director) -> None:
    page = ask(director.hub, "/none?lang=pt-BR").body.decode()
    *own, desk = links_of(page)
    for path in (*own, "/static/felt.css", "/static/visitor.css"):
        assert ask(director.hub, path).status == 200, path
    assert desk == f"https://{own_address()}:{director.hub.desk[1]}/desk?lang=pt-BR"


@pytest.mark.parametrize("accept", ["*/*", "application/json", ""])
def test_a_program_at_an_unknown_address_reads_json(director: Director, accept: str) -> None:
    for path in ("/none", "/api/v1/none", "/api/v1/tournament/teams/99"):
        answer = ask(director.hub, path, {"Accept": accept} if accept else {})
        assert (answer.status, [*json.loads(answer.body)]) == (404, ["error"]), path


def test_a_browser_without_a_login_reads_so_instead_of_json(director: Director) -> None:
    answer = director.hub.client().request("GET", "/desk/paper/set", b"", BROWSER)
    assert answer.status == 401
    assert translator("es-AR")("visitor.login") in answer.body.decode()


@pytest.mark.parametrize("path", ["/desk", "/desk/tournament?lang=pt-BR", "/Q/ABC"])
def test_the_desk_at_the_port_of_the_wall_leads_to_its_address(
    director: Director, path: str
) -> None:
    answer = ask(director.hub, path, {**BROWSER, "Host": f"localhost:{director.hub.wall[1]}"})
    page = answer.body.decode()
    (address,) = links_of(page)
    assert address == f"https://{own_address()}:{director.hub.desk[1]}{path}"
    assert "password" not in page
    assert director.hub.client().get(path).status == 200


# ---- codes and addresses


def test_the_desk_lists_the_addresses_of_all_pages_with_their_codes(director: Director) -> None:
    director.act("t.screen", screen="ABC", show="where", phase="")
    listed = director.client.get("/desk/addresses").document["pages"]
    assert [each["page"] for each in listed] == [*HallPage, "tv"]
    host, wall, desk = own_address(), director.hub.wall[1], director.hub.desk[1]
    assert [each["address"] for each in listed] == [
        f"http://{host}:{wall}/",
        f"http://{host}:{wall}/tv",
        f"http://{host}:{wall}/e/",
        f"https://{host}:{desk}/desk",
        f"https://{host}:{desk}/desk/tournament",
        f"http://{host}:{wall}/tv?screen=ABC",
    ]
    for each in listed:
        code = director.client.get(each["code"])
        assert (code.status, code.body) == (200, qr_svg(each["address"]))
    assert director.hub.client().get("/desk/addresses").status == 401


@pytest.mark.parametrize("path", ["/qr/none.svg", "/qr/tv.svg?screen=%3Cb%3E", "/qr/wall.png"])
def test_there_are_no_codes_of_anything_else(director: Director, path: str) -> None:
    assert ask(director.hub, path).status == 404


def test_a_browser_on_the_machine_itself_gets_the_address_for_others() -> None:
    for host in ("localhost", "127.0.0.1", "127.3.2.1", "::1", ""):
        assert shared_host(host) == own_address()
    for host in ("192.168.1.9", "hub.local", "fd00::2"):
        assert shared_host(host) == host


def test_paper_has_one_poster_with_the_code_of_the_search(director: Director) -> None:
    page = director.client.get("/desk/paper/finder").body.decode()
    assert page.count("<svg") == 1
    assert f"http://{own_address()}:{director.hub.wall[1]}/e/" in page


# ---- public documents


@pytest.mark.parametrize(
    "path", ["/api/v1/hall", "/api/v1/tournament", "/api/v1/tournament/teams/1"]
)
def test_a_public_document_has_a_tag_and_is_compressed_for_who_accepts_it(
    director: Director, path: str
) -> None:
    plain = ask(director.hub, path, {})
    packed = ask(director.hub, path, {"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert json.loads(gzip.decompress(packed.body)) == json.loads(plain.body)
    assert packed.headers["vary"] == "Accept-Encoding"
    for answer, encoding in ((plain, {}), (packed, {"Accept-Encoding": "gzip"})):
        again = ask(director.hub, path, {**encoding, "If-None-Match": answer.headers["etag"]})
        assert (again.status, again.body) == (304, b"")


def test_the_state_of_the_desk_is_sent_as_changes_and_compressed(director: Director) -> None:
    whole = director.client.get("/desk/state")
    tag = whole.headers["etag"].strip('"')
    director.act("t.screen", screen="XYZ", show="all", phase="")
    headers = {"Accept-Encoding": "gzip"}
    answer = director.client.request("GET", f"/desk/state?since={tag}", b"", headers)
    assert answer.headers["content-encoding"] == "gzip"
    found = json.loads(gzip.decompress(answer.body))
    assert found["since"] == tag
    paths = {tuple(path) for path, *_ in found["changes"]}
    assert ("tournament", "screens", "XYZ") in paths
    numbers = {("seq",), ("tournament", "seq"), ("now",)}
    assert paths <= {("tournament", "screens", "XYZ"), *numbers}
    assert director.client.get("/desk/state?since=gone").document["hall"] == "Club"
