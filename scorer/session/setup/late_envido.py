"""An envido that nobody entered in time: may there have been one, and what may it have paid?

The rules are asked, in a hand that is dealt anew at this score. Which line of set-up tells it is
not known here.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import Action, Game, Side, Special, Status, Step, new_game
from scorer.rules.envido import MIN_OPEN_BET, window_open
from scorer.session.game_queries import largest_payment, play_steps, word_of

__all__ = ["MIN_OPEN_BET", "is_possible", "possible_payments"]

_LONGEST_CHAIN = 3  # calls


def is_possible(game: Game) -> bool:
    """Is it too late for an envido in this hand, and none was entered?

    Not where three play alone: points are passed on there, to whoever agreed, and correcting the
    piles tells that.
    """
    hand = game.hand
    bets = (hand.envido.status, hand.flor.status)
    rules = game.rules
    if not rules.bids or rules.seating.each_alone or hand.special is not Special.NONE:
        return False
    shut = hand.over or not window_open(game)
    return shut and all(status is Status.IDLE for status in bets)


def possible_payments(game: Game, side: Side) -> Iterator[tuple[int, str]]:
    """What an envido may have paid ``side`` at this score: points, and the calls that lead to it.

    The rules are asked, in a hand that has just been dealt. The one that was refused comes last.
    """
    rules = game.rules
    fresh = _fresh_hand(game)
    told: dict[int, str] = {}
    for chain in _chains(fresh):
        answers = (
            Step(_next_caller(fresh, chain), Action.QUIERO),
            Step(side, Action.ENVIDO_WON),
        )
        paid = largest_payment(fresh, (*chain, *answers))
        if paid is not None:
            words = ", ".join(word_of(rules, step.action) for step in chain)
            told.setdefault(paid[1], words)
    yield from sorted(told.items())
    first = Step(rules.speaking_sides[0], rules.bids[0].action)
    refused = largest_payment(fresh, (first, Step(rules.speaking_sides[1], Action.NO_QUIERO)))
    if refused is not None:
        yield refused[1], ""


def _fresh_hand(game: Game) -> Game:
    """A hand of this kind as it would be dealt at this score, between those who play this one."""
    rules = game.rules
    # Where a game ends only with its hand a side may stand past the target in the middle of one.
    scores = (min(score, rules.target - 1) for score in game.score)
    at_deal = dict(zip(rules.scoring_sides, scores, strict=True))
    return new_game(rules, at_deal, gallo=game.gallo, kind=game.hand.kind)


def _chains(fresh: Game) -> Iterator[tuple[Step, ...]]:
    """Every way to call an envido, the shortest first."""
    chains: list[tuple[Step, ...]] = [()]
    for _ in range(_LONGEST_CHAIN):
        longer = [
            (*chain, Step(_next_caller(fresh, chain), bid.action))
            for chain in chains
            for bid in fresh.rules.bids
        ]
        chains = [chain for chain in longer if play_steps(fresh, chain) is not None]
        yield from chains


def _next_caller(game: Game, chain: tuple[Step, ...]) -> Side:
    """Who speaks after ``chain``: the two sides take turns."""
    return game.rules.speaking_sides[len(chain) % 2]
