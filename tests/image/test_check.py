"""The comparison of a card with its image, by the script of the image."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from tests.backup.loop_stick import attached, why_not
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


@pytest.mark.sampled(0)
@pytest.mark.skipif(bool(why_not()), reason=why_not() or "a loop device")
def test_a_mounted_system_is_complete(tmp_path: Path) -> None:
    """The kernel writes times, and completes bitmaps in memory."""
    image, folder, sums = (tmp_path / name for name in ("system.img", "mounted", "sum"))
    folder.mkdir()
    (tmp_path / "state").mkdir()
    with image.open("wb") as file:
        file.truncate(300 << 20)  # three groups of blocks, two of them unused
    subprocess.run(["mkfs.ext4", "-q", "-F", "-b", "4096", str(image)], check=True)
    sums.write_text(f"{hashlib.sha256(image.read_bytes()[SUPERBLOCK:]).hexdigest()}  -\n")
    with attached(image) as device:
        mounted = ["mount", "-o", "ro", device, str(folder)]
        if subprocess.run(mounted, check=False).returncode:
            pytest.skip("no loop device may be mounted here")
        try:
            (tmp_path / "system").symlink_to(device)
            assert check(tmp_path) == (0, {"checked"})
        finally:
            subprocess.run(["umount", str(folder)], check=True)
