"""Versions from git: newer than the tag, never equal to another build."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.paths import ROOT

PROGRAM = "import sys; sys.path.insert(0, 'packaging'); import build; print(build.version())"
SOURCES = ("packaging/build.py", "packaging/description.md", "packaging/urls.py")
AUTHOR = ("-c", "user.name=test", "-c", "user.email=test@example.invalid")


class Source:
    """A source tree with a history of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in (
            "pyproject.toml",
            *(f"packaging/{name}" for name in ("build.py", "description.md", "urls.py")),
        ):
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


def test_two_changes_of_the_same_commit_have_different_versions(source: Source) -> None:
    source.commit("a")
    source.git("tag", "v0.1.0")
    (source.folder / "rule.txt").write_text("b", encoding="utf-8")
    changed = source.version()
    assert changed.startswith("0.1.1~dev0+g") and changed != "0.1.0"


def test_a_tree_without_git_or_tags_has_a_version(
    source: Source, is_older: Callable[[str, str], bool]
) -> None:
    assert source.version() == "0.0"
    source.commit("a")
    assert is_older(source.version(), "0.1.0")


def test_a_package_has_no_file_that_is_in_no_commit(source: Source) -> None:
    program = PROGRAM.replace("build.version()", "build.untracked_files()")
    (source.folder / "scorer" / "rules").mkdir(parents=True)
    stray = source.folder / "scorer" / "rules" / "ciego.py"
    stray.write_text("a = 1\n", encoding="utf-8")

    def listed() -> str:
        command = [sys.executable, "-c", program]
        made = subprocess.run(
            command, cwd=source.folder, check=True, capture_output=True, text=True
        )
        return made.stdout.strip()

    assert listed() == "[]", "without git there is nothing to compare with"
    source.git("init", "--quiet")
    assert "scorer/rules/ciego.py" in listed()
    source.commit("a variant")
    assert listed() == "[]"
    stray.with_name("otro.py").write_text("", encoding="utf-8")
    refused = subprocess.run(
        [sys.executable, "packaging/build.py", "--out", "dist"],
        cwd=source.folder, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert refused.returncode == 1
    assert "no commit" in refused.stdout and "scorer/rules/otro.py" in refused.stdout
