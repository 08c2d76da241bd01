"""The trick ladder: truco and its raises, the answers, and awarding the hand."""

from __future__ import annotations

from scorer.rules.actions import Side
from scorer.rules.model import (
    Credit,
    DeferredAward,
    Game,
    PointsReason,
    Refusal,
    Special,
    Status,
    Step,
)
from scorer.rules.score import credits_for, end_hand, points_to_win, score_of
from scorer.rules.variant import GAME, SERIES, FlorAnnounced, MaoTruco, Rules, Rung

PRIVO_POINT = 1


def value_at(rules: Rules, rung: int) -> int:
    """Points of a hand settled on ``rung`` (0: the plain hand), or GAME / SERIES."""
    return rules.ladder[rung - 1].value if rung else rules.base


def refused_worth(rules: Rules, at: int) -> int:
    """Payment of a refused call ``rules.ladder[at]``: the worth before it.

    Source: rules.md#ladder.
    """
    return value_at(rules, at)


def stake_of(game: Game) -> int:
    """Value of the trick play now; an unanswered rung does not count."""
    special = game.rules.variant.special
    if special is not None and game.hand.special in (Special.DECIDING, Special.PLAYED):
        return special.worth
    return value_at(game.rules, game.hand.truco.rung)


def is_plain_contest(game: Game) -> bool:
    """True while announced flores wait for their winner without a bet (Uruguay)."""
    flor = game.hand.flor
    waits = flor.status is Status.ACCEPTED and not flor.raises
    return waits and game.rules.flor_announced is FlorAnnounced.BETS


def play_goes_on(game: Game) -> bool:
    """True if truco is played while a bet or flores wait for their winner."""
    late = game.rules.variant.bets_settled_at_showdown
    return (late and game.hand.special is not Special.BOTH_CANTANDO) or is_plain_contest(game)


def bet_waits(game: Game) -> bool:
    """True if an accepted bet needs its winner before play goes on."""
    waits = Status.ACCEPTED in (game.hand.envido.status, game.hand.flor.status)
    return waits and (not play_goes_on(game) or game.hand.deferred_award is not None)


def next_rung(game: Game) -> Rung | None:
    """The next call of the ladder, or None at its top."""
    at = game.hand.truco.rung + (1 if game.hand.truco.pending else 0)
    return game.rules.ladder[at] if at < len(game.rules.ladder) else None


def points_for(game: Game, side: Side, value: int) -> int:
    """``value`` in points if ``side`` wins it; GAME is what ``side`` lacks."""
    return points_to_win(game, side) if value in (GAME, SERIES) else value


def call(game: Game, step: Step) -> Game | Refusal:
    """A call of the ladder, either an opening or a raise of the pending call."""
    rungs = [rung.action for rung in game.rules.ladder]
    if step.action not in rungs:
        return Refusal.NOT_IN_THIS_VARIANT
    assert step.side is not None
    if game.hand.special in (Special.PLAYED, Special.IRON):
        return _call_in_special_hand(game, step.side, rungs.index(step.action))
    why_not = _why_not_call(game, step.side, rungs.index(step.action))
    if why_not is not None:
        return why_not
    truco = game.hand.truco
    # A raise accepts the call before it.
    rung = truco.rung + 1 if truco.pending else truco.rung
    truco = truco._replace(rung=rung, caller=step.side, pending=True)
    return game._replace(hand=game.hand._replace(truco=truco))


def _why_not_call(game: Game, side: Side, index: int) -> Refusal | None:
    truco = game.hand.truco
    if Status.PENDING in (game.hand.envido.status, game.hand.flor.status):
        return Refusal.ANSWER_FIRST
    if bet_waits(game):
        return Refusal.WINNER_FIRST
    if side is truco.caller:
        return Refusal.OWN_CALL if truco.pending else Refusal.NOT_YOUR_RAISE
    if index != truco.rung + (1 if truco.pending else 0):
        return Refusal.OUT_OF_ORDER
    if game.rules.no_useless_raise and _is_useless(game, side):
        return Refusal.TOO_MUCH
    return None


def _is_useless(game: Game, side: Side) -> bool:
    """True if the value that the raise accepts already wins the game.

    Source: rules.md#no-useless-raise.
    """
    truco = game.hand.truco
    value = value_at(game.rules, truco.rung + (1 if truco.pending else 0))
    return score_of(game, side) + points_for(game, side, value) >= game.rules.target


def _call_in_special_hand(game: Game, side: Side, index: int) -> Game | Refusal:
    """Truco in a mão de onze is penalized or forbidden: rules.md#special-hand."""
    mode = game.rules.mao_truco
    if game.hand.special is Special.IRON or mode is MaoTruco.FORBIDDEN or index > 0:
        return Refusal.NO_RAISING_HERE
    rival = game.rules.rival_of(side)
    points = stake_of(game) if mode is MaoTruco.LOSE_HAND else points_to_win(game, rival)
    return end_hand(game, *credits_for(game, rival, points, PointsReason.MAO_TRUCO))


def accept(game: Game) -> Game:
    """Accept the pending call of the ladder."""
    truco = game.hand.truco
    truco = truco._replace(rung=truco.rung + 1, pending=False)
    return game._replace(hand=game.hand._replace(truco=truco))


def refuse(game: Game) -> Game:
    """Refuse the call: the caller is paid the value before it, and the hand ends."""
    truco = game.hand.truco
    assert truco.caller is not None
    value = refused_worth(game.rules, truco.rung)
    game = game._replace(hand=game.hand._replace(truco=truco._replace(pending=False)))
    return take_hand(game, truco.caller, value, PointsReason.TRUCO_REFUSED)


def win_hand(game: Game, side: Side) -> Game:
    """Award the hand to ``side``, which won the tricks."""
    return take_hand(game, side, stake_of(game), PointsReason.HAND)


def take_hand(game: Game, to: Side | None, value: int, reason: PointsReason) -> Game:
    """Award the hand to ``to`` at ``value`` (None: no side is paid).

    If a bet still waits for its winner, the award is deferred until that is paid.
    """
    if Status.ACCEPTED in (game.hand.envido.status, game.hand.flor.status):
        # The envite scores first and may end the game: rules.md#venezuelan-late.
        return game._replace(
            hand=game.hand._replace(deferred_award=DeferredAward(to, value, reason))
        )
    if to is None:
        return end_hand(game)
    if value == SERIES:
        game = game._replace(wins_series=True)
    credits = credits_for(game, to, points_for(game, to, value), reason)
    if to is game.hand.privo_by:
        # A priver that wins its truco is paid the prive stone too: rules.md#cantando.
        credits = (Credit(to, PRIVO_POINT, PointsReason.PRIVO), *credits)
    return end_hand(game, *credits)


def pay_deferred_award(game: Game) -> Game:
    """Pay a deferred award after the bet before it has been paid."""
    won = game.hand.deferred_award
    if won is None or game.winner is not None:
        return game
    return take_hand(game._replace(hand=game.hand._replace(deferred_award=None)), *won)
