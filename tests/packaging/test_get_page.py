"""The commands of docs/players/get.md, read out of the page and tried."""

from __future__ import annotations

import lzma
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.paths import ROOT
from tools.release import __main__ as release

PAGE = (ROOT / "docs" / "players" / "get.md").read_text(encoding="utf-8")
VERSION = "0.1.0"
# The names of the files of a release; docs/developers/releasing.md lists them.
FILES = (
    f"truco_scorer-{VERSION}-py3-none-any.whl",
    f"truco_scorer-{VERSION}.tar.gz",
    f"truco-scorer_{VERSION}-1_all.deb",
    f"truco-scorer-{VERSION}-arm64.img.xz",
    "SHA256SUMS",
)


def commands(section: str) -> str:
    """What is typed in a section of the page."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    assert blocks, section
    return "\n".join(blocks)


def sections() -> list[str]:
    return re.findall(r"^## (.+)$", PAGE, re.MULTILINE)


def run(script: str, folder: Path, **environment: str) -> str:
    """Run it as typed into a shell; return what it prints."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, **environment},
        input="A truco\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_way_of_the_table_has_its_commands() -> None:
    linked = re.findall(r"^\| \[`?([^]`]+)`?\]\(#([\w-]+)\)", PAGE, re.MULTILINE)
    assert [anchor for _, anchor in linked] == [
        name.lower().replace(" ", "-") for name in (sections()[0], *sections()[1:])
    ]
    assert all(commands(name) for name in sections())


def test_nothing_is_installed_by_a_name_that_others_can_register() -> None:
    for line in "\n".join(map(commands, sections())).splitlines():
        if re.search(r"\b(?:pip|apt|npm) install\b", line):
            assert "./" in line, line


def test_every_file_of_the_commands_is_one_of_a_release(tmp_path: Path) -> None:
    for name in FILES:
        (tmp_path / name).touch()
    named = re.findall(r"[\w./-]*truco[_-]scorer[\w./*-]*", "\n".join(map(commands, sections())))
    assert len(named) == 3
    for pattern in named:
        assert len(list(tmp_path.glob(pattern.removeprefix("./")))) == 1, pattern


def test_every_target_that_tries_a_way_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"`make ([a-z-]+)`", PAGE))
    assert {"run", "test", "site", "release", "installing"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.skipif(not shutil.which("xz"), reason="xz is missing: apt install xz-utils")
def test_the_card_is_written_by_the_commands(tmp_path: Path) -> None:
    image = os.urandom(1 << 16)
    packed = tmp_path / FILES[3]
    packed.write_bytes(lzma.compress(image))
    run(f"sha256sum {packed.name} > SHA256SUMS", tmp_path)
    # The card is a file, and root is not needed for it.
    sudo = tmp_path / "bin" / "sudo"
    sudo.parent.mkdir()
    sudo.write_text('#!/bin/sh\nexec "$@"\n')
    sudo.chmod(0o755)
    script = commands("The card").replace("/dev/sdX", "card")
    run(script, tmp_path, PATH=f"{sudo.parent}:{os.environ['PATH']}")
    assert (tmp_path / "card").read_bytes() == image


@pytest.mark.parametrize(
    ("command", "pages"),
    [
        # The build guide installs and restarts in two steps, with a test after each.
        ("sudo apt install ./truco-scorer", {"get", "card"}),
        ("xz -dc truco-scorer", {"get"}),
    ],
)
def test_no_other_page_repeats_how_to_install_and_to_flash(command: str, pages: set[str]) -> None:
    found = {
        path.name.partition(".")[0]
        for path in (ROOT / "docs").rglob("*.md")
        if f"\n{command}" in path.read_text(encoding="utf-8")
    }
    assert found == pages


def test_the_notes_of_a_release_have_the_commands_of_its_files() -> None:
    without, with_card = (release.installing(has_image=has_image) for has_image in (False, True))
    for name in ("The Python package", "The Debian package"):
        assert commands(name) in without
    assert "sdX" not in without
    assert commands("The card") in with_card


@pytest.mark.package
def test_the_python_package_is_installed_and_runs(tmp_path: Path) -> None:
    install_from(wheel_in(tmp_path))


def wheel_in(folder: Path) -> Path:
    source = folder / "source"
    for name in ("pyproject.toml", "LICENSE", "tools/catalogues.py"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    for name in ("scorer", "packaging"):
        shutil.copytree(
            ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "_version.py")
        )
    command = f"{sys.executable} -m hatchling build --target wheel --directory {folder}"
    run(command, source, SETUPTOOLS_SCM_PRETEND_VERSION=VERSION)
    assert (folder / FILES[0]).is_file()
    return folder


def install_from(folder: Path) -> None:
    """Type the commands of the page in a folder with a wheel; play a script."""
    # The libraries are those of this environment: nothing is downloaded.
    libraries = sysconfig.get_path("purelib")
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PYTHONPATH": libraries,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    script = commands("The Python package").rstrip() + " --script - --json"
    assert '"call": "truco"' in run(script, folder, **environment)
    version = run(
        "truco/bin/scorer --version; truco/bin/python -c 'import scorer; print(scorer.__file__)'",
        folder,
        **environment,
    )
    assert str(folder / "truco") in version
