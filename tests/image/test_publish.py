"""The files beside a card image: the list for Raspberry Pi Imager, and the sums."""

from __future__ import annotations

import hashlib
import json
import lzma
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

URL = "https://example.org/truco"
DATE = 1_790_000_000  # seconds: 2026-09-21
# What Imager's description of the format demands of an entry, with the types.
REQUIRED = {
    "name": str,
    "description": str,
    "icon": str,
    "url": str,
    "extract_size": int,
    "extract_sha256": str,
    "image_download_size": int,
    "release_date": str,
}

pytestmark = pytest.mark.skipif(shutil.which("xz") is None, reason="needs xz")


@pytest.fixture
def image(tmp_path: Path) -> Path:
    file = tmp_path / "truco-scorer-1.2-arm64.img"
    file.write_bytes(bytes(range(256)) * 4096 + bytes(5_000_000))
    publish(file)
    return file


def publish(image: Path) -> None:
    command = [sys.executable, str(ROOT / "image" / "publish.py"), str(image), f"{URL}/"]
    environ = {"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": str(DATE)}
    subprocess.run(command, env=environ, check=True, capture_output=True)


def entry_of(image: Path) -> dict[str, Any]:
    listed = json.loads(image.with_name("os_list.json").read_text(encoding="utf-8"))
    assert list(listed) == ["os_list"]
    (entry,) = listed["os_list"]
    assert isinstance(entry, dict)
    return entry


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_the_entry_has_what_imager_demands(image: Path) -> None:
    entry = entry_of(image)
    for key, kind in REQUIRED.items():
        assert type(entry[key]) is kind, key


def test_the_sizes_and_sums_are_those_of_the_files(image: Path) -> None:
    entry = entry_of(image)
    packed = image.with_name(f"{image.name}.xz").read_bytes()
    assert lzma.decompress(packed) == image.read_bytes()
    assert entry["extract_size"] == image.stat().st_size
    assert entry["extract_sha256"] == sha256(image.read_bytes())
    assert entry["image_download_size"] == len(packed)
    assert entry["image_download_sha256"] == sha256(packed)


def test_the_addresses_name_files_that_exist(image: Path) -> None:
    entry = entry_of(image)
    for key in ("url", "icon"):
        folder, _, name = entry[key].rpartition("/")
        assert folder == URL
        assert image.with_name(name).is_file()
    assert entry["release_date"] == "2026-09-21"


def test_imager_offers_the_image_for_64_bit_boards_and_no_settings_of_its_own(image: Path) -> None:
    entry = entry_of(image)
    assert entry["devices"] == ["pi5-64bit", "pi4-64bit", "pi3-64bit"]
    assert entry["init_format"] == "none"


def test_a_damaged_download_is_found_by_the_sums(image: Path) -> None:
    check = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    assert subprocess.run(check, cwd=image.parent, check=False).returncode == 0
    packed = image.with_name(f"{image.name}.xz")
    content = bytearray(packed.read_bytes())
    content[len(content) // 2] ^= 1
    packed.write_bytes(content)
    assert subprocess.run(check, cwd=image.parent, check=False, capture_output=True).returncode != 0


@pytest.mark.sampled(0)
def test_the_same_image_gives_the_same_bytes(image: Path) -> None:
    before = {each.name: each.read_bytes() for each in image.parent.iterdir()}
    publish(image)
    assert {each.name: each.read_bytes() for each in image.parent.iterdir()} == before
