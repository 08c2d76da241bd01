"""Venezuela: cantando and privar, a point from the end of the game (rules.md#cantando)."""

from __future__ import annotations

from scorer.rules import fouls
from scorer.rules.model import Action, Game, PointsReason, Refusal, Special, Step, Truco
from scorer.rules.score import credits_for, end_hand

UNBEATEN_WORTH = 1  # the sung envite counts a point, and with it the match
PRIVO_REFUSED = 2  # the prive stone and the truco that was not wanted


def no_privo(game: Game, step: Step) -> Game | Refusal:
    """Nobody beats the sung envite: its side scores a point."""
    if game.hand.special is not Special.CANTANDO:
        return Refusal.NOTHING_TO_ANSWER
    if step.side is game.hand.decider:
        return Refusal.OWN_CALL
    assert game.hand.decider is not None
    return end_hand(
        game, *credits_for(game, game.hand.decider, UNBEATEN_WORTH, PointsReason.ENVIDO)
    )


def privo(game: Game, step: Step) -> Game | Refusal:
    """A rival beats it, and calls truco in the same breath."""
    if game.hand.special is not Special.CANTANDO:
        return Refusal.NOTHING_TO_ANSWER
    if step.side is game.hand.decider:
        return Refusal.OWN_CALL
    return game._replace(hand=game.hand._replace(special=Special.PRIVO))


def quiero(game: Game, step: Step) -> Game | Refusal:
    """The truco is played for 3; the side that was beaten owns the next raise."""
    why_not = _why_not_answer(game, step)
    if why_not is not None:
        return why_not
    assert game.hand.decider is not None
    priver = game.rules.rival_of(game.hand.decider)
    hand = game.hand._replace(special=Special.NONE, privo_by=priver, truco=Truco(1, priver))
    return game._replace(hand=hand)


def no_quiero(game: Game, step: Step) -> Game | Refusal:
    """Not wanted: the priver has the stone of the prive and the one of the truco."""
    why_not = _why_not_answer(game, step)
    if why_not is not None:
        return why_not
    assert game.hand.decider is not None
    priver = game.rules.rival_of(game.hand.decider)
    return end_hand(game, *credits_for(game, priver, PRIVO_REFUSED, PointsReason.PRIVO))


def award(game: Game, step: Step) -> Game | Refusal:
    """The rare cases with flor are entered as points and end the hand (rules.md#cantando)."""
    done = fouls.award(game, step)
    return done if isinstance(done, Refusal) or done.winner is not None else end_hand(done)


def _why_not_answer(game: Game, step: Step) -> Refusal | None:
    if game.hand.special is Special.CANTANDO:
        return Refusal.DECIDE_FIRST
    return None if step.side is game.hand.decider else Refusal.OWN_CALL


# While the hand waits for these words, nothing else counts.
ACTIONS = {
    Action.PRIVO: privo,
    Action.NO_PRIVO: no_privo,
    Action.QUIERO: quiero,
    Action.NO_QUIERO: no_quiero,
    **fouls.ALWAYS,
    Action.AWARD: award,
}
