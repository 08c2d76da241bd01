"""The examples of the README are what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.paths import ROOT

DESCRIPTION = (ROOT / "packaging" / "description.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks() -> list[str]:
    """The fenced blocks of the README, in order."""
    return re.findall(r"^```\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_the_sheet_of_the_readme_replays_as_shown(tmp_path: Path) -> None:
    sheet = next(block for block in blocks() if block.startswith("[Variant"))
    promise = next(block for block in blocks() if block.startswith("$ scorer replay"))
    (tmp_path / "evening.truco").write_text(sheet, encoding="utf-8")
    command = [sys.executable, "-m", "scorer", "replay", "evening.truco"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == promise.partition("\n")[2].strip()


def test_the_readme_begins_with_the_page_the_box_what_it_does_and_two_commands() -> None:
    start = README.partition("\n## ")[0]
    places = (
        "**In a browser",
        "docs/images/box.jpg",
        "keeps the score",
        "\nmake run ",
        "a chess clock",
    )
    found = [start.index(place) for place in places]
    assert found == sorted(found) and found[2] < 800
    block = re.findall(r"^```\n(.*?)^```", start, flags=re.MULTILINE | re.DOTALL)[0]
    assert [line.split("#")[0].split()[:2] for line in block.splitlines()] == [["make", "run"]] * 2
    headings = re.findall(r"^## (.+)", README, flags=re.MULTILINE)
    assert headings[:3] == ["Get it", "Try it", "Build it"]


def test_no_advice_installs_a_name_that_nothing_is_published_under() -> None:
    command = [
        "git",
        "-C",
        str(ROOT),
        "grep",
        "-nE",
        r"pip install ['\"]?truco-scorer",
        "--",
        ":!tests",
    ]
    assert subprocess.run(command, check=False, capture_output=True, text=True).stdout == ""


def test_the_description_of_the_package_stands_alone() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["readme"] == "packaging/description.md"
    assert re.findall(r"\]\(|<img|src=", DESCRIPTION) == []
    extras = set(re.findall(r"^\| `([a-z]+)` \|", DESCRIPTION, flags=re.MULTILINE))
    assert extras <= project["optional-dependencies"].keys()


def test_readme_and_description_make_the_same_promise() -> None:
    promise = next(part for part in README.split("\n\n") if part.startswith("A box in"))
    assert promise in DESCRIPTION
