"""Venezuela: cantando and privar, a point from the end (rules.md#cantando)."""

from __future__ import annotations

from scorer.rules import fouls
from scorer.rules.actions import Action
from scorer.rules.model import Game, PointsReason, Refusal, Special, Step, Truco
from scorer.rules.score import credits_for, end_hand, score_of

UNBEATEN_WORTH = 1  # the unbeaten envite counts a point and wins the match
PRIVO_REFUSED = 2  # the prive stone and the refused truco


def no_privo(game: Game, step: Step) -> Game | Refusal:
    """The declared envite is unbeaten: its side scores a point."""
    if game.hand.special is not Special.CANTANDO:
        return Refusal.NOTHING_TO_ANSWER
    if step.side is game.hand.decider:
        return Refusal.OWN_CALL
    assert game.hand.decider is not None
    return end_hand(
        game, *credits_for(game, game.hand.decider, UNBEATEN_WORTH, PointsReason.ENVIDO)
    )


def privo(game: Game, step: Step) -> Game | Refusal:
    """A rival beats the envite, and calls truco with it."""
    if game.hand.special is not Special.CANTANDO:
        return Refusal.NOTHING_TO_ANSWER
    if step.side is game.hand.decider:
        return Refusal.OWN_CALL
    return game._replace(hand=game.hand._replace(special=Special.PRIVO))


def quiero(game: Game, step: Step) -> Game | Refusal:
    """Accept: the truco is played for 3; the beaten side owns the next raise."""
    why_not = _why_not_answer(game, step)
    if why_not is not None:
        return why_not
    assert game.hand.decider is not None
    priver = game.rules.rival_of(game.hand.decider)
    hand = game.hand._replace(special=Special.NONE, privo_by=priver, truco=Truco(1, priver))
    return game._replace(hand=hand)


def no_quiero(game: Game, step: Step) -> Game | Refusal:
    """Refuse: the priver is paid the prive stone and one for the truco."""
    why_not = _why_not_answer(game, step)
    if why_not is not None:
        return why_not
    assert game.hand.decider is not None
    priver = game.rules.rival_of(game.hand.decider)
    if score_of(game, priver) + PRIVO_REFUSED >= game.rules.target:
        return Refusal.MUST_PLAY  # VEP 86
    return end_hand(game, *credits_for(game, priver, PRIVO_REFUSED, PointsReason.PRIVO))


def award(game: Game, step: Step) -> Game | Refusal:
    """Award points in the rare cases with flor, and end the hand (rules.md#cantando)."""
    done = fouls.award(game, step)
    return done if isinstance(done, Refusal) or done.winner is not None else end_hand(done)


def _why_not_answer(game: Game, step: Step) -> Refusal | None:
    if game.hand.special is Special.CANTANDO:
        return Refusal.DECIDE_FIRST
    return None if step.side is game.hand.decider else Refusal.OWN_CALL


# The only legal actions while the hand waits for them.
ACTIONS = {
    Action.PRIVO: privo,
    Action.NO_PRIVO: no_privo,
    Action.QUIERO: quiero,
    Action.NO_QUIERO: no_quiero,
    **fouls.ALWAYS,
    Action.AWARD: award,
}
