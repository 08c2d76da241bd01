"""Documents agree with the project: version, commands, paths; no machine is named."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer import __version__
from scorer.cli import COMMANDS
from tests.conftest import tally
from tests.paths import ROOT

PAPERS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")

# Split, so that this file does not match itself.
MACHINE = ["/wor" + "k/", "/ro" + "ot/", "/tm" + "p/", "/hom" + "e/", "/Use" + "rs/"]
HOSTS = [
    name + ending
    for name, ending in (
        ("pypi", ".org"),
        ("pypi", ".python.org"),
        ("pythonhosted", ".org"),
        ("piwheels", ".org"),
        ("npmjs", ".com"),
        ("npmjs", ".org"),
        ("crates", ".io"),
        ("deb.debian", ".org"),
        ("archive.raspberrypi", ".org"),
        ("proxy.golang", ".org"),
    )
]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def code(paper: str) -> str:
    """The text to be typed in a document: fenced blocks and words in backticks."""
    fence = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
    text = read(paper)
    spans = re.findall(r"`([^`\n]+)`", fence.sub("", text))
    return "\n".join(fence.findall(text) + spans)


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))


# ---- versions and commands ----------------------------------------------------------------------


def test_the_newest_entry_of_the_changelog_is_this_version_or_the_next() -> None:
    entries = re.findall(r"^## (\d+(?:\.\d+)+)", read("CHANGELOG.md"), re.MULTILINE)
    this = re.match(r"\d+(?:\.\d+)+", __version__)
    assert this, __version__
    assert _numbers(entries[0]) >= _numbers(this[0])


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_make_command_in_the_docs_is_in_the_makefile(paper: str) -> None:
    named = re.findall(r"\bmake ([a-z][a-z-]*)", code(paper))
    assert set(named) - targets() == set()


@pytest.mark.parametrize("paper", [*PAPERS, "packaging/description.md"])
def test_every_scorer_command_in_the_docs_exists(paper: str) -> None:
    named = re.findall(r"(?:^|[ /])scorer +([a-z][a-z_-]*)", code(paper), re.MULTILINE)
    assert set(named) - {name for name, _, _ in COMMANDS} == set()


@pytest.mark.parametrize("paper", PAPERS)
def test_every_path_in_the_docs_exists(paper: str) -> None:
    named = re.findall(r"(?<![\w./])(?:scorer|tests|docs|\.ci)/[\w./-]+(?![\w<])", code(paper))
    missing = [name for name in named if not (ROOT / name).exists()]
    assert missing == []


def test_the_readme_has_the_commands_to_run_and_to_test() -> None:
    assert {"run", "test"} <= set(re.findall(r"\bmake ([a-z-]+)", code("README.md")))


def test_make_explains_every_target() -> None:
    phony = re.search(r"^\.PHONY: (.*)", read("Makefile"), re.MULTILINE)
    assert phony
    explained = set(re.findall(r"^([a-z-]+):.*## ", read("Makefile"), re.MULTILINE))
    assert set(phony[1].split()) - {"setup"} == explained == targets() - {"setup"}


def test_the_core_needs_no_compiler() -> None:
    core = tomllib.loads(read("pyproject.toml"))["project"]["dependencies"]
    names = {re.split(r"[<>=~!\[; ]", requirement)[0] for requirement in core}
    assert names.isdisjoint({"lgpio", "spidev", "evdev", "cbor2"})


# ---- no machine is named ------------------------------------------------------------------------


def files() -> Iterator[Path]:
    """Every text file that git tracks, or would track if it were added now."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed: nobody can say which files are ours")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("not a checkout: nobody can say which files are ours")
    yield from (ROOT / name for name in listed.stdout.split("\0") if name)


def text_of(path: Path) -> str:
    """The text of a file; empty if it is missing or not text."""
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return ""


def mentions(text: str) -> list[str]:
    """The machine paths and package registries a text names."""
    words = [word for word in MACHINE if word in text]
    paths = [word for word in words if re.search(rf"(?<![\w.*~]){re.escape(word)}", text)]
    small = text.lower()
    return paths + [host for host in HOSTS if host in small]


def test_no_file_names_a_machine_or_a_package_registry() -> None:
    found = {str(path.relative_to(ROOT)): mentions(text_of(path)) for path in files()}
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("see /wor" + "k/main", 1),
        ("https://PyPI" + ".org/project/x", 1),
        ("cd /tm" + "p/x; ls /ro" + "ot/.cache", 2),
        ("the coursework/main part, ../homework/x", 0),
    ],
)
def test_a_mention_is_found(text: str, count: int) -> None:
    assert len(mentions(text)) == count


# ---- the tally ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "exit_code", "line"),
    [
        ({"passed": 3},                           0, "3 passed, 0 failed"),
        ({"passed": 3, "skipped": 2},             0, "3 passed, 0 failed"),
        ({"passed": 3, "failed": 1, "error": 2},  1, "3 passed, 3 failed"),
        ({},                                      5, "0 passed, 1 failed"),
        ({"passed": 3},                           3, "3 passed, 1 failed"),
    ],
)  # fmt: skip
def test_the_tally_counts_every_failure(counts: dict[str, int], exit_code: int, line: str) -> None:
    assert tally(counts, exit_code) == line
