"""Foreign files and stores of other versions are reported and left unchanged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from scorer.store import file, header
from scorer.store.archive import Archive
from scorer.store.journal import Journal, StoreError
from scorer.store.salvage import salvage
from tests.store import presses


def text(path: Path) -> None:
    """A text file under our name."""
    path.write_text("Los Pibes 3, La Yunta 12\n" * 20, encoding="utf-8")


def short(path: Path) -> None:
    """Fewer bytes than a database header."""
    path.write_bytes(b"SQLite format 3\0")


def zeros(path: Path) -> None:
    """A file overwritten by a failing card."""
    path.write_bytes(bytes(8192))


def unsigned(path: Path) -> None:
    """The database of another program, without an application id."""
    _database(path, "CREATE TABLE customer (name TEXT); INSERT INTO customer VALUES ('Ana')")


def signed(path: Path) -> None:
    """The database of another program, with an application id."""
    _database(path, "PRAGMA application_id = 1196444487; CREATE TABLE feature (id)")


def numbered(path: Path) -> None:
    """The empty database of another program, with a version number."""
    _database(path, "PRAGMA user_version = 3")


def later(path: Path) -> None:
    """A store of a newer version."""
    Journal.open(path.parent).close()
    _database(path, f"PRAGMA user_version = {max(header.VERSIONS) + 1}; CREATE TABLE wish (text)")


def unreleased(path: Path) -> None:
    """A store of version 1, which was never released."""
    _database(
        path,
        f"PRAGMA page_size = {file.PAGE}; PRAGMA journal_mode = WAL;"
        f"PRAGMA application_id = {header.APPLICATION_ID}; PRAGMA user_version = 1;"
        "CREATE TABLE game (id INTEGER PRIMARY KEY, header TEXT NOT NULL, opened INTEGER NOT NULL)",
    )


def _database(path: Path, script: str) -> None:
    database = sqlite3.connect(path)
    database.executescript(script)
    database.close()


FOREIGN_FILES: list[tuple[Callable[[Path], None], str]] = [
    (text, "not_a_store"),
    (short, "not_a_store"),
    (zeros, "not_a_store"),
    (unsigned, "not_a_store"),
    (signed, "not_a_store"),
    (numbered, "not_a_store"),
    (later, "future"),
    (unreleased, "future"),
]


@pytest.mark.parametrize("opens", [Journal.open, Archive.open, salvage])
@pytest.mark.parametrize(("make", "kind"), FOREIGN_FILES)
def test_a_foreign_file_is_reported_and_unchanged(
    tmp_path: Path, make: Callable[[Path], None], kind: str, opens: Callable[[Path], object]
) -> None:
    path = tmp_path / file.FILE_NAME
    make(path)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    with pytest.raises(StoreError) as caught:
        opens(tmp_path)
    assert caught.value.kind == kind
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize("opens", [Journal.open, Archive.open])
def test_a_log_without_its_file_is_reported_as_damage(
    tmp_path: Path, opens: Callable[[Path], object]
) -> None:
    """SQLite would create a new store and delete the log with the last presses."""
    log = file.wal_path(tmp_path / file.FILE_NAME)
    log.write_bytes(b"the last presses")
    with pytest.raises(StoreError) as caught:
        opens(tmp_path)
    assert caught.value.kind == "damaged"
    assert log.read_bytes() == b"the last presses"


def test_a_store_whose_creation_was_interrupted_is_created_again(tmp_path: Path) -> None:
    (tmp_path / file.FILE_NAME).touch()
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
        assert presses.count_presses(journal, 9) == 1


CHANGES = {
    "without a column": "ALTER TABLE journal DROP COLUMN wall",
    "a column by another name": "ALTER TABLE journal RENAME COLUMN press TO other",
    "without a table": "DROP TABLE setting",
    "without an index": "DROP INDEX late_rows",
    "a copy that takes anything": "CREATE TABLE copy AS SELECT * FROM newest; DROP TABLE newest;"
    " ALTER TABLE copy RENAME TO newest",
    "a view": "CREATE VIEW scores AS SELECT * FROM journal",
    "an index of others": "CREATE INDEX mine ON journal (wall)",
    "an index that slows every press": "CREATE INDEX slow ON journal"
    " (length(replace(hex(zeroblob(300)), '0', 'aa')))",
    "a table of others": "CREATE TABLE debts (who TEXT)",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON journal BEGIN DELETE FROM game; END",
}


@pytest.mark.parametrize("opens", [Journal.open, Archive.open])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_changed_tables_are_reported_as_damage(
    tmp_path: Path, change: str, opens: Callable[[Path], object]
) -> None:
    """Also in an empty store, where no query would fail yet."""
    Journal.open(tmp_path).close()
    _database(tmp_path / file.FILE_NAME, change)
    with pytest.raises(StoreError) as caught:
        opens(tmp_path)
    assert caught.value.kind == "damaged"


HARMLESS = {
    "what SQLite keeps for itself": "ANALYZE",
    # Comments in the schema of another build are no damage.
    "other comments": "PRAGMA writable_schema = on;"
    " UPDATE sqlite_master SET sql = replace(sql, 'check value', 'sum') WHERE name = 'journal'",
}


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_additions_that_change_none_of_our_tables_are_accepted(tmp_path: Path, change: str) -> None:
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
    _database(tmp_path / file.FILE_NAME, change)
    with Journal.open(tmp_path) as journal:
        assert presses.count_presses(journal, 9) == 1


@pytest.mark.parametrize("place", ["a file", "nowhere"])
def test_an_impossible_folder_is_a_store_error(tmp_path: Path, place: str) -> None:
    (tmp_path / "a file").touch()
    folder = tmp_path / "a file" if place == "a file" else tmp_path / "a file" / "below"
    with pytest.raises(StoreError):
        Journal.open(folder)
    with pytest.raises(StoreError):
        Archive.open(tmp_path / "nothing here")


def test_an_error_is_one_sentence_with_the_path(tmp_path: Path) -> None:
    text(tmp_path / file.FILE_NAME)
    with pytest.raises(
        StoreError, match=r"scorer\.sqlite3: this is no store .*: it was left"
    ) as caught:
        Journal.open(tmp_path)
    assert "\n" not in str(caught.value)
