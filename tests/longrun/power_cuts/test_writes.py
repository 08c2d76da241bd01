"""The parser of write logs, including truncated ones."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.longrun.power_cuts.logs import DISCARD, FLUSH, FUA, MARK, a_log, a_write
from tests.longrun.power_cuts.writes import SECTOR, LogError, read


def test_each_entry_has_its_effect_and_the_log_length_after_it(tmp_path: Path) -> None:
    log = a_log(
        tmp_path / "log",
        a_write(8, b"a" * SECTOR + b"b" * SECTOR),
        a_write(0, flags=FLUSH),
        a_write(3, b"c" * SECTOR, flags=FUA),
        a_write(5, sectors=4, flags=DISCARD),
    )
    first, flush, lasting, discard = read(log)
    assert (first.offset, first.length, first.writes) == (8 * SECTOR, 2 * SECTOR, True)
    assert log.read_bytes()[first.place : first.end] == b"a" * SECTOR + b"b" * SECTOR
    assert (flush.flushes, flush.writes) == (True, False)
    assert (lasting.lasts, lasting.flushes) == (True, False)
    assert (discard.discards, discard.length, discard.end) == (True, 4 * SECTOR, discard.place)
    assert discard.end == log.stat().st_size


def test_a_log_cut_at_any_byte_ends_with_its_last_whole_entry(tmp_path: Path) -> None:
    log = a_log(tmp_path / "log", *(a_write(at, bytes([at]) * SECTOR) for at in range(1, 4)))
    whole, entries = log.read_bytes(), read(log)
    assert len(entries) == 3
    for length in range(SECTOR, len(whole), 64):
        log.write_bytes(whole[:length])
        assert read(log) == tuple(each for each in entries if each.end <= length), length


def test_an_entry_that_was_never_written_ends_the_log(tmp_path: Path) -> None:
    log = a_log(tmp_path / "log", a_write(1, b"x" * SECTOR))
    with log.open("ab") as file:
        file.write(b"\0" * 4 * SECTOR)
    assert len(read(log)) == 1


def test_a_mark_has_no_effect(tmp_path: Path) -> None:
    log = a_log(tmp_path / "log", a_write(0, flags=MARK), a_write(1, b"x" * SECTOR))
    assert [entry.offset for entry in read(log)] == [SECTOR]


def test_an_empty_log_has_no_entries(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"")
    assert read(tmp_path / "log") == ()


@pytest.mark.parametrize(
    "head",
    [
        b"short",
        struct.pack("<QQQI", 1, 1, 0, 512),
        struct.pack("<QQQI", 0x6A736677736872, 1, 0, 4096),
    ],
    ids=["short", "another magic", "other sectors"],
)
def test_a_file_that_is_not_a_log_is_refused(tmp_path: Path, head: bytes) -> None:
    (tmp_path / "log").write_bytes(head)
    with pytest.raises(LogError):
        read(tmp_path / "log")
