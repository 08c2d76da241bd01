"""``make release``: what it refuses, and what others can do with its files."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.release import __main__ as command
from tools.release import signing

CHANGES = """# Changelog

## 0.3.0 (unreleased)

- Newest.

## 0.2.0 (2026-11-20)

- Older.
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree with a changelog in place of the source."""
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command.run, "__kwdefaults__", {"cwd": tmp_path})
    return tmp_path


def test_a_tree_that_is_no_commit_is_refused(root: Path) -> None:
    with pytest.raises(command.ReleaseError, match="in a clone of git"):
        command.check_tree()
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    with pytest.raises(command.ReleaseError, match=r"not a commit; commit or remove:\n.*CHANGELOG"):
        command.check_tree()
    author = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    subprocess.run(["git", "add", "--all"], cwd=root, check=True)
    subprocess.run(["git", *author, "commit", "--quiet", "-m", "a"], cwd=root, check=True)
    command.check_tree()


def test_a_missing_program_is_named_before_anything_is_made(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(root))
    monkeypatch.setattr(sys, "argv", ["release", "--out", str(root / "dist")])
    assert command.main() == 1
    assert "sudo apt install apt-utils" in capsys.readouterr().err
    assert not (root / "dist").exists()


@pytest.mark.parametrize(
    ("version", "first"),
    [
        ("0.2.0", "## 0.2.0"),
        ("0.3.0~rc1", "## 0.3.0"),
        ("0.3.0~dev5+gabc", "## 0.3.0"),
        ("0.2.1~dev1+gabc", "## 0.3.0"),
    ],
)
def test_the_notes_are_the_section_of_the_version(root: Path, version: str, first: str) -> None:
    assert command.notes_of(version).startswith(first)


@pytest.mark.parametrize(
    ("version", "why"), [("0.3.0", "write the date"), ("0.4.0", "nothing of version 0.4.0")]
)
def test_a_version_without_a_dated_section_is_refused(root: Path, version: str, why: str) -> None:
    with pytest.raises(command.ReleaseError, match=why):
        command.notes_of(version)


def test_an_image_comes_with_what_imager_reads(tmp_path: Path) -> None:
    image = tmp_path / "truco-scorer-0.2.0-1-arm64.img.xz"
    (tmp_path / "os_list.json").write_text(f'"url": "./{image.name}"')
    names = [path.name for path in command.check_image(image, "0.2.0")]
    assert names == [image.name, "os_list.json", "truco-scorer.svg"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("truco-scorer-0.2.1-1-arm64.img.xz", "no compressed card image of version 0.2.0"),
        ("truco-scorer-0.2.0-1-arm64.img", "no compressed card image of version 0.2.0"),
        ("truco-scorer-0.2.0-2-arm64.img.xz", "is of another image"),
    ],
)
def test_an_image_of_another_version_is_refused(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "os_list.json").write_text('"url": "./truco-scorer-0.2.0-1-arm64.img.xz"')
    with pytest.raises(command.ReleaseError, match=why):
        command.check_image(tmp_path / name, "0.2.0")


needs_gpg = pytest.mark.skipif(not shutil.which("gpg"), reason="gpg is not installed")
needs_apt = pytest.mark.skipif(
    not shutil.which("apt-ftparchive"), reason="apt-utils is not installed"
)
GPG = ("gpg", "--batch", "--quiet")
MAKER = "maker@example.invalid"


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A new key of the maker; its name."""
    keys = tmp_path / "keys"
    keys.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(keys))
    new = (*GPG, "--passphrase", "", "--quick-generate-key", MAKER, "ed25519", "sign", "never")
    subprocess.run(new, check=True)
    yield MAKER
    subprocess.run(["gpgconf", "--kill", "all"], check=True)


def repository(folder: Path, made: float, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The list of a repository in ``folder``, whose commit is of the time ``made``."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(made)))
    (folder / "tree/DEBIAN").mkdir(parents=True)
    control = "Package: truco\nVersion: 1\nArchitecture: all\nMaintainer: a\nDescription: b\n"
    (folder / "tree/DEBIAN/control").write_text(control)
    deb = folder / "truco_1_all.deb"
    subprocess.run(["dpkg-deb", "--build", folder / "tree", deb], check=True)
    command.make_repository(folder / "apt", deb)
    return folder / "apt/dists/stable/Release"


@needs_apt
def test_the_repository_has_the_date_of_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = repository(tmp_path, 1790000000, monkeypatch).read_text()
    dates = "Date: Mon, 21 Sep 2026 14:13:20 GMT\nValid-Until: Sat, 20 Mar 2027 14:13:20 GMT\n"
    assert f"\n{dates}" in release


def update(folder: Path) -> tuple[int, str]:
    """Status and output of ``apt-get update`` with this repository alone."""
    for name in ("state/lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True)
    source = folder / "truco.list"
    signed = folder / "apt/truco-scorer.asc"
    source.write_text(f"deb [signed-by={signed}] file:{folder}/apt stable main\n")
    options = {
        "Dir::State": folder / "state",
        "Dir::Cache": folder / "cache",
        "Dir::Etc::sourcelist": source,
        "Dir::Etc::sourceparts": "/dev/null",
        "APT::Sandbox::User": "",
        # As they are unless a system is set up otherwise.
        "Acquire::Check-Date": "true",
        "Acquire::Check-Valid-Until": "true",
    }
    words = [f"-o{name}={value}" for name, value in options.items()]
    done = subprocess.run(
        ["apt-get", "update", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.sampled(1)
@needs_apt
@needs_gpg
@pytest.mark.parametrize(("days", "status"), [(1, 0), (179, 0), (181, 100)])
def test_apt_refuses_a_copy_of_the_repository_that_is_half_a_year_old(
    days: int, status: int, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(tmp_path, time.time() - days * 24 * 3600, monkeypatch)
    signing.sign(tmp_path, key)
    ended, said = update(tmp_path)
    assert (ended, "is expired" in said) == (status, status != 0), said


@needs_gpg
def test_a_release_is_signed_after_it_is_made(tmp_path: Path, key: str) -> None:
    folder = tmp_path / "0.2.0"
    lists = folder / "apt/dists/stable"
    lists.mkdir(parents=True)
    (lists / "Release").write_text("Origin: Truco Scorer\n")
    deb = folder / "truco-scorer_0.2.0-1_all.deb"
    deb.write_bytes(b"package")
    signing.write_sums(folder)
    signing.sign(folder, key)
    for signed in (
        ["SHA256SUMS.asc", "SHA256SUMS"],
        ["apt/dists/stable/InRelease"],
        [f"{deb.name}.sig", deb.name],
    ):
        subprocess.run([*GPG, "--verify", *signed], cwd=folder, check=True)
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    sums = (folder / "SHA256SUMS").read_text()
    assert [line.partition("  ")[2] for line in sums.splitlines()] == [
        "apt/dists/stable/InRelease",
        "apt/dists/stable/Release",
        "apt/truco-scorer.asc",
        deb.name,
        f"{deb.name}.sig",
    ]


@pytest.mark.parametrize("board", ["pico", "pico-w"])
def test_a_uf2_file_holds_the_program_where_micropython_looks(tmp_path: Path, board: str) -> None:
    littlefs = pytest.importorskip("littlefs", reason="littlefs is missing: make release")
    from tools.release import uf2

    program = command.FIRMWARE
    written = {path.name: path for path in uf2.write_all(program, tmp_path, "box")}
    data = written[f"box-{board}.uf2"].read_bytes()
    blocks = [data[at : at + 512] for at in range(0, len(data), 512)]
    layout = uf2.BOARDS[board]
    flash = bytearray(b"\xff" * layout.flash_size)
    for number, block in enumerate(blocks):
        head = struct.unpack("<8I", block[:32])
        assert (head[:2], block[-4:]) == ((0x0A324655, 0x9E5D5157), struct.pack("<I", 0x0AB16F30))
        assert head[4:] == (256, number, len(blocks), layout.family)
        at = head[3] - uf2.FLASH
        flash[at : at + 256] = block[32:288]
    start = layout.flash_size - layout.file_system_size
    assert not flash[:start].strip(b"\xff"), "MicroPython itself is not touched"
    disk = littlefs.LittleFS(
        block_size=4096, block_count=layout.file_system_size // 4096, mount=False
    )
    disk.context.buffer[:] = flash[start:]
    disk.mount()
    assert disk.listdir("/") == ["main.py", "radio.py"]
    for name in disk.listdir("/"):
        with disk.open(name, "rb") as file:
            assert file.read() == (program / name).read_bytes()


def test_the_notes_of_a_section_with_a_summary_are_the_summary(root: Path) -> None:
    changes = (
        "# Changelog\n\n## 0.1.0 (2026-12-01)\n\n- What it is.\n\n### For players\n\n- A detail.\n"
    )
    (root / "CHANGELOG.md").write_text(changes)
    assert command.notes_of("0.1.0") == "## 0.1.0 (2026-12-01)\n\n- What it is.\n"
    (root / "CHANGELOG.md").write_text(changes.replace("- What it is.\n\n", ""))
    assert "A detail" in command.notes_of("0.1.0")
