"""Pages of games are read once, until their game gets another row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.records.game_log import GameLog
from scorer.store.journal import Journal, Stamp, StoredRow
from scorer.table.game_pages import MAX_PAGE_BYTES, MAX_ROWS, GamePages

HEADER = '[Variant "argentine"]\n'
STAMP = Stamp("boot", 1, "2026-01-01T00:00:00+00:00", True)


class CountingLog(GameLog):
    """A log that counts the pages that are read."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, lambda now: STAMP)
        self.reads = 0

    def game(self, number: int, start: int, limit: int) -> tuple[str, tuple[StoredRow, ...]]:
        self.reads += 1
        return super().game(number, start, limit)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[CountingLog]:
    with Journal.open(tmp_path) as journal:
        made = CountingLog(journal)
        for _ in range(20):
            made.append(["A truco", "- undo"], "A", 0.0, opens=HEADER, forward=False)
        yield made


def seqs(pages: GamePages, number: int, start: int = 0) -> list[int]:
    return [row["seq"] for row in json.loads(pages.page(number, start).rows)]


def test_a_page_is_read_once_until_its_game_gets_a_row(log: CountingLog) -> None:
    pages = GamePages(log)
    assert [seqs(pages, 20), seqs(pages, 20), seqs(pages, 1)] == [[39, 40], [39, 40], [1, 2]]
    assert log.reads == 2
    log.append(["B truco"], "B", 0.0, opens=None, forward=False)
    pages.forget(20)
    assert [seqs(pages, 20), seqs(pages, 20, 41), seqs(pages, 1)] == [[39, 40, 41], [41], [1, 2]]
    assert log.reads == 4


def test_few_pages_are_kept_those_that_were_asked_for_last(log: CountingLog) -> None:
    pages = GamePages(log)
    for number in (*range(1, 17), 1, 17):
        assert pages.page(number, 0).header == HEADER
    assert log.reads == 17
    pages.page(1, 0)
    assert log.reads == 17
    pages.page(2, 0)
    assert log.reads == 18


def test_an_unknown_game_is_no_page(log: CountingLog) -> None:
    with pytest.raises(KeyError):
        GamePages(log).page(21, 0)


def test_a_page_ends_where_an_answer_does(log: CountingLog) -> None:
    for _ in range(MAX_ROWS):
        log.append(["A truco # " + "x" * 150], "A", 0.0, opens=None, forward=False)
    rows = GamePages(log).page(20, 0).rows
    assert MAX_PAGE_BYTES * 0.9 < len(rows) < 64_000
