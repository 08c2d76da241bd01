"""Versions from git: newer than the tag, never equal to another build."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.paths import ROOT

PROGRAM = "import sys; sys.path.insert(0, 'packaging'); import build; print(build.version())"
SOURCES = (
    "LICENSE",
    "packaging/build.py",
    "packaging/description.md",
    "packaging/untracked.py",
    "packaging/urls.py",
    "pyproject.toml",
    "scorer/__init__.py",
    "scorer/display/fonts/LICENSE",
    "scorer/makers/labels/fonts/LICENSE",
    "tools/catalogues.py",
)
AUTHOR = ("-c", "user.name=test", "-c", "user.email=test@example.invalid")


class Source:
    """A source tree with a history of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in SOURCES:
            (folder / name).parent.mkdir(exist_ok=True, parents=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())

    def commit(self, text: str) -> None:
        if not (self.folder / ".git").exists():
            self.git("init", "--quiet")
        (self.folder / "rule.txt").write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git(*AUTHOR, "commit", "--quiet", "--message", text)

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.folder, check=True, capture_output=True)

    def version(self) -> str:
        command = [sys.executable, "-c", PROGRAM]
        made = subprocess.run(command, cwd=self.folder, check=True, capture_output=True, text=True)
        return made.stdout.strip()


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return Source(tmp_path)


@pytest.fixture
def is_older() -> Callable[[str, str], bool]:
    """How dpkg orders two versions."""

    def compare(one: str, other: str) -> bool:
        command = ["dpkg", "--compare-versions", one, "lt", other]
        return subprocess.run(command, check=False).returncode == 0

    return compare


@pytest.mark.sampled(0)
def test_each_commit_after_a_tag_is_newer_than_the_tag_and_older_than_the_next(
    source: Source, is_older: Callable[[str, str], bool]
) -> None:
    source.commit("a")
    found = [source.version()]
    source.git("tag", "v0.1.0")
    found.append(source.version())
    for text in "bc":
        source.commit(text)
        found.append(source.version())
    source.git("tag", "v0.1.1rc1")
    found.append(source.version())
    source.git("tag", "--delete", "v0.1.1rc1")
    source.git("tag", "v0.1.1")
    found.append(source.version())
    assert (found[1], found[4], found[5]) == ("0.1.0", "0.1.1~rc1", "0.1.1")
    assert all(is_older(one, other) for one, other in pairwise(found)), found


@pytest.mark.sampled(0)
def test_a_tag_that_is_no_version_changes_none(source: Source) -> None:
    source.commit("a")
    source.git("tag", "v0.1.0")
    source.commit("b")
    before = source.version()
    source.git("tag", "reviewed-2")
    assert source.version() == before
    assert before.startswith("0.1.1~dev1+g")


@pytest.mark.sampled(0)
def test_a_tree_without_git_or_tags_has_a_version(
    source: Source, is_older: Callable[[str, str], bool]
) -> None:
    assert source.version() == "0.0"
    source.commit("a")
    assert is_older(source.version(), "0.1.0")


WHEEL = ("-m", "hatchling", "build", "--target", "wheel", "--directory", "dist")
SDIST = ("-m", "hatchling", "build", "--target", "sdist", "--directory", "dist")
DEB = ("packaging/build.py", "--out", "dist")


@pytest.fixture
def with_stray(source: Source) -> Source:
    """A commit, and a variant that is in none."""
    ignored = "__pycache__/\n_version.py\n/dist/\n"
    (source.folder / ".gitignore").write_text(ignored, encoding="utf-8")
    source.commit("a")
    stray = source.folder / "scorer" / "rules" / "tuertoñ.py"
    stray.parent.mkdir(parents=True)
    stray.write_text("a = 1\n", encoding="utf-8")
    return source


@pytest.mark.sampled(0)
@pytest.mark.parametrize("command", [WHEEL, SDIST, DEB])
def test_a_package_has_no_file_that_is_in_no_commit(
    command: tuple[str, ...], with_stray: Source
) -> None:
    refused = build(command, with_stray.folder)
    assert refused.returncode == 1
    lines = refused.stderr.strip().splitlines()
    assert "in no commit" in lines[0], refused.stderr
    assert lines[1:] == ["  scorer/rules/tuertoñ.py", "add, ignore or remove them"]
    assert not list(with_stray.folder.glob("dist/*.*"))


def test_a_changed_tree_is_installed_for_development(with_stray: Source) -> None:
    """`make setup` installs the tree as it is."""
    editable = (*WHEEL[:-3], "wheel:editable", *WHEEL[-2:])
    done = build(editable, with_stray.folder)
    assert done.returncode == 0, done.stderr


def test_a_source_archive_inside_another_clone_is_built(with_stray: Source) -> None:
    """Its files are in no commit of the folder above, which is of something else."""
    inside = with_stray.folder / "downloads"
    shutil.copytree(
        with_stray.folder, inside, ignore=shutil.ignore_patterns(".git", "downloads", "dist")
    )
    done = build(WHEEL, inside)
    assert done.returncode == 0, done.stderr


def build(command: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=folder, check=False, capture_output=True, text=True
    )
