"""docs/reference/score-sheet.md: its sheet replays, and its words are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorer.commands.replay import main
from scorer.rules import Action
from scorer.rules.sheet import header_of
from tests.docs.reading import blocks, rows_with, section, text_of, words

SHEET = text_of("score-sheet.md")


@pytest.fixture
def lines() -> list[str]:
    """The sheet at the top of the page."""
    (sheet,) = blocks(SHEET, "truco")
    return sheet.splitlines()


def replayed(lines: list[str], folder: Path) -> int:
    """The exit code of ``scorer replay --json`` for these lines."""
    path = folder / "evening.truco"
    path.write_text("\n".join(lines), encoding="utf-8")
    return main(["--json", str(path)])


def test_the_sheet_stops_with_the_error_that_the_page_shows(
    lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replayed(lines, tmp_path) == 2
    output = capsys.readouterr().err.replace(f"{tmp_path}/", "")
    assert output in blocks(SHEET, "")


@pytest.mark.parametrize(("more", "code"), [([], 0), (["A quiero"], 1), (["A quero"], 2)])
def test_the_exit_codes_are_those_of_the_page(
    lines: list[str],
    more: list[str],
    code: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert replayed([*lines[:-1], *more], tmp_path) == code
    (row,) = [row for row in rows_with(SHEET, "Exit code") if row["Exit code"] == str(code)]
    assert row["Meaning"]
    keys = [set(json.loads(line)) for line in capsys.readouterr().out.splitlines()]
    start, step = [set(words(row["Keys"])) for row in rows_with(SHEET, "Line", "Keys")]
    assert keys[0] == start
    assert all(each == step for each in keys[1:])


def test_the_page_lists_every_action_once() -> None:
    listed = [
        word
        for row in rows_with(section(SHEET, "actions") + section(SHEET, "undo"), "Actions")
        for word in words(row["Actions"])
    ]
    undoing = words(SHEET.partition("record, no side |")[2].partition("|")[0])
    missing = set(Action) - {*listed, *undoing}
    assert missing == set(), "write it into the tables of actions of docs/reference/score-sheet.md"
    assert {*listed, *undoing} <= set(Action)
    assert len(listed) == len(set(listed))


def test_every_tag_of_the_page_is_read() -> None:
    tags = [word for row in rows_with(SHEET, "Tag", "Default") for word in words(row["Tag"])]
    values = {
        "Variant": "club",
        "Definition": '{"based_on":"pica_pica","title":"Club"}',
        "Options": "mano=B hand_kind=pica",
        "Start": "A=3",
        "Mano": "B",
        "Games": "A=0",
        "Rematches": "",  # a match has none
        "Leg": "1/2",
    }
    header = header_of((tag, values.get(tag, "x")) for tag in tags)
    start = header.start
    assert (start.mano, start.kind, start.score) == ("B", "pica", (3, 0))
    assert header.names == {"A": "x", "B": "x"}
    assert header.rules.variant.title == "Club"
