"""Formats of tournaments of an owner: offered, or reported with their line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scorer.commands import check
from scorer.config.owner_variants import MAX_FILES
from scorer.config.tournament_formats import load_owner_formats
from tests.paths import ROOT

LEAGUE = """title = "Liga del club"

[[phase]]
id = "liga"
kind = "zones"
zones = 1
variant = "argentine"
target = 18
"""


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_example_of_the_guide_is_a_format(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "operators" / "hall.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(title = .*?)```", guide, re.DOTALL)
    folder = write(tmp_path / "formats", liga=example)
    found = load_owner_formats(folder)
    assert found.problems == ()
    assert [each.target for each in found.formats["liga"].phases] == [18, 30]


PROBLEMS = [
    ("liga", LEAGUE.replace("18", "180"), 8, "target: 180 is not from 1 to 99"),
    ("liga", LEAGUE.replace("argentine", "argentino"), 7, "did you mean 'argentine'"),
    ("liga", LEAGUE.replace("argentine", "destantado"), 7, "is not played by two teams"),
    ("liga", "title = ", 1, "no TOML"),
    ("swiss", LEAGUE, 0, "'swiss' is a format of this program"),
    ("Liga-1", LEAGUE, 0, "name the file as the format's id"),
]


@pytest.mark.parametrize(("name", "text", "line", "words"), PROBLEMS)
def test_a_wrong_file_is_reported_with_its_line_and_left_out(
    tmp_path: Path, name: str, text: str, line: int, words: str
) -> None:
    folder = write(tmp_path / "formats", **{name: text, "good": LEAGUE})
    found = load_owner_formats(folder)
    assert list(found.formats) == ["good"]
    (problem,) = found.problems
    assert (problem.path.stem, problem.line) == (name, line)
    assert words in problem.sentence


def test_unreadable_and_too_many_files_are_reported(tmp_path: Path) -> None:
    folder = write(tmp_path / "formats", **{f"f{at:02}": LEAGUE for at in range(MAX_FILES + 1)})
    found = load_owner_formats(folder)
    assert (len(found.formats), len(found.problems)) == (MAX_FILES, 1)
    (folder / "a.toml").mkdir()
    assert "cannot be read" in str(load_owner_formats(folder).problems[1])


def test_check_prints_the_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "scorer.toml"
    config.write_text("")
    folder = write(tmp_path / "formats", liga=LEAGUE)
    arguments = [str(config), "--variants", str(tmp_path / "none"), "--formats", str(folder)]
    assert check.main(arguments) == 0
    capsys.readouterr()
    write(folder, liga=LEAGUE.replace("18", "180"))
    assert check.main(arguments) == 1
    assert f"{folder / 'liga.toml'}:8: phase.0.target: 180 is not from" in capsys.readouterr().out


def test_every_problem_of_a_file_is_reported_at_once_at_its_own_line(tmp_path: Path) -> None:
    text = LEAGUE.replace("18", "180").replace("argentine", "argentino")
    folder = write(tmp_path / "formats", liga=text)
    found = [(each.line, each.sentence) for each in load_owner_formats(folder).problems]
    assert [line for line, _ in found] == [7, 8]
    assert "did you mean 'argentine'" in found[0][1] and "target: 180 is not" in found[1][1]


def test_check_names_the_formats_that_it_has_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "scorer.toml"
    config.write_text("")
    folder = write(tmp_path / "formats", liga=LEAGUE, copa=LEAGUE)
    check.main([str(config), "--variants", str(tmp_path / "no"), "--formats", str(folder)])
    assert "2 formats: copa, liga\n" in capsys.readouterr().out
