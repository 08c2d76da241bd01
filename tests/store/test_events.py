"""Events: a bounded list that a store of an older version gets with its first one."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scorer.store import events, file, header, health
from scorer.store.events import Event
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.store.salvage import salvage
from tests.store import presses

STAMP = Stamp(presses.BOOT, 1000, "2026-05-01T21:00:00+00:00", trusted=True)
PHONES = '[{"id": "a1", "name": "Ana", "digest": "d"}]'
NIGHT = 30
# The schema of version 2, as programs without events wrote it.
VERSION_2 = """
CREATE TABLE game (
  id           INTEGER PRIMARY KEY,
  header       TEXT    NOT NULL,
  opened       INTEGER NOT NULL,        -- seq of its first row, there or still to come
  before       INTEGER NOT NULL,        -- the game before it, 0: none
  sum          INTEGER NOT NULL,        -- check value of the four above
  tip          INTEGER NOT NULL         -- sum, and the sums of all rows of the game folded in
) STRICT;
CREATE TABLE newest (
  game         INTEGER NOT NULL,        -- one row: the highest id, 0 as long as there is none
  settings     INTEGER NOT NULL         -- the sums of all settings, in order, folded
) STRICT;
INSERT INTO newest VALUES (0, 0);
CREATE TABLE journal (
  seq          INTEGER PRIMARY KEY,
  game         INTEGER NOT NULL REFERENCES game (id),
  press        INTEGER NOT NULL,        -- seq of the first row of the press
  line         TEXT    NOT NULL,
  source       TEXT    NOT NULL,
  boot         TEXT    NOT NULL,
  monotonic_ms INTEGER NOT NULL,
  wall         TEXT    NOT NULL,
  trusted      INTEGER NOT NULL,
  late         INTEGER NOT NULL,        -- 1: a newer game had been opened before this press
  sum          INTEGER NOT NULL         -- check value of all above but late
) STRICT;
CREATE INDEX late_rows ON journal (game) WHERE late = 1;
CREATE TABLE setting (
  key          TEXT PRIMARY KEY,
  value        TEXT NOT NULL,
  sum          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
PRAGMA application_id = 1414681923;
PRAGMA user_version = 2;
"""


def event(number: int) -> Event:
    return Event(f"paired {number} Ana", f"192.168.1.{number}", STAMP)


def old_store(folder: Path) -> None:
    """A store of version 2 with a night of presses and a paired phone."""
    folder.mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / file.FILE_NAME)) as database:
        database.executescript(f"PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; {VERSION_2}")
    with Journal.open(folder) as journal:
        for k in range(1, NIGHT + 1):
            presses.append(journal, k)
        journal.set_setting("phones", PHONES)
    assert version(folder) == 2


def version(folder: Path) -> int:
    with closing(sqlite3.connect(folder / file.FILE_NAME)) as database:
        return file.version_of(database)


def test_events_are_kept_in_their_order_with_the_setting(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        assert journal.events() == ()
        journal.set_setting("phones", "[]", [event(1)])
        journal.set_setting("phones", PHONES, [event(2), event(3)])
    with Journal.open(tmp_path) as journal:
        assert journal.events() == (event(1), event(2), event(3))
        assert journal.settings() == {"phones": PHONES}
        assert journal.last_seq() == 0, "an event is no row of the journal"
    assert health.read_events(tmp_path) == (event(1), event(2), event(3))
    health.check_integrity(tmp_path)


def test_the_newest_thousand_events_are_kept(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        many = [event(number) for number in range(events.MAX_EVENTS + 20)]
        journal.set_setting("phones", "[]", many)
        assert journal.events() == tuple(many[20:])


def test_a_store_of_version_2_keeps_its_phones_and_its_score(tmp_path: Path) -> None:
    old_store(tmp_path)
    assert health.read_events(tmp_path) == ()
    with Journal.open(tmp_path) as journal:
        assert (journal.events(), journal.settings()) == ((), {"phones": PHONES})
        presses.append(journal, NIGHT + 1)
        journal.check_writable()
        assert version(tmp_path) == 2, "older programs open it until there is an event"
        journal.set_setting("phones", "[]", [event(1)])
        presses.append(journal, NIGHT + 2)
        journal.check_writable()
    assert version(tmp_path) == 3
    with Journal.open(tmp_path) as journal:
        assert (journal.events(), journal.settings()) == ((event(1),), {"phones": "[]"})
        assert presses.count_presses(journal, NIGHT + 2) == NIGHT + 2
    health.check_integrity(tmp_path)


@pytest.mark.parametrize("is_open", [False, True])
def test_an_older_program_tells_that_a_newer_one_has_written_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_open: bool
) -> None:
    old_store(tmp_path / "live")
    with Journal.open(tmp_path / "live") as journal:
        journal.set_setting("phones", "[]", [event(1)])
        if is_open:
            # As after a power cut: the new version is in the log alone.
            shutil.copytree(tmp_path / "live", tmp_path / "cut")
    folder = tmp_path / ("cut" if is_open else "live")
    # What an older program knows.
    monkeypatch.setattr(header, "VERSIONS", (2,))
    monkeypatch.setattr(file, "_TABLES", {2: file._TABLES[2]})
    before = (folder / file.FILE_NAME).read_bytes()
    for opener in (Journal.open, health.check_integrity, salvage):
        with pytest.raises(StoreError, match="another Truco Scorer has written it") as refused:
            opener(folder)
        assert refused.value.kind == "future"
    # SQLite moves a log into the file; the games in it are the same.
    assert is_open or (folder / file.FILE_NAME).read_bytes() == before


def test_a_cut_at_any_byte_of_the_log_leaves_the_old_version_or_the_new(tmp_path: Path) -> None:
    old_store(tmp_path / "live")
    with Journal.open(tmp_path / "live") as journal:
        journal.set_setting("phones", "[]", [event(1)])
        store = (tmp_path / "live" / file.FILE_NAME).read_bytes()
        log = file.wal_path(tmp_path / "live" / file.FILE_NAME).read_bytes()
    found = set()
    for size in (*range(0, len(log), 256), len(log)):
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / file.FILE_NAME).write_bytes(store)
        file.wal_path(folder / file.FILE_NAME).write_bytes(log[:size])
        with Journal.open(folder) as journal:
            found.add((journal.events(), journal.settings()["phones"]))
            assert presses.count_presses(journal, NIGHT) == NIGHT
        health.check_integrity(folder)
        shutil.rmtree(folder)
    assert found == {((), PHONES), ((event(1),), "[]")}


def test_a_full_disk_changes_neither_the_setting_nor_the_events(tmp_path: Path) -> None:
    old_store(tmp_path)

    def connector(path: Path) -> sqlite3.Connection:
        database = file.connect(path)
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        return database

    with Journal.open(tmp_path, connector=connector) as journal:
        with pytest.raises(StoreError) as refused:
            journal.set_setting("phones", "[]", [event(1)])
        assert refused.value.kind == "full"
        assert (journal.events(), journal.settings()) == ((), {"phones": PHONES})
    assert version(tmp_path) == 2


def damaged(folder: Path) -> None:
    """A store with three events, the second with a flipped bit."""
    old_store(folder)
    with Journal.open(folder) as journal:
        journal.set_setting("phones", "[]", [event(number) for number in (1, 2, 3)])
    whole = bytearray((folder / file.FILE_NAME).read_bytes())
    whole[whole.index(b"paired 2 Ana")] ^= 1
    (folder / file.FILE_NAME).write_bytes(whole)


def test_a_damaged_event_is_noticed_and_costs_no_point(tmp_path: Path) -> None:
    damaged(tmp_path)
    with Journal.open(tmp_path) as journal:
        assert presses.count_presses(journal, NIGHT) == NIGHT
        with pytest.raises(StoreError) as found:
            journal.events()
    assert found.value.kind == "damaged"
    with pytest.raises(StoreError):
        health.check_integrity(tmp_path)
    result = salvage(tmp_path)
    assert result.lost_rows == 0
    with Journal.open(tmp_path) as journal:
        assert journal.events() == (event(1), event(3))
        assert presses.count_presses(journal, NIGHT) == NIGHT


def test_a_store_with_events_is_salvaged_when_any_page_is_lost(tmp_path: Path) -> None:
    old_store(tmp_path / "whole")
    with Journal.open(tmp_path / "whole") as journal:
        journal.set_setting("phones", "[]", [event(1)])
    whole = (tmp_path / "whole" / file.FILE_NAME).read_bytes()
    complete = 0
    for start in range(0, len(whole), file.PAGE):
        folder = tmp_path / str(start)
        folder.mkdir()
        lost = whole[:start] + bytes(file.PAGE) + whole[start + file.PAGE :]
        (folder / file.FILE_NAME).write_bytes(lost)
        try:
            salvage(folder)
        except StoreError:
            assert start == 0, "without its first page it is no store"
            continue
        with Journal.open(folder) as journal:
            kept = journal.since(1, 10**6)
            assert set(kept) <= set(presses.expected_rows(NIGHT))
            complete += kept == presses.expected_rows(NIGHT)
            assert journal.events() in ((), (event(1),))
        shutil.rmtree(folder)
    assert complete > 5
