"""End of a hand: winner of the tricks, ties, folding, the choice in a mão de onze."""

from __future__ import annotations

from scorer.rules import envido, flor, truco
from scorer.rules.actions import Action, Side
from scorer.rules.model import Credit, Game, Hand, PointsReason, Refusal, Special, Status, Step
from scorer.rules.score import end_hand, mano_of, pay, speaker_of
from scorer.rules.variant import Tied


def _unsettled(game: Game) -> Refusal | None:
    """Why the hand cannot be decided yet: a pending answer or a missing winner."""
    hand = game.hand
    if hand.truco.pending or Status.PENDING in (hand.envido.status, hand.flor.status):
        return Refusal.ANSWER_FIRST
    return Refusal.WINNER_FIRST if truco.bet_waits(game) else None


def enter_winner(game: Game, step: Step) -> Game | Refusal:
    """Enter ``step.side`` as winner of the tricks."""
    assert step.side is not None
    return _unsettled(game) or truco.win_hand(game, step.side)


def all_tied(game: Game, step: Step) -> Game | Refusal:
    """Three tied tricks: option ``tied`` names the winner of the hand, if any."""
    why_not = _unsettled(game)
    if why_not is not None:
        return why_not
    if game.rules.tied is Tied.MANO:
        return truco.win_hand(game, side_of_mano(game))
    raiser = game.hand.truco.caller
    if game.rules.tied is Tied.NONE or raiser is None:
        return truco.take_hand(game, None, 0, PointsReason.HAND)
    return truco.win_hand(game, game.rules.rival_of(raiser))


def side_of_mano(game: Game) -> Side:
    """The side that wins ties: that of the mano; in pata de gallo the pair."""
    return speaker_of(game, mano_of(game))


def first_trick_done(game: Game, step: Step) -> Game | Refusal:
    """End the first trick, and with it the time of the envido: rules.md#window."""
    why_not = _unsettled(game)
    if why_not is not None:
        return why_not
    if not game.hand.first_trick:
        return Refusal.TOO_LATE
    return game._replace(hand=game.hand._replace(first_trick=False))


def tricks(game: Game, step: Step) -> Game | Refusal:
    """Enter the tricks so far as a list; the hand ends as soon as they decide it."""
    why_not = _unsettled(game)
    if why_not is not None:
        return why_not
    known, told = game.hand.tricks, step.tricks
    if len(told) <= len(known) or told[: len(known)] != known:
        return Refusal.OUT_OF_ORDER
    if len(told) > 3 or any(trick_result(told[:count])[0] for count in range(1, len(told))):
        return Refusal.TOO_MUCH
    game = game._replace(hand=game.hand._replace(tricks=told, first_trick=False))
    over, winner = trick_result(told)
    if not over:
        return game
    return all_tied(game, step) if winner is None else truco.win_hand(game, winner)


def trick_result(tricks: tuple[Side | None, ...]) -> tuple[bool, Side | None]:
    """Whether the tricks decide the hand, and for whom (None: tied); rules.md#tricks."""
    wins = [side for side in tricks if side is not None]
    tied = len(tricks) - len(wins)
    if len(tricks) >= 2 and wins:
        twice = next((side for side in wins if wins.count(side) == 2), None)
        if twice is not None:
            return True, twice
        if tied:
            # With any tie, the first trick that was won decides.
            return True, wins[0]
    return len(tricks) == 3, None


def fold(game: Game, step: Step) -> Game | Refusal:
    """Fold for ``step.side``: pending calls are refused and the hand is lost."""
    assert step.side is not None
    hand = game.hand
    if truco.bet_waits(game):
        return Refusal.WINNER_FIRST
    caller = pending_caller(hand)
    if caller is step.side:
        return Refusal.ANSWER_FIRST
    rival = game.rules.rival_of(step.side)
    if hand.flor.status is Status.PENDING:
        return _lose_hand(flor.refuse(game), rival)
    if hand.envido.status is Status.PENDING:
        return _lose_hand(envido.refuse(game), rival)
    if hand.truco.pending:
        return truco.refuse(game)
    untouched = hand.envido.status is hand.flor.status is Status.IDLE and not hand.truco.rung
    if game.rules.fold_first > 1 and untouched and envido.window_open(game):
        # An envido that could still be called is paid first, as a separate point: rules.md#fold.
        game = pay(game, rival, game.rules.fold_first - 1, PointsReason.FOLD_ENVIDO)
    return _lose_hand(game, rival)


def _lose_hand(game: Game, rival: Side) -> Game:
    """Award the hand to ``rival`` at its value before a pending truco.

    Does nothing if the game is already won.
    """
    if game.winner is not None:
        return game
    hand = game.hand._replace(truco=game.hand.truco._replace(pending=False))
    game = game._replace(hand=hand)
    return truco.take_hand(game, rival, truco.stake_of(game), PointsReason.FOLD)


def pending_caller(hand: Hand) -> Side | None:
    """The side waiting for an answer; flor precedes envido, envido precedes truco."""
    if hand.flor.status is Status.PENDING:
        return hand.flor.caller
    if hand.envido.status is Status.PENDING:
        return hand.envido.caller
    return hand.truco.caller if hand.truco.pending else None


def mao_play(game: Game, step: Step) -> Game | Refusal:
    """The side on eleven (ten) plays the hand for its special value."""
    return _why_not_decide(game, step) or game._replace(
        hand=game.hand._replace(special=Special.PLAYED)
    )


def mao_run(game: Game, step: Step) -> Game | Refusal:
    """The side on eleven (ten) does not play: the rival is paid the price of running."""
    why_not = _why_not_decide(game, step)
    if why_not is not None:
        return why_not
    assert step.side is not None
    game = game._replace(hand=game.hand._replace(special=Special.PLAYED))
    price = Credit(game.rules.rival_of(step.side), game.rules.mao_run, PointsReason.MAO_RUN)
    return end_hand(game, price)


def _why_not_decide(game: Game, step: Step) -> Refusal | None:
    if game.rules.variant.special is None:
        return Refusal.NOT_IN_THIS_VARIANT
    if game.hand.special is not Special.DECIDING:
        return Refusal.NOTHING_TO_DECIDE
    return None if step.side is game.hand.decider else Refusal.DECIDE_FIRST


ACTIONS = {
    Action.HAND_WON: enter_winner,
    Action.ALL_TIED: all_tied,
    Action.FIRST_TRICK_DONE: first_trick_done,
    Action.TRICKS: tricks,
    Action.FOLD: fold,
    Action.MAO_PLAY: mao_play,
    Action.MAO_RUN: mao_run,
}
