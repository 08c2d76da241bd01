"""Salvage: readable presses are kept, lost ones counted, the old file is kept."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from scorer.store import file, replace_file
from scorer.store.journal import Journal, StoreError
from scorer.store.salvage import salvage
from tests.sampling import sample
from tests.store import machines, presses

NIGHT = 200


def a_night(folder: Path, count: int = NIGHT) -> bytes:
    """The file of a store that was closed normally."""
    with Journal.open(folder) as journal:
        journal.set_setting("language", '"pt-BR"')
        for k in range(1, count + 1):
            presses.append(journal, k)
    return (folder / file.FILE_NAME).read_bytes()


def kept_presses(journal: Journal) -> int:
    """The number of rows kept, all in whole presses and prefixes of games."""
    night = presses.expected_rows(NIGHT)
    sizes = {row.press: sum(each.press == row.press for each in night) for row in night}
    total = 0
    for game in journal.games():
        assert journal.header(game) == presses.headers(NIGHT)[game]
        rows = journal.rows(game)
        assert rows == tuple(row for row in night if row.game == game)[: len(rows)]
        if rows:
            assert sum(row.press == rows[-1].press for row in rows) == sizes[rows[-1].press]
        total += len(rows)
    assert total == len(journal.since(1, 10**6))
    return total


def test_an_undamaged_store_is_kept_whole(tmp_path: Path) -> None:
    before = a_night(tmp_path)
    result = salvage(tmp_path)
    assert (result.kept_rows, result.lost_rows) == (len(presses.expected_rows(NIGHT)), 0)
    assert result.games == len(presses.headers(NIGHT))
    assert result.damaged_file.read_bytes() == before
    with Journal.open(tmp_path) as journal:
        assert presses.count_presses(journal, NIGHT) == NIGHT
        assert journal.settings() == {"language": '"pt-BR"'}
        presses.append(journal, NIGHT + 1)
    with Journal.open(tmp_path) as journal:
        assert presses.count_presses(journal, NIGHT + 1) == NIGHT + 1


@pytest.mark.sampled(0)
def test_the_other_pages_are_kept_when_any_page_is_lost(tmp_path: Path) -> None:
    whole = a_night(tmp_path / "whole")
    pages = len(whole) // file.PAGE
    night = len(presses.expected_rows(NIGHT))
    kept = []
    for page in sample(range(1, pages), 12):  # without the first, which identifies the file
        damaged = bytearray(whole)
        filling = (b"\x00", b"\xff", b"A truco ")[page % 3]
        place = slice(page * file.PAGE, (page + 1) * file.PAGE)
        damaged[place] = (filling * file.PAGE)[: file.PAGE]
        folder = tmp_path / f"{page}"
        folder.mkdir()
        (folder / file.FILE_NAME).write_bytes(damaged)
        result = salvage(folder)
        assert result.damaged_file.read_bytes() == damaged
        with Journal.open(folder) as journal:
            assert kept_presses(journal) == result.kept_rows
            assert result.kept_rows + result.lost_rows <= night
            journal.append(
                game=journal.newest_game() + 1,
                lines=["A truco"],
                source="A",
                stamp=presses.press(1).stamp,
                opens="goes on",
            )
        kept.append(result.kept_rows)
    print(f"{len(kept)} pages lost one by one: {sorted(kept)} of {night} rows kept")
    # Most pages hold a few rows; a gap loses the rest of the games it is in.
    assert sorted(kept)[len(kept) // 2] > night * 0.9


def test_presses_only_in_the_log_are_kept(tmp_path: Path) -> None:
    output = machines.run(machines.command(tmp_path, 12))
    assert file.wal_path(tmp_path / file.FILE_NAME).stat().st_size
    result = salvage(tmp_path)
    assert file.wal_path(result.damaged_file).exists()
    with Journal.open(tmp_path) as journal:
        assert presses.count_presses(journal, NIGHT) == output.last == 12


def test_a_truncated_file_keeps_the_presses_before_the_cut(tmp_path: Path) -> None:
    whole = a_night(tmp_path / "whole")
    pages = len(whole) // file.PAGE
    kept = []
    for left in range(pages // 2, pages, 4):
        folder = tmp_path / f"{left}"
        folder.mkdir()
        (folder / file.FILE_NAME).write_bytes(whole[: left * file.PAGE])
        result = salvage(folder)
        with Journal.open(folder) as journal:
            assert kept_presses(journal) == result.kept_rows
        kept.append(result.kept_rows)
    assert kept == sorted(kept)
    assert 0 < kept[-1] < len(presses.expected_rows(NIGHT))


def test_salvaging_twice_keeps_both_old_files(tmp_path: Path) -> None:
    a_night(tmp_path, 9)
    assert [salvage(tmp_path).damaged_file.name for _ in range(2)] == [
        "damaged-1.sqlite3",
        "damaged-2.sqlite3",
    ]
    with Journal.open(tmp_path) as journal:
        assert presses.count_presses(journal, 9) == 9


@pytest.mark.parametrize("step", range(1, 6))
def test_a_power_cut_during_the_replacement_loses_neither_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    machines.run(machines.command(tmp_path, 12))
    old, log = (
        (tmp_path / file.FILE_NAME).read_bytes(),
        file.wal_path(tmp_path / file.FILE_NAME).read_bytes(),
    )
    steps = 0

    def rename(path: Path, target: Path) -> Path:
        nonlocal steps
        steps += 1
        if steps == step:
            raise OSError("the plug")
        path.replace(target)
        return target

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", rename)
        try:
            salvage(tmp_path)
        except StoreError:
            assert step <= 4
        else:
            assert step == 5
    with Journal.open(tmp_path) as journal:
        assert presses.count_presses(journal, NIGHT) == 12
    assert not (tmp_path / replace_file.SALVAGED_NAME).exists()
    if step > 1:
        assert (tmp_path / "damaged-1.sqlite3").read_bytes() == old
        assert (tmp_path / "damaged-1.sqlite3-wal").read_bytes() == log


def test_a_press_without_its_first_row_is_damage(tmp_path: Path) -> None:
    """A row in the middle of a game without the first row of its press is not valid."""
    a_night(tmp_path, 9)
    database = sqlite3.connect(tmp_path / file.FILE_NAME)
    (seq,) = database.execute("SELECT press FROM journal WHERE seq > press LIMIT 1").fetchone()
    database.execute("DELETE FROM journal WHERE seq = ?", (seq,))
    database.commit()
    database.close()
    with Journal.open(tmp_path) as journal, pytest.raises(StoreError) as result:
        journal.rows(1)
    assert result.value.kind == "damaged"
    salvage(tmp_path)
    with Journal.open(tmp_path) as journal:
        assert [row.seq for row in journal.rows(1)] == [*range(1, seq - 1)]
