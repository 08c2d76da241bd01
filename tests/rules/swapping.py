"""The same game with the two sides exchanged, for the law that the rules favour nobody."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from scorer.rules import Game, Rules, Side, Step

_RIVAL = {Side.A: Side.B, Side.B: Side.A}
# Fields with one number a side, in the order of the sides.
_A_NUMBER_A_SIDE = frozenset(("base", "score", "games", "announced", "duel_points"))


def can_be_swapped(rules: Rules) -> bool:
    """Two sides that score are the two that speak; three-sided games have no mirror."""
    return rules.sides == rules.actors == (Side.A, Side.B)


def swapped_game(game: Game) -> Game:
    """``game`` seen from the other side of the table."""
    result = _swapped(game)
    assert isinstance(result, Game)
    return result


def swapped_step(step: Step) -> Step:
    """``step`` said by the other side."""
    result = _swapped(step)
    assert isinstance(result, Step)
    return result


def _swapped(value: Any) -> Any:  # noqa: ANN401 - any field of a state
    if isinstance(value, Side):
        return _RIVAL[value]
    return _swapped_tuple(value) if isinstance(value, tuple) and value else value


# Typed: a Truco and an Envido that happen to be equal as tuples are not the same thing.
@lru_cache(maxsize=1 << 16, typed=True)
def _swapped_tuple(value: tuple[Any, ...]) -> tuple[Any, ...]:
    fields = getattr(value, "_fields", None)
    if fields is None:
        return tuple(_swapped(each) for each in value)
    pairs = zip(fields, value, strict=True)
    return type(value)(
        *(
            tuple(reversed(each)) if name in _A_NUMBER_A_SIDE else _swapped(each)
            for name, each in pairs
        )
    )
