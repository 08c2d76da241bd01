"""The archive: every game as it was entered, beside a table that goes on writing."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.store import file
from scorer.store.journal import Journal, StoreError
from tests.store import presses
from tests.store.archive import Archive

NIGHT = 40


def games(count: int) -> list[tuple[int, str, tuple[str, ...]]]:
    """What an archive of the first ``count`` presses holds."""
    rows = presses.expected_rows(count)
    return [
        (game, header, tuple(row.line for row in rows if row.game == game))
        for game, header in presses.headers(count).items()
    ]


def told(archive: Archive) -> list[tuple[int, str, tuple[str, ...]]]:
    """What an archive gives."""
    return [(one.game, one.header, tuple(row.line for row in one.rows)) for one in archive.games()]


def test_the_archive_holds_every_game_with_the_rows_that_came_late(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for k in range(1, NIGHT + 1):
            presses.append(journal, k)
    with Archive.open(tmp_path) as archive:
        assert told(archive) == games(NIGHT)


def test_reading_and_writing_do_not_wait_for_each_other(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
        with Archive.open(tmp_path) as archive:
            for k in range(2, NIGHT + 1):
                walk = archive.games()
                next(walk)
                presses.append(journal, k)
                assert told(archive) == games(k)


def test_the_archive_writes_nothing(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
    before = (tmp_path / file.FILE_NAME).read_bytes()
    with Archive.open(tmp_path) as archive:
        told(archive)
    assert (tmp_path / file.FILE_NAME).read_bytes() == before


def test_where_there_is_no_store_none_is_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        Archive.open(tmp_path)
    assert [*tmp_path.iterdir()] == []
