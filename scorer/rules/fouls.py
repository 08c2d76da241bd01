"""Steps outside play: fouls, corrections, surrender and expired time."""

from __future__ import annotations

from scorer.rules import deal
from scorer.rules.actions import Action
from scorer.rules.model import Credit, Game, PointsReason, Refusal, Step
from scorer.rules.score import (
    add_board_payment,
    end_by_time,
    points_to_win,
    reverse_points,
    score_of,
    settle,
)
from scorer.rules.truco import pay_deferred_award
from scorer.rules.variant import FlorStyle

# Reasons of what the end of a hand pays its winner.
_HAND_PAID_AS = (
    PointsReason.HAND,
    PointsReason.PRIVO,
    PointsReason.FOLD,
    PointsReason.TRUCO_REFUSED,
)


def award(game: Game, step: Step) -> Game | Refusal:
    """Penalty points for ``step.side``, without other effects (rules.md#award)."""
    assert step.side is not None and step.amount is not None
    if step.side not in game.rules.scoring_sides:
        return Refusal.NOT_IN_THIS_VARIANT
    if step.amount < 1:
        return Refusal.TOO_LITTLE
    return add_board_payment(game, Credit(step.side, step.amount, PointsReason.AWARD))


def correct(game: Game, step: Step) -> Game | Refusal:
    """Set only the score of ``step.side``, to a value below the target."""
    assert step.side is not None and step.amount is not None
    if step.side not in game.rules.scoring_sides:
        return Refusal.NOT_IN_THIS_VARIANT
    if step.amount >= game.rules.target:
        return Refusal.TOO_MUCH
    change = step.amount - score_of(game, step.side)
    return add_board_payment(game, Credit(step.side, change, PointsReason.CORRECT))


def concede(game: Game, step: Step) -> Game | Refusal:
    """Concede the game for ``step.side``."""
    assert step.side is not None
    if step.side not in game.rules.scoring_sides:
        return Refusal.NOT_IN_THIS_VARIANT
    rivals = [side for side in game.rules.seating.sides_from(game.mano) if side is not step.side]
    to = max(rivals, key=lambda side: score_of(game, side))
    return settle(
        game._replace(conceded_to=to, last_credits=(Credit(to, 0, PointsReason.CONCEDE),))
    )


def time_is_up(game: Game, step: Step) -> Game | Refusal:
    """End the game, or the match of a tournament, by time: the leader wins."""
    return end_by_time(game, game.score)


def envido_reversed(game: Game, step: Step) -> Game | Refusal:
    """The envido of ``step.side`` was false or not shown: the rival gets its points."""
    assert step.side is not None
    if not game.rules.bids or game.rules.seating.each_alone:
        return Refusal.NOT_IN_THIS_VARIANT
    rival = game.rules.rival_of(step.side)
    if game.hand.privo_by is step.side:
        # The priver had no better envite: the singing side wins the game VEP p. 18.
        if not game.hand.over or game.winner is rival:
            return Refusal.NOTHING_TO_REVERSE
        reason = PointsReason.ENVIDO_REVERSED
        taken = reverse_points(game, step.side, _HAND_PAID_AS, reason, to=None) or game
        points = points_to_win(taken, rival)
        return add_board_payment(taken._replace(conceded_to=None), Credit(rival, points, reason))
    paid_as = (PointsReason.ENVIDO,)
    turned = reverse_points(game, step.side, paid_as, PointsReason.ENVIDO_REVERSED, rival)
    # If the game goes on again, pay the tricks entered before the bet: rules.md#venezuelan-late.
    return pay_deferred_award(turned) if turned else Refusal.NOTHING_TO_REVERSE


def flor_reversed(game: Game, step: Step) -> Game | Refusal:
    """The flor of ``step.side`` was false or not shown: the rival gets its points."""
    assert step.side is not None
    if game.rules.flor is None:
        return Refusal.NOT_IN_THIS_VARIANT
    paid_as = (PointsReason.FLOR, PointsReason.FLOR_REFUSED)
    # Venezuela: points of a flor that was not shown are only deducted: rules.md#reversed.
    to = None if game.rules.flor is FlorStyle.OPEN else game.rules.rival_of(step.side)
    turned = reverse_points(game, step.side, paid_as, PointsReason.FLOR_REVERSED, to)
    return pay_deferred_award(turned) if turned else Refusal.NOTHING_TO_REVERSE


# Legal until the game ends, whatever else is pending.
ALWAYS = {
    Action.AWARD: award,
    Action.CORRECT: correct,
    Action.MANO: deal.set_mano,
    Action.CONCEDE: concede,
    Action.TIME: time_is_up,
}
# Legal from the payment until the next deal, even after the game.
REVERSALS = {
    Action.ENVIDO_REVERSED: envido_reversed,
    Action.FLOR_REVERSED: flor_reversed,
}
