"""Made-up games are played by the rules, and the same for equal seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.rules import History, parse_step, state_document, variant_ids
from tests.longrun.made_up_games import FOLDER, SEEDS, kept, sheet_of
from tests.longrun.recorded_games import header

SHEETS = sorted(FOLDER.glob("*.truco"))


def test_every_truco_has_its_games() -> None:
    names = [f"{name}-{seed + 1}" for name in variant_ids() for seed in range(SEEDS[name])]
    assert [path.stem for path in SHEETS] == sorted(names)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_game_is_played_by_the_rules_to_its_end(path: Path) -> None:
    (game,) = kept(path.stem.rpartition("-")[0])[int(path.stem[-1]) - 1 :][:1]
    history = History(header(game).game())
    for side, action in game["steps"]:
        assert history.play(parse_step(f"{side} {action}", history.game.rules)) is None
    document = state_document(history.game)
    assert {key: document[key] for key in ("score", "winner")} == game["expect"]
    assert game["expect"]["winner"]


def test_equal_seeds_make_equal_games_and_others_do_not() -> None:
    assert sheet_of("gaucho", 7) == sheet_of("gaucho", 7)
    assert sheet_of("gaucho", 7).splitlines()[3:] != sheet_of("gaucho", 8).splitlines()[3:]
