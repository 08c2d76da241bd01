"""The facts of one game that statistics count.

Calls, envidos, hands, and the score by hand. Pure functions of a record; what was undone or
corrected does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from scorer.rules import Action, Credit, Game, PointsReason, Side, Step
from scorer.rules.flor import EVERY_RAISE
from scorer.rules.score import scorers, shown_scores
from scorer.session.values.record import HandId, Record, hand_id

_FLOR_CALLS = {Action.FLOR, *EVERY_RAISE}


class SideFacts(NamedTuple):
    """What one side did in a game."""

    called: int = 0  # calls of the truco ladder
    refused: int = 0  # of these, refused by the rivals
    envidos: int = 0  # accepted envidos that it won


class HandScore(NamedTuple):
    """The score after a hand."""

    hand: int
    scores: tuple[int, ...]


class LongestCall(NamedTuple):
    """The calls of one bet in their order; none if nothing was called."""

    hand: int = 0
    calls: tuple[Step, ...] = ()


class GameFacts(NamedTuple):
    """In play order. ``curve``: of the last game of a series."""

    sides: tuple[SideFacts, ...] = ()
    hands: int = 0
    curve: tuple[HandScore, ...] = ()
    counts_down: bool = False  # the lower score is the better one

    def largest_deficit(self, side: int) -> int:
        """The most points that ``side`` was behind at the end of a hand."""
        deficits = [0]
        for each in self.curve:
            scores = each.scores
            rivals = [score for at, score in enumerate(scores) if at != side]
            behind = scores[side] - min(rivals) if self.counts_down else max(rivals) - scores[side]
            deficits.append(behind)
        return max(deficits)


def game_facts(record: Record) -> GameFacts:
    """The facts of a game."""
    rules = record.game.rules
    called, refused, envidos = (dict.fromkeys(rules.scoring_sides, 0) for _ in range(3))
    rungs = {rung.action for rung in rules.ladder}
    for done in record.past:
        step, before, paid = done.step, done.before, done.paid
        if step.action in rungs and step.side is not None:
            _count(called, scorers(before, step.side))
        is_refusal = any(credit.why is PointsReason.TRUCO_REFUSED for credit in paid)
        if is_refusal and before.hand.truco.caller is not None:
            _count(refused, scorers(before, before.hand.truco.caller))
        _count(envidos, _winners(before, paid, PointsReason.ENVIDO))
        _count(envidos, _winners(before, paid, PointsReason.ENVIDO_REVERSED))
        # The sides whose envido is given to the rival.
        reversed_ = (credit for credit in paid if credit.why is PointsReason.ENVIDO_REVERSED)
        _count(envidos, {credit.to for credit in reversed_ if _gain(before, credit) < 0}, -1)
    sides = (SideFacts(called[s], refused[s], max(0, envidos[s])) for s in rules.scoring_sides)
    hands = {hand_id(done.before) for done in record.past}
    return GameFacts(
        tuple(sides), len(hands), tuple(score_by_hand(record)), rules.seating.counts_down
    )


def longest_call(record: Record) -> LongestCall:
    """The bet of one hand that was raised most often; the earliest of several."""
    rules = record.game.rules
    families = (
        {rung.action for rung in rules.ladder},
        {bid.action for bid in rules.bids},
        _FLOR_CALLS,
    )
    longest = LongestCall()
    calls: dict[tuple[HandId, int], tuple[Step, ...]] = {}
    for done in record.past:
        for family, actions in enumerate(families):
            if done.step.action in actions:
                key = hand_id(done.before), family
                calls[key] = (*calls.get(key, ()), done.step)
                if len(calls[key]) > len(longest.calls):
                    longest = LongestCall(done.before.hand_number, calls[key])
    return longest


def score_by_hand(record: Record) -> Iterator[HandScore]:
    """The score at the start of the running game and after each finished hand."""
    games = [*(done.before for done in record.past), record.game]
    games = [game for game in games if sum(game.games) == sum(record.game.games)]
    yield HandScore(games[0].hand_number - 1, shown_scores(games[0]))
    for before, after in pairwise(games):
        if hand_id(before) != hand_id(after):
            yield HandScore(before.hand_number, shown_scores(before))
    if record.game.hand.over or record.game.winner is not None:
        yield HandScore(record.game.hand_number, shown_scores(record.game))


def _count(counts: dict[Side, int], sides: Iterable[Side], change: int = 1) -> None:
    for side in sides:
        counts[side] += change


def _winners(game: Game, paid: Iterable[Credit], why: PointsReason) -> set[Side]:
    return {credit.to for credit in paid if credit.why is why and _gain(game, credit) > 0}


def _gain(game: Game, credit: Credit) -> int:
    return -credit.points if game.rules.seating.counts_down else credit.points
