"""Query the engine by playing a few steps from a deal, and read the payments."""

from __future__ import annotations

from scorer.rules.actions import Action, Side
from scorer.rules.deal import new_game
from scorer.rules.engine import attempt, phase_of
from scorer.rules.model import Game, HandKind, Phase, Refusal, Step
from scorer.rules.variant import Rules

_ASKING = (Phase.PENDING_TRUCO, Phase.PENDING_ENVIDO, Phase.PENDING_FLOR, Phase.PENDING_PRIVO)


def deal(rules: Rules, *scores: int, kind: HandKind | None = None) -> Game:
    """Deal a hand; ``scores`` replace the starting points of the first sides."""
    start = dict(zip(rules.scoring_sides, scores, strict=False))
    return new_game(rules, start, kind=kind)


def caller_at(rules: Rules, at: int) -> Side:
    """The caller of call ``at``: two sides alternate, the pair before the gallo."""
    first, second = rules.speaking_sides[:2]
    at += rules.seating.has_gallo  # the pair may have two flores
    return second if at % 2 else first


def play_steps(game: Game, *steps: Step) -> Game | None:
    """``game`` after ``steps``, or None if one is refused."""
    for step in steps:
        result = attempt(game, step)
        if isinstance(result, Refusal):
            return None
        game = result
    return game


def answer_all(game: Game, word: Action) -> Game | None:
    """Let every side that owes an answer give ``word``; None if it is not an answer."""
    while phase_of(game) in _ASKING:
        answered = _first_answer(game, word)
        if answered is None:
            return None
        game = answered
    return game


def _first_answer(game: Game, word: Action) -> Game | None:
    results = (play_steps(game, Step(side, word)) for side in game.rules.speaking_sides)
    return next((each for each in results if each is not None), None)


def accepted_points(game: Game, won: Action) -> int | None:
    """Points paid if the pending call is accepted and its first caller wins it."""
    wanted = answer_all(game, Action.QUIERO)
    taken = None if wanted is None else play_steps(wanted, Step(caller_at(game.rules, 0), won))
    return None if taken is None else points_moved(taken)


def refused_points(game: Game, word: Action = Action.NO_QUIERO) -> int | None:
    """Points paid if every side that owes an answer refuses."""
    unwanted = answer_all(game, word)
    return None if unwanted is None else points_moved(unwanted)


def points_moved(game: Game) -> int:
    """Points the latest step gave to a side, or deducted if it gave none."""
    totals = {side: 0 for side in game.rules.scoring_sides}
    for credit in game.last_credits:
        totals[credit.to] += credit.points
    best = max(totals.values())
    return best if best > 0 else -min(totals.values())


def points_to(game: Game | None, side: Side) -> int | None:
    """Points the latest step gave to ``side``; None if ``game`` is None."""
    if game is None:
        return None
    return sum(credit.points for credit in game.last_credits if credit.to is side)
