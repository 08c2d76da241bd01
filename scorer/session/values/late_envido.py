"""Possible payments of an envido that was not entered in time.

The rules evaluate them in a new hand dealt at the current score.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import Action, Game, Rules, Side, Special, Start, Status, Step, new_game
from scorer.rules.engine import play_steps
from scorer.rules.envido import MIN_OPEN_BET, window_open
from scorer.rules.offer import offer
from scorer.rules.score import scorers
from scorer.session.values.game_queries import word_of

__all__ = [
    "MIN_OPEN_BET",
    "REASON",
    "award_steps",
    "is_in_the_rules",
    "is_possible",
    "possible_payments",
]

REASON = "late envido"  # stored with the points
_LONGEST_CHAIN = 3  # calls


def is_in_the_rules(rules: Rules) -> bool:
    """True if there is an envido that can be entered late.

    False for three single players: there points are passed on by agreement, and correcting the
    piles covers that.
    """
    return bool(rules.bids) and not rules.seating.each_alone


def is_possible(game: Game) -> bool:
    """True if it is too late for an envido in this hand and none was entered."""
    hand = game.hand
    bets = (hand.envido.status, hand.flor.status)
    own = hand.special is not Special.NONE or hand.privo_by is not None
    if not is_in_the_rules(game.rules) or own:
        return False
    shut = hand.over or not window_open(game)
    return shut and all(status is Status.IDLE for status in bets)


def award_steps(game: Game, to: Side, points: int) -> tuple[Step, ...]:
    """The steps that award points to a side or to the pair of pata de gallo."""
    return tuple(Step(side, Action.AWARD, points) for side in scorers(game, to))


def possible_payments(game: Game, side: Side) -> Iterator[tuple[int, str]]:
    """The possible payments of an envido to ``side``, with the calls for each.

    Computed by the rules in a newly dealt hand. The refused envido comes last.
    """
    rules = game.rules
    # A new hand of this kind between the same players. If games end only with a hand, a side may
    # be past the target during one.
    at_deal = tuple(min(score, rules.target - 1) for score in game.score)
    fresh = new_game(Start(rules, at_deal, gallo=game.gallo, kind=game.hand.kind))
    payments: dict[int, str] = {}
    for chain in _chains(fresh):
        called = play_steps(fresh, chain)
        pending = None if called is None else offer(called)
        worth = 0 if pending is None else pending.worth_for(fresh, side)
        if worth > 0:
            words = ", ".join(word_of(rules, step.action) for step in chain)
            payments.setdefault(worth, words)
    yield from sorted(payments.items())
    first = play_steps(fresh, (Step(rules.speaking_sides[0], rules.bids[0].action),))
    opened = None if first is None else offer(first)
    if opened is not None:
        yield opened.refused, ""


def _chains(fresh: Game) -> Iterator[tuple[Step, ...]]:
    """All chains of envido calls, shortest first."""
    chains: list[tuple[Step, ...]] = [()]
    for _ in range(_LONGEST_CHAIN):
        # The side to speak after ``chain``: the two sides take turns.
        longer = [
            (*chain, Step(fresh.rules.speaking_sides[len(chain) % 2], bid.action))
            for chain in chains
            for bid in fresh.rules.bids
        ]
        chains = [chain for chain in longer if play_steps(fresh, chain) is not None]
        yield from chains
