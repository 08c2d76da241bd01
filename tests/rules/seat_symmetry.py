"""Exchange the seats of a game, for the law that the rules favour no side.

Two sides swap. Three players rotate by one seat: the order of payments allows no other exchange.
The gallo and the pair swap if both members of the pair stand alike. Cases that an exchange cannot
express are excluded.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from scorer.rules import Action, Game, Side, Step
from scorer.rules.model import Credit
from scorer.rules.seating import Seats

# Fields with one number per side, in the order of the sides.
_A_NUMBER_A_SIDE = frozenset(("score_at_deal", "score", "games", "agreed"))
# ... in the order of the speaking sides.
_A_NUMBER_A_SPEAKER = frozenset(("announced",))
_OF_THE_SCORE = frozenset((Action.AWARD, Action.CORRECT, Action.CONCEDE, Action.TIME))


class Mirror(NamedTuple):
    """One exchange of seats: the new places of sides and of their numbers."""

    name: str
    seats: tuple[tuple[Side, Side], ...]
    sides: tuple[int, ...]  # place i gets the content of place sides[i]
    speakers: tuple[int, ...]

    def game(self, game: Game) -> Game:
        """``game`` with exchanged seats."""
        result = _swapped(self, game)
        assert isinstance(result, Game)
        return _swap_camp_payments(self, game, result) if self is SWAP_CAMPS else result

    def step(self, step: Step) -> Step:
        """``step`` with exchanged seats."""
        result = _swapped(self, step)
        assert isinstance(result, Step)
        return result

    def applies_to(self, game: Game) -> bool:
        """True if exchanging the seats leaves ``game`` unchanged."""
        return self is not SWAP_CAMPS or (_is_pair_equal(game) and _is_paid_by_camp(game))

    def commutes(self, game: Game, step: Step) -> bool:
        """True if ``step`` must have the mirrored effect in the mirror."""
        if self is SWAP_CAMPS:
            # Ties: rules.md#pata_gallo; seats move on, and penalties go to one player.
            ties = step.action is Action.ALL_TIED or None in step.tricks
            # The pair may have two flores, the gallo one: rules.md#flor-count.
            second_flor = step.action is Action.FLOR and any(game.hand.flor.announced)
            special = ties or second_flor
            return not special and step.action not in _OF_THE_SCORE | {Action.NEW_HAND}
        return True


SWAP_SIDES = Mirror("the two sides", ((Side.A, Side.B), (Side.B, Side.A)), (1, 0), (1, 0))
ROTATE_SEATS = Mirror(
    "a seat on", ((Side.A, Side.B), (Side.B, Side.C), (Side.C, Side.A)), (2, 0, 1), (0, 1)
)
SWAP_CAMPS = Mirror(
    "the camps", ((Side.GALLO, Side.PAIR), (Side.PAIR, Side.GALLO)), (0, 1, 2), (1, 0)
)
_MIRRORS = {
    Seats.TEAMS: (SWAP_SIDES,),
    Seats.DUELS: (SWAP_SIDES,),
    Seats.GALLO: (ROTATE_SEATS, SWAP_CAMPS),
    Seats.ALONE: (ROTATE_SEATS,),
}


def mirrors(game: Game) -> tuple[Mirror, ...]:
    """Every exchange of seats under which ``game`` must behave alike."""
    return tuple(each for each in _MIRRORS[game.rules.variant.seats] if each.applies_to(game))


def normalized(game: Game) -> Game:
    """``game`` without irrelevant orders: within sets, and within one payment."""
    bets = tuple(
        bet._replace(asked=tuple(sorted(bet.asked)), out=tuple(sorted(bet.out)))
        for bet in game.hand.bets
    )
    hand = game.hand._replace(bets=bets)
    paid = tuple(tuple(sorted(payment)) for payment in game.payments)
    return game._replace(hand=hand, payments=paid, last_credits=tuple(sorted(game.last_credits)))


# Typed: a Truco and an Envido that are equal as tuples must not share an entry.
@lru_cache(maxsize=1 << 16, typed=True)
def _swapped_tuple(mirror: Mirror, value: tuple[Any, ...]) -> tuple[Any, ...]:
    fields = getattr(value, "_fields", None)
    if fields is None:
        return tuple([_swapped(mirror, each) for each in value])
    pairs = zip(fields, value, strict=True)
    return type(value)(*[_swapped_field(mirror, name, each) for name, each in pairs])


def _swapped_field(mirror: Mirror, name: str, value: Any) -> Any:  # noqa: ANN401 - any field
    if name in _A_NUMBER_A_SIDE and value:
        return tuple([value[at] for at in mirror.sides])
    if name in _A_NUMBER_A_SPEAKER and value:
        return tuple([value[at] for at in mirror.speakers])
    return _swapped(mirror, value)


def _swapped(mirror: Mirror, value: Any) -> Any:  # noqa: ANN401 - any field of a state
    if isinstance(value, tuple):
        return _swapped_tuple(mirror, value) if value else value
    if isinstance(value, Side):
        return next((to for side, to in mirror.seats if side is value), value)
    return value


def _pair(game: Game) -> tuple[Side, ...]:
    return tuple(side for side in game.rules.scoring_sides if side is not game.gallo)


def _is_pair_equal(game: Game) -> bool:
    one, other = (game.rules.scoring_sides.index(side) for side in _pair(game))
    numbers = (game.score_at_deal, game.score, game.games, game.start.score or ())
    return all(each[one] == each[other] for each in numbers) and game.conceded_to is None


def _is_paid_by_camp(game: Game) -> bool:
    one, other = _pair(game)
    return all(
        [c[1:] for c in payment if c.to is one] == [c[1:] for c in payment if c.to is other]
        for payment in (*game.payments, game.last_credits)
    )


def _swap_camp_payments(mirror: Mirror, game: Game, swapped: Game) -> Game:
    """The letters stay; scores and payments of the camps are exchanged."""
    gallo, (first, *_) = game.gallo, _pair(game)
    assert gallo is not None
    sides = game.rules.scoring_sides

    def numbers(each: tuple[int, ...]) -> tuple[int, ...]:
        alone, pair = each[sides.index(gallo)], each[sides.index(first)]
        return tuple([pair if side is gallo else alone for side in sides])

    def credits(payment: tuple[Credit, ...]) -> tuple[Credit, ...]:
        kept = [credit for credit in payment if credit.to in (gallo, first)]
        to = {gallo: _pair(game), first: (gallo,)}
        return tuple([credit._replace(to=side) for credit in kept for side in to[credit.to]])

    winner = game.winner
    if winner is not None:
        # If both of a pair reach the target, the one nearer to the mano wins (rules.md#pata_gallo).
        winner = game.mano if winner is gallo else gallo
    return swapped._replace(
        score_at_deal=numbers(game.score_at_deal),
        score=numbers(game.score),
        start=swapped.start._replace(
            score=numbers(game.start.score or ()), games=numbers(game.games)
        ),
        payments=tuple([credits(payment) for payment in game.payments]),
        last_credits=credits(game.last_credits),
        winner=winner,
    )
