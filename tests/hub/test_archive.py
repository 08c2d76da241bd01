"""Closed tournaments: read from the store when they are asked for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from scorer.hub import closed_answers
from scorer.hub.changes import CLOSED
from scorer.hub.closed_answers import ClosedAnswers
from scorer.hub.forgetting import forget, places_of_team
from scorer.hub.match_caller import MatchCaller
from scorer.hub.match_place import HallTournament
from scorer.hub.state import HubState
from scorer.hub.store import log
from scorer.hub.store.backup import back_up, rebuild, restore
from scorer.hub.store.database import Connection, Database, sqlite_url
from scorer.hub.store.kept import drop_all, read_kept
from scorer.hub.store.log import Author, Entry
from scorer.hub.store.masks import make_masks
from scorer.hub.store.projections import Kind
from scorer.hub.store.tables import KEPT, SECRET
from scorer.hub.tournaments import (
    ClosedTournament,
    RunningTournament,
    TournamentDesk,
    Tournaments,
    follow,
    read_closed,
)
from scorer.tournament import Reader
from scorer.tournament.events import BlankName, CorrectResult, NameTournament, Withdraw
from tests.hub.boxes import SetClock
from tests.hub.test_server import wait_for
from tests.hub.test_several_tournaments import CONSOLATION, begun
from tests.hub.test_tournament import LIST, Director, join, restart
from tests.support.coroutines import awaited
from tests.tournament.play import Played, built_in, coin, result_of

ANA = Author("ana", "director")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database.open(sqlite_url(tmp_path / "hub.sqlite"))) as opened:
        yield opened


def played(seed: int) -> Played:
    """A whole tournament with a name, a team that has left and a correction."""
    found = Played(built_in("zones_and_bracket"), 6 + seed % 3).draw()
    found.do(NameTournament(f"Copa {seed}", "2026-11-28"))
    found.play(coin(seed))
    found.do(Withdraw(1, "se fueron"))
    final = found.open_matches("llave") or [*found.state.stages["llave"].matches]
    match = final[-1]
    winner = found.state.results[match].winner or 0
    found.do(CorrectResult(match, result_of(found.reader.phase_of(match), 1 - winner), "planilla"))
    return found


def store(database: Database, count: int) -> list[RunningTournament]:
    """Tournaments that were begun one after the other and closed in another order."""
    with database.write() as connection:
        ids = []
        for seed in range(count):
            desk = TournamentDesk(connection, SetClock(), ANA, Tournaments())
            one = played(seed)
            ids.append(desk.begin(one.state.format, one.log))
        before = follow(connection, Tournaments()).by_id
        for number in ids[::-1]:
            TournamentDesk(connection, SetClock(), ANA, Tournaments(), number).close()
    return [before[number] for number in ids]


def reading(database: Database) -> HubState:
    return HubState(database, SetClock(), lambda: 0.0)


@awaited
async def test_a_closed_tournament_is_read_as_it_was(database: Database) -> None:
    before = store(database, 3)
    state = reading(database)
    await state.load()
    assert not state.tournaments.by_id
    assert [*state.tournaments.archive] == [each.id for each in before]
    for each in before:
        assert state.tournament(each.id) is None  # it is in the store alone
        await state.read_closed(each.id)
        found = state.tournament(each.id)
        assert found is not None
        own = {key: change for key, change in found.changes.items() if key != CLOSED}
        assert replace(found, changes=own, is_open=True) == each
        assert found.changes[CLOSED] == state.tournaments.archive[each.id].closed
        assert not found.is_open
    state.thread.close()


@pytest.mark.sampled(0)
@awaited
async def test_few_closed_tournaments_stay_in_memory(database: Database) -> None:
    before = store(database, 7)
    state = reading(database)
    matches = MatchCaller(state, "hall", lambda: 0.0, lambda: "1")
    await state.load()
    for each in [*before, *before]:
        await state.read_closed(each.id)
        assert matches.reader(each.id).state == each.state
    kept = [each.id for each in before if state.tournament(each.id) is not None]
    assert kept == [each.id for each in before[-4:]]
    assert len(matches._readers) <= 4
    titles = [each.names.name for each in matches.all_tournaments()]
    assert titles == [f"Copa {seed}" for seed in range(7)]
    champions = [each.champion for each in matches.all_tournaments()]
    assert all(champions) and not any(each.is_open for each in matches.all_tournaments())
    state.thread.close()


def test_a_tournament_that_is_reopened_goes_on_and_is_closed_again(database: Database) -> None:
    first, second = store(database, 2)
    with database.write() as connection:
        known = follow(connection, Tournaments())
        desk = TournamentDesk(connection, SetClock(), ANA, known, first.id)
        desk.reopen()
        assert desk.running.state == first.state and desk.running.is_open
        desk.decide(NameTournament("Copa de nuevo"))
        desk.close()
        again = follow(connection, known)
        # One process has followed it step by step, another one begins now.
        assert again == follow(connection, Tournaments())
        assert [each.listed.names.name for each in again.archive.values()] == [
            "Copa de nuevo",
            "Copa 1",
        ]
        assert [*again.archive] == [first.id, second.id]


@awaited
async def test_a_name_is_blanked_in_the_archive_for_lists_and_what_is_read(
    database: Database,
) -> None:
    (before,) = store(database, 1)
    state = reading(database)
    await state.load()
    await state.read_closed(before.id)
    champion = state.tournaments.archive[before.id].listed.champion
    team = next(each.id for each in before.state.teams.values() if each.name == champion)
    await state.direct(ANA, lambda desk: desk.decide(BlankName(team)), before.id)
    closed = state.tournaments.archive[before.id]
    assert closed.listed.champion not in ("", champion)
    assert state.tournament(before.id) is None  # what was read is old
    await state.read_closed(before.id)
    found = state.tournament(before.id)
    assert found is not None and found.state.teams[team].is_blank and not found.is_open
    with database.read() as connection:
        assert follow(connection, Tournaments()) == state.tournaments
    state.thread.close()


@pytest.mark.sampled(0)
def test_what_is_asked_of_a_closed_tournament_is_answered_after_a_restart(
    director: Director,
) -> None:
    join(director, [1])
    numbers = [
        begun(director, each, name=f"Copa {at}") for at, each in enumerate((LIST, CONSOLATION))
    ]
    for number in numbers:
        director.act("t.by_itself", tournament=number, on=False)
        for table in director.read(number)["tables"]:
            director.act("t.take_back", tournament=number, match=table["match"]["id"])
    match = director.read(numbers[1])["queue"][0]["id"]
    result = {"winner": 0, "games": [1, 0], "points": [30, 4], "ending": "played"}
    event = {"do": "RecordResult", "match": match, "result": result}
    director.act("t.event", tournament=numbers[1], event=event, seen=director.desk["seq"])
    get = director.client.get
    public = get(f"/api/v1/tournaments/{numbers[1]}").document["phases"]
    shared = get(f"/messages/{numbers[1]}").document["results"]
    assert "30" in shared and shared in get("/messages").document["results"]
    for number in numbers:
        director.act("t.close", tournament=number)
    restart(director)
    get = director.client.get
    assert [each["title"] for each in get("/api/v1/tournaments").document["tournaments"]] == [
        "Copa 0",
        "Copa 1",
    ]
    assert get(f"/api/v1/tournaments/{numbers[1]}").document["phases"] == public
    assert get(f"/messages/{numbers[1]}").document["results"] == shared
    # Without an open one, the newest is meant.
    assert get("/api/v1/tournament").document["id"] == numbers[1]
    assert get("/api/v1/tournament/teams/3").document["name"] == "Equipo Raúl"
    search = get("/e/").body.decode()
    assert "Equipo Raúl" in search and "Equipo Caio" not in search
    assert get(f"/desk/tournament.json?t={numbers[0]}").status == 200
    assert "30" in get(f"/desk/tables/matches.csv?t={numbers[1]}").body.decode()
    listed = director.act("t.results", tournament=numbers[1], phase="", team=0)["results"]
    assert [each["id"] for each in listed] == [match]
    assert director.act("t.why", tournament=numbers[1], match=match)["why"]
    late = {"tournament": numbers[1], "seen": director.desk["seq"]}
    assert director.refused("t.event", event={"do": "Return", "team": 1}, **late) == "t.closed"
    assert director.refused("t.call", match=match, device=1, **late).startswith("t.")
    assert get("/api/v1/tournaments/999999").status == 404


@pytest.mark.sampled(0)
def test_the_wall_names_the_corrected_winner_after_the_tournament_was_closed(
    director: Director,
) -> None:
    (table,) = join(director, [1])
    number = begun(director, LIST)
    director.act("t.by_itself", tournament=number, on=False)
    wait_for(lambda: "header" in table.assigned())
    table.play("A award 30", "A agree", "B agree")
    wait_for(lambda: director.read(number)["official"] != [])
    match = director.read(number)["official"][0]["id"]
    other = {"winner": 1, "games": [0, 1], "points": [0, 30], "ending": "played"}
    seen = director.desk["seq"]
    director.act(
        "t.correct",
        tournament=number,
        match=match,
        result=other,
        reason="planilla",
        seen=seen,
        annuls=[],
    )

    def winner() -> str:
        (shown,) = director.client.get("/api/v1/hall").document["tables"]
        return str(shown["game"]["winner"])

    assert winner() == "B"
    director.act("t.close", tournament=number)
    assert winner() == "B"
    restart(director)
    assert winner() == "B"


@awaited
async def test_visitors_read_closed_tournaments_once_and_no_row_waits_for_them(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = store(database, 2)
    folded: list[int] = []

    def read_slowly(
        connection: Connection, closed: ClosedTournament, after_each: Callable[[], None]
    ) -> RunningTournament:
        found = read_closed(connection, closed, after_each)
        # While a visitor's read is open, a row is stored.
        with database.write() as other:
            other.execute(insert(SECRET).values(name=f"row {len(folded)}", value=""))
        folded.append(closed.listed.id)
        return found

    monkeypatch.setattr(closed_answers, "read_closed", read_slowly)
    state, shelf = reading(database), ClosedAnswers(database)
    await state.load()

    async def name_of(number: int, team: int, address: str) -> str:
        closed = state.tournaments.archive[number]

        def make(found: HallTournament) -> dict[str, str]:
            return {"name": found.reader.state.teams[team].name}

        file = await shelf.document(closed, ("es", team), address, make)
        return json.loads(file.body)["name"] if file.body else ""

    asked = [name_of(first.id, 1, f"10.0.0.{number}") for number in range(30)]
    assert {*await asyncio.gather(*asked)} == {first.state.teams[1].name}
    assert folded == [first.id]
    assert await name_of(first.id, 2, "10.0.0.1") == first.state.teams[2].name
    assert await name_of(first.id, 999, "10.0.0.1") == "", "there is no such team"
    assert folded == [first.id]
    assert await name_of(second.id, 1, "10.0.0.1") == second.state.teams[1].name
    shelf.close()
    state.thread.close()


@awaited
async def test_a_name_that_is_blanked_is_in_no_kept_answer(database: Database) -> None:
    (before,) = store(database, 1)
    state, shelf = reading(database), ClosedAnswers(database)
    await state.load()

    async def names() -> list[str]:
        closed = state.tournaments.archive[before.id]

        def make(found: HallTournament) -> dict[str, list[str]]:
            return {"names": [each.name for each in found.reader.state.teams.values()]}

        file = await shelf.document(closed, "es", "10.0.0.1", make)
        return list(json.loads(file.body)["names"])

    name = before.state.teams[2].name
    assert name in await names()
    await state.direct(ANA, lambda desk: desk.decide(BlankName(2)), before.id)
    assert name not in await names()
    shelf.close()
    state.thread.close()


# ---- what is kept of closed tournaments ---------------------------------------------------------


def test_a_name_that_is_forgotten_is_in_nothing_that_is_kept(database: Database) -> None:
    (before,) = store(database, 1)
    champion = Reader(before.state).champion
    assert champion is not None
    name = before.state.teams[champion].name
    with database.write() as connection:
        assert any(name in json.dumps(each.document) for each in read_kept(connection).values())
        masks = make_masks(connection, lambda digits: "a" * digits)
        places = places_of_team(connection, before.id, champion)
        forget(connection, masks, SetClock().utc(), ANA, places, name="")
        assert [*connection.execute(select(KEPT.c.document)).scalars()] == []
        assert name not in repr(follow(connection, Tournaments()).archive)


@pytest.mark.sampled(0)
def test_a_start_reads_no_entry_of_closed_tournaments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many entries with 1, 10 and 30 of them, and one that is open."""
    read: list[int] = []
    all_entries = log.entries

    def counted(
        connection: Connection,
        since: int = 0,
        kinds: Iterable[Kind] = (),
        until: int | None = None,
    ) -> Iterator[Entry]:
        for entry in all_entries(connection, since, kinds, until):
            read.append(entry.seq)
            yield entry

    monkeypatch.setattr(log, "entries", counted)
    found = []
    for count in (1, 10, 30):
        url = sqlite_url(tmp_path / f"{count}.sqlite")
        with closing(Database.open(url)) as database:
            store(database, count)
            with database.write() as connection:
                desk = TournamentDesk(connection, SetClock(), ANA, Tournaments())
                desk.begin(played(count).state.format, played(count).log[:4])
        read.clear()
        with closing(Database.open(url)) as database, database.read() as connection:
            known = follow(connection, Tournaments())
            assert (len(known.archive), len(known.by_id)) == (count, 1)
        found.append(len(read))
    assert len({*found}) == 1 and found[0] < 30, found


@awaited
async def test_a_start_keeps_what_an_older_program_has_not_kept(database: Database) -> None:
    store(database, 2)
    for drops in (drop_all, lambda connection: connection.execute(update(KEPT).values(program=""))):
        with database.write() as connection:
            drops(connection)
        state = reading(database)
        await state.load()
        state.thread.close()
        with database.read() as connection:
            assert read_kept(connection).keys() > {
                f"tournament {number}" for number in state.tournaments.archive
            }


def test_what_is_kept_is_of_no_other_log(database: Database, tmp_path: Path) -> None:
    """A restored copy has another one, and a rebuild begins anew."""
    store(database, 1)
    copy = tmp_path / "old.copy"
    back_up(database, copy)
    store(database, 2)
    restore(database, copy)
    with database.read() as connection:
        assert read_kept(connection) == {}
        assert len(follow(connection, Tournaments()).archive) == 1
    rebuild(database)
    with database.read() as connection:
        assert read_kept(connection) == {}
