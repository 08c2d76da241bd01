"""The store on both databases: log, projections, backup, rebuild, audit."""

from __future__ import annotations

import errno
import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, update
from sqlalchemy.engine import Connection

from scorer.hall.joining import key_of
from scorer.hall.rows import Opening
from scorer.hall.wire import CallRequest
from scorer.hub.audit import AuditVerdict, Comparison, audit, find_problem, reachable
from scorer.hub.command import main
from scorer.hub.decisions import DecisionError, NewDevice
from scorer.hub.identity import load_identity
from scorer.hub.scores import newest_greetings
from scorer.hub.store import database as database_module
from scorer.hub.store import log, projections
from scorer.hub.store.backup import back_up, rebuild, rebuild_if_old, restore
from scorer.hub.store.database import Database, DatabaseError, find_url_problem, sqlite_url
from scorer.hub.store.log import find_break
from scorer.hub.store.projections import Resolution
from scorer.hub.store.tables import ALARM, DEVICE, LOG, LOG_HEAD, PRESENCE, ROW
from tests.hub.boxes import EPOCH, HEADER, Hall, digest_of, greet, row, rows_message

TOKEN, OTHER = "1" * 32, "2" * 32
OPENED = Opening(1, 1, HEADER)


@pytest.fixture
def hall(database: Database) -> Hall:
    """Two boxes with rows, decisions of every kind, an open and a resolved alarm."""
    hall = Hall(database)
    first, second = hall.join(TOKEN), hall.join(OTHER, table=8)
    with database.write() as connection:
        load_identity(connection, hall.digits)
    with hall.desk() as desk:
        desk.name(second, 9, "La Yunta")
        desk.add_cards([(key_of("ab"), 11), (key_of("cd"), 12)])
        desk.set_person("ana", "admin", "x")
        desk.desire(first, {"do": "assign", "header": HEADER, "lock": True, "cap": None})
        desk.accept_by_card(NewDevice("f" * 64, 0, "m", "1", card=key_of("ab")))
    for token in (TOKEN, OTHER):
        hall.send(token, greet())
        message = rows_message([row(1), row(2)], openings=(OPENED,))
        hall.send(token, message)
    hall.send(TOKEN, greet(2, digest_of(row(2))))
    hall.send(OTHER, rows_message([row(1, "B truco")], openings=(OPENED,)))
    hall.send(TOKEN, CallRequest("c1", ""))
    return hall


def greetings(database: Database) -> dict[int, int]:
    """The last greeting of each box, before all are asked."""
    with database.read() as connection:
        return newest_greetings(connection)


def dump(database: Database) -> bytes:
    with database.read() as connection:
        return projections.dump(connection)


def test_a_rebuild_gives_the_same_bytes(hall: Hall) -> None:
    before = dump(hall.database)
    first, second = rebuild(hall.database)
    assert first == second
    assert dump(hall.database) == before


def test_a_rebuild_repairs_a_changed_projection(hall: Hall) -> None:
    before = dump(hall.database)
    with hall.database.write() as connection:
        connection.execute(update(DEVICE).values(name="changed"))
    first, second = rebuild(hall.database)
    assert first != second
    assert dump(hall.database) == before


def test_projections_of_another_version_are_rebuilt_at_the_start(hall: Hall) -> None:
    assert not rebuild_if_old(hall.database)
    with hall.database.write() as connection:
        connection.execute(update(LOG_HEAD).values(projections=projections.VERSION + 1))
        connection.execute(update(DEVICE).values(name="of another version"))
    assert rebuild_if_old(hall.database)
    assert b"of another version" not in dump(hall.database)


@pytest.mark.sampled(1)
def test_a_backup_goes_into_any_other_database(
    hall: Hall, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    copy = tmp_path / "copy"
    assert back_up(hall.database, copy) == 4
    for url in (
        sqlite_url(tmp_path / "other.sqlite"),
        request.getfixturevalue("cluster").new_database(),
    ):
        other = Database.open(url)
        assert restore(other, copy) == 4
        assert dump(other) == dump(hall.database)
        with other.read() as connection:
            assert find_problem(connection) is None
        other.close()


def test_a_backup_overwrites_nothing(hall: Hall, tmp_path: Path) -> None:
    (tmp_path / "copy").write_text("mine")
    with pytest.raises(DatabaseError, match="exists already"):
        back_up(hall.database, tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "mine"


@pytest.mark.sampled(1)
def test_a_backup_with_a_changed_log_is_refused(hall: Hall, tmp_path: Path) -> None:
    back_up(hall.database, tmp_path / "copy")
    copy = Database.open(sqlite_url(tmp_path / "copy"))
    with copy.write() as connection:
        connection.execute(update(LOG).where(LOG.c.seq == 2).values(who="mallory"))
    copy.close()
    before = dump(hall.database)
    with pytest.raises(DatabaseError, match="damaged"):
        restore(hall.database, tmp_path / "copy")
    assert dump(hall.database) == before


@pytest.mark.sampled(1)
@pytest.mark.parametrize("fault", ["empty", "no copy", "foreign", "newer", "cut off", "absent"])
def test_a_file_that_is_no_copy_replaces_nothing(hall: Hall, tmp_path: Path, fault: str) -> None:
    path = tmp_path / "copy"
    back_up(hall.database, path)
    match fault:
        case "empty":
            path.write_bytes(b"")
        case "no copy":
            path.write_bytes(b"rubbish")
        case "foreign":
            path.unlink()
            change(path, "CREATE TABLE notes (text)")
        case "newer":
            change(path, "UPDATE alembic_version SET version_num = '9999'")
        case "cut off":
            os.truncate(path, path.stat().st_size // 2)
        case "absent":
            path.unlink()
    before, file = dump(hall.database), path.read_bytes() if path.exists() else None
    with pytest.raises(DatabaseError, match=re.escape(str(path))):
        restore(hall.database, path)
    assert dump(hall.database) == before
    assert (path.read_bytes() if path.exists() else None) == file


@pytest.mark.sampled(1)
def test_a_copy_is_restored_from_where_nothing_can_be_written(hall: Hall, tmp_path: Path) -> None:
    path = tmp_path / "copy"
    back_up(hall.database, path)
    before = path.read_bytes()
    assert restore(hall.database, path) == 4
    assert path.read_bytes() == before
    assert sorted(each.name for each in tmp_path.glob("copy*")) == ["copy"]


def test_a_backup_that_cannot_be_written_leaves_no_file(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DatabaseError, match="absent/copy cannot be written: No such file"):
        back_up(hall.database, tmp_path / "absent" / "copy")
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(DatabaseError, match="copy cannot be written: No space left"):
        back_up(hall.database, tmp_path / "copy")
    assert [*tmp_path.glob("copy*")] == []


def fail(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def change(path: Path, statement: str) -> None:
    """Run a statement in the SQLite database at ``path``."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def test_a_database_of_another_program_is_left_alone(url: str) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE notes (text TEXT)")
    with pytest.raises(DatabaseError, match="not that of a hub"):
        Database.open(url)
    with engine.begin() as connection:
        assert inspect(connection).get_table_names() == ["notes"]
    engine.dispose()


def append_of_tomorrow(connection: Connection, kind: str, body: str) -> None:
    """An entry of a newer program: chained, with a word that this one lacks."""
    head = connection.execute(LOG_HEAD.select()).one()
    entry = log.Entry(
        head.seq + 1,
        "2030-01-01T00:00:00+00:00",
        "ana",
        "admin",
        kind,
        json.loads(body),
        head.digest,
    )
    connection.execute(LOG.insert().values({**entry._asdict(), "body": body}))
    connection.execute(update(LOG_HEAD).values(seq=entry.seq, digest=log.digest_of(entry)))


WORDS_OF_TOMORROW = {
    "kind": ("table.lent", "{}"),
    "alarm": ("alarm.raised", '{"kind":"tomorrow"}'),
    "resolution": ("alarm.resolved", '{"how":"tomorrow"}'),
    "event": ("tournament.event", '{"event":{"do":"Tomorrow"}}'),
}
STATEMENTS_OF_TOMORROW = {
    "migration": "UPDATE alembic_version SET version_num = '9999'",
    "table": "CREATE TABLE lent (device INTEGER)",
}
TOMORROW = (*WORDS_OF_TOMORROW, *STATEMENTS_OF_TOMORROW)


def write_tomorrow(database: Database, what: str) -> None:
    with database.write() as connection:
        if what in STATEMENTS_OF_TOMORROW:
            connection.exec_driver_sql(STATEMENTS_OF_TOMORROW[what])
        else:
            append_of_tomorrow(connection, *WORDS_OF_TOMORROW[what])


def content(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, as the database has them."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            names = inspect(connection).get_table_names()
            read = ((name, connection.exec_driver_sql(f'SELECT * FROM "{name}"')) for name in names)
            return {name: sorted(map(tuple, rows), key=repr) for name, rows in read}
    finally:
        engine.dispose()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("what", TOMORROW)
def test_a_database_of_a_newer_version_is_left_alone(url: str, what: str) -> None:
    with closing(Database.open(url)) as made:
        write_tomorrow(made, what)
    before = content(url)
    with pytest.raises(DatabaseError, match="another Truco Scorer has written it: update this one"):
        Database.open(url)
    assert content(url) == before


@pytest.mark.sampled(1)
@pytest.mark.parametrize("what", TOMORROW)
def test_a_copy_of_a_newer_version_is_not_restored(hall: Hall, tmp_path: Path, what: str) -> None:
    path = tmp_path / "copy"
    back_up(hall.database, path)
    with closing(Database.open(sqlite_url(path))) as copy:
        write_tomorrow(copy, what)
    with hall.database.read() as connection:
        before = projections.dump(connection)
    with pytest.raises(DatabaseError, match="another Truco Scorer has written it"):
        restore(hall.database, path)
    with hall.database.read() as connection:
        assert projections.dump(connection) == before


@pytest.mark.sampled(5)
@pytest.mark.parametrize("what", TOMORROW)
@pytest.mark.parametrize("command", [[], ["rebuild"], ["backup"], ["tournament", "list"]])
def test_every_command_says_that_a_newer_program_wrote_it(
    tmp_path: Path, what: str, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Database.open(sqlite_url(tmp_path / "hub.sqlite"))) as made:
        write_tomorrow(made, what)
    before, copy = content(sqlite_url(tmp_path / "hub.sqlite")), tmp_path / "copy"
    where = ["--state", str(tmp_path), "--config", str(tmp_path / "none.toml")]
    last = [str(copy)] if command == ["backup"] else []
    assert main([*where, *command, *last]) == 1
    assert "another Truco Scorer has written it: update this one" in capsys.readouterr().err
    assert content(sqlite_url(tmp_path / "hub.sqlite")) == before
    assert {each.name for each in tmp_path.iterdir()} == {"hub.sqlite"}


def test_a_changed_word_in_the_log_is_damage_and_not_a_newer_program(hall: Hall, url: str) -> None:
    with hall.database.write() as connection:
        connection.execute(update(LOG).where(LOG.c.seq == 3).values(kind="device.acceptee"))
    Database.open(url).close()
    with hall.database.read() as connection:
        assert find_break(connection) is not None


def test_a_locked_database_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = sqlite_url(tmp_path / "hub.sqlite")
    monkeypatch.setattr(database_module, "_BUSY_SECONDS", 0)
    with (
        closing(Database.open(url)) as first,
        first.write(),
        pytest.raises(DatabaseError, match="locked"),
    ):
        Database.open(url)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("column", ["at", "who", "role", "kind", "body"])
def test_a_changed_log_entry_is_found(hall: Hall, column: str) -> None:
    with hall.database.write() as connection:
        value = "{}" if column == "body" else "x"
        connection.execute(update(LOG).where(LOG.c.seq == 3).values({column: value}))
        assert find_break(connection) is not None


def test_a_missing_log_entry_is_found_at_the_end_too(hall: Hall) -> None:
    with hall.database.write() as connection:
        newest = connection.execute(LOG_HEAD.select()).one().seq
        connection.execute(LOG.delete().where(LOG.c.seq == newest))
        assert find_break(connection) is not None


def test_the_audit_compares_every_table(hall: Hall) -> None:
    report = audit(hall.database, before={}, patience=0.0)
    by_table = {each.table: each for each in report.tables}
    assert by_table[7].finding is Comparison.EQUAL
    assert (by_table[7].at_table, by_table[7].at_hub, by_table[7].stored) == (2, 2, 2)
    # Its rows are those of its greeting, but its stream is held.
    assert by_table[9].finding is Comparison.EQUAL
    assert by_table[9].is_held
    assert by_table[11].finding is Comparison.UNKNOWN
    assert report.verdict is AuditVerdict.DIFFERENT
    assert [each.table for each in report.concerned] == [9]


def test_a_box_that_is_off_is_equal_to_its_row_at_the_hub(database: Database) -> None:
    hall = Hall(database)
    hall.join(TOKEN)
    hall.send(TOKEN, greet())
    hall.send(TOKEN, rows_message([row(1), row(2)], openings=(OPENED,)))
    hall.send(TOKEN, greet(2, digest_of(row(2))))
    # The rows of the evening after its last greeting.
    later = rows_message([row(3), row(4)], prev=digest_of(row(2)))
    hall.send(TOKEN, later)
    report = audit(database, greetings(database), patience=0.0)
    (found,) = report.tables
    assert (found.at_table, found.at_hub, found.is_fresh) == (2, 4, False)
    assert found.finding is Comparison.EQUAL
    assert report.verdict is AuditVerdict.NOT_ALL_ASKED
    assert report.concerned == (found,)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("said", "finding", "verdict"),
    [
        ((1, "ab" * 8), Comparison.DIFFERENT, AuditVerdict.DIFFERENT),
        ((2, "ab" * 8), Comparison.DIFFERENT, AuditVerdict.DIFFERENT),
        ((3, "ab" * 8), Comparison.LACKING, AuditVerdict.LACKING),
        ((0, ""), Comparison.EQUAL, AuditVerdict.NOT_ALL_ASKED),
    ],
)
def test_a_missing_row_is_distinguished_from_a_different_one(
    database: Database, said: tuple[int, str], finding: Comparison, verdict: AuditVerdict
) -> None:
    hall = Hall(database)
    hall.join(TOKEN)
    hall.send(TOKEN, greet())
    hall.send(TOKEN, rows_message([row(1), row(2)], openings=(OPENED,)))
    newest, of_newest = said
    with database.write() as connection:
        connection.execute(update(PRESENCE).values(newest=newest, digest=of_newest))
    report = audit(database, greetings(database), patience=0.0)
    assert [each.finding for each in report.tables] == [finding]
    assert report.verdict is verdict


@pytest.mark.parametrize(
    ("epoch", "finding"), [("f" * 16, Comparison.LACKING), (EPOCH, Comparison.DIFFERENT)]
)
def test_a_box_in_another_epoch_lacks_rows_or_went_back(
    database: Database, epoch: str, finding: Comparison
) -> None:
    hall = Hall(database)
    hall.join(TOKEN)
    for each in (EPOCH, "a" * 16):
        for _ in range(2):
            echo = getattr(hall.send(TOKEN, greet(epoch=each)), "echo", "")
            hall.send(TOKEN, greet(epoch=each, echo=echo))
    with database.write() as connection:
        connection.execute(update(PRESENCE).values(epoch=epoch, newest=1, digest="ab" * 8))
    (found,) = audit(database, before={}, patience=0.0).tables
    assert found.finding is finding


def test_tables_that_could_not_be_asked_are_not_equal(database: Database) -> None:
    hall = Hall(database)
    hall.join(TOKEN)
    hall.send(TOKEN, greet())
    before = greetings(database)
    assert audit(database, before, patience=0.0).verdict is AuditVerdict.NOT_ALL_ASKED
    # A clock that was set back meanwhile makes no greeting older.
    hall.clock.now -= 86_400.0
    hall.send(TOKEN, greet())
    assert audit(database, before, patience=0.0).verdict is AuditVerdict.EQUAL


def test_a_hall_without_tables_is_not_called_equal(database: Database) -> None:
    assert audit(database, before={}, patience=0.0).verdict is AuditVerdict.NO_TABLES


@pytest.mark.parametrize(
    ("listens_at", "reached_at"),
    [("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("192.168.1.4", "192.168.1.4")],
)
def test_the_audit_asks_where_the_hub_listens(listens_at: str, reached_at: str) -> None:
    assert reachable(listens_at) == reached_at


def test_the_audit_finds_a_changed_row(hall: Hall) -> None:
    with hall.database.write() as connection:
        connection.execute(update(ROW).where(ROW.c.seq == 1).values(line="B truco"))
        assert find_problem(connection) is not None


@pytest.mark.sampled(1)
def test_a_table_number_belongs_to_one_box(hall: Hall) -> None:
    with hall.desk() as desk, pytest.raises(DecisionError, match="has a box"):
        desk.name(1, 9, "")
    with hall.desk() as desk, pytest.raises(DecisionError, match="from 1 to"):
        desk.accept(NewDevice("e" * 64, 0, "m", "1"))


def test_an_alarm_is_resolved_once_by_a_button_that_it_has(hall: Hall) -> None:
    with hall.database.read() as connection:
        alarms = {each.kind: each.id for each in connection.execute(ALARM.select())}
    for how, machine in ((Resolution.TRUE_ONE, ""), (Resolution.TRUE_ONE, "another")):
        with hall.desk() as desk, pytest.raises(DecisionError):
            desk.resolve(alarms["fork"], how, machine)
    with hall.desk() as desk, pytest.raises(DecisionError):
        desk.resolve(alarms["call"], Resolution.REPLACE)
    with hall.desk() as desk:
        desk.resolve(alarms["call"], Resolution.IGNORE)
    with hall.desk() as desk, pytest.raises(DecisionError):
        desk.resolve(alarms["call"], Resolution.IGNORE)


@pytest.mark.parametrize(
    ("text", "is_good"),
    [
        ("sqlite:////var/lib/hub.sqlite", True),
        ("postgresql+psycopg://hub@localhost/hub", True),
        ("postgresql://hub:secret@localhost/hub", True),
        ("mysql://hub@localhost/hub", False),
        ("postgresql://hub@localhost:notaport/hub", False),
        ("hub", False),
        ("", False),
    ],
)
def test_a_database_is_named_by_an_address(text: str, is_good: bool) -> None:
    assert (find_url_problem(text) is None) is is_good
    if not is_good:
        with pytest.raises(DatabaseError):
            Database.open(text)
