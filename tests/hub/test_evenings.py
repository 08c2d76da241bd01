"""The signed file of a closed tournament: at the desk, by a command, on the site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from scorer.config.tournament_formats import built_in_formats
from scorer.hall.events import Desired
from scorer.hub import administration
from scorer.hub.evenings import EveningOptions, UnreadableEvening, evening_file
from scorer.hub.forgetting import find_places, forget
from scorer.hub.hub import random_hex
from scorer.hub.identity import change_signing_key, load_identity, signing_keys
from scorer.hub.state import desired_event
from scorer.hub.store.backup import rebuild
from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.store.log import Author
from scorer.hub.store.masks import make_masks
from scorer.hub.store.tables import SECRET
from scorer.hub.tournaments import TournamentDesk, Tournaments, follow
from scorer.season.evening import Evening, NamesKind
from scorer.season.evening_file import HallKey, SignedEvening, read_evening
from scorer.season.members import member_hash
from scorer.season.signing import public_key_of
from scorer.serving.qr_svg import qr_svg
from scorer.tournament.events import NameTournament, Withdraw
from tests.hub import test_command
from tests.hub.boxes import SetClock
from tests.hub.hub_process import running_hub
from tests.hub.joining_box import log_in
from tests.hub.test_published import answer_names, files_in, found_in, named
from tests.hub.test_server import wait_for
from tests.hub.test_tournament import Director, begin, is_official, join
from tests.tournament.play import Played, built_in, coin

ANA = Author("ana", "director")
OPTIONS = EveningOptions("Club Tres de Copas")
TEAMS = {"gaucho": 40, "jau_2020": 52, "jau_2022": 42, "lnt": 40, "acla_2025": 14}
PRIVATE = ("Ana", "Ruiz", "Luis", "Paz", "Eva", "Sosa", "Olimpo", "Raúl", "Vega", "Ema", "Gil")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database.open(sqlite_url(tmp_path / "hub.sqlite"))) as opened:
        with opened.write() as connection:
            load_identity(connection, random_hex)
        yield opened


def close(database: Database, played: Played) -> int:
    """Begin and close a tournament; returns its id."""
    with database.write() as connection:
        desk = TournamentDesk(connection, SetClock(), ANA, Tournaments())
        number = desk.begin(played.state.format, played.log)
        TournamentDesk(connection, SetClock(), ANA, Tournaments(), number).close()
    return number


def data_of(database: Database, number: int, options: EveningOptions = OPTIONS) -> bytes:
    with database.read() as connection:
        closed = follow(connection, Tournaments()).archive[number]
        return evening_file(connection, closed, options).data


def public_keys(database: Database) -> list[HallKey]:
    with database.read() as connection:
        keys = signing_keys(connection).keys
    return [HallKey(public_key_of(each.private), each.since) for each in keys]


def evening_of(database: Database, number: int, options: EveningOptions = OPTIONS) -> Evening:
    found = read_evening(data_of(database, number, options), public_keys(database))
    assert isinstance(found, SignedEvening), found
    return found.evening


def readable(data: bytes) -> dict[str, bytes]:
    """The file with its accents."""
    return {"evening.json": json.dumps(json.loads(data), ensure_ascii=False).encode()}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", built_in_formats())
def test_the_evening_of_every_format_is_read_with_its_final_order(
    database: Database, name: str
) -> None:
    played = Played(built_in(name), TEAMS.get(name, 12), clubs=4).draw().play(coin(3))
    evening = evening_of(database, close(database, played))
    order = [(each.rank, each.team, each.phase) for each in played.reader.final_order()]
    assert [(each.place, each.team, each.phase) for each in evening.teams] == order
    assert len(order) == len(played.state.teams)
    assert evening.is_complete
    results = {each: played.reader.result(each) for each in (m.id for m in played.state.matches())}
    for match in evening.matches:
        result = results[match.id]
        assert result is not None
        assert (match.winner, match.games, match.points) == result[:3]
        assert match.teams == played.reader.sides(match.id)


def test_an_evening_without_an_end_or_without_a_team_is_one_too(database: Database) -> None:
    evening = evening_of(database, close(database, named()))
    assert not evening.is_complete
    assert len(evening.teams) == 6 and {each.phase for each in evening.teams} == {"zonas"}
    assert evening_of(database, close(database, Played(built_in("swiss"), 0))).teams == ()


def test_it_names_no_player_without_consent_unless_it_is_for_the_club(database: Database) -> None:
    number = close(database, named())
    data = data_of(database, number)
    assert found_in(readable(data), PRIVATE) == set()
    teams = {each.team: each for each in evening_of(database, number).teams}
    assert teams[1].name == "Los Ñandúes" and teams[2].name == "#2"
    # Those who may not be named are counted.
    assert [each.name for each in teams[1].players] == ["#1.1", "#1.2"]
    assert [each.name for each in teams[5].players] == ["Bruno Luz", "Dora Mar"]
    own = OPTIONS._replace(names=NamesKind.ALL)
    assert found_in(readable(data_of(database, number, own)), PRIVATE) == {
        *("Ana", "Ruiz", "Luis", "Paz", "Olimpo", "Raúl", "Vega", "Ema", "Gil")
    }
    assert evening_of(database, number, own).names is NamesKind.ALL


def test_the_same_state_is_the_same_file_on_every_day(database: Database) -> None:
    numbers = [close(database, named()) for _ in range(2)]
    before = [data_of(database, each) for each in numbers]
    close(database, named())
    rebuild(database)
    assert [data_of(database, each) for each in numbers] == before
    assert len({json.loads(each)["id"] for each in before}) == 2


def test_a_forgotten_name_and_a_correction_are_a_newer_revision(database: Database) -> None:
    number, other = close(database, named()), close(database, Played(built_in("swiss"), 6))
    before, apart = evening_of(database, number), evening_of(database, other)
    with database.write() as connection:
        places = [p for p, is_meant in find_places(connection, "Bruno Luz").items() if is_meant]
        masks = make_masks(connection, random_hex)
        forget(connection, masks, "2026-12-01T10:00:00Z", ANA, places, name="Bruno Luz")
    assert b"Bruno" not in data_of(database, number)
    after = evening_of(database, number)
    assert (after.id, after.matches) == (before.id, before.matches)
    assert after.revision > before.revision
    people = next(each for each in after.teams if each.team == 5).players
    assert [each.name for each in people] == ["#5.1", "Dora Mar"]
    assert evening_of(database, other) == apart
    with database.write() as connection:
        desk = TournamentDesk(connection, SetClock(), ANA, Tournaments(), number)
        desk.reopen()
        desk.decide(Withdraw(1, "se fueron"))
        desk.close()
    corrected = evening_of(database, number)
    assert corrected.id == before.id and corrected.revision > after.revision
    assert next(each for each in corrected.teams if each.team == 1).is_withdrawn


def test_a_hall_changes_its_key_and_old_evenings_keep_the_old_one(database: Database) -> None:
    old, new = named(), named()
    old.do(NameTournament("Vieja", "2026-11-27"))
    new.do(NameTournament("Nueva", "2026-12-04"))
    numbers = [close(database, each) for each in (old, new)]
    before = [data_of(database, each) for each in numbers]
    with database.write() as connection:
        change_signing_key(connection, random_hex, "2026-12-01")
        for day in ("2026-12-01", "2026-11-01"):
            with pytest.raises(ValueError, match="2026-12-01"):
                change_signing_key(connection, random_hex, day)
    first, second = public_keys(database)
    assert first.key != second.key and second.since == "2026-12-01"
    assert data_of(database, numbers[0]) == before[0]
    evenings = [evening_of(database, each) for each in numbers]
    assert [each.hall.key for each in evenings] == [first.key, second.key]
    assert evenings[1].id == json.loads(before[1])["id"]


def test_what_no_season_would_read_is_not_written(database: Database) -> None:
    number = close(database, named())
    with pytest.raises(UnreadableEvening, match=r"no season would read this evening: .*hall\.name"):
        data_of(database, number, EveningOptions("x" * 100))
    with database.read() as connection:
        closed = follow(connection, Tournaments()).archive[number]
    # The site has the tournament all the same.
    shown = administration._read_closed(database, "x" * 100, closed)
    assert (shown.id, shown.evening, shown.evening_path) == (number, b"", None)
    assert administration._read_closed(database, "Club", closed).evening


def test_the_key_stays_with_the_database(tmp_path: Path, database: Database) -> None:
    keys = public_keys(database)
    assert public_keys(database) == keys
    with database.read() as connection:
        kept = connection.execute(select(SECRET.c.value).where(SECRET.c.name == "evenings "))
        assert public_key_of(kept.scalar_one()) == keys[0].key


# ---- at the desk, by command, on the site --------------------------------------------------------


@pytest.mark.sampled(0)
def test_a_closed_tournament_has_its_file_at_the_desk_and_on_the_site(tmp_path: Path) -> None:
    folder = tmp_path / "srv"
    folder.mkdir()
    settings = f'name = "Club"\npublish = "{folder}"'
    with running_hub(tmp_path / "hub", settings) as hub:
        director = Director(hub, log_in(hub))
        box, other = join(director, [7, 3])
        begin(director)
        number = director.tournament["id"]
        answer_names(director)
        first, second = (each["id"] for each in director.tournament["queue"][:2])
        for match, table in ((first, box), (second, other)):
            director.act("t.call", match=match, device=table.device)
            table.play("A award 30", "A agree", "B agree")
            wait_for(lambda match=match: is_official(director, match))  # type: ignore[misc]
        path = f"/desk/evening/public.json?t={number}"
        refused = director.client.get(path)
        assert refused.status == 409 and "close" in refused.body.decode()
        assert hub.client().get(path).status == 401
        assert director.client.get(f"/desk/evening/some.json?t={number}").status == 404
        director.act("t.close", tournament=number)
        data = director.client.get(path).body
        name = f"{number}.evening.json"
        wait_for(lambda: name in files_in(folder))
        site = files_in(folder)
        assert site[name] == data
        assert json.loads(site[f"{number}.json"])["evening"] == name
        assert [e["evening"] for e in json.loads(site["tournaments.json"])["tournaments"]] == [name]
        assert f'href="../{name}"' in site[f"es/{number}.html"].decode()
        # The number of a table is that which it had then.
        director.act("name", device=box.device, table=9, name="")
        assert director.client.get(path).body == data
        tables = {each["id"]: each["table"] for each in json.loads(data)["matches"]}
        assert (tables[first], tables[second]) == (7, 3)
        everything = json.loads(director.client.get(f"/desk/evening/all.json?t={number}").body)
        assert everything["names"] == "all"
        made = hub.run("tournament", "export", str(tmp_path / "evening.json"), "--evening")
        assert made.returncode == 0, made.stderr
        assert (tmp_path / "evening.json").read_bytes() == data
        printed = hub.run("tournament", "keys").stdout
        assert printed == f"{json.loads(data)['hall']['key']}\n"
        key = HallKey(printed.strip())
        assert isinstance(read_evening(data, [key]), SignedEvening)
        assert hub.run("tournament", "keys", "--new").stdout.count("\n") == 2
        again = hub.run("tournament", "keys", "--new")
        assert again.returncode == 1 and "another one is of a later day" in again.stderr


@pytest.mark.sampled(0)
def test_the_pages_of_a_team_have_a_code_of_its_evening_on_the_site(tmp_path: Path) -> None:
    site = "https://club.example/truco"
    with running_hub(tmp_path / "hub", f'name = "Club"\nsite = "{site}/"') as hub:
        director = Director(hub, log_in(hub))
        first, second = join(director, [7, 3])
        begin(director)
        number = director.tournament["id"]

        def shown(team: int) -> tuple[str, bytes]:
            client = hub.client()
            page = client.get(f"/drawn/tournaments/{number}/teams/{team}").document["page"]
            query = "?published" if page else ""
            return page, client.get(f"/qr/{number}/{team}.svg{query}").body

        # Before the desk has judged the names there is nothing on the site.
        match, other = (each["id"] for each in director.tournament["queue"][:2])
        director.act("t.call", match=match, device=first.device)
        assert "pages" not in first.assigned()
        page, code = shown(5)
        assert page == "" and b"<svg" in code
        answer_names(director)
        address = f"{site}/es/{number}.html#team-5"
        assert shown(5) == (address, qr_svg(address))
        director.act("t.call", match=other, device=second.device)
        pages = second.assigned()["pages"]
        teams = {f"{site}/es/{number}.html#team-{team}" for team in range(1, 7)}
        assert len(pages) == 2 and {*pages} < teams
        event = desired_event({**second.assigned(), "rev": 9})
        assert isinstance(event, Desired) and event.pages == tuple(pages)


def stored(folder: Path) -> int:
    """A closed tournament in the database of a hub."""
    state = folder / "hub"
    state.mkdir()
    with closing(Database.open(sqlite_url(state / "hub.sqlite"))) as opened:
        with opened.write() as connection:
            load_identity(connection, random_hex)
        return close(opened, named())


def test_members_are_joined_by_hashes_and_their_numbers_are_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(tmp_path)
    members, key, out = (tmp_path / each for each in ("members.csv", "season.key", "evening.json"))
    members.write_text("Paz Luis;70077\nBruno Luz;A 12\n\n", encoding="utf-8")
    key.write_text("ab" * 32 + "\n", encoding="ascii")
    words = ["tournament", "export", str(out), "--evening", "--members", str(members)]
    assert test_command.run(tmp_path, *words) == 1
    assert "given together" in capsys.readouterr().err
    assert test_command.run(tmp_path, *words, "--season-key", str(key)) == 0
    said = capsys.readouterr().out
    assert "2 of 8 players are members" in said and "no member: Ana Ruiz" in said
    text = out.read_text("ascii")
    assert "70077" not in text and "Luis" not in text
    people = {
        each["name"]: each["member"]
        for team in json.loads(text)["teams"]
        for each in team["players"]
    }
    assert people["#1.2"] == member_hash("ab" * 32, "70077")
    assert people["Bruno Luz"] == member_hash("ab" * 32, "a12")
    assert people["#1.1"] == ""


@pytest.mark.parametrize(
    ("members", "key", "words"),
    [
        ("Ana;1\nana;2\n", "ab" * 32, "line 2: ana has another number above"),
        ("Ana\n", "ab" * 32, "line 1: wants a name and a number"),
        ("Ana;1\n", "secret", "openssl rand -hex 32"),
    ],
)
def test_a_wrong_list_of_members_is_named_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], members: str, key: str, words: str
) -> None:
    stored(tmp_path)
    (tmp_path / "members.csv").write_text(members, encoding="utf-8")
    (tmp_path / "season.key").write_text(key, encoding="ascii")
    out = tmp_path / "evening.json"
    options = [
        "--members",
        str(tmp_path / "members.csv"),
        "--season-key",
        str(tmp_path / "season.key"),
    ]
    assert test_command.run(tmp_path, "tournament", "export", str(out), "--evening", *options) == 1
    assert words in capsys.readouterr().err
    assert not out.exists()


def test_an_open_tournament_has_no_evening(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = stored(tmp_path)
    assert test_command.run(tmp_path, "tournament", "reopen", "--tournament", str(number)) == 0
    out = tmp_path / "evening.json"
    assert test_command.run(tmp_path, "tournament", "export", str(out), "--evening") == 1
    assert "close it first" in capsys.readouterr().err
    assert not out.exists()
