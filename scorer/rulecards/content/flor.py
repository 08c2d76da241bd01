"""The flor table of a card: one flor, two of a side, both sides, and all raises."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rulecards.content.bets import RAISED_AMOUNT, call_words, to_worth
from scorer.rulecards.content.engine_queries import (
    accepted_points,
    caller_at,
    deal,
    refused_points,
)
from scorer.rulecards.content.model import BetLine
from scorer.rules.actions import Action
from scorer.rules.engine import play_steps
from scorer.rules.flor import max_flores, raises_of
from scorer.rules.model import Game, Step
from scorer.rules.variant import FlorPays, FlorStyle, Rules

LONGEST_BET = 2  # Venezuela: raises have no end
TWO = "two"

Chain = tuple[Step, ...]


def flor_lines(rules: Rules) -> tuple[BetLine, ...]:
    """Every outcome of a flor; empty if flor is not played or not legal at 0-0."""
    one = _announced(rules, 1, 0)
    if rules.flor is None or one is None:
        return ()
    raised = _raised(rules, 1)
    lines = (*_plain(rules, one, 1), *raised)
    if max_flores(one, caller_at(rules, 0)) < 2:
        return lines
    two = _announced(rules, 2, 0)
    assert two is not None
    lines = (*lines, *_plain(rules, two, 2))
    all_four = _compared_worth(rules, 2, 2)
    if rules.flor_vs_flor is FlorPays.PER_FLOR and all_four is not None:
        lines = (*lines, BetLine(lines[-1].calls, to_worth(all_four), None, "all_four"))
    # Raises over two flores are listed only where they pay differently.
    by_calls = {line.calls: line for line in raised}
    others = [line for line in _raised(rules, 2) if line[1:3] != by_calls[line.calls][1:3]]
    return (*lines, *others)


def _announced(rules: Rules, own: int, rivals: int) -> Game | None:
    first, second = (Step(caller_at(rules, at), Action.FLOR) for at in range(2))
    return play_steps(deal(rules), (*(first,) * own, *(second,) * rivals))


def _plain(rules: Rules, sung: Game, count: int) -> tuple[BetLine, BetLine]:
    """A flor without raises: the rivals have none, or show one, or say me achico."""
    words = (rules.variant.word(Action.FLOR),) * count
    prefix = f"{TWO}_" if count > 1 else ""
    small = refused_points(sung, Action.ME_ACHICO)
    return (
        BetLine(words, to_worth(refused_points(sung, Action.NO_FLOR)), None, f"{prefix}alone"),
        BetLine(
            words, to_worth(_compared_worth(rules, count, 1)), to_worth(small), f"{prefix}both"
        ),
    )


def _compared_worth(rules: Rules, own: int, rivals: int) -> int | None:
    sung = _announced(rules, own, rivals)
    return None if sung is None else accepted_points(sung)


def _raised(rules: Rules, count: int) -> list[BetLine]:
    """Every chain of raises over ``count`` flores of the side that announced first."""
    assert rules.flor is not None
    # In Venezuela the bets come after both sides announced, elsewhere the raise is the answer.
    bets = rules.flor is FlorStyle.OPEN
    sung = _announced(rules, count, 1 if bets else 0)
    assert sung is not None
    at = 0 if bets else 1
    note = TWO if count > 1 else ""
    lines = list[BetLine]()
    for chain, game in _chains(sung, (), at):
        words = tuple(call_words(game.rules, step) for step in chain)
        way = "resto" if chain[-1].action is Action.CONTRAFLOR_RESTO else ""
        wanted = to_worth(accepted_points(game), way)
        lines.append(BetLine(words, wanted, to_worth(refused_points(game)), note))
    return lines


def _chains(game: Game, chain: Chain, at: int) -> Iterator[tuple[Chain, Game]]:
    rules = game.rules
    assert rules.flor is not None
    if rules.flor is FlorStyle.OPEN and len(chain) == LONGEST_BET:
        return
    for action in raises_of(rules):
        amount = RAISED_AMOUNT if action is Action.FLOR_ENVIDA_MAS else None
        step = Step(caller_at(rules, at), action, amount)
        called = play_steps(game, (step,))
        if called is not None:
            yield (*chain, step), called
            yield from _chains(called, (*chain, step), at + 1)
