"""The archive: all games as entered, beside a table that is writing."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.store import file
from scorer.store.archive import Archive
from scorer.store.journal import Journal, StoreError
from tests.store import presses

PRESSES = 40


def games(count: int) -> list[tuple[int, str, tuple[str, ...]]]:
    """The games of the first ``count`` presses."""
    rows = presses.expected_rows(count)
    return [
        (game, header, tuple(row.line for row in rows if row.game == game))
        for game, header in presses.headers(count).items()
    ]


def games_of(archive: Archive) -> list[tuple[int, str, tuple[str, ...]]]:
    return [(one.game, one.header, tuple(row.line for row in one.rows)) for one in archive.games()]


def test_the_archive_holds_every_game_with_its_late_rows(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for k in range(1, PRESSES + 1):
            presses.append(journal, k)
    with Archive.open(tmp_path) as archive:
        assert games_of(archive) == games(PRESSES)


def test_reading_and_writing_do_not_wait_for_each_other(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
        with Archive.open(tmp_path) as archive:
            for k in range(2, PRESSES + 1):
                walk = archive.games()
                next(walk)
                presses.append(journal, k)
                assert games_of(archive) == games(k)


def test_the_archive_writes_nothing(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        presses.append(journal, 1)
    before = (tmp_path / file.FILE_NAME).read_bytes()
    with Archive.open(tmp_path) as archive:
        games_of(archive)
    assert (tmp_path / file.FILE_NAME).read_bytes() == before


def test_opening_a_missing_store_creates_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        Archive.open(tmp_path)
    assert [*tmp_path.iterdir()] == []
