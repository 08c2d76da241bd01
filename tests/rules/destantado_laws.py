"""Laws of payments for three players, each alone (rules.md#destantado)."""

from __future__ import annotations

from typing import Any

from scorer.rules import Action, Game, Phase, PointsReason, Side, Step, attempt, phase_of, stake_of
from scorer.rules.perft import ENDS
from scorer.rules.seating import Seats
from tests.rules.law_view import StateView

_UNWANTED = frozenset((PointsReason.ENVIDO, PointsReason.ENVIDO_REFUSED))

Sums = list[tuple[Side, int]]


def owe_what_they_agreed_to(state: StateView, pending: dict[str, Any]) -> None:
    """Accepting owes the latest value, refusing the one before; all answer first.

    Source: rules.md#destantado.
    """
    game, caller = state.game, pending["by"]
    at = 0 if state.phase is Phase.PENDING_ENVIDO else 1
    bet = game.hand.bets[at]
    raised = game.hand.truco.rung > 0 if at else len(game.hand.envido.chain) > 1
    owed = dict(zip(game.rules.scoring_sides, bet.agreed, strict=True))
    assert owed[caller] == pending["quiero"]
    assert caller not in bet.asked and not set(bet.asked) & set(bet.out)
    yes = {s for s in owed if s is not caller and s not in bet.asked and s not in bet.out}
    assert all(owed[side] == pending["quiero"] for side in yes)
    assert raised or not any(owed[side] for side in bet.asked)
    if not yes:
        before = [points for side, points in owed.items() if side is not caller]
        # A player who accepted and then folds owes it whatever the others answer.
        if pending["quiero"] not in before:
            assert pending["no_quiero"] == (max(before) or 1)
        _check_all_refuse(game, caller, at)


def _check_all_refuse(game: Game, caller: Side, at: int) -> None:
    bet, refused = game.hand.bets[at], game
    *first, last = bet.asked
    # A caller who folded on the envido does not play for their truco: if one of the other two
    # refuses, "that one has won it" (rules.md#destantado).
    gone = caller in bet.out
    for side in first if gone else bet.asked:
        answer = attempt(refused, Step(side, Action.NO_QUIERO))
        assert isinstance(answer, Game)
        refused = answer
    own = game.rules.scoring_sides.index(caller)
    others = (*bet.agreed[:own], *bet.agreed[own + 1 :])
    expected = _expected_passing(game, last if gone else caller, bet.agreed)
    if not gone and not any(others):
        expected = [(caller, -1)]
    whys = (
        (PointsReason.FOLD,) if gone else (PointsReason.TRUCO_REFUSED,) if at else tuple(_UNWANTED)
    )
    assert [(c.to, c.points) for c in refused.last_credits if c.why in whys] == expected


def pass_the_envido(state: StateView) -> None:
    """One of the players in it wins, and passes to each what they agreed to."""
    game = state.game
    if game.rules.variant.seats is not Seats.ALONE or state.phase is not Phase.AWAITING_ENVIDO:
        return
    bet = game.hand.bets[0]
    for side in game.rules.scoring_sides:
        after = state.answers[Step(side, Action.ENVIDO_WON)]
        assert isinstance(after, Game) == (side not in bet.out)
        if isinstance(after, Game):
            paid = [(c.to, c.points) for c in after.last_credits if c.why is PointsReason.ENVIDO]
            assert paid == _expected_passing(game, side, bet.agreed)


def pay_the_hand(game: Game, winner: Side, after: Game) -> None:
    sides = game.rules.scoring_sides
    if game.hand.truco.rung:
        truco = game.hand.bets[1]
        playing = [n for side, n in zip(sides, truco.agreed, strict=True) if side not in truco.out]
        assert set(playing) == {stake_of(game)}
        expected = _expected_passing(game, winner, truco.agreed)
    elif game.rules.plain_hand_to_pot:
        expected = [(winner, -1)]
    else:
        expected = _expected_passing(game, winner, (1, 1, 1))
    assert [(c.to, c.points) for c in after.last_credits] == expected
    assert phase_of(after) in ENDS


def folds(state: StateView, side: Side, after: Game) -> None:
    """The player leaves the hand, owes what they agreed to and wins nothing.

    Source: rules.md#destantado.
    """
    game = state.game
    out = game.hand.bets[1].out if game.hand.bets else ()
    if set(game.rules.scoring_sides) - {side} == set(out):
        return  # the last player has won the tricks, and folds only on the envido
    assert all(credit.points > 0 for credit in after.last_credits if credit.to is side)
    assert not any(credit.why is PointsReason.FOLD_ENVIDO for credit in after.last_credits)
    if after.hand.over or after.hand.envido.status is not game.hand.envido.status:
        return
    assert not after.last_credits, "he owes it until the hand is over"
    assert side in after.hand.bets[1].out


def _expected_passing(game: Game, winner: Side, agreed: tuple[int, ...]) -> Sums:
    """What each rival agreed to, from the winner in play order: rules.md#destantado."""
    sides = game.rules.scoring_sides
    start, sums = sides.index(winner), Sums()
    pile = game.score[start]
    for at in ((start + 1) % 3, (start + 2) % 3):
        points = min(agreed[at], pile)
        pile -= points
        sums += [(winner, -points), (sides[at], points)] if points else []
    return sums
