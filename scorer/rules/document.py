"""The state document, version 1: the public view of a game.

docs/reference/state.md lists its keys. Keys are only ever added. The document depends on the game
alone.
"""

from __future__ import annotations

from typing import Any

from scorer.rules import deal, destantado, truco
from scorer.rules.actions import Side
from scorer.rules.engine import legal, phase_of, refusal
from scorer.rules.model import Game, Special, Status, Step
from scorer.rules.offer import offer
from scorer.rules.rematches import rematches_won
from scorer.rules.score import in_duel, mano_of, shown_scores
from scorer.rules.variant import GAME, SERIES

VERSION = 1


def state_document(game: Game) -> dict[str, Any]:
    """The document as JSON-ready values; sort the keys when serializing."""
    rules = game.rules
    # The games won in a series by rematches, if it is one.
    won = rematches_won(game)
    series = {} if won is None else {"rematches": dict(zip(rules.scoring_sides, won, strict=True))}
    return {
        "version": VERSION,
        "variant": rules.variant.id,
        "options": dict(rules.chosen),
        "sides": list(rules.scoring_sides),
        "target": rules.target,
        "half": rules.half,
        "score": dict(zip(rules.scoring_sides, game.score, strict=True)),
        "spoken": {side: spoken_score(game, side) for side in rules.scoring_sides},
        "games": dict(zip(rules.scoring_sides, deal.games_won(game), strict=True)),
        "best_of": rules.best_of,
        "hand": game.hand_number,
        "hand_kind": game.hand.kind,
        "duel": len(game.hand.duels) or None,
        "duel_points": duel_points(game),
        "mano": mano_of(game),
        "gallo": game.gallo,
        "pot": destantado.pot_of(game) if rules.seating.counts_down else None,
        "phase": phase_of(game),
        "stake": _value_document(truco.stake_of(game)),
        "pending": pending_call(game),
        "suspended": suspended_call(game),
        "may_raise": list(may_raise(game)),
        "legal": legal_pairs(game),
        "last": [credit._asdict() for credit in game.last_credits] or None,
        "winner": game.winner,
        **series,
    }


def duel_points(game: Game) -> dict[Side, int] | None:
    """Points per side of the running pica hand, whether added to the score yet or not."""
    if not in_duel(game):
        return None
    credits = [credit for duel in game.hand.duels for credit in duel]
    sides = game.rules.scoring_sides
    return {side: sum(c.points for c in credits if c.to is side) for side in sides}


def spoken_score(game: Game, side: Side) -> tuple[int, str | None]:
    """The score as spoken, e.g. (6, "buenas"); capped at the target."""
    points = shown_scores(game)[game.rules.scoring_sides.index(side)]
    half = game.rules.half
    if half is None:
        return points, None
    return (points, "malas") if points <= half else (points - half, "buenas")


def may_raise(game: Game) -> tuple[Side, ...]:
    """Sides that may make the next call of the truco ladder now."""
    rung = truco.next_rung(game)
    # In a mão de onze a call is only legal to be penalized, so it is not offered as a raise.
    if rung is None or game.hand.special in (Special.PLAYED, Special.IRON):
        return ()
    sides = game.rules.speaking_sides
    return tuple(side for side in sides if refusal(game, Step(side, rung.action)) is None)


def pending_call(game: Game) -> dict[str, Any] | None:
    """The unanswered call and what it pays either way, or None."""
    pending = offer(game)
    if pending is None or pending.call is None or not pending.owed:
        return None
    worth = [_value_document(points) for points in pending.accepted]
    by_winner = dict(zip(game.rules.speaking_sides, worth, strict=True))
    return {
        "by": pending.by,
        "call": pending.call,
        "quiero": worth[0] if len(set(worth)) == 1 else by_winner,
        "no_quiero": _value_document(
            pending.refused if pending.me_achico is None else pending.me_achico
        ),
    }


def suspended_call(game: Game) -> dict[str, Any] | None:
    """The truco suspended until the envido or the flor is settled, or None."""
    now = game.hand
    waits = (Status.PENDING,) if truco.play_goes_on(game) else (Status.PENDING, Status.ACCEPTED)
    if game.winner is not None or not now.truco.pending:
        return None
    if now.envido.status not in waits and now.flor.status not in waits:
        return None
    return {"by": now.truco.caller, "call": game.rules.ladder[now.truco.rung].action}


def legal_pairs(game: Game) -> list[tuple[str, str]]:
    """Every legal step as (side, action), once each regardless of lists and amounts."""
    pairs = ((step.side or "-", step.action) for step in legal(game))
    return list(dict.fromkeys(pairs))


def _value_document(value: int) -> int | str:
    return "game" if value in (GAME, SERIES) else value


__all__ = [
    "VERSION",
    "legal_pairs",
    "may_raise",
    "pending_call",
    "spoken_score",
    "state_document",
    "suspended_call",
]
