"""Read payments of the rules off a game that has just been dealt."""

from __future__ import annotations

from scorer.rules.actions import Action, Side
from scorer.rules.deal import new_game
from scorer.rules.engine import play_steps
from scorer.rules.model import Game, HandKind, Start, Step
from scorer.rules.offer import Offer, offer
from scorer.rules.score import score_of
from scorer.rules.truco import points_for
from scorer.rules.variant import Rules


def deal(rules: Rules, *scores: int, kind: HandKind | None = None) -> Game:
    """Deal a hand; ``scores`` replace the starting points of the first sides."""
    return new_game(Start(rules, (*scores, *rules.starting_score[len(scores) :]), kind=kind))


def caller_at(rules: Rules, at: int) -> Side:
    """The caller of call ``at``: two sides alternate, the pair before the gallo."""
    first, second = rules.speaking_sides[:2]
    at += rules.seating.has_gallo  # the pair may have two flores
    return second if at % 2 else first


def accepted_points(game: Game) -> int | None:
    """Points of the first caller if it wins; None if the bet cannot be accepted."""
    pending, first = offer(game), caller_at(game.rules, 0)
    if pending is None or not _is_answer(game, pending, pending.yes):
        return None
    return _out_of_pile(game, first, points_for(game, first, pending.worth_for(game, first)))


def refused_points(game: Game, word: Action = Action.NO_QUIERO) -> int | None:
    """Points paid if all that owe an answer give ``word``; None if they cannot."""
    pending = offer(game)
    if pending is None or not _is_answer(game, pending, word):
        return None
    points = pending.me_achico if word is Action.ME_ACHICO else pending.refused
    return None if points is None else _out_of_pile(game, pending.by, points)


def _out_of_pile(game: Game, side: Side, points: int) -> int:
    """``points``, but of a pile no more than are in it (destantado)."""
    return min(points, score_of(game, side)) if game.rules.seating.counts_down else points


def _is_answer(game: Game, pending: Offer, word: Action) -> bool:
    return play_steps(game, [Step(side, word) for side in pending.owed]) is not None


def points_moved(game: Game) -> int:
    """Points the latest step gave to a side, or deducted if it gave none."""
    totals = {side: 0 for side in game.rules.scoring_sides}
    for credit in game.last_credits:
        totals[credit.to] += credit.points
    best = max(totals.values())
    return best if best > 0 else -min(totals.values())
