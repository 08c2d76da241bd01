"""A series of single games by rematches: revancha, and bueno at a game each.

It is no part of the rules of a game: it neither changes a game nor ends one. The first side with
two games wins it (rules.md#rematches).
"""

from __future__ import annotations

from typing import Final

from scorer.rules.deal import games_to_win
from scorer.rules.model import Game

BEST_OF: Final = 3


def rematches_won(game: Game) -> tuple[int, ...] | None:
    """Games of the series per side, including one that was just won; None outside one."""
    before = game.start.rematches
    return None if before is None else _with_winner(game, before)


def following_rematches(game: Game) -> tuple[int, ...] | None:
    """The games won before a rematch of ``game``; None if none can follow.

    None follows a game that is not over, one of a longer series or a match, and the last one of a
    series by rematches.
    """
    if game.winner is None or game.match is not None or game.rules.best_of > 1:
        return None
    won = _with_winner(game, game.start.rematches or (0,) * len(game.rules.scoring_sides))
    return None if max(won) >= games_to_win(BEST_OF) else won


def _with_winner(game: Game, before: tuple[int, ...]) -> tuple[int, ...]:
    sides = zip(game.rules.scoring_sides, before, strict=True)
    return tuple(count + (side is game.winner) for side, count in sides)
