"""Maps sides to consoles and to their indices in a view.

Trivial for two teams. Pata de gallo has two speaking and three scoring sides; destantado has three
speaking sides at two or three consoles.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scorer.rules import Credit, Game, Rules, Side
from scorer.rules.score import scorers

CONSOLES: Final = ("A", "B", "C")


def view_index(game: Game, who: Side) -> int:
    """The view index of ``who``; one past the last side for the pair of pata de gallo."""
    if who is Side.PAIR:
        return len(game.rules.scoring_sides)
    return game.rules.scoring_sides.index(scorers(game, who)[0])


def consoles_in_use(rules: Rules, console_count: int) -> tuple[str, ...]:
    """The consoles that these rules use of the first ``console_count``."""
    return CONSOLES[: rules.seating.console_count(console_count)]


def sides_at(console: str, rules: Rules, console_count: int) -> tuple[Side, ...]:
    """The sides at ``console``: one, or two if three players share two consoles."""
    if console not in consoles_in_use(rules, console_count):
        return ()
    return rules.seating.sides_at(CONSOLES.index(console), console_count)


def largest_gain(game: Game, credits: Iterable[Credit]) -> tuple[int, int] | None:
    """View index and points of the largest gain; None without a gain.

    In destantado it is the side that shed most points; these are negative.
    """
    rules, paid = game.rules, tuple(credits)
    sums = [
        sum(credit.points for credit in paid if credit.to is side) for side in rules.scoring_sides
    ]
    if rules.seating.counts_down:
        least = min(sums)
        return (sums.index(least), least) if least < 0 else None
    best = max(sums)
    if best <= 0:
        return None
    # True if both of the pair gained equally, and not the gallo.
    takers = tuple(
        side for side, points in zip(game.rules.scoring_sides, sums, strict=True) if points == best
    )
    return (
        len(sums) if takers == game.rules.seating.pair_of(game.gallo) else sums.index(best)
    ), best


def gain_totals(game: Game, credits: Iterable[Credit]) -> dict[int, int]:
    """The points of each view index that gains or loses some.

    In destantado only those of the side that shed most.
    """
    if game.rules.seating.counts_down:
        return dict(filter(None, (largest_gain(game, credits),)))
    totals: dict[int, int] = {}
    for at, credit in indexed_credits(game, credits):
        totals[at] = totals.get(at, 0) + credit.points
    return {at: points for at, points in totals.items() if points}


def indexed_credits(game: Game, credits: Iterable[Credit]) -> tuple[tuple[int, Credit], ...]:
    """Each credit with the view index of its side; equal credits of a pair are merged."""
    rules, paid = game.rules, list(credits)
    pair = rules.seating.pair_of(game.gallo)
    indexed: list[tuple[int, Credit]] = []
    while paid:
        credit = paid.pop(0)
        again = paid[0] if paid else None
        if again is not None and (credit.to, again.to) == pair and credit[1:] == again[1:]:
            indexed.append((len(rules.scoring_sides), credit))
            paid.pop(0)
        else:
            indexed.append((rules.scoring_sides.index(credit.to), credit))
    return tuple(indexed)
