"""The trick ladder: truco and its raises, their answers, and the hands without raises."""

from __future__ import annotations

from scorer.rules.model import Action, Credit, Game, Refusal, Side, Special, Status, Step, Why
from scorer.rules.score import end_hand, score_of, to_win
from scorer.rules.variant import GAME, SERIES, MaoTruco, Rules, Rung


def value_at(rules: Rules, rung: int) -> int:
    """Points of a hand settled on ``rung`` (0: the plain hand), or GAME / SERIES."""
    return rules.ladder[rung - 1].value if rung else rules.base


def stake_of(game: Game) -> int:
    """What the trick part of this hand is worth now; an unanswered rung does not count."""
    special = game.rules.variant.special
    if special is not None and game.hand.special in (Special.DECIDING, Special.PLAYED):
        return special.worth
    return value_at(game.rules, game.hand.truco.rung)


def next_rung(game: Game) -> Rung | None:
    """The call that comes next on the ladder, or None at its top."""
    at = game.hand.truco.rung + (1 if game.hand.truco.pending else 0)
    return game.rules.ladder[at] if at < len(game.rules.ladder) else None


def points_for(game: Game, side: Side, value: int) -> int:
    """``value`` in points if ``side`` wins it: the whole game is what ``side`` lacks."""
    return to_win(game, side) if value in (GAME, SERIES) else value


def call(game: Game, step: Step) -> Game | Refusal:
    """A call of the ladder, also as the answer that raises the call before it."""
    rungs = [rung.action for rung in game.rules.ladder]
    if step.action not in rungs:
        return Refusal.NOT_IN_THIS_VARIANT
    assert step.side is not None
    if game.hand.special is not Special.NONE:
        return _call_in_special_hand(game, step.side, rungs.index(step.action))
    why_not = _why_not(game, step.side, rungs.index(step.action))
    if why_not is not None:
        return why_not
    truco = game.hand.truco
    # A raise accepts what it raises.
    rung = truco.rung + 1 if truco.pending else truco.rung
    truco = truco._replace(rung=rung, caller=step.side, pending=True)
    return game._replace(hand=game.hand._replace(truco=truco))


def _why_not(game: Game, side: Side, index: int) -> Refusal | None:
    truco = game.hand.truco
    if Status.PENDING in (game.hand.envido.status, game.hand.flor.status):
        return Refusal.ANSWER_FIRST
    if Status.ACCEPTED in (game.hand.envido.status, game.hand.flor.status):
        return Refusal.WINNER_FIRST
    if side is truco.caller:
        return Refusal.OWN_CALL if truco.pending else Refusal.NOT_YOUR_RAISE
    if index != truco.rung + (1 if truco.pending else 0):
        return Refusal.OUT_OF_ORDER
    if game.rules.no_useless_raise and _is_useless(game, side):
        return Refusal.TOO_MUCH
    return None


def _is_useless(game: Game, side: Side) -> bool:
    """Would ``side`` win already with what the raise would leave behind? (section 22.11)"""
    truco = game.hand.truco
    value = value_at(game.rules, truco.rung + (1 if truco.pending else 0))
    return score_of(game, side) + points_for(game, side, value) >= game.rules.target


def _call_in_special_hand(game: Game, side: Side, index: int) -> Game | Refusal:
    """Rules reference 12, 13, 22.11: truco in a mão de onze is punished or forbidden."""
    mode = game.rules.mao_truco
    if game.hand.special is Special.IRON or mode is MaoTruco.FORBIDDEN or index > 0:
        return Refusal.NO_RAISING_HERE
    rival = game.rules.other(side)
    points = stake_of(game) if mode is MaoTruco.LOSE_HAND else to_win(game, rival)
    return end_hand(game, Credit(rival, points, Why.MAO_TRUCO))


def accept(game: Game) -> Game:
    """Quiero to the pending call of the ladder."""
    truco = game.hand.truco
    truco = truco._replace(rung=truco.rung + 1, pending=False)
    return game._replace(hand=game.hand._replace(truco=truco))


def refuse(game: Game) -> Game:
    """No quiero: the caller takes what the hand was worth before the call, and the hand ends."""
    truco = game.hand.truco
    assert truco.caller is not None
    value = value_at(game.rules, truco.rung)
    game = game._replace(hand=game.hand._replace(truco=truco._replace(pending=False)))
    credit = Credit(truco.caller, points_for(game, truco.caller, value), Why.TRUCO_REFUSED)
    return end_hand(game, credit)


def win_hand(game: Game, side: Side) -> Game:
    """``side`` won the tricks and takes what the hand is worth."""
    return take_hand(game, side, Why.HAND)


def take_hand(game: Game, side: Side, why: Why) -> Game:
    """``side`` takes what the hand is worth, which may be the whole series."""
    value = stake_of(game)
    if value == SERIES:
        game = game._replace(sweeps=True)
    return end_hand(game, Credit(side, points_for(game, side, value), why))


CALLS = (
    Action.TRUCO,
    Action.RETRUCO,
    Action.VALE_CUATRO,
    Action.VALE_NUEVE,
    Action.VALE_JUEGO,
    Action.SEIS,
    Action.NOVE,
    Action.DEZ,
    Action.DOZE,
    Action.TRUC,
    Action.RETRUC,
    Action.QUATRE_VAL,
    Action.JOC_FORA,
)
