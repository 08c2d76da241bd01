"""Queries of a game: current hand, payments of steps, call words."""

from __future__ import annotations

from typing import Final

from scorer.rules import Action, Credit, Game, Phase, Rules, Side, Start, Step, attempt, new_game
from scorer.rules.deal import is_fresh, next_gallo
from scorer.rules.engine import play_steps
from scorer.session.values import seating

NEW_HAND: Final = Step(None, Action.NEW_HAND)
# The phases of a hand that goes on after an envido or flor.
AFTER_BET: Final = (Phase.PLAYING, Phase.PENDING_TRUCO)
# Every team confirms these at the box; in a locked match also those that change the score.
CONFIRMED_ALWAYS: Final = frozenset((Action.MANO,))
CONFIRMED_IN_MATCH: Final = CONFIRMED_ALWAYS | frozenset(
    (
        Action.CORRECT,
        Action.CONCEDE,
        Action.TIME,
        Action.AWARD,
        Action.ENVIDO_REVERSED,
        Action.FLOR_REVERSED,
    )
)
_NUMBER_FIRST: Final = (Action.ENVIDO_MAS, Action.FLOR_ENVIDA_MAS)  # "5 envido más"


def current_hand(game: Game) -> Game:
    """The hand that a press belongs to: the next one once this one is over."""
    if game.winner is not None or not game.hand.over:
        return game
    dealt = attempt(game, NEW_HAND)
    assert isinstance(dealt, Game)
    return dealt


def opening_steps(game: Game) -> tuple[Step, ...]:
    """The steps that must precede the first step of a hand that is only announced."""
    return (NEW_HAND,) if game.winner is None and game.hand.over else ()


def credits_of(game: Game, steps: tuple[Step, ...]) -> tuple[Credit, ...]:
    """All credits of ``steps`` played from ``game``; empty if one of them is refused."""
    paid: list[Credit] = []
    for step in steps:
        result = attempt(game, step)
        if not isinstance(result, Game):
            return ()
        paid += result.last_credits
        game = result
    return tuple(paid)


def largest_payment(game: Game, steps: tuple[Step, ...]) -> tuple[int, int] | None:
    """The largest payment of ``steps``: (side, points), or None."""
    # A hand dealt by these steps has its own gallo.
    return seating.largest_gain(play_steps(game, steps) or game, credits_of(game, steps))


def word_of(rules: Rules, action: Action) -> str:
    """The spoken word of an action; the sheet's word if it is not spoken."""
    return next((word for each, word in rules.variant.words if each is action), action.value)


def call_text(rules: Rules, action: Action, amount: int | None) -> str:
    """The spoken call with its number: "envido 5", "3 piedras más"."""
    word = word_of(rules, action)
    if amount is None:
        return word
    return f"{amount} {word}" if action in _NUMBER_FIRST else f"{word} {amount}"


def counted_flor(game: Game, word: str, side: Side | None) -> str:
    """``word`` with the number of flores that ``side`` has announced, if several."""
    announced, sides = game.hand.flor.announced, game.rules.speaking_sides
    count = announced[sides.index(side)] if announced and side in sides else 0
    return f"{word} x{count}" if count > 1 else word


def is_same_rules(one: Rules, other: Rules) -> bool:
    """True if both are of one variant with equal options."""
    first, second = ((r.variant.id, r.variant.definition, r.chosen) for r in (one, other))
    return one is other or first == second


def next_game(
    game: Game,
    rules: Rules,
    rematches: tuple[int, ...] | None = None,
    leg_start: int | None = None,
) -> Game:
    """The game after ``game``: the next leg, or under ``rules``; the mano rotates.

    ``rematches``: the games won before, if it is a rematch. ``leg_start``: points of every side at
    which a leg begins, None for the start of the rules.
    """
    match = game.match
    score = None
    if match is not None and not match.is_last_leg:
        rules, match = game.rules, match._replace(leg=match.leg + 1)
        score = even_score(rules, leg_start)
    else:
        match = None
    if rules.seating is not game.rules.seating:
        return new_game(Start(rules))
    mano, gallo = rules.seating.next_side(game.mano), next_gallo(game)
    return new_game(Start(rules, score, mano, gallo, match=match, rematches=rematches))


def even_score(rules: Rules, points: int | None) -> tuple[int, ...] | None:
    """``points`` of every side; None for None."""
    return None if points is None else (points,) * len(rules.scoring_sides)


def is_untouched(game: Game) -> bool:
    """True before the first entry of a game, when no change of rules has to wait."""
    is_first = game.hand_number == 1 and game.score == game.score_at_deal
    return is_first and is_fresh(game) and game.winner is None and game.change is None
