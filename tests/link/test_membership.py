"""The file of the hall: private, whole, and never a reason not to start."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from scorer.link.machine import machine_name
from scorer.link.membership import FILE_NAME, Membership, MembershipFile

HALL = Membership("192.168.1.20:8443", "ab" * 32, "cd" * 16, "Copa del club", 7)


def test_it_is_read_again_and_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        MembershipFile(tmp_path).save(HALL)
    finally:
        os.umask(before)
    assert MembershipFile(tmp_path).newest == HALL
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600
    MembershipFile(tmp_path).save(None)
    assert MembershipFile(tmp_path).newest is None


def test_without_a_folder_it_lasts_as_long_as_the_process() -> None:
    file = MembershipFile(None)
    file.save(HALL)
    assert file.newest == HALL


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[]", "{", "[" * 9999, json.dumps({**HALL._asdict(), "pin": "short"}),
     json.dumps({**HALL._asdict(), "hub": "a b"}), json.dumps({**HALL._asdict(), "hub": 7}),
     json.dumps({**HALL._asdict(), "token": 7}), json.dumps({**HALL._asdict(), "more": 1}),
     json.dumps({**HALL._asdict(), "table": "7"}), json.dumps({**HALL._asdict(), "card": 7}),
     "\ud800"],
)  # fmt: skip
def test_a_file_that_is_not_ours_counts_as_none(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE_NAME).write_bytes(content.encode("utf-8", "surrogatepass"))
    assert MembershipFile(tmp_path).newest is None


def test_what_cannot_be_stored_leaves_what_was(tmp_path: Path) -> None:
    file = MembershipFile(tmp_path)
    file.save(HALL)
    (tmp_path / f"{FILE_NAME}.new").mkdir()
    with pytest.raises(OSError):
        file.save(HALL._replace(table=8))
    assert MembershipFile(tmp_path).newest == file.newest == HALL


def test_neither_token_nor_pin_is_in_a_message() -> None:
    assert HALL.token not in repr(HALL)
    assert HALL.pin not in str(HALL)


def test_the_name_of_a_board_is_that_of_its_serial_number(tmp_path: Path) -> None:
    serial, other = tmp_path / "serial", tmp_path / "machine-id"
    other.write_text("b3c1\n", encoding="ascii")
    by_system = machine_name((serial, other))
    serial.write_bytes(b"10000000abcdef01\0")
    by_serial = machine_name((serial, other))
    assert len({by_system, by_serial, machine_name(())}) == 3
    assert machine_name((serial,)) == by_serial
    assert "abcdef01" not in by_serial
