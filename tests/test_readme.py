"""The examples of the README are what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT

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


def test_every_picture_of_the_readme_exists() -> None:
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (ROOT / path).is_file(), path


def test_every_command_of_the_readme_exists() -> None:
    from scorer.cli import COMMANDS

    known = {name for name, _, _ in COMMANDS}
    for name in re.findall(r"`scorer ([a-z]+)", README):
        assert name in known, name
