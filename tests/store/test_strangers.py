"""Files that are no store of ours, or of a later one of us: told in a sentence, left alone."""

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
    """A list that somebody keeps under our name."""
    path.write_text("Los Pibes 3, La Yunta 12\n" * 20, encoding="utf-8")


def short(path: Path) -> None:
    """Fewer bytes than a database's header."""
    path.write_bytes(b"SQLite format 3\0")


def zeros(path: Path) -> None:
    """What a card may make of a file."""
    path.write_bytes(bytes(8192))


def somebodys(path: Path) -> None:
    """The database of another program, which says nothing of itself."""
    _database(path, "CREATE TABLE customer (name TEXT); INSERT INTO customer VALUES ('Ana')")


def signed(path: Path) -> None:
    """The database of another program, which says whose it is."""
    _database(path, "PRAGMA application_id = 1196444487; CREATE TABLE feature (id)")


def numbered(path: Path) -> None:
    """The empty database of another program that counts its versions."""
    _database(path, "PRAGMA user_version = 3")


def later(path: Path) -> None:
    """A store of a Truco Scorer to come."""
    Journal.open(path.parent).close()
    _database(path, f"PRAGMA user_version = {header.VERSION + 1}; CREATE TABLE wish (text)")


def _database(path: Path, script: str) -> None:
    database = sqlite3.connect(path)
    database.executescript(script)
    database.close()


STRANGERS: list[tuple[Callable[[Path], None], str]] = [
    (text, "not_a_store"),
    (short, "not_a_store"),
    (zeros, "not_a_store"),
    (somebodys, "not_a_store"),
    (signed, "not_a_store"),
    (numbered, "not_a_store"),
    (later, "future"),
]


@pytest.mark.parametrize("opens", [Journal.open, Archive.open, salvage])
@pytest.mark.parametrize(("make", "kind"), STRANGERS)
def test_a_strangers_file_is_called_one_and_not_touched(
    tmp_path: Path, make: Callable[[Path], None], kind: str, opens: Callable[[Path], object]
) -> None:
    path = tmp_path / file.NAME
    make(path)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    with pytest.raises(StoreError) as told:
        opens(tmp_path)
    assert told.value.kind == kind
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize("opens", [Journal.open, Archive.open])
def test_a_lost_file_whose_log_is_still_there_is_called_damaged(
    tmp_path: Path, opens: Callable[[Path], object]
) -> None:
    """SQLite would take the empty file for a new store and delete the log with the last presses."""
    log = file.log_of(tmp_path / file.NAME)
    log.write_bytes(b"the last presses")
    with pytest.raises(StoreError) as told:
        opens(tmp_path)
    assert told.value.kind == "damaged"
    assert log.read_bytes() == b"the last presses"


def test_a_store_that_a_power_cut_left_half_made_is_made_again(tmp_path: Path) -> None:
    (tmp_path / file.NAME).touch()
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
        assert presses.how_many(journal, 9) == 1


def test_a_table_that_has_lost_its_columns_is_called_damaged(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
    _database(tmp_path / file.NAME, "ALTER TABLE journal DROP COLUMN wall")
    with Journal.open(tmp_path) as journal, pytest.raises(StoreError) as told:
        journal.rows(1)
    assert told.value.kind == "damaged"


@pytest.mark.parametrize("place", ["a file", "nowhere"])
def test_a_folder_that_cannot_be_is_a_store_error_too(tmp_path: Path, place: str) -> None:
    (tmp_path / "a file").touch()
    folder = tmp_path / "a file" if place == "a file" else tmp_path / "a file" / "below"
    with pytest.raises(StoreError):
        Journal.open(folder)
    with pytest.raises(StoreError):
        Archive.open(tmp_path / "nothing here")


def test_every_error_is_one_sentence_that_names_the_place(tmp_path: Path) -> None:
    text(tmp_path / file.NAME)
    with pytest.raises(
        StoreError, match=r"scorer\.sqlite3: this is no store .*: it was left"
    ) as told:
        Journal.open(tmp_path)
    assert "\n" not in str(told.value)
