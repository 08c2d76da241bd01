"""The procedures of docs/operators/hall.md: each row of its table has tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from scorer.hall import wire
from scorer.hall.joining import key_of
from scorer.hall.rows import Opening
from scorer.hall.wire import GreetReply, RefusedReply, RowsReply, WireStatus
from scorer.hub.audit import AuditVerdict, audit
from scorer.hub.intake import Submission
from scorer.hub.matches import NextGame, header_of_match, next_game
from scorer.hub.scores import Scores, Sitting
from scorer.hub.state import read_view
from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.store.projections import Resolution
from scorer.hub.store.tables import ROW
from scorer.hub.tournaments import Tournaments, follow
from scorer.tournament.events import StartPhase
from scorer.tournament.export import encode
from tests.hub.boxes import HEADER, Hall, digest_of, greet, row, rows_message
from tests.hub.hub_process import HubProcess
from tests.paths import ROOT
from tests.tournament.play import Played, built_in

TOKEN = "1" * 32
OPENED = Opening(1, 1, HEADER)
GUIDE = (ROOT / "docs" / "operators" / "hall.md").read_text("utf-8")

# The tests of each row of the table, by file.
TESTS = {
    "hub down": "tests/link/test_service.py::test_everything_arrives_after_the_hub_was_away",
    "network down": "tests/link/test_service.py::test_a_silent_hub_is_left",
    "the disk of the hub is full": "tests/hub/test_troubles.py::"
    "test_a_hub_that_cannot_store_says_so_at_the_desk_and_refuses_with_a_key",
    "a box is broken": "tests/hub/test_desk.py::"
    "test_a_box_is_silent_a_minute_after_it_was_last_heard",
    "a spare box": "tests/hub/test_intake.py::"
    "test_a_spare_box_at_the_same_table_holds_the_late_rows_of_the_dead_one",
    "a card in another Pi": "tests/hub/test_intake.py::"
    "test_a_card_that_moved_to_another_machine_goes_on_after_two_minutes",
    "a copied card": "tests/hub/test_intake.py::"
    "test_two_machines_within_two_minutes_are_held_as_clone",
    "an old backup put back on a box": "tests/link/test_sender.py::"
    "test_an_old_backup_of_the_table_is_held_and_freed_by_the_desk",
    "other rows than the hub": "tests/hub/test_intake.py::"
    "test_rows_that_do_not_continue_the_last_one_are_a_fork",
    "a salvaged store": "tests/table/test_hall.py::test_a_salvaged_store_begins_a_new_epoch",
    "a box with an [older version](backup.md#going-back-to-an-older-version), and with the newer"
    " one again": "tests/table/test_newer_store.py::"
    "test_each_program_begins_a_new_epoch_after_the_other_one_has_played",
    "the disk of the hub is broken": "tests/hub/test_server.py::"
    "test_a_new_hub_restored_from_a_backup_is_the_old_one_for_its_boxes",
    "the disk of the hub is broken, and there is no copy": "tests/hub/test_procedures.py::"
    "test_a_new_hub_without_a_copy_gets_every_row_of_the_tables_that_join_again",
    "the hub has gone back to an old backup": "tests/link/test_sender.py::"
    "test_a_hub_of_an_old_backup_gets_what_it_lacks",
    "the hub has forgotten the newest assignment of a table": "tests/hub/test_intake.py::"
    "test_a_hub_that_has_gone_back_decides_again_above_the_table",
    "a box moves to another hall": "tests/table/test_hall.py::"
    "test_another_hall_numbers_its_decisions_anew",
    "wrong clocks": "tests/hub/test_procedures.py::test_wrong_clocks_do_not_change_the_order",
    "different versions": "tests/hub/test_procedures.py::"
    "test_different_versions_are_one_sentence_and_one_alarm",
    "a team contests a result, or asks for help": "tests/hub/test_intake.py::test_a_call_says_why",
    "wrong table: two pairs of teams sit at each other's table, and say so at one of the two": ""
    "tests/hub/test_tournament.py::test_two_tables_exchange_their_matches_in_one_decision",
    "the rows say another result than an accepted [QR code](#qr), or than an official result on"
    " paper": "tests/hub/test_result.py::test_the_rows_that_come_later_must_agree",
    "a team of a tournament has not come": "tests/hub/test_tournament.py::"
    "test_a_missing_team_is_not_called_and_loses_by_walkover",
    "a wrong token": "tests/link/test_service.py::"
    "test_a_revoked_token_is_reported_and_nothing_is_sent",
    "a box sends what cannot be read": "tests/hub/test_intake.py::"
    "test_many_unreadable_messages_are_one_alarm",
}


def test_every_row_of_the_guide_has_a_test_that_exists() -> None:
    (table,) = re.findall(r"^\| event \|.*?\n\n", GUIDE, re.DOTALL | re.MULTILINE)
    rows = [line.split("|")[1].strip() for line in table.strip().splitlines()[2:]]
    assert rows == list(TESTS)
    for row_, named in TESTS.items():
        path, _, test = named.partition("::")
        assert f"def {test}(" in (ROOT / path).read_text("utf-8"), row_


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with closing(Database.open(sqlite_url(tmp_path / "hub.sqlite"))) as database:
        made = Hall(database)
        made.join(TOKEN)
        yield made


def open_alarms(hall: Hall) -> list[tuple[str, str]]:
    with hall.database.read() as connection:
        return [(alarm.kind, alarm.text) for alarm in read_view(connection).alarms]


def ignore_alarm(hall: Hall) -> None:
    with hall.database.read() as connection:
        (alarm,) = read_view(connection).alarms
    with hall.desk() as desk:
        desk.resolve(alarm.id, Resolution.IGNORE, "")


def test_different_versions_are_one_sentence_and_one_alarm(hall: Hall) -> None:
    newer = wire.encode(greet()).replace(b'"v":1', b'"v":2')

    def send_newer() -> None:
        found = wire.parse_greet(newer)
        (outcome,) = hall.intake.receive([Submission(key_of(TOKEN), found)])
        assert isinstance(outcome.reply, RefusedReply)
        assert outcome.reply.status == WireStatus.UNREADABLE
        assert "version" in outcome.reply.text

    for _ in range(10):
        send_newer()
    ((kind, text),) = open_alarms(hall)
    assert (kind, "version" in text) == ("unreadable", True)
    ignore_alarm(hall)
    # The box asks again every minute.
    send_newer()
    assert open_alarms(hall) == []
    # Another fault is another alarm; a box that was updated goes on.
    hall.send(TOKEN, b"rubbish")
    assert len(open_alarms(hall)) == 1
    assert isinstance(hall.send(TOKEN, greet()), GreetReply)


def test_a_new_hub_without_a_copy_gets_every_row_of_the_tables_that_join_again(
    hall: Hall, tmp_path: Path
) -> None:
    config, file = tmp_path / "scorer.toml", tmp_path / "tournament.json"
    config.write_text("[hub]\n")
    played = Played(built_in("zones_and_bracket"), 8).draw()
    played.do(StartPhase("zonas"))
    match, *_ = played.open_matches("zonas")
    file.write_bytes(encode(played.state.format, played.log))
    old, new = (HubProcess(tmp_path / name, config) for name in ("", "new"))
    assert old.run("tournament", "import", str(file)).returncode == 0
    # A match in play, in a game after another one.
    opened = Opening(2, 2, header_of_match(played.reader, Sitting(match, "5f3a9c01"), NextGame()))
    rows = [row(1), row(2, game=2), row(3, "B quiero", game=2)]
    everything = rows_message(rows, openings=(OPENED, opened))
    newest = greet(3, digest_of(rows[-1]))
    assert isinstance(hall.send(TOKEN, greet()), GreetReply)
    assert hall.send(TOKEN, everything) == RowsReply(3)
    # The director has exported it, and the disk breaks.
    assert old.run("tournament", "export", str(exported := tmp_path / "exported")).returncode == 0
    assert new.run("tournament", "import", str(exported)).returncode == 0
    with closing(Database.open(sqlite_url(tmp_path / "new" / "hub.sqlite"))) as database:
        other, token = Hall(database), "2" * 32
        unknown = other.send(TOKEN, newest)
        assert isinstance(unknown, RefusedReply)
        assert unknown.status is WireStatus.UNKNOWN_DEVICE
        # It leaves, and joins the new hall with another token.
        other.join(token)
        greeted = other.send(token, newest)
        assert isinstance(greeted, GreetReply)
        assert greeted.last == 0
        assert other.send(token, everything) == RowsReply(3)
        assert isinstance(other.send(token, newest), GreetReply)
        report = audit(database, before={}, patience=0.0)
        assert report.verdict is AuditVerdict.EQUAL
        scores = Scores()
        with database.read() as connection:
            scores.load(connection)
            tournaments = follow(connection, Tournaments())
        (running,) = tournaments.open
        assert running.state == played.state
        # Where the match is called again, it goes on.
        sitting = Sitting(match, scores.unknown_hall(match, tournaments.halls))
        following = next_game(played.phase("zonas"), scores.legs_of(sitting))
        assert following is not None
        assert following.last is not None


def test_wrong_clocks_do_not_change_the_order(hall: Hall) -> None:
    stamps = ("2026-11-22T20:14:05Z", "1970-01-01T00:00:09Z", "2099-01-01T00:00:00Z", "")
    rows = [
        row(seq)._replace(wall=stamp, monotonic_ms=1000 - seq, trusted=False)
        for seq, stamp in enumerate(stamps, 1)
    ]
    hall.clock.now = 0.0  # the hub's own clock
    assert isinstance(hall.send(TOKEN, greet()), GreetReply)
    assert hall.send(TOKEN, rows_message(rows, openings=(OPENED,))) == RowsReply(4)
    with hall.database.read() as connection:
        query = select(ROW.c.seq, ROW.c.wall, ROW.c.trusted).order_by(ROW.c.seq)
        stored = [(seq, wall, bool(trusted)) for seq, wall, trusted in connection.execute(query)]
    assert stored == [(seq, stamp, False) for seq, stamp in enumerate(stamps, 1)]
    assert open_alarms(hall) == []
