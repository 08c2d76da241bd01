"""Asking the engine by playing: a few steps from a deal, and the points that moved.

It knows how sides take turns and how everybody asked gives the same answer; no value of any call.
"""

from __future__ import annotations

from scorer.rules.deal import new_game
from scorer.rules.engine import attempt, phase_of
from scorer.rules.model import Action, Game, HandKind, Phase, Refusal, Side, Step
from scorer.rules.variant import Rules

_ASKING = (Phase.PENDING_TRUCO, Phase.PENDING_ENVIDO, Phase.PENDING_FLOR, Phase.PENDING_PRIVO)


def deal(rules: Rules, *scores: int, kind: HandKind | None = None) -> Game:
    """A fresh hand; ``scores`` of the first sides where the game is not at its start."""
    told = dict(zip(rules.scoring_sides, scores, strict=False))
    return new_game(rules, told, kind=kind)


def caller_at(rules: Rules, at: int) -> Side:
    """Who makes the call number ``at`` of a chain: the first two who speak take turns."""
    return rules.speaking_sides[at % 2]


def play_steps(game: Game, *steps: Step) -> Game | None:
    """``game`` after ``steps``, or None where the rules refuse one of them."""
    for step in steps:
        result = attempt(game, step)
        if isinstance(result, Refusal):
            return None
        game = result
    return game


def answer_all(game: Game, word: Action) -> Game | None:
    """Everybody who is asked says ``word``; None where that is no answer here."""
    while phase_of(game) in _ASKING:
        told = _first_answer(game, word)
        if told is None:
            return None
        game = told
    return game


def _first_answer(game: Game, word: Action) -> Game | None:
    told = (play_steps(game, Step(side, word)) for side in game.rules.speaking_sides)
    return next((each for each in told if each is not None), None)


def accepted_points(game: Game, won: Action) -> int | None:
    """What moves if what is pending is accepted and the first who speaks wins it."""
    wanted = answer_all(game, Action.QUIERO)
    taken = None if wanted is None else play_steps(wanted, Step(game.rules.speaking_sides[0], won))
    return None if taken is None else points_moved(taken)


def refused_points(game: Game, word: Action = Action.NO_QUIERO) -> int | None:
    """What moves if everybody who is asked says no."""
    unwanted = answer_all(game, word)
    return None if unwanted is None else points_moved(unwanted)


def points_moved(game: Game) -> int:
    """Points that the newest step gave to a side; if it only took some away, how many."""
    totals = {side: 0 for side in game.rules.scoring_sides}
    for credit in game.last_credits:
        totals[credit.to] += credit.points
    best = max(totals.values())
    return best if best > 0 else -min(totals.values())


def points_to(game: Game | None, side: Side) -> int | None:
    """Points that the newest step gave to ``side``; None where there was no such step."""
    if game is None:
        return None
    return sum(credit.points for credit in game.last_credits if credit.to is side)
