"""The sides agree to the result of a match of a tournament, or contest it.

Legal after the last game of a match (score-sheet.md#match). They change neither score nor winner.
"""

from __future__ import annotations

from scorer.rules.actions import Action
from scorer.rules.deal import is_match_over
from scorer.rules.model import Game, Refusal, Step

ACTIONS = frozenset((Action.AGREE, Action.CONTEST))


def steps(game: Game) -> tuple[Step, ...]:
    """Every step of an agreement; none outside a match."""
    if game.match is None:
        return ()
    sides = game.rules.speaking_sides
    return tuple(Step(s, a) for a in (Action.AGREE, Action.CONTEST) for s in sides)


def attempt(game: Game, step: Step) -> Game | Refusal:
    """``game`` with the side of ``step`` agreed or contesting, each once."""
    assert step.side is not None
    match = game.match
    if match is None:
        return Refusal.NOT_IN_THIS_VARIANT
    if not is_match_over(game) or not match.is_last_leg:
        return Refusal.NOT_OVER
    if step.side in match.contested:
        return Refusal.TOO_LATE
    agreed = tuple(side for side in match.agreed if side is not step.side)
    if step.action is Action.CONTEST:
        said = match._replace(agreed=agreed, contested=(*match.contested, step.side))
    elif step.side in match.agreed:
        return Refusal.TOO_LATE
    else:
        said = match._replace(agreed=(*agreed, step.side))
    return game.with_match(said)._replace(last_credits=())


def withdrawn(game: Game) -> Game:
    """``game`` without what was said of its result, which another step may change."""
    assert game.match is not None
    if not game.match.agreed and not game.match.contested:
        return game
    return game.with_match(game.match._replace(agreed=(), contested=()))


def is_settled(game: Game) -> bool:
    """True if every side agreed to the result, or one contests it."""
    match = game.match
    if match is None:
        return False
    return bool(match.contested) or len(match.agreed) == len(game.rules.speaking_sides)
