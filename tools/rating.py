"""How well ratings predict the matches of a simulated season, beside chance.

Run with ``python -m tools.rating`` after ``pip install openskill==6.2.0``, which nothing else
needs. Each season has 20 brackets of 16 of 40 pairs; the matches of the last five are predicted.
The strengths are known, so the best possible prediction is a row too. docs/reference/season.md
says what follows from it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

SEASONS = 60
PAIRS, TEAMS, EVENINGS, LEARNT = 40, 16, 20, 15
SPREADS = (0.0, 0.2, 0.4, 0.8)  # standard deviations of strength: logits of a match
CHANCE = math.log(2)

Match = tuple[int, int]  # winner and loser
Predict = Callable[[int, int], float]  # the chance of the first of two pairs


class Season(NamedTuple):
    """The strength of each pair, and the matches of each evening in their order."""

    strength: list[float]
    evenings: list[list[Match]]


class Rated(NamedTuple):
    """A rating: its prediction, and how it learns from a match."""

    predict: Predict
    learn: Callable[[int, int], None]


def main() -> int:
    """Print a table for each spread; return 1 without openskill."""
    try:
        from openskill.models import BradleyTerryFull, PlackettLuce, ThurstoneMostellerFull
    except ModuleNotFoundError:
        sys.stderr.write("openskill is missing: pip install openskill==6.2.0\n")
        return 1
    ratings: dict[str, Callable[[], Rated]] = {
        "Elo, 16": lambda: elo(16),
        "Elo, 32": lambda: elo(32),
        "PlackettLuce": lambda: skill(PlackettLuce()),
        "PlackettLuce, beta 25": lambda: skill(PlackettLuce(beta=25.0)),  # six times as much luck
        "BradleyTerryFull": lambda: skill(BradleyTerryFull()),
        "ThurstoneMostellerFull": lambda: skill(ThurstoneMostellerFull()),
    }
    for spread in SPREADS:
        seasons = [simulated(Random(seed), spread) for seed in range(SEASONS)]
        sys.stdout.write(f"spread {spread}: mean log loss, chance {CHANCE:.3f}\n")
        best = [each for season in seasons for each in losses(season, known(season))]
        sys.stdout.write(f"  {'the true strengths':24}{mean(best):.3f}\n")
        for name, make in ratings.items():
            found = [each for season in seasons for each in losses(season, make())]
            sys.stdout.write(f"  {name:24}{mean(found):.3f}\n")
    return 0


def simulated(random: Random, spread: float) -> Season:
    """A season of brackets."""
    strength = [random.gauss(0, spread) for _ in range(PAIRS)]
    evenings = []
    for _ in range(EVENINGS):
        left, matches = random.sample(range(PAIRS), TEAMS), list[Match]()
        while len(left) > 1:
            pairs = zip(left[::2], left[1::2], strict=True)
            played = [
                (one, other) if random.random() < chance(strength, one, other) else (other, one)
                for one, other in pairs
            ]
            matches += played
            left = [winner for winner, _ in played]
        evenings.append(matches)
    return Season(strength, evenings)


def chance(strength: list[float], one: int, other: int) -> float:
    """The chance of ``one`` to win."""
    return 1 / (1 + math.exp(strength[other] - strength[one]))


def losses(season: Season, rated: Rated) -> Iterator[float]:
    """The log loss of each match of the last evenings, predicted before it is learnt."""
    for at, matches in enumerate(season.evenings):
        for winner, loser in matches:
            if at >= LEARNT:
                yield -math.log(max(rated.predict(winner, loser), 1e-9))
            rated.learn(winner, loser)


def known(season: Season) -> Rated:
    """Who knows the strengths."""
    return Rated(lambda one, other: chance(season.strength, one, other), lambda *_: None)


def elo(most: float) -> Rated:
    """Elo; ``most``: points that a match can move."""
    points = dict.fromkeys(range(PAIRS), 0.0)

    def predict(one: int, other: int) -> float:
        return 1 / (1 + math.exp((points[other] - points[one]) * math.log(10) / 400))

    def learn(winner: int, loser: int) -> None:
        moved = most * (1 - predict(winner, loser))
        points[winner] += moved
        points[loser] -= moved

    return Rated(predict, learn)


def skill(model: Any) -> Rated:  # noqa: ANN401 - a model of openskill
    """A rating of openskill; a pair is one player of it."""
    ratings: dict[int, Any] = {pair: model.rating() for pair in range(PAIRS)}

    def predict(one: int, other: int) -> float:
        return float(model.predict_win([[ratings[one]], [ratings[other]]])[0])

    def learn(winner: int, loser: int) -> None:
        [[ratings[winner]], [ratings[loser]]] = model.rate([[ratings[winner]], [ratings[loser]]])

    return Rated(predict, learn)


def mean(values: list[float]) -> float:
    """The mean of some numbers."""
    return sum(values) / len(values)


if __name__ == "__main__":
    sys.exit(main())
