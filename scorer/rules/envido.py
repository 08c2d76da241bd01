"""The envido: its chain of calls, its payments, and when it may be called."""

from __future__ import annotations

from scorer.rules.actions import Side
from scorer.rules.model import (
    Credit,
    Envido,
    Game,
    PointsReason,
    Refusal,
    Special,
    Status,
    Step,
)
from scorer.rules.score import (
    credits_for,
    end_hand,
    falta_worth,
    in_duel,
    leader_points_to_win,
    pay,
    settle,
)
from scorer.rules.truco import pay_deferred_award, play_goes_on
from scorer.rules.variant import EQUAL, NAMED, Bid, EnvidoRefused, FlorOverRefused

MIN_OPEN_BET = 2


def window_open(game: Game) -> bool:
    """True if an envido may be opened in this part of the hand: rules.md#window."""
    hand, late = game.hand, game.rules.variant.bets_settled_at_showdown
    in_time = hand.first_trick and (late or hand.truco.rung == 0)
    return bool(game.rules.bids) and in_time and may_open_bet(game)


def may_open_bet(game: Game) -> bool:
    """True if no envido or flor was settled and the hand has none of its own."""
    hand = game.hand
    own = hand.special is not Special.NONE or hand.privo_by is not None
    return not own and Status.CLOSED not in (hand.envido.status, hand.flor.status)


def call(game: Game, step: Step) -> Game | Refusal:
    """A call of the envido, either an opening or a raise."""
    assert step.side is not None
    at = next(i for i, bid in enumerate(game.rules.bids) if bid.action is step.action)
    if step.amount is not None and not game.rules.opens_with_numbers:
        return Refusal.NOT_IN_THIS_VARIANT
    why_not = _why_not(game, step.side, at)
    if why_not is not None:
        return why_not
    stones = _called_amount(game, step, game.rules.bids[at])
    if isinstance(stones, Refusal):
        return stones
    envido = game.hand.envido
    if game.rules.falta_cap and game.rules.free_envido and stones:
        stones = _counted(game, envido.amounts, stones)
    envido = Envido(
        chain=(*envido.chain, step.action),
        amounts=(*envido.amounts, stones),
        caller=step.side,
        status=Status.PENDING,
    )
    return game._replace(hand=game.hand._replace(envido=envido))


def _called_amount(game: Game, step: Step, bid: Bid) -> int | Refusal:
    """The amount this call adds (0: the falta), within the limits of rules.md#amounts."""
    if bid.adds == EQUAL:
        return max(MIN_OPEN_BET, max(game.score) - min(game.score))
    if step.amount is None:
        return bid.adds
    opening = not game.hand.envido.chain
    if bid.adds != NAMED and not opening:
        return Refusal.OUT_OF_ORDER
    if step.amount < (1 if bid.adds == NAMED else MIN_OPEN_BET):
        return Refusal.TOO_LITTLE
    return Refusal.TOO_MUCH if step.amount > game.rules.target else step.amount


def _counted(game: Game, before: tuple[int, ...], stones: int) -> int:
    """What a bid of ``stones`` counts: less above the falta (rules.md#falta-cap)."""
    falta = cap_in_duel(game, leader_points_to_win(game))
    if not before:
        return stones if stones <= falta else MIN_OPEN_BET
    return stones if sum(before) + stones <= falta else min(before[-1], falta)


def _why_not(game: Game, side: Side, at: int) -> Refusal | None:
    hand = game.hand
    if hand.flor.status is Status.PENDING:
        return Refusal.ANSWER_FIRST
    if Status.ACCEPTED in (hand.envido.status, hand.flor.status):
        waits = not play_goes_on(game) or not hand.truco.pending
        return Refusal.WINNER_FIRST if waits else Refusal.ANSWER_FIRST
    if not window_open(game):
        # A pending raise of the truco has closed the envido too, but must be answered first.
        return Refusal.ANSWER_FIRST if hand.truco.pending else Refusal.ENVIDO_CLOSED
    if hand.envido.status is Status.PENDING:
        bids = game.rules.bids
        envido = hand.envido
        if envido.caller is side:
            return Refusal.OWN_CALL
        order = [bid.action for bid in bids]
        again = envido.chain.count(order[at])
        # "Quiero y envido" raises a plain envido only, not a number of stones VEP 10.
        named = again and at == 0 and envido.amounts[0] != bids[0].adds
        if at < order.index(envido.chain[-1]) or not bids[at].raises or named:
            return Refusal.OUT_OF_ORDER
        return Refusal.OUT_OF_ORDER if again >= bids[at].times else None
    if hand.truco.pending and hand.truco.caller is side and not partner_may_bid(game):
        return Refusal.OWN_CALL
    return None if game.rules.bids[at].opens else Refusal.OUT_OF_ORDER


def partner_may_bid(game: Game) -> bool:
    """Venezuela: the side that called truco may bid too, before its answer (VEP 19)."""
    return game.rules.variant.bets_settled_at_showdown


def accepted_worth(game: Game, winner: Side) -> int:
    """Points paid to ``winner`` if the chain is accepted."""
    amounts = game.hand.envido.amounts
    if game.hand.special is Special.BOTH_CANTANDO:
        return 1
    # A chain that ends in the falta pays the falta alone; earlier calls do not add.
    if amounts[-1]:
        points = sum(amounts)
    else:
        points = falta_worth(game, winner)
        if game.rules.falta_floor:
            points = max(points, refused_worth(game))
    # A single stone cannot be bet: a result of 1 counts 2 (VEP 18).
    return cap_in_duel(game, max(points, MIN_OPEN_BET) if game.rules.variant.open_bids else points)


def cap_in_duel(game: Game, points: int) -> int:
    """Limit of the envido and its raises in a duel (rules.md#pica-cap)."""
    cap = game.rules.pica_cap
    return points if cap is None or not in_duel(game) else min(points, cap)


def refused_worth(game: Game) -> int:
    """Points paid to the last caller on a refusal: all calls but the last, at least 1."""
    before = sum(game.hand.envido.amounts[:-1])
    if game.rules.envido_refused is EnvidoRefused.PLUS_ONE:
        return cap_in_duel(game, before + 1)
    return cap_in_duel(game, max(1, before))


def accept(game: Game) -> Game:
    envido = game.hand.envido._replace(status=Status.ACCEPTED)
    return game._replace(hand=game.hand._replace(envido=envido))


def refuse(game: Game) -> Game:
    """No quiero: pay the last caller and continue the hand."""
    envido = game.hand.envido
    assert envido.caller is not None
    points, why = refused_worth(game), PointsReason.ENVIDO_REFUSED
    paid = pay(_close(game), envido.caller, points, why)
    if game.rules.flor_over_refused is not FlorOverRefused.ANNULS:
        return paid
    closed = paid.hand.envido._replace(annullable=Credit(envido.caller, points, why))
    return paid._replace(hand=paid.hand._replace(envido=closed))


def without_refused_payment(game: Game) -> Game:
    """``game`` without what a refused envido paid, which a flor takes back.

    Source: rules.md#flor-over-refused.
    """
    credit = game.hand.envido.annullable
    if credit is None:
        return game
    at = game.payments.index((credit,))
    taken = Credit(credit.to, -credit.points, PointsReason.ENVIDO_ANNULLED)
    envido = game.hand.envido._replace(annullable=None)
    return settle(
        game._replace(
            payments=(*game.payments[:at], *game.payments[at + 1 :]),
            last_credits=(*game.last_credits, taken),
            hand=game.hand._replace(envido=envido),
        )
    )


def enter_winner(game: Game, step: Step) -> Game | Refusal:
    """Enter ``step.side`` as winner of the compared envidos."""
    assert step.side is not None
    if not game.rules.bids:
        return Refusal.NOT_IN_THIS_VARIANT
    if game.hand.envido.status is not Status.ACCEPTED:
        return Refusal.NO_WINNER_WANTED
    points = accepted_worth(game, step.side)
    if game.hand.special is Special.BOTH_CANTANDO:
        # The declared envite is the only bet and ends the game: rules.md#cantando.
        return end_hand(_close(game), *credits_for(game, step.side, points, PointsReason.ENVIDO))
    return pay_deferred_award(pay(_close(game), step.side, points, PointsReason.ENVIDO))


def _close(game: Game) -> Game:
    envido = game.hand.envido._replace(status=Status.CLOSED)
    return game._replace(hand=game.hand._replace(envido=envido))
