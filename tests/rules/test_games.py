"""Replay the games in ``games/*.truco``, each with its expected result in a tag.

A fixed bug leaves its game here, with a line that describes it. A step whose comment begins with
"refused" must be refused; every other one must be accepted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.rules import (
    Game,
    Header,
    History,
    SheetLine,
    Step,
    parse_step,
    read_sheet,
    state_document,
    step_text,
)
from tests.paths import GAMES

SHEETS = sorted(GAMES.glob("*.truco"))


def read(path: Path) -> tuple[Header, list[SheetLine]]:
    """The one game of a sheet."""
    with path.open("rb") as file:
        header, *lines = read_sheet(file)
    assert isinstance(header, Header)
    steps = [line for line in lines if isinstance(line, SheetLine)]
    assert len(steps) == len(lines), "one game a file"
    return header, steps


def replayed(path: Path) -> History:
    header, lines = read(path)
    history = History(header.game())
    for line in lines:
        refused = history.play(line.step)
        wanted = line.comment.startswith("refused")
        assert (refused is not None) == wanted, f"{path.name}:{line.number}: {refused}"
    return history


def result_of(game: Game) -> dict[str, str]:
    """Result of a game, in the words of the tag ``Expect``."""
    document = state_document(game)
    return {
        **{side: str(points) for side, points in document["score"].items()},
        "games": "-".join(str(n) for n in document["games"].values()),
        "winner": str(document["winner"]),
        "phase": str(document["phase"]),
    }


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_whole_game_ends_as_its_sheet_expects(path: Path) -> None:
    header, _ = read(path)
    expected = dict(word.split("=") for word in dict(header.tags)["Expect"].split())
    result = result_of(replayed(path).game)
    assert {key: result[key] for key in expected} == expected


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_the_score_after_a_step_equals_its_comment(path: Path) -> None:
    """A comment may end in a score, e.g. "the envido comes first: 3-4"."""
    header, lines = read(path)
    history = History(header.game())
    said = 0
    for line in lines:
        history.play(line.step)
        score = "-".join(str(points) for points in history.game.score)
        words = [word.strip(":,") for word in line.comment.split()]
        told_here = [word for word in words if word.replace("-", "").isdigit() and "-" in word]
        for word in told_here:
            said += 1
            assert word == score, f"{path.name}:{line.number} {step_text(line.step)}"
    assert said > 1, "the comments of a sheet tell the score as it goes"


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_undoing_everything_returns_to_the_deal_and_redoing_to_the_end(path: Path) -> None:
    header, _ = read(path)
    history = replayed(path)
    end, steps = history.game, history.steps
    undo, redo = (parse_step(text, header.rules) for text in ("- undo", "- redo"))
    for _ in steps:
        assert history.play(undo) is None
    assert history.game == header.game()
    assert history.play(undo) is not None
    for _ in steps:
        assert history.play(redo) is None
    assert history.game == end


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_the_steps_in_effect_alone_make_the_same_game(path: Path) -> None:
    """Undone steps leave no trace: the document depends on the steps in effect."""
    header, _ = read(path)
    full = replayed(path)
    bare = History(header.game())
    for step in full.steps:
        assert isinstance(step, Step)
        assert bare.play(parse_step(step_text(step), header.rules)) is None
    assert bare.game == full.game
    assert state_document(bare.game) == state_document(full.game)
