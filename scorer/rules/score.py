"""Payments, score and winner, the value of the falta, and reversed payments.

A hand has a ledger. A ``Credit`` is an entry: a side, points, and the reason. The credits that
count at the same moment are one payment, a tuple: those of the members of a camp, or of sides that
a rule pays together. ``Game.payments`` has the payments since the deal, in the order in which they
were made.

The ledger is the truth, and the score is derived from it. ``settle`` starts at the score of the
deal and adds one payment after the other; after the deal nothing else sets ``score`` or ``winner``.
The order matters, because in most variants the side that reaches the target first wins, at once:
with 28-28 and a target of 30, an envido of 2 for A wins the game for A, whatever B takes for the
hand. So ``settle`` looks for a leader after each payment and keeps the first one it finds. It looks
after a payment, not after a credit: sides that are paid together reach the target together, and the
seating decides. Where a game ends with the hand (``Finish``), the leader after the last payment of
a finished hand wins.

A reversal shows why the score is not a running total. A team took an envido, and it comes out that
it lied. The points must go to the rival as if they had been paid correctly in the first place: a
game that the lie has won goes on, and one that the rival would have won then is won now, although
the hand was paid in between. A later credit of -2 and +2 would give the same sums and the wrong
winner. So ``reverse_points`` looks for the newest payment that paid the liar for such a reason,
replaces the credits inside that payment, and settles again. The hand and its calls are left alone;
the phase follows from the new winner. ``last_credits`` has the -2 and the +2, which screens and
voice report as news.

The duels of a pica hand have a ledger of their own, the credits of each duel, because in one
convention their points reach the board only when the last duel is over, all at the same moment
(``booked_payments``). A reversal in such a hand reaches the running duel and the one before it.

``conceded_to`` is stronger than all payments: a surrender, a foul that loses the game, and the end
of the time make a winner without points.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.rules.actions import Side
from scorer.rules.model import (
    Credit,
    Envido,
    Flor,
    Game,
    Hand,
    HandKind,
    PointsReason,
    Refusal,
    Truco,
)
from scorer.rules.variant import Falta, Finish, Rules

_FALTAS_WITHOUT_HALVES = (Falta.MATCH, Falta.LEADER_TO_TARGET, Falta.LOSER_TO_TARGET, Falta.FIXED)


def credits_for(game: Game, to: Side, points: int, reason: PointsReason) -> tuple[Credit, ...]:
    """Credits of ``points`` for the speaking side ``to``, one per member of a camp."""
    return tuple(Credit(side, points, reason) for side in scorers(game, to))


def scorers(game: Game, side: Side) -> tuple[Side, ...]:
    """The scoring sides that ``side`` speaks for."""
    return game.rules.seating.scorers_of(side, game.gallo)


def speaker_of(game: Game, side: Side) -> Side:
    """The side that speaks for a scoring side in this hand."""
    return game.rules.seating.speaker_of(side, game.gallo)


def shown_scores(game: Game) -> tuple[int, ...]:
    """The scores as displayed, in play order."""
    rules = game.rules
    return tuple(rules.seating.capped(points, rules.target) for points in game.score)


def standing(game: Game) -> tuple[int, ...]:
    """The scores with the points of a pica hand in play that are added when it ends."""
    rules, booked = game.rules, game.rules.pica_live or game.hand.over
    duels = () if booked else game.hand.duels
    sums = {side: 0 for side in rules.scoring_sides}
    for credit in (credit for duel in duels for credit in duel):
        sums[credit.to] += credit.points
    return tuple(score + more for score, more in zip(game.score, sums.values(), strict=True))


def add_payment(game: Game, *credits: Credit) -> Game:
    """``game`` with ``credits`` booked as one payment: they count at the same moment."""
    last = (*game.last_credits, *credits)
    if in_duel(game):
        duels = game.hand.duels
        now = (*duels[:-1], (*duels[-1], *credits))
        game = game._replace(hand=game.hand._replace(duels=now))
        if not game.rules.pica_live:
            # Points of the duels are added to the score when all are over: rules.md#pica-add.
            return game._replace(last_credits=last)
    return settle(game._replace(payments=(*game.payments, credits), last_credits=last))


def pay(game: Game, side: Side, points: int, reason: PointsReason) -> Game:
    """Pay ``points`` to ``side`` (a speaking side)."""
    return add_payment(game, *credits_for(game, side, points, reason))


def add_board_payment(game: Game, *credits: Credit) -> Game:
    """Book a payment that is added to the score at once, even in a duel."""
    return settle(
        game._replace(
            payments=(*game.payments, credits), last_credits=(*game.last_credits, *credits)
        )
    )


def in_duel(game: Game) -> bool:
    """True while a duel of a pica hand is being played."""
    return game.hand.kind is HandKind.PICA and not game.hand.over


def settle(game: Game) -> Game:
    """Recompute score and winner from the payments since the deal."""
    rules = game.rules
    score = list(game.score_at_deal)
    first: Side | None = None
    for payment in booked_payments(game):
        for credit in payment:
            score[rules.scoring_sides.index(credit.to)] += credit.points
        first = first or _leader_at_target(game, score)
    if game.conceded_to is not None:
        winner: Side | None = game.conceded_to
    elif rules.finish is Finish.IMMEDIATE:
        winner = first
    else:
        # Winner at the end of the hand; past the target the higher total wins: rules.md#finish.
        winner = _leader_at_target(game, score) if game.hand.over else None
    return game._replace(score=tuple(score), winner=winner)


def booked_payments(game: Game) -> tuple[tuple[Credit, ...], ...]:
    """The payments since the deal that the score contains."""
    if game.hand.over and game.hand.duels and not game.rules.pica_live:
        return (*game.payments, tuple(credit for duel in game.hand.duels for credit in duel))
    return game.payments


def _leader_at_target(game: Game, score: list[int]) -> Side | None:
    rules = game.rules
    return rules.seating.side_at_target(score, rules.target, game.mano, game.gallo)


def end_hand(game: Game, *credits: Credit) -> Game:
    """End the hand (or the duel) and book the ``credits`` it pays."""
    if not in_duel(game):
        game = game._replace(hand=game.hand._replace(over=True))
        return add_payment(game, *credits) if credits else settle(game)
    game = add_payment(game, *credits) if credits else game
    if game.winner is None and len(game.hand.duels) < game.rules.duels:
        duels = (*game.hand.duels, ())
        return game._replace(hand=Hand(Truco(), Envido(), Flor(), HandKind.PICA, duels=duels))
    return settle(game._replace(hand=game.hand._replace(over=True)))


def mano_of(game: Game) -> Side:
    """The current mano; in a duel the earlier of its two players (rules.md#pica_pica)."""
    actors = game.rules.speaking_sides
    if game.hand.kind is HandKind.PICA and len(game.hand.duels) % 2 == 0:
        return actors[(actors.index(game.mano) + 1) % len(actors)]
    return game.mano


def score_of(game: Game, side: Side) -> int:
    """Points of ``side``; for a camp, those of its best member."""
    sides = game.rules.scoring_sides
    return max(game.score[sides.index(each)] for each in scorers(game, side))


def points_to_win(game: Game, side: Side) -> int:
    """Points ``side`` still lacks, at least 1 (a side may stand past the target)."""
    return max(1, game.rules.target - score_of(game, side))


def end_by_time(game: Game, points: Sequence[int]) -> Game | Refusal:
    """End the game for the side with most ``points``.

    In a match of a tournament the leader in games, else in points, wins the match.
    """
    before = game.games if game.match is not None else (0,) * len(points)
    ranks = [*zip(before, points, strict=True)]
    best = max(ranks)
    if ranks.count(best) > 1:
        return Refusal.TIED
    to = game.rules.scoring_sides[ranks.index(best)]
    if game.match is not None:
        game = game.with_match(game.match._replace(is_timed=True))
    credits = (Credit(to, 0, PointsReason.TIME),)
    return settle(game._replace(conceded_to=to, last_credits=credits))


def leader_points_to_win(game: Game) -> int:
    """Points the leader still lacks, at least 1."""
    return max(1, game.rules.target - max(game.score))


def effective_falta(rules: Rules) -> Falta:
    """The convention of the falta; without halves, one that needs none."""
    if rules.half is not None or rules.falta in _FALTAS_WITHOUT_HALVES:
        return rules.falta
    return Falta.LEADER_TO_TARGET


def falta_worth(game: Game, winner: Side) -> int:
    """What an accepted falta envido pays ``winner`` (rules.md#falta)."""
    rules = game.rules
    own = score_of(game, winner)
    rival = min(score_of(game, side) for side in rules.speaking_sides if side is not winner)
    leader = max(game.score)
    half = rules.half or 0
    match effective_falta(rules):
        case Falta.FIXED:
            points = 6
        case Falta.MATCH:
            points = rules.target - own
        case Falta.LOSER_TO_TARGET:
            points = rules.target - rival
        case Falta.MALAS_MATCH if _in_malas(rules, leader):
            points = rules.target - own
        # For this falta a score exactly on the half counts as in the buenas: rules.md#half.
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


def reverse_points(
    game: Game, liar: Side, paid_as: tuple[PointsReason, ...], reason: PointsReason, to: Side | None
) -> Game | None:
    """Move what ``liar`` was paid for ``paid_as`` in this hand to ``to``.

    Returns None if ``liar`` was paid nothing that counts. With ``to`` None the points are only
    deducted.

    The points move inside the payment that made them, so that the side that reached the target
    first is recomputed as if they had been booked correctly (rules.md#reversed).
    """
    paid, moved = _reverse_newest(game, game.payments, liar, paid_as, reason=reason, to=to)
    duels, in_duels = _reverse_newest(
        game, game.hand.duels, liar, paid_as, reason=reason, to=to, reach=2
    )
    if game.hand.kind is HandKind.PICA:
        # A lie in the current duel, or in the one that just ended: rules.md#reversed.
        # Where duels count only at the end, the score does not contain these points yet, and never
        # will if the game has ended before: by an award, a concession or the time.
        if game.winner is not None and not (game.hand.over or game.rules.pica_live):
            return None
        game = game._replace(payments=paid, hand=game.hand._replace(duels=duels))
        return _with_reversal(game, liar, in_duels, reason, to) if in_duels else None
    return _with_reversal(game._replace(payments=paid), liar, moved, reason, to) if moved else None


def _reverse_newest(
    game: Game,
    payments: tuple[tuple[Credit, ...], ...],
    liar: Side,
    paid_as: tuple[PointsReason, ...],
    *,
    reason: PointsReason,
    to: Side | None,
    reach: int | None = None,
) -> tuple[tuple[tuple[Credit, ...], ...], int]:
    """Reverse the latest payment to ``liar``; return all payments, and its points.

    Only the last ``reach`` payments are considered, all if it is None.
    """
    oldest = 0 if reach is None else max(0, len(payments) - reach)
    liars = scorers(game, liar)
    for at in range(len(payments) - 1, oldest - 1, -1):
        payment = payments[at]
        moved = sum(c.points for c in payment if c.to is liars[0] and c.why in paid_as)
        if moved:
            kept = (c for c in payment if not (c.to in liars and c.why in paid_as))
            turned = (*kept, *_given_credits(game, to, moved, reason))
            return (*payments[:at], turned, *payments[at + 1 :]), moved
    return payments, 0


def _given_credits(
    game: Game, to: Side | None, points: int, reason: PointsReason
) -> tuple[Credit, ...]:
    return () if to is None else credits_for(game, to, points, reason)


def _with_reversal(
    game: Game, liar: Side, moved: int, reason: PointsReason, to: Side | None
) -> Game:
    taken = credits_for(game, liar, -moved, reason)
    given = _given_credits(game, to, moved, reason)
    return settle(game._replace(last_credits=(*taken, *given)))
