"""Writing points down: booking, the winner, the falta, and taking back what a lie had won.

Points are never set, only booked as credits with a reason; the score is the score at the deal and
all credits since. It knows no call by name.
"""

from __future__ import annotations

from scorer.rules.model import Credit, Game, Side, Why
from scorer.rules.variant import Falta, Finish, Rules


def book(game: Game, *credits: Credit) -> Game:
    """``game`` with ``credits`` written down as one payment: they count at the same moment."""
    return settle(game._replace(paid=(*game.paid, credits), last=(*game.last, *credits)))


def pay(game: Game, side: Side, points: int, why: Why) -> Game:
    """``side`` (one that speaks) takes ``points``."""
    return book(game, Credit(side, points, why))


def settle(game: Game) -> Game:
    """Score and winner computed anew from what was paid since the deal."""
    score = list(game.base)
    first: Side | None = None
    for payment in game.paid:
        for credit in payment:
            score[game.rules.sides.index(credit.to)] += credit.points
        first = first or _leader_at_target(game.rules, score)
    if game.conceded_to is not None:
        winner: Side | None = game.conceded_to
    elif game.rules.finish is Finish.IMMEDIATE:
        winner = first
    else:
        # Rules reference 2.4: play on to the end of the hand; both past it, the higher total wins.
        winner = _leader_at_target(game.rules, score) if game.hand.over else None
    return game._replace(score=tuple(score), winner=winner)


def _leader_at_target(rules: Rules, score: list[int]) -> Side | None:
    best = max(score)
    if best < rules.target or score.count(best) > 1:
        return None
    return rules.sides[score.index(best)]


def end_hand(game: Game, *credits: Credit) -> Game:
    """The hand is over and ``credits``, if any, are what it paid."""
    game = game._replace(hand=game.hand._replace(over=True))
    return book(game, *credits) if credits else settle(game)


def score_of(game: Game, side: Side) -> int:
    return game.score[game.rules.sides.index(side)]


def to_win(game: Game, side: Side) -> int:
    """What ``side`` itself still lacks, at least 1 (a side may stand past the target)."""
    return max(1, game.rules.target - score_of(game, side))


def leader_lacks(game: Game) -> int:
    """What the leader still lacks, at least 1."""
    return max(1, game.rules.target - max(game.score))


def falta(game: Game, winner: Side) -> int:
    """What an accepted falta envido pays if ``winner`` takes it; rules reference section 3."""
    rules = game.rules
    own = score_of(game, winner)
    rival = min(score_of(game, side) for side in rules.sides if side is not winner)
    leader = max(game.score)
    convention = rules.falta
    if rules.half is None and convention not in (
        Falta.MATCH,
        Falta.LOSER_TO_TARGET,
        Falta.FIXED,
    ):
        convention = Falta.LEADER_TO_TARGET
    half = rules.half or 0
    match convention:
        case Falta.FIXED:
            points = 6
        case Falta.MATCH:
            points = rules.target - own
        case Falta.LOSER_TO_TARGET:
            points = rules.target - rival
        case Falta.MALAS_MATCH if _in_malas(rules, leader):
            points = rules.target - own
        # Section 22.3: the side whose half is counted stands in the buenas when exactly on it.
        case Falta.LEADER_HALF if leader < half:
            points = half - leader
        case Falta.LOSER_HALF:
            points = half - rival if rival < half else rules.target - rival
        case Falta.WINNER_HALF if _in_malas(rules, leader) and own < half:
            points = half - own
        case _:
            points = rules.target - leader
    return max(1, points)


def _in_malas(rules: Rules, score: int) -> bool:
    assert rules.half is not None
    return score < rules.half if rules.half_inclusive else score <= rules.half


def reverse(game: Game, liar: Side, paid_as: tuple[Why, ...], reason: Why) -> Game | None:
    """What ``liar`` took for ``paid_as`` in this hand goes to the rival; None if it took nothing.

    The points move inside the payment in which they were made, so that who reached the target
    first is found anew as if they had been written right at once (rules reference 22.6, 22.11).
    """
    rules = game.rules
    rival = rules.other(liar)
    moved = 0
    paid: list[tuple[Credit, ...]] = []
    for payment in game.paid:
        points = sum(c.points for c in payment if c.to is liar and c.why in paid_as)
        moved += points
        if points:
            payment = tuple(c for c in payment if not (c.to is liar and c.why in paid_as))
            payment = (*payment, Credit(rival, points, reason))
        paid.append(payment)
    if not moved:
        return None
    shown = (Credit(liar, -moved, reason), Credit(rival, moved, reason))
    return settle(game._replace(paid=tuple(paid), last=shown))
