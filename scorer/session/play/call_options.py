"""Round which words a button of bets goes: ENVIDO and FLOR, with fixed calls or with numbers.

It lists what could be said, in the order in which taps go through it; the rules judge each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scorer.rules import Action, Game, Side, Status, Step, attempt
from scorer.rules.flor import EVERY_RAISE, RAISES
from scorer.rules.variant import FlorStyle
from scorer.session.game_queries import play_steps

OPEN_BET_AMOUNTS: Final = range(2, 10)  # an open bid goes 2, 3, 4 ... 9 and then to the falta
FLOR_CALLS: Final = frozenset((Action.FLOR, *EVERY_RAISE))

CallSteps = tuple[Step, ...]


def envido_calls(game: Game, side: Side) -> tuple[Step, ...]:
    """Every envido call of ``side`` in the order of the taps, legal or not."""
    rules = game.rules
    if not rules.opens_with_numbers:
        return tuple(Step(side, bid.action) for bid in rules.bids)
    return (
        *(_call_of_amount(game, side, stones) for stones in OPEN_BET_AMOUNTS),
        Step(side, rules.bids[-1].action),
    )


def _call_of_amount(game: Game, side: Side, amount: int) -> Step:
    """The call that puts on so many stones: the word for just so many, else the number."""
    worded = (Step(side, bid.action) for bid in game.rules.bids if bid.adds == amount)
    opening = not game.hand.envido.chain
    named = Step(side, Action.ENVIDO if opening else Action.ENVIDO_MAS, amount)
    return next((step for step in worded if isinstance(attempt(game, step), Game)), named)


def legal_steps(game: Game, steps: Iterable[Step]) -> tuple[Step, ...]:
    """Those of ``steps`` that the rules accept."""
    return tuple(step for step in steps if isinstance(attempt(game, step), Game))


def flor_answers(game: Game, side: Side) -> tuple[CallSteps, ...]:
    """What answers a flor or its raise with flores, in the order in which FLOR goes round."""
    style = game.rules.flor
    assert style is not None
    flor = Step(side, Action.FLOR)
    if style is FlorStyle.OPEN:
        ways = _open_answers(game, side)
    else:
        ways = ((flor,), *((Step(side, action),) for action in RAISES[style]), (flor, flor))
    legal = tuple(way for way in ways if play_steps(game, way) is not None)
    return legal or ways[1:2]


def _open_answers(game: Game, side: Side) -> tuple[CallSteps, ...]:
    """Venezuela: flor; flor and "mi flor envida 2, 3 ..."; to that one, so many stones more."""
    flor = Step(side, Action.FLOR)
    if game.hand.flor.raises:
        return tuple((Step(side, Action.FLOR_ENVIDA_MAS, stones),) for stones in OPEN_BET_AMOUNTS)
    bets = tuple(Step(side, Action.FLOR_ENVIDA, stones) for stones in OPEN_BET_AMOUNTS)
    if game.hand.flor.status is Status.ACCEPTED:
        return (*((bet,) for bet in bets), (flor,))
    return ((flor,), *((flor, bet) for bet in bets), (flor, flor))


def cycles_flor_answers(game: Game, side: Side) -> bool:
    """Does FLOR of ``side`` go round here? Not where it sings first, or for its partner."""
    flor = game.hand.flor
    if flor.status is Status.ACCEPTED:
        return game.rules.flor is FlorStyle.OPEN and not flor.raises
    return flor.status is Status.PENDING and flor.caller is not side
