"""The tables of a card: every chain of calls, and what it pays either way.

Chains are found by asking the engine for the next legal call; where any number may be named, one
sample stands for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rulecards.content.engine_queries import (
    accepted_points,
    caller_at,
    deal,
    refused_points,
)
from scorer.rulecards.content.model import BetLine, Worth
from scorer.rules.actions import Action
from scorer.rules.engine import play_steps
from scorer.rules.model import Game, HandKind, Step
from scorer.rules.score import in_duel
from scorer.rules.variant import EQUAL, GAME, NAMED, SERIES, Bid, Rules

OPENED_AMOUNT, RAISED_AMOUNT = (
    5,
    3,
)  # sample stones: as an opening, and as a raise
LONGEST_OPEN = 3  # maximum calls of a chain with named numbers, which could go on without end

_COUNTED = (Action.ENVIDO_MAS, Action.FLOR_ENVIDA_MAS)
_WAYS = {GAME: "game", SERIES: "series"}


def call_words(rules: Rules, step: Step) -> str:
    """The call as spoken: "envido", "envido 5", "3 piedras más"."""
    word = rules.variant.word(step.action)
    if step.amount is None:
        return word
    return f"{step.amount} {word}" if step.action in _COUNTED else f"{word} {step.amount}"


def ladder_lines(rules: Rules) -> tuple[BetLine, ...]:
    """The rungs of the trick ladder that are legal at 0-0."""
    lines, game = list[BetLine](), deal(rules)
    for at, rung in enumerate(rules.ladder):
        step = Step(caller_at(rules, at), rung.action)
        called = play_steps(game, (step,))
        if called is None:
            break
        game = called
        wanted = to_worth(accepted_points(game), _WAYS.get(rung.value, ""))
        lines.append(
            BetLine((call_words(game.rules, step),), wanted, to_worth(refused_points(game)))
        )
    return tuple(lines)


def to_worth(points: int | None, way: str = "") -> Worth | None:
    """``points`` as a Worth; None (not possible) stays None."""
    return None if points is None else Worth(points, way)


def envido_lines(rules: Rules, kind: HandKind | None = None) -> tuple[BetLine, ...]:
    """The chains of the envido, short ones first."""
    lines = [_envido(game, chain) for chain, game in _chains(deal(rules, kind=kind), ())]
    return tuple(sorted(lines, key=lambda line: len(line.calls)))


def _chains(game: Game, chain: tuple[Step, ...]) -> Iterator[tuple[tuple[Step, ...], Game]]:
    """Every chain of calls from ``game``, with the game that waits for an answer."""
    rules = game.rules
    if rules.opens_with_numbers and len(chain) == LONGEST_OPEN:
        return
    for bid in rules.bids:
        for amount in _amounts(rules, bid, chain):
            step = Step(caller_at(rules, len(chain)), bid.action, amount)
            called = play_steps(game, (step,))
            if called is not None:
                yield (*chain, step), called
                yield from _chains(called, (*chain, step))


def _amounts(rules: Rules, bid: Bid, chain: tuple[Step, ...]) -> tuple[int | None, ...]:
    if bid.adds == NAMED:
        again = any(step.action is bid.action for step in chain)
        return () if again else (RAISED_AMOUNT,)
    names = rules.opens_with_numbers and not chain and bid.action is Action.ENVIDO
    return (None, OPENED_AMOUNT) if names else (None,)


def _envido(game: Game, chain: tuple[Step, ...]) -> BetLine:
    words = tuple(call_words(game.rules, step) for step in chain)
    adds = [
        next(bid for bid in game.rules.bids if bid.action is step.action).adds for step in chain
    ]
    before = "level" if EQUAL in adds[:-1] else ""
    wanted = accepted_points(game)
    return BetLine(
        words, to_worth(wanted, _way(game, adds)), to_worth(refused_points(game), before)
    )


def _way(game: Game, adds: list[int]) -> str:
    """Why an accepted chain pays something else at another score, as a key."""
    if adds[-1] == 0:
        # Destantado has a flat falta, and so has a duel with a limit.
        capped = in_duel(game) and game.rules.pica_cap is not None
        return "" if game.rules.seating.each_alone or capped else "falta"
    return "level" if EQUAL in adds else ""
