"""Gains: signed points by side and reason, as every output shows them.

The gains of a press add up to the change of the score that it made; those of a finished hand, to
the change since the deal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scorer.rules import Action, Credit, Game, PointsReason, Rules
from scorer.rules.score import booked_payments
from scorer.session.values import seating
from scorer.session.values.game_queries import word_of
from scorer.session.view.call_view import newest_word
from scorer.session.view.view import CallFamily, GainView

_ENVIDO_PAYS: Final = (PointsReason.ENVIDO, PointsReason.ENVIDO_REFUSED)
_FLOR_PAYS: Final = (PointsReason.FLOR, PointsReason.FLOR_REFUSED)
_FOLD_PAYS: Final = (PointsReason.FOLD, PointsReason.FOLD_ENVIDO)
_REVERSALS: Final = (PointsReason.ENVIDO_REVERSED, PointsReason.FLOR_REVERSED)
_OUTSIDE_PLAY: Final = (PointsReason.AWARD, PointsReason.CORRECT, *_REVERSALS)


def shown_credits(game: Game) -> tuple[Credit, ...]:
    """The credits of a finished hand; in play, or after a correction, of the press."""
    is_over = game.hand.over or game.winner is not None
    if not is_over or any(credit.why in _OUTSIDE_PLAY for credit in game.last_credits):
        return game.last_credits
    # The credits since the deal, or since the score was last corrected in this hand.
    payments = booked_payments(game)
    reasons = [{credit.why for credit in payment} for payment in payments]
    start = 1 + max(
        (at for at, whys in enumerate(reasons) if PointsReason.CORRECT in whys), default=-1
    )
    if any(whys.intersection(_REVERSALS) for whys in reasons[:start]):
        start = 0
    return sum(payments[start:], ())


def gain_views(
    game: Game, credits: Iterable[Credit], shown: Game | None = None
) -> tuple[GainView, ...]:
    """``credits`` of ``game`` as gains, without those of 0 points.

    ``shown``: the game whose pair is named in the view, if another hand is shown.
    """
    return tuple(
        GainView(at, credit.points, credit.why, paid_call(game, credit))
        for at, credit in seating.indexed_credits(shown or game, credits)
        if credit.points
    )


def paid_call(game: Game, credit: Credit) -> str:
    """The call that ``credit`` paid for, or "".

    Of a fold it is its word, of an ended duel the first call.
    """
    hand, rules, why = game.hand, game.rules, credit.why
    if hand.duels and credit not in hand.duels[-1]:
        return _first_call(rules, why)
    if why in _ENVIDO_PAYS:
        # An envite that was sung in a special hand has no call.
        is_called = bool(hand.envido.chain)
        return newest_word(game, CallFamily.ENVIDO) if is_called else _first_call(rules, why)
    if why in _FLOR_PAYS:
        return newest_word(game, CallFamily.FLOR)
    if why is PointsReason.TRUCO_REFUSED and hand.truco.rung < len(rules.ladder):
        return newest_word(game, CallFamily.TRUCO)
    if why in _FOLD_PAYS:
        return word_of(rules, Action.FOLD)
    if why is PointsReason.HAND and hand.truco.rung:
        return word_of(rules, rules.ladder[hand.truco.rung - 1].action)
    return ""


def _first_call(rules: Rules, why: PointsReason) -> str:
    """The call that opens the bet which is paid with this reason, or ""."""
    if why in _ENVIDO_PAYS and rules.bids:
        return word_of(rules, rules.bids[0].action)
    if why in _FLOR_PAYS:
        return word_of(rules, Action.FLOR)
    return word_of(rules, rules.ladder[0].action) if why is PointsReason.TRUCO_REFUSED else ""
