"""Destantado: three players, each alone, who get rid of the points of their piles.

A call has to be answered by both rivals, and each player owes what they last agreed to. The ladder,
the envido chain and the payments are shared with the other variants.
Source: rules.md#destantado.
"""

from __future__ import annotations

from collections.abc import Iterable

from scorer.rules import deal
from scorer.rules.actions import Action, Side
from scorer.rules.envido import window_open
from scorer.rules.model import (
    Credit,
    Envido,
    Game,
    PointsReason,
    Refusal,
    Status,
    Step,
    ThreeWayBet,
    Truco,
)
from scorer.rules.score import add_payment, end_by_time, end_hand, mano_of, score_of, settle
from scorer.rules.truco import refused_worth, value_at
from scorer.rules.variant import Bid

FALTA = 6  # S1: the falta envido is worth only six
UNWANTED_COST = 1  # what an envido that both rivals refuse costs its caller
_ENVIDO, _TRUCO = 0, 1


def bet_of(game: Game, bet: int) -> ThreeWayBet:
    """State of the envido (0) or the truco (1) of this hand."""
    return (
        game.hand.bets[bet] if game.hand.bets else ThreeWayBet((0,) * len(game.rules.scoring_sides))
    )


def players_to_answer(game: Game) -> tuple[Side, ...]:
    """Players who owe an answer now: to the envido first, then to the pending truco."""
    if game.hand.envido.status is Status.PENDING:
        return bet_of(game, _ENVIDO).asked
    waits = game.hand.truco.pending and game.hand.envido.status is not Status.ACCEPTED
    return bet_of(game, _TRUCO).asked if waits else ()


def in_hand(game: Game) -> tuple[Side, ...]:
    """Players still in the trick play, in play order."""
    out = bet_of(game, _TRUCO).out
    return tuple(side for side in game.rules.scoring_sides if side not in out)


def chain_worth(amounts: tuple[int, ...]) -> int:
    """Points of an accepted envido chain."""
    return sum(amounts) if amounts[-1] else FALTA


def call_truco(game: Game, step: Step) -> Game | Refusal:
    rungs = [rung.action for rung in game.rules.ladder]
    if step.action not in rungs:
        return Refusal.NOT_IN_THIS_VARIANT
    assert step.side is not None
    side, truco = step.side, game.hand.truco
    why_not = _why_not_before_envido(game) or _why_not_in_hand(game, side)
    if why_not is not None:
        return why_not
    if side is truco.caller:
        return Refusal.OWN_CALL if truco.pending else Refusal.NOT_YOUR_RAISE
    if truco.pending and side not in bet_of(game, _TRUCO).asked:
        return Refusal.ANSWER_FIRST
    rung = truco.rung + (1 if truco.pending else 0)
    if rungs.index(step.action) != rung:
        return Refusal.OUT_OF_ORDER
    game = game._replace(hand=game.hand._replace(truco=Truco(rung, side, pending=True)))
    others = tuple(each for each in in_hand(game) if each is not side)
    return _propose(game, _TRUCO, side, game.rules.ladder[rung].value, others)


def call_envido(game: Game, step: Step) -> Game | Refusal:
    at = next((i for i, bid in enumerate(game.rules.bids) if bid.action is step.action), None)
    if at is None or step.amount is not None:
        return Refusal.NOT_IN_THIS_VARIANT
    assert step.side is not None
    side, envido = step.side, game.hand.envido
    why_not = _why_not_call_envido(game, side) or _out_of_order(game.rules.bids, envido, at)
    if why_not is not None:
        return why_not
    chain = (*envido.chain, step.action)
    amounts = (*envido.amounts, game.rules.bids[at].adds)
    game = game._replace(
        hand=game.hand._replace(envido=Envido(chain, amounts, side, Status.PENDING))
    )
    out = bet_of(game, _ENVIDO).out
    others = tuple(s for s in game.rules.scoring_sides if s is not side and s not in out)
    return _propose(game, _ENVIDO, side, chain_worth(amounts), others)


def _why_not_call_envido(game: Game, side: Side) -> Refusal | None:
    envido, truco = game.hand.envido, game.hand.truco
    if envido.status is Status.ACCEPTED:
        return Refusal.WINNER_FIRST
    if envido.status is Status.PENDING:
        if side is envido.caller:
            return Refusal.OWN_CALL
        return None if side in bet_of(game, _ENVIDO).asked else Refusal.ANSWER_FIRST
    if not window_open(game):
        return Refusal.ANSWER_FIRST if truco.pending else Refusal.ENVIDO_CLOSED
    if truco.pending and side not in bet_of(game, _TRUCO).asked:
        return Refusal.OWN_CALL if side is truco.caller else Refusal.ANSWER_FIRST
    return _why_not_in_hand(game, side)


def _out_of_order(bids: tuple[Bid, ...], envido: Envido, at: int) -> Refusal | None:
    order = [bid.action for bid in bids]
    if not envido.chain:
        return None
    if at < order.index(envido.chain[-1]):
        return Refusal.OUT_OF_ORDER
    return Refusal.OUT_OF_ORDER if envido.chain.count(order[at]) >= bids[at].times else None


def quiero(game: Game, step: Step) -> Game | Refusal:
    """Accept the pending call for ``step.side``."""
    assert step.side is not None
    return _why_not_answer(game, step.side) or _answer(game, step.side, wants=True)


def no_quiero(game: Game, step: Step) -> Game | Refusal:
    """Refuse the pending call; ``step.side`` owes what they had agreed to before."""
    assert step.side is not None
    return _why_not_answer(game, step.side) or _answer(game, step.side, wants=False)


def _why_not_answer(game: Game, side: Side) -> Refusal | None:
    waiting = players_to_answer(game)
    if side in waiting:
        return None
    if game.hand.envido.status is Status.ACCEPTED:
        return Refusal.WINNER_FIRST
    if not waiting:
        return Refusal.NOTHING_TO_ANSWER
    pending = game.hand.envido.status is Status.PENDING
    caller = game.hand.envido.caller if pending else game.hand.truco.caller
    return Refusal.OWN_CALL if side is caller else Refusal.TOO_LATE


def _answer(game: Game, side: Side, *, wants: bool) -> Game:
    which = _ENVIDO if game.hand.envido.status is Status.PENDING else _TRUCO
    if wants:
        bet = bet_of(game, which)
        hand, ladder = game.hand, game.rules.ladder
        is_envido = which == _ENVIDO
        worth = chain_worth(hand.envido.amounts) if is_envido else ladder[hand.truco.rung].value
        agreed = _with_agreed(game, bet.agreed, side, worth)
        left = tuple(each for each in bet.asked if each is not side)
        game = _with_bet(game, which, bet._replace(agreed=agreed, asked=left))
    else:
        game = _drop_out(game, which, side)
    return _continue_hand(game)


def _continue_hand(game: Game) -> Game:
    """Settle the envido, then the truco, after an answer or a fold."""
    if game.hand.envido.status is Status.PENDING:
        return game if bet_of(game, _ENVIDO).asked else _settle_envido(game)
    playing = in_hand(game)
    if len(playing) == 1:
        return _last_player_wins(game, playing[0])
    truco = game.hand.truco
    if not truco.pending or bet_of(game, _TRUCO).asked:
        return game
    return _with_truco(game, Truco(truco.rung + 1, truco.caller))


def _settle_envido(game: Game) -> Game:
    """Close the envido after the last answer: wait for the winner, or pay the caller."""
    envido, bet = game.hand.envido, bet_of(game, _ENVIDO)
    assert envido.caller is not None
    if len(bet.out) < len(game.rules.scoring_sides) - 1:
        return game._replace(
            hand=game.hand._replace(envido=envido._replace(status=Status.ACCEPTED))
        )
    if _others_agreed(game, bet, envido.caller):
        return _pay_envido(
            game, *_passed_points(game, envido.caller, bet.agreed, PointsReason.ENVIDO)
        )
    return _pay_envido(game, Credit(envido.caller, -UNWANTED_COST, PointsReason.ENVIDO_REFUSED))


def _pay_envido(game: Game, *credits: Credit) -> Game:
    """Pay and close the envido; unless that ends the game, resume a pending truco."""
    envido = game.hand.envido._replace(status=Status.CLOSED)
    game = add_payment(game._replace(hand=game.hand._replace(envido=envido)), *credits)
    return game if game.winner is not None else _continue_hand(game)


def _last_player_wins(game: Game, side: Side) -> Game:
    """Award the hand to ``side``, the only player left in the trick play."""
    truco, bet = game.hand.truco, bet_of(game, _TRUCO)
    if not truco.pending:
        return _take_hand(game, side, PointsReason.FOLD)
    if side is truco.caller:
        game = _with_next_leader(_with_truco(game, truco._replace(pending=False)), side)
        if not _others_agreed(game, bet, side):
            return end_hand(
                game, Credit(side, -refused_worth(game.rules, 0), PointsReason.TRUCO_REFUSED)
            )
        return end_hand(game, *_passed_points(game, side, bet.agreed, PointsReason.TRUCO_REFUSED))
    # The caller folded on the envido and owes their own proposal, like any player who folds.
    game = _with_truco(game, Truco(truco.rung + 1, truco.caller))
    return _take_hand(game, side, PointsReason.FOLD)


def envido_won(game: Game, step: Step) -> Game | Refusal:
    """Enter ``step.side``, who accepted the envido, as its winner."""
    assert step.side is not None
    if game.hand.envido.status is not Status.ACCEPTED:
        return Refusal.NO_WINNER_WANTED
    bet = bet_of(game, _ENVIDO)
    if step.side in bet.out:
        return Refusal.NO_WINNER_WANTED
    return _pay_envido(game, *_passed_points(game, step.side, bet.agreed, PointsReason.ENVIDO))


def hand_won(game: Game, step: Step) -> Game | Refusal:
    """Enter ``step.side`` as winner of the tricks."""
    assert step.side is not None
    return (
        _why_not_before_envido(game)
        or _why_not_before_truco(game)
        or _why_not_in_hand(game, step.side)
        or _take_hand(game, step.side, PointsReason.HAND)
    )


def all_tied(game: Game, step: Step) -> Game | Refusal:
    """Three tied tricks: the mano wins, or the next player in order still in the hand."""
    why_not = _why_not_before_envido(game) or _why_not_before_truco(game)
    if why_not is not None:
        return why_not
    sides, playing = game.rules.scoring_sides, in_hand(game)
    at = sides.index(mano_of(game))
    order = (*sides[at:], *sides[:at])
    return _take_hand(game, next(side for side in order if side in playing), PointsReason.HAND)


def _take_hand(game: Game, side: Side, reason: PointsReason) -> Game:
    game = _with_next_leader(game, side)
    if game.hand.truco.rung:
        return end_hand(game, *_passed_points(game, side, bet_of(game, _TRUCO).agreed, reason))
    plain = value_at(game.rules, 0)
    if game.rules.plain_hand_to_pot:
        return end_hand(game, Credit(side, -plain, reason))
    return end_hand(
        game, *_passed_points(game, side, (plain,) * len(game.rules.scoring_sides), reason)
    )


def fold(game: Game, step: Step) -> Game | Refusal:
    """Fold for ``step.side``: pending calls are refused, accepted ones are owed."""
    assert step.side is not None
    why_not = _why_not_fold(game, step.side)
    if why_not is not None:
        return why_not
    # The last player in the trick play has won the tricks and can only fold the envido.
    bets = (_ENVIDO,) if in_hand(game) == (step.side,) else (_ENVIDO, _TRUCO)
    for which in bets:
        game = _drop_out(game, which, step.side)
    return _continue_hand(game)


def _why_not_fold(game: Game, side: Side) -> Refusal | None:
    """A player who owes the envido an answer may fold even after refusing the truco."""
    why_not = _why_not_before_envido(game, but_asked=side)
    if why_not is not None or game.hand.envido.status is Status.PENDING:
        return why_not
    waits = game.hand.truco.pending and side not in bet_of(game, _TRUCO).asked
    return _why_not_in_hand(game, side) or (Refusal.ANSWER_FIRST if waits else None)


def _drop_out(game: Game, which: int, side: Side) -> Game:
    """Mark ``side`` as out of this bet; it owes no answer any more."""
    bet = bet_of(game, which)
    left = tuple(each for each in bet.asked if each is not side)
    out = bet.out if side in bet.out else (*bet.out, side)
    return _with_bet(game, which, bet._replace(asked=left, out=out))


def first_trick_done(game: Game, step: Step) -> Game | Refusal:
    """End the first trick: an envido can no longer be opened."""
    why_not = _why_not_before_envido(game) or _why_not_before_truco(game)
    if why_not is not None:
        return why_not
    if not game.hand.first_trick:
        return Refusal.TOO_LATE
    return game._replace(hand=game.hand._replace(first_trick=False))


def award(game: Game, step: Step) -> Game | Refusal:
    """Move ``step.amount`` points from the pile of ``step.side`` to the pot.

    The pile cannot go below 0.
    """
    assert step.side is not None and step.amount is not None
    if step.amount < 1:
        return Refusal.TOO_LITTLE
    taken = min(step.amount, score_of(game, step.side))
    return add_payment(game, Credit(step.side, -taken, PointsReason.AWARD))


def correct(game: Game, step: Step) -> Game | Refusal:
    """Set the pile of ``step.side``; the pot balances the difference."""
    assert step.side is not None and step.amount is not None
    change = step.amount - score_of(game, step.side)
    if step.amount < 1:
        return Refusal.TOO_LITTLE
    if change > pot_of(game):
        return Refusal.TOO_MUCH
    return add_payment(game, Credit(step.side, change, PointsReason.CORRECT))


def concede(game: Game, step: Step) -> Game | Refusal:
    """Concede for ``step.side``: the lower of the other piles wins."""
    rivals = [side for side in game.rules.seating.sides_from(game.mano) if side is not step.side]
    to = min(rivals, key=lambda side: score_of(game, side))
    return settle(
        game._replace(conceded_to=to, last_credits=(Credit(to, 0, PointsReason.CONCEDE),))
    )


def time_is_up(game: Game, step: Step) -> Game | Refusal:
    """End the game, or the match of a tournament: the lowest pile wins."""
    return end_by_time(game, [-pile for pile in game.score])


def pot_of(game: Game) -> int:
    """Points in the pot; the sum of piles and pot is constant."""
    return deal.piles_total(game.rules) - sum(game.score)


def _passed_points(
    game: Game, winner: Side, agreed: tuple[int, ...], reason: PointsReason
) -> tuple[Credit, ...]:
    """Pass to each rival what they agreed to, in play order, while any are left."""
    sides, credits = game.rules.scoring_sides, list[Credit]()
    at, pile = sides.index(winner), score_of(game, winner)
    for rival in (*sides[at + 1 :], *sides[:at]):
        points = min(pile, agreed[sides.index(rival)])
        pile -= points
        if points:
            credits += (Credit(winner, -points, reason), Credit(rival, points, reason))
    return tuple(credits)


def _propose(game: Game, which: int, side: Side, worth: int, others: Iterable[Side]) -> Game:
    bet = bet_of(game, which)
    agreed = _with_agreed(game, bet.agreed, side, worth)
    return _with_bet(game, which, bet._replace(agreed=agreed, asked=tuple(others)))


def _with_agreed(game: Game, agreed: tuple[int, ...], side: Side, worth: int) -> tuple[int, ...]:
    at = game.rules.scoring_sides.index(side)
    return (*agreed[:at], worth, *agreed[at + 1 :])


def _with_bet(game: Game, which: int, bet: ThreeWayBet) -> Game:
    bets = [bet_of(game, _ENVIDO), bet_of(game, _TRUCO)]
    bets[which] = bet
    return game._replace(hand=game.hand._replace(bets=tuple(bets)))


def _with_truco(game: Game, truco: Truco) -> Game:
    return game._replace(hand=game.hand._replace(truco=truco))


def _with_next_leader(game: Game, side: Side) -> Game:
    return game._replace(hand=game.hand._replace(tricks_won_by=side))


def _others_agreed(game: Game, bet: ThreeWayBet, caller: Side) -> bool:
    sides = zip(game.rules.scoring_sides, bet.agreed, strict=True)
    return any(points for side, points in sides if side is not caller)


def _why_not_before_envido(game: Game, but_asked: Side | None = None) -> Refusal | None:
    """Why the envido must be settled first, or None."""
    if game.hand.envido.status is Status.ACCEPTED:
        return Refusal.WINNER_FIRST
    waits = game.hand.envido.status is Status.PENDING
    return Refusal.ANSWER_FIRST if waits and but_asked not in bet_of(game, _ENVIDO).asked else None


def _why_not_before_truco(game: Game) -> Refusal | None:
    return Refusal.ANSWER_FIRST if game.hand.truco.pending else None


def _why_not_in_hand(game: Game, side: Side) -> Refusal | None:
    return None if side in in_hand(game) else Refusal.TOO_LATE


FOULS = {
    Action.AWARD: award,
    Action.CORRECT: correct,
    Action.MANO: deal.set_mano,
    Action.CONCEDE: concede,
    Action.TIME: time_is_up,
}
# In addition to the calls of the ladder and the envido that the variant lists.
ACTIONS = {
    Action.QUIERO: quiero,
    Action.NO_QUIERO: no_quiero,
    Action.ENVIDO_WON: envido_won,
    Action.HAND_WON: hand_won,
    Action.FOLD: fold,
    Action.ALL_TIED: all_tied,
    Action.FIRST_TRICK_DONE: first_trick_done,
    Action.NEW_HAND: deal.new_hand,
    **FOULS,
}
