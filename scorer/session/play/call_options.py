"""The calls that repeated presses of ENVIDO and FLOR cycle through.

All candidates are listed in the order of the taps; the rules decide which are legal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scorer.rules import Action, Game, Rules, Side, Status, Step, attempt
from scorer.rules.engine import play_steps
from scorer.rules.flor import EVERY_RAISE, raises_of
from scorer.rules.offer import offer
from scorer.rules.truco import is_plain_contest
from scorer.rules.variant import GAME, SERIES, FlorStyle
from scorer.session.values.game_queries import call_text, counted_flor

_TAPPED_AMOUNTS: Final = range(2, 10)  # before the falta and the larger amounts
FLOR_CALLS: Final = frozenset((Action.FLOR, *EVERY_RAISE))

CallSteps = tuple[Step, ...]


def envido_calls(game: Game, side: Side) -> tuple[Step, ...]:
    """All envido calls of ``side`` in tap order, legal or not."""
    rules = game.rules
    if not rules.opens_with_numbers:
        return tuple(Step(side, bid.action) for bid in rules.bids)
    return (
        *(_call_of_amount(game, side, stones) for stones in _TAPPED_AMOUNTS),
        Step(side, rules.bids[-1].action),
        *(_call_of_amount(game, side, stones) for stones in _other_amounts(rules)),
    )


def _other_amounts(rules: Rules) -> tuple[int, ...]:
    """The amounts that few call: from ten to the target, and a raise by one."""
    return (*range(_TAPPED_AMOUNTS.stop, rules.target + 1), 1)


def held_envido_calls(game: Game, calls: CallSteps, *, is_own: bool) -> CallSteps:
    """``calls`` in the order in which held ENVIDO offers them: the cheapest first.

    The falta is second, before the many numbers. ``is_own``: in place of the own call, which the
    next higher ones follow.
    """
    if not game.rules.opens_with_numbers:
        return calls
    adds = {bid.action: bid.adds for bid in game.rules.bids}
    falta = [call for call in calls if call.action is game.rules.bids[-1].action]
    others = [call for call in calls if call not in falta]
    if not is_own:
        others.sort(key=lambda call: call.amount or adds[call.action])
    return (*others[:1], *falta, *others[1:])


def _call_of_amount(game: Game, side: Side, amount: int) -> Step:
    """The call for this many stones: a fixed call if one exists, else by number."""
    worded = (Step(side, bid.action) for bid in game.rules.bids if bid.adds == amount)
    opening = not game.hand.envido.chain
    named = Step(side, Action.ENVIDO if opening else Action.ENVIDO_MAS, amount)
    return next((step for step in worded if isinstance(attempt(game, step), Game)), named)


def priced_word(game: Game, steps: CallSteps) -> str:
    """The call with both its prices: "real envido 3/1", "envido 4: 4/1"."""
    last = steps[-1]
    word = call_text(game.rules, last.action, last.amount)
    after = play_steps(game, steps)
    if after is None:
        return word
    if last.action is Action.FLOR:
        return counted_flor(after, word, last.side)
    pending = offer(after)
    if pending is None or not pending.owed:
        return word
    prices = f"{'-'.join(map(_price, sorted(set(pending.accepted))))}/{pending.refused}"
    return f"{word} {prices}" if last.amount is None else f"{word}: {prices}"


def _price(points: int) -> str:
    return "game" if points in (GAME, SERIES) else str(points)


def legal_steps(game: Game, steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps that the rules accept."""
    return tuple(step for step in steps if isinstance(attempt(game, step), Game))


def flor_answers(game: Game, side: Side) -> tuple[CallSteps, ...]:
    """The answers of ``side`` to a flor or its raise, in tap order of FLOR."""
    flor = Step(side, Action.FLOR)
    if game.rules.flor is FlorStyle.OPEN:
        ways = _open_answers(game, side)
    else:
        raises = tuple((Step(side, action),) for action in raises_of(game.rules))
        ways = (*raises, (flor,)) if is_plain_contest(game) else ((flor,), *raises, (flor, flor))
    legal = tuple(way for way in ways if play_steps(game, way) is not None)
    return legal or ways[1:2]


def held_flor_answers(game: Game, side: Side) -> tuple[CallSteps, ...]:
    """The answers that held FLOR offers beside the one of a tap, cheapest first."""
    ways = flor_answers(game, side)
    held = ways[1:] or ways
    if game.rules.flor is FlorStyle.OPEN and game.hand.flor.raises:
        return tuple(sorted(held, key=lambda way: way[-1].amount or 0))
    return held


def _open_answers(game: Game, side: Side) -> tuple[CallSteps, ...]:
    """Venezuela: flor; "mi flor envida 2, 3 ..."; to that, raises by more stones."""
    flor = Step(side, Action.FLOR)
    if game.hand.flor.raises:
        amounts = (*_TAPPED_AMOUNTS, *_other_amounts(game.rules))
        return tuple((Step(side, Action.FLOR_ENVIDA_MAS, stones),) for stones in amounts)
    bets = tuple(Step(side, Action.FLOR_ENVIDA, stones) for stones in _TAPPED_AMOUNTS)
    larger = tuple(Step(side, Action.FLOR_ENVIDA, n) for n in _other_amounts(game.rules))
    if game.hand.flor.status is Status.ACCEPTED:
        return (*((bet,) for bet in bets), (flor,), *((bet,) for bet in larger))
    return (
        (flor,),
        *((flor, bet) for bet in bets),
        (flor, flor),
        *((flor, bet) for bet in larger),
    )


def cycles_flor_answers(game: Game, side: Side) -> bool:
    """True if FLOR of ``side`` cycles: not for a first flor or the partner's."""
    flor = game.hand.flor
    if flor.status is Status.ACCEPTED:
        open_bets = game.rules.flor is FlorStyle.OPEN and not flor.raises
        return open_bets or is_plain_contest(game)
    return flor.status is Status.PENDING and flor.caller is not side
