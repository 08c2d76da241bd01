"""The games of one table in its journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.records.game_log import GameLog
from scorer.store.journal import Journal, Stamp, StoredRow, StoreError

HEADER = '[Variant "argentine"]'


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path) as journal:
        yield journal


def stamp(now: float) -> Stamp:
    return Stamp("boot", int(now * 1000), "2026-05-01T21:00:00+00:00", trusted=True)


def play(ledger: GameLog, *lines: str, opens: str | None = None) -> None:
    ledger.append(lines, "A", 1.0, opens=opens, forward=False)


def damage(folder: Path, statement: str) -> None:
    database = sqlite3.connect(folder / "scorer.sqlite3")
    with database:
        database.execute(statement)
    database.close()


def test_a_new_journal_has_no_game_that_goes_on(journal: Journal) -> None:
    ledger = GameLog(journal, stamp)
    assert ledger.resume() is None
    assert (ledger.current_game, ledger.seq) == (0, 0)


def test_it_goes_on_where_the_rows_end(journal: Journal) -> None:
    play(GameLog(journal, stamp), "A truco", opens=HEADER)
    ledger = GameLog(journal, stamp)
    opened = ledger.resume()
    assert opened is not None
    assert (ledger.current_game, opened.number, len(opened.record.past)) == (1, 1, 1)
    play(ledger, "B quiero")
    assert [row.line for row in ledger.game(1, 0, 500)[1]] == ["A truco", "B quiero"]


def test_a_row_names_the_current_game_once_it_has_one(journal: Journal) -> None:
    ledger = GameLog(journal, stamp)
    play(ledger, opens=HEADER)
    assert ledger.seq_names_a_game, "there is no game before"
    play(ledger, opens=HEADER)
    resumed = GameLog(journal, stamp)
    resumed.resume()
    for each in (ledger, resumed):
        assert (each.current_game, each.seq, each.seq_names_a_game) == (2, 0, False)
    play(ledger, "A truco")
    assert ledger.seq_names_a_game
    play(ledger, opens=HEADER)
    assert not ledger.seq_names_a_game


def test_a_game_that_is_followed_comes_in_pieces(journal: Journal) -> None:
    ledger = GameLog(journal, stamp)
    for number in (1, 2):
        play(ledger, "A truco", "B quiero", opens=HEADER)
        assert ledger.game_numbers == (number, 1, number)
    for start, expected in ((0, [3, 4]), (4, [4]), (5, []), (-(10**30), [3, 4])):
        header, rows = ledger.game(2, start, 500)
        assert (header, [row.seq for row in rows]) == (HEADER, expected)


def test_the_pages_of_a_game_are_the_game_also_after_another_one(journal: Journal) -> None:
    ledger = GameLog(journal, stamp)
    play(ledger, "A truco", "B quiero", opens=HEADER)
    play(ledger, "A envido", opens=HEADER)
    whole = ledger.game(1, 0, 500)[1]
    for limit in (1, 2, 3):
        pages, start = list[StoredRow](), 0
        while page := ledger.game(1, start, limit)[1]:
            pages += page
            start = page[-1].seq + 1
        assert tuple(pages) == whole


@pytest.mark.parametrize("number", [0, -1, 2, 10**30])
def test_a_game_that_was_never_opened_is_none(journal: Journal, number: int) -> None:
    ledger = GameLog(journal, stamp)
    play(ledger, opens=HEADER)
    with pytest.raises(KeyError):
        ledger.game(number, 0, 500)


@pytest.mark.parametrize(
    "change", ["line = 'B truco'", "line = CAST(x'ff' AS TEXT)", "game = game + 1"]
)
def test_damage_in_an_older_game_does_not_affect_the_current_one(
    tmp_path: Path, change: str
) -> None:
    with Journal.open(tmp_path) as journal:
        play(GameLog(journal, stamp), "A truco", opens=HEADER)
        play(GameLog(journal, stamp), "A envido", opens=HEADER)
    damage(tmp_path, f"UPDATE journal SET {change} WHERE seq = 1")
    with Journal.open(tmp_path) as journal:
        ledger = GameLog(journal, stamp)
        assert [row.line for row in ledger.game(2, 0, 500)[1]] == ["A envido"]
        with pytest.raises(StoreError, match="damaged"):
            ledger.game(1, 0, 500)
        ledger.resume()
        play(ledger, "B envido_won")
        assert [row.line for row in ledger.game(2, 0, 500)[1]] == ["A envido", "B envido_won"]


def test_a_night_that_is_cleared_begins_with_the_game_that_goes_on(journal: Journal) -> None:
    ledger = GameLog(journal, stamp)
    play(ledger, "A truco", opens=HEADER)
    play(ledger, "A truco", opens=HEADER)
    ledger.clear_evening(over=False)
    assert ledger.game_numbers.first == 2
    ledger.clear_evening(over=True)
    assert ledger.game_numbers.first == 3
    assert GameLog(journal, stamp).game_numbers.first == 3
