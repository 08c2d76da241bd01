"""The comparison of a card with its image, by the script of the image."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from tests.paths import ROOT

SCRIPT = ROOT / "image/files/usr/lib/truco/check"
IMAGE = bytes(range(256)) * 4096
SUPERBLOCK = 4096  # bytes that the kernel changes, also of a read-only system


@pytest.fixture
def card(tmp_path: Path) -> Path:
    (tmp_path / "system").write_bytes(IMAGE)
    (tmp_path / "sum").write_text(f"{hashlib.sha256(IMAGE[SUPERBLOCK:]).hexdigest()}  -\n")
    (tmp_path / "state").mkdir()
    return tmp_path


def check(card: Path) -> tuple[int, set[str]]:
    """Run the script; its exit code and the files of its state."""
    places = {"TRUCO_STATE": "state", "TRUCO_SUM": "sum", "TRUCO_SYSTEM": "system"}
    environ = {**os.environ, **{name: str(card / file) for name, file in places.items()}}
    done = subprocess.run(["sh", str(SCRIPT)], env=environ, capture_output=True, check=False)
    return done.returncode, {each.name for each in (card / "state").iterdir()}


def test_a_complete_card_is_compared_once(card: Path) -> None:
    assert check(card) == (0, {"checked"})


def test_the_time_of_the_mount_is_no_damage(card: Path) -> None:
    (card / "system").write_bytes(bytes(SUPERBLOCK) + IMAGE[SUPERBLOCK:])
    assert check(card) == (0, {"checked"})


@pytest.mark.parametrize("at", [SUPERBLOCK, len(IMAGE) // 2, len(IMAGE) - 1])
def test_a_changed_bit_is_found(card: Path, at: int) -> None:
    changed = bytearray(IMAGE)
    changed[at] ^= 1
    (card / "system").write_bytes(changed)
    assert check(card) == (1, {"damaged"})


def test_a_card_that_was_written_in_part_is_found(card: Path) -> None:
    (card / "system").write_bytes(IMAGE[: len(IMAGE) // 2] + bytes(len(IMAGE) // 2))
    assert check(card) == (1, {"damaged"})


def test_a_card_that_was_written_again_is_sound(card: Path) -> None:
    (card / "system").write_bytes(b"damaged")
    check(card)
    (card / "system").write_bytes(IMAGE)
    assert check(card) == (0, {"checked"})


def test_a_system_that_was_updated_meanwhile_is_not_damaged(card: Path) -> None:
    (card / "system").write_bytes(b"updated")
    (card / "state" / "checked").touch()
    assert check(card) == (0, {"checked"})
