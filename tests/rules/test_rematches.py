"""A series by rematches: its games won, and what may follow them."""

from __future__ import annotations

import pytest

from scorer.rules import Side, Start, apply, find_variant, new_game, parse_step, rules_for
from scorer.rules.document import state_document
from scorer.rules.model import Game
from scorer.rules.rematches import following_rematches, rematches_won


def _game(rematches: tuple[int, ...] | None, **options: int) -> Game:
    rules = rules_for(find_variant("argentine"), {"target": 30, **options})
    return new_game(Start(rules, rematches=rematches))


def _won_by(side: str, game: Game) -> Game:
    return apply(game, parse_step(f"{side} award 30", game.rules))


def test_a_game_outside_such_a_series_has_no_games_won() -> None:
    assert rematches_won(_game(None)) is None
    assert "rematches" not in state_document(_game(None))


@pytest.mark.parametrize(
    ("before", "winner", "shown", "following"),
    [
        ((0, 0), "A", {Side.A: 1, Side.B: 0}, (1, 0)),
        ((1, 0), "B", {Side.A: 1, Side.B: 1}, (1, 1)),
        ((1, 1), "B", {Side.A: 1, Side.B: 2}, None),
        ((1, 0), "A", {Side.A: 2, Side.B: 0}, None),
    ],
)
def test_the_winner_has_a_game_more_and_two_end_the_series(
    before: tuple[int, int],
    winner: str,
    shown: dict[Side, int],
    following: tuple[int, int] | None,
) -> None:
    game = _game(before)
    assert state_document(game)["rematches"] == dict(zip((Side.A, Side.B), before, strict=True))
    won = _won_by(winner, game)
    assert state_document(won)["rematches"] == shown
    assert following_rematches(won) == following


def test_nothing_follows_a_game_in_progress_or_in_a_longer_series() -> None:
    assert following_rematches(_game((1, 0))) is None
    assert following_rematches(_won_by("A", _game(None, best_of=3))) is None
