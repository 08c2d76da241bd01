"""Stores of version 1, which had no check values: read as they are, carried over by a table."""

from __future__ import annotations

import sqlite3
from itertools import pairwise
from pathlib import Path

import pytest

from scorer.store import file, health
from scorer.store.archive import Archive
from scorer.store.header import APPLICATION
from scorer.store.journal import Journal, StoreError
from scorer.store.opening import open_sound
from tests.store import presses

NIGHT = 40
SETTING = ("language", '"pt-BR"')

# As the first Truco Scorer made it.
SCHEMA = f"""
PRAGMA page_size = 1024;
PRAGMA journal_mode = WAL;
CREATE TABLE game (id INTEGER PRIMARY KEY, header TEXT NOT NULL, opened INTEGER NOT NULL) STRICT;
CREATE TABLE journal (
  seq INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game (id), press INTEGER NOT NULL,
  line TEXT NOT NULL, source TEXT NOT NULL, boot TEXT NOT NULL, monotonic_ms INTEGER NOT NULL,
  wall TEXT NOT NULL, trusted INTEGER NOT NULL, late INTEGER NOT NULL
) STRICT;
CREATE INDEX late_rows ON journal (game) WHERE late = 1;
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = 1;
"""


def old_store(folder: Path) -> None:
    """The night of ``presses`` in a store of version 1."""
    folder.mkdir(exist_ok=True)
    rows, headers = presses.expected(NIGHT), presses.headers(NIGHT)
    opened = dict.fromkeys(headers, 1)
    for game in headers:
        before = (k for k in range(1, NIGHT + 1) if presses.press(k).game == game)
        opened[game] = presses.row_count(next(before) - 1) + 1
    ends = {one: opened[two] for one, two in pairwise(sorted(opened))}
    database = sqlite3.connect(folder / file.NAME)
    database.executescript(SCHEMA)
    with database:
        games = [(game, header, opened[game]) for game, header in headers.items()]
        database.executemany("INSERT INTO game VALUES (?, ?, ?)", games)
        late = [(*row, row.seq >= ends.get(row.game, len(rows) + 1)) for row in rows]
        database.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", late)
        database.execute("INSERT INTO setting VALUES (?, ?)", SETTING)
    database.close()


def test_who_only_reads_sees_an_old_store_as_it_is(tmp_path: Path) -> None:
    old_store(tmp_path)
    before = (tmp_path / file.NAME).read_bytes()
    with Archive.open(tmp_path) as archive:
        found = [(one.game, one.header, one.rows) for one in archive.games()]
    assert found == [
        (game, header, tuple(row for row in presses.expected(NIGHT) if row.game == game))
        for game, header in presses.headers(NIGHT).items()
    ]
    assert health.settings(tmp_path) == dict([SETTING])
    health.check_whole(tmp_path)
    assert (tmp_path / file.NAME).read_bytes() == before


def test_a_table_carries_it_over_and_keeps_the_old_file(tmp_path: Path) -> None:
    old_store(tmp_path)
    before = (tmp_path / file.NAME).read_bytes()
    with pytest.raises(StoreError) as told:
        Journal.open(tmp_path)
    assert told.value.kind == "old"
    journal, salvaged = open_sound(tmp_path, lambda journal: journal.rows(1))
    with journal:
        assert salvaged is None, "nothing was damaged"
        assert presses.how_many(journal, NIGHT) == NIGHT
        assert journal.settings() == dict([SETTING])
        presses.append(journal, NIGHT + 1)
    assert [each.read_bytes() for each in tmp_path.glob("damaged-*.sqlite3")] == [before]
    with Journal.open(tmp_path) as journal:
        assert presses.how_many(journal, NIGHT + 1) == NIGHT + 1


def test_a_lost_row_of_an_old_store_is_found_where_the_rules_refuse_what_comes_after(
    tmp_path: Path,
) -> None:
    """Without check values only whoever knows the rules can tell."""
    old_store(tmp_path)

    def look(journal: Journal) -> None:
        if len(journal.rows(1)) > 2:
            raise ValueError("no such call")

    journal, salvaged = open_sound(tmp_path, look, lambda header, rows: min(2, len(rows)))
    with journal:
        assert salvaged is not None and salvaged.lost > 0
        assert [len(journal.rows(game)) for game in journal.games()] == [2] * salvaged.games
