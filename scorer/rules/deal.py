"""Dealing: the first hand of a game, the next hand, a redeal, and the next game of a series."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.rules.model import (
    Action,
    Envido,
    Flor,
    Game,
    Hand,
    Refusal,
    Side,
    Special,
    Status,
    Step,
    Truco,
)
from scorer.rules.variant import Rules


def new_game(
    rules: Rules, score: Mapping[Side, int] | None = None, mano: Side | None = None
) -> Game:
    """The first hand of a match, dealt: ``score`` a side where the game does not start at nothing.

    Raises ValueError for a side that does not play or a score at or past the target.
    """
    base = tuple(
        (score or {}).get(side, start) for side, start in zip(rules.sides, rules.start, strict=True)
    )
    if unknown := [side for side in (score or {}) if side not in rules.sides]:
        raise ValueError(f"{unknown[0]} does not score in {rules.variant.id}")
    if wrong := [points for points in base if not 0 <= points < rules.target]:
        raise ValueError(f"a game to {rules.target} cannot start at {wrong[0]}")
    mano = mano or rules.actors[0]
    if mano not in rules.actors:
        raise ValueError(f"{mano} cannot be mano in {rules.variant.id}")
    games = (0,) * len(rules.sides)
    return Game(rules, base, base, games, 1, mano, dealt(rules, base))


def dealt(rules: Rules, score: tuple[int, ...]) -> Hand:
    """A fresh hand; what kind it is depends on the score at the deal alone (section 22.10)."""
    hand = Hand(Truco(), Envido(), Flor())
    special = rules.variant.special
    if special is None:
        return hand
    there = [
        side
        for side, points in zip(rules.sides, score, strict=True)
        if points >= rules.target - special.margin
    ]
    if not there:
        return hand
    if len(there) > 1:
        return hand._replace(special=Special.IRON)
    return hand._replace(special=Special.DECIDING, decider=there[0])


def is_fresh(game: Game) -> bool:
    """Has nothing been entered in this hand yet?"""
    return game.hand == dealt(game.rules, game.base)


def new_hand(game: Game, step: Step) -> Game | Refusal:
    """The next deal; in a hand in which nothing was entered, a redeal (section 22.1)."""
    if game.winner is not None:
        return _next_game(game)
    if game.hand.over:
        return _next_hand(game)
    if is_fresh(game):
        # Same mano, same kind, same number; points of penalties stay.
        return game._replace(last=())
    hand = game.hand
    if Status.ACCEPTED in (hand.envido.status, hand.flor.status):
        return Refusal.WINNER_FIRST
    if hand.truco.pending or Status.PENDING in (hand.envido.status, hand.flor.status):
        return Refusal.ANSWER_FIRST
    return Refusal.NOT_OVER


def _next_hand(game: Game) -> Game:
    return game._replace(
        base=game.score,
        paid=(),
        number=game.number + 1,
        mano=_next_mano(game),
        hand=dealt(game.rules, game.score),
    )


def _next_game(game: Game) -> Game:
    start = game.rules.start
    return game._replace(
        base=start,
        score=start,
        games=games_won(game),
        paid=(),
        number=1,
        mano=_next_mano(game),
        hand=dealt(game.rules, start),
        winner=None,
        conceded_to=None,
    )


def _next_mano(game: Game) -> Side:
    """Dealing alternates between the sides, also from one game to the next (section 2.9)."""
    actors = game.rules.actors
    return actors[(actors.index(game.mano) + 1) % len(actors)]


def games_won(game: Game) -> tuple[int, ...]:
    """Games of the series a side, with the one that has just been won."""
    if game.winner is None:
        return game.games
    won = games_to_win(game.rules)
    return tuple(
        (won if game.sweeps else count + 1) if side is game.winner else count
        for side, count in zip(game.rules.sides, game.games, strict=True)
    )


def games_to_win(rules: Rules) -> int:
    """Games that win the series: k+1 of 2k+1."""
    return rules.best_of // 2 + 1


def match_is_over(game: Game) -> bool:
    return game.winner is not None and max(games_won(game)) >= games_to_win(game.rules)


ACTIONS = {Action.NEW_HAND: new_hand}
