"""Copies after official results: when and where, and that they can be restored."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scorer.hall.rows import Opening
from scorer.hub import copies as module
from scorer.hub.copies import Copies, newest_result
from scorer.hub.folder_fault import FolderFault
from scorer.hub.store import log, projections
from scorer.hub.store.backup import back_up, restore
from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.store.tables import PERSON
from scorer.hub.tournaments import TournamentDesk, Tournaments, follow
from scorer.tournament.events import (
    AnnulResult,
    Draw,
    Enter,
    Event,
    MarkMissing,
    RecordResult,
    StartPhase,
)
from scorer.tournament.export import encode
from tests.hub.boxes import DIRECTOR, HEADER, Hall, greet, row, rows_message
from tests.hub.hub_process import HubProcess
from tests.support.coroutines import awaited
from tests.tournament.play import Played, built_in, stronger

TOKEN = "1" * 32


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with closing(Database.open(sqlite_url(tmp_path / "hub.sqlite"))) as database:
        hall = Hall(database)
        hall.join(TOKEN)
        hall.send(TOKEN, greet())
        hall.send(TOKEN, rows_message([row(1)], openings=(Opening(1, 1, HEADER),)))
        yield hall


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "copies"


def decide(hall: Hall) -> int:
    """Append an entry to the log; its seq."""
    with hall.desk() as desk:
        desk.set_person("ana", "admin", "x")
    with hall.database.read() as connection:
        return log.head_seq(connection)


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def fingerprint(database: Database) -> str:
    with database.read() as connection:
        assert log.find_break(connection) is None
        return projections.fingerprint(connection)


def test_each_new_result_is_a_copy_that_can_be_restored(
    hall: Hall, own: Path, tmp_path: Path
) -> None:
    copies = Copies(hall.database, own)
    copies.write(0)
    assert not own.exists()
    first, before = decide(hall), fingerprint(hall.database)
    copies.write(first)
    copies.write(first)
    copies.write(decide(hall))
    assert names(own) == ["hub-000001.copy", "hub-000002.copy"]
    assert own.stat().st_mode & 0o777 == 0o700
    assert (own / "hub-000001.copy").stat().st_mode & 0o777 == 0o600
    with closing(Database.open(sqlite_url(tmp_path / "new.sqlite"))) as other:
        assert restore(other, own / "hub-000001.copy") == 1
        assert fingerprint(other) == before


def test_the_newest_copies_are_kept(hall: Hall, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 3)
    copies = Copies(hall.database, own)
    own.mkdir()
    (own / "mine.copy").touch()
    for _ in range(5):
        copies.write(decide(hall))
    assert names(own) == [*(f"hub-{at:06}.copy" for at in (3, 4, 5)), "mine.copy"]


def test_a_start_writes_a_copy_only_of_a_result_that_no_copy_has(hall: Hall, own: Path) -> None:
    result = decide(hall)
    for _ in range(3):
        Copies(hall.database, own).write(result)
    assert names(own) == ["hub-000001.copy"]
    # The power failed before the copy of this one.
    Copies(hall.database, own).write(decide(hall))
    assert len(names(own)) == 2
    (own / "hub-000002.copy").write_bytes(b"rubbish")
    Copies(hall.database, own).write(result)
    assert len(names(own)) == 3


def test_a_hub_that_went_back_is_copied_after_the_newer_copies(
    hall: Hall, own: Path, tmp_path: Path
) -> None:
    back_up(hall.database, tmp_path / "old")
    for _ in range(3):
        result = decide(hall)
    Copies(hall.database, own).write(result)
    restore(hall.database, tmp_path / "old")
    copies = Copies(hall.database, own)
    copies.write(decide(hall))
    assert names(own) == ["hub-000001.copy", "hub-000002.copy"]


def test_a_copy_waits_for_no_writer_and_has_what_was_committed(
    hall: Hall, own: Path, tmp_path: Path
) -> None:
    result, before = decide(hall), fingerprint(hall.database)
    with hall.database.write() as connection:
        connection.execute(PERSON.delete())
        Copies(hall.database, own).write(result)
    with closing(Database.open(sqlite_url(tmp_path / "new.sqlite"))) as other:
        restore(other, own / "hub-000001.copy")
        assert fingerprint(other) == before


def test_a_stick_that_is_absent_or_full_is_logged_once_and_gets_the_newest_copy_later(
    hall: Hall, own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stick = tmp_path / "stick"
    copies = Copies(hall.database, own, stick)
    for _ in range(2):
        copies.write(result := decide(hall))
    said = capsys.readouterr().err
    assert said == f"scorer hub: no copy in {stick}: No such file or directory\n"
    assert len(names(own)) == 2
    assert copies.faults() == [FolderFault(stick, "No such file or directory")]
    stick.mkdir()
    copies.write(result)
    assert copies.faults() == []
    assert names(stick) == ["hub-000001.copy"]
    assert len(names(own)) == 2

    full = Copies(hall.database, own, reserve=1 << 62)
    for _ in range(2):
        full.write(decide(hall))
    assert capsys.readouterr().err == f"scorer hub: no copy in {own}: {os.strerror(28)}\n"
    assert len(names(own)) == 2
    assert full.faults() == [FolderFault(own, os.strerror(28), is_full=True)]


def test_a_copy_that_fails_leaves_no_file(
    hall: Hall, own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own.mkdir()
    (own / "hub.new").mkdir()
    Copies(hall.database, own).write(decide(hall))
    assert capsys.readouterr().err.startswith(f"scorer hub: no copy in {own}: ")
    assert names(own) == ["hub.new"]


@awaited
async def test_a_storm_of_results_is_one_copy_with_the_last_of_them(hall: Hall, own: Path) -> None:
    results = [0]
    running = asyncio.ensure_future(Copies(hall.database, own).run(lambda: results[0]))
    await asyncio.sleep(0)
    for _ in range(10):
        results[0] = decide(hall)
    # The hub ends within a minute.
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert names(own) == ["hub-000001.copy"]


@awaited
async def test_a_copy_is_written_while_the_hub_runs(
    hall: Hall, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.001)
    result = decide(hall)
    running = asyncio.ensure_future(Copies(hall.database, own).run(lambda: result))
    while not (own / "hub-000001.copy").exists():
        await asyncio.sleep(0.001)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def played() -> Played:
    """A bracket of four teams after its first round."""
    tournament = Played(built_in("zones_and_bracket"), 8).draw()
    tournament.do(StartPhase("zonas"))
    tournament.play_open("zonas", stronger)
    return tournament


def test_the_newest_result_is_one_that_was_recorded_corrected_or_annulled(hall: Hall) -> None:
    tournament = played()
    recorded = next(each for each in tournament.log if isinstance(each, RecordResult))

    def newest_after(event: Event | None) -> int:
        with hall.database.write() as connection:
            tournaments = follow(connection, Tournaments())
            desk = TournamentDesk(connection, hall.clock, DIRECTOR, tournaments)
            if event is None:
                desk.begin(tournament.state.format, ())
            else:
                desk.decide(event)
            return newest_result(follow(connection, tournaments))

    assert newest_result(Tournaments()) == 0
    before = [each for each in tournament.log if isinstance(each, Enter | Draw | StartPhase)]
    assert {newest_after(each) for each in (None, *before)} == {0}
    first = newest_after(recorded)
    assert first > 0
    assert newest_after(MarkMissing(1)) == first
    assert newest_after(AnnulResult(recorded.match, "x")) > first


@pytest.mark.sampled(0)
def test_a_hub_process_writes_the_copy_of_its_tournament(tmp_path: Path) -> None:
    tournament = played()
    file = tmp_path / "tournament.json"
    file.write_bytes(encode(tournament.state.format, tournament.log))
    stick = tmp_path / "stick"
    stick.mkdir()
    config = tmp_path / "scorer.toml"
    config.write_text(f'[hub]\ncopies = "{stick}"\n')
    hub = HubProcess(tmp_path / "hub", config)
    assert hub.run("tournament", "import", str(file)).returncode == 0
    hub.start()
    # Before it serves, a signal ends it at once.
    hub.client().get("/healthz")
    assert hub.stop() == 0
    for folder in (tmp_path / "hub" / "copies", stick):
        assert names(folder) == ["hub-000001.copy"]
    new = HubProcess(tmp_path / "new", config)
    assert new.run("restore", str(stick / "hub-000001.copy")).returncode == 0
    again = tmp_path / "again.json"
    assert new.run("tournament", "export", str(again)).returncode == 0
    assert again.read_bytes() == file.read_bytes()
