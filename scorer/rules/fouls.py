"""What changes points outside play: fouls, corrections, surrender and the end of the time."""

from __future__ import annotations

from scorer.rules.model import Action, Credit, Game, PointsReason, Refusal, Step
from scorer.rules.score import add_board_payment, reverse_points, score_of, settle
from scorer.rules.truco import pay_deferred_award
from scorer.rules.variant import FlorStyle


def award(game: Game, step: Step) -> Game | Refusal:
    """Penalty points to ``step.side``; they change nothing else (rules.md#award)."""
    assert step.side is not None and step.amount is not None
    if step.side not in game.rules.scoring_sides:
        return Refusal.NOT_IN_THIS_VARIANT
    if step.amount < 1:
        return Refusal.TOO_LITTLE
    return add_board_payment(game, Credit(step.side, step.amount, PointsReason.AWARD))


def correct(game: Game, step: Step) -> Game | Refusal:
    """The score of ``step.side`` becomes what was told, below the target; nothing else does."""
    assert step.side is not None and step.amount is not None
    if step.side not in game.rules.scoring_sides:
        return Refusal.NOT_IN_THIS_VARIANT
    if step.amount >= game.rules.target:
        return Refusal.TOO_MUCH
    change = step.amount - score_of(game, step.side)
    return add_board_payment(game, Credit(step.side, change, PointsReason.CORRECT))


def concede(game: Game, step: Step) -> Game | Refusal:
    """``step.side`` gives up the game."""
    assert step.side is not None
    if step.side not in game.rules.scoring_sides:
        return Refusal.NOT_IN_THIS_VARIANT
    rivals = [side for side in game.rules.scoring_sides if side is not step.side]
    to = max(rivals, key=lambda side: score_of(game, side))
    return settle(
        game._replace(conceded_to=to, last_credits=(Credit(to, 0, PointsReason.CONCEDE),))
    )


def time_is_up(game: Game, step: Step) -> Game | Refusal:
    """The leader wins the game."""
    best = max(game.score)
    if game.score.count(best) > 1:
        return Refusal.TIED
    to = game.rules.scoring_sides[game.score.index(best)]
    return settle(game._replace(conceded_to=to, last_credits=(Credit(to, 0, PointsReason.TIME),)))


def envido_reversed(game: Game, step: Step) -> Game | Refusal:
    """``step.side`` lied about its envido or did not show it: its points go to the rival."""
    assert step.side is not None
    if not game.rules.bids or game.rules.seating.each_alone:
        return Refusal.NOT_IN_THIS_VARIANT
    paid_as = (PointsReason.ENVIDO, PointsReason.ENVIDO_REFUSED)
    rival = game.rules.rival_of(step.side)
    turned = reverse_points(game, step.side, paid_as, PointsReason.ENVIDO_REVERSED, rival)
    # A game that goes on again pays the tricks entered before the bet: rules.md#venezuelan-late.
    return pay_deferred_award(turned) if turned else Refusal.NOTHING_TO_REVERSE


def flor_reversed(game: Game, step: Step) -> Game | Refusal:
    """``step.side`` had no flor, lied about it or did not show it: its points go to the rival."""
    assert step.side is not None
    if game.rules.flor is None:
        return Refusal.NOT_IN_THIS_VARIANT
    paid_as = (PointsReason.FLOR, PointsReason.FLOR_REFUSED)
    # Venezuela: a flor that was not shown is not paid to anybody: rules.md#reversed.
    to = None if game.rules.flor is FlorStyle.OPEN else game.rules.rival_of(step.side)
    turned = reverse_points(game, step.side, paid_as, PointsReason.FLOR_REVERSED, to)
    return pay_deferred_award(turned) if turned else Refusal.NOTHING_TO_REVERSE


# Legal while the game goes on, whatever else is waited for.
ALWAYS = {
    Action.AWARD: award,
    Action.CORRECT: correct,
    Action.CONCEDE: concede,
    Action.TIME: time_is_up,
}
# Legal from the payment until the next deal, also after the game.
REVERSALS = {
    Action.ENVIDO_REVERSED: envido_reversed,
    Action.FLOR_REVERSED: flor_reversed,
}
