"""Zones: round robins by the circle method."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.tournament.model import Fixture, Pair
from scorer.tournament.places import Entrant, snake, spread


def distribute(entrants: Sequence[Entrant], zones: int) -> list[list[int]]:
    """The teams of each zone; sizes differ by at most one.

    Seeds go to the zones in turn, forth and back, so that the first seeds head different zones.
    """
    order = enumerate(snake(len(entrants), zones))
    placed = spread(
        entrants,
        [at // zones * zones + zone for at, zone in order],
        lambda one, other: int(one % zones == other % zones),
    )
    return [
        [placed[place].team for place in sorted(placed) if place % zones == zone]
        for zone in range(zones)
    ]


def zone_count(teams: int, zones: int, size: int) -> int:
    """The number of zones: ``zones``, or as many as zones of ``size`` need."""
    return zones or max(1, -(-teams // size))


def zone_matches(phase: str, zone: int, teams: Sequence[int], *, double: bool) -> list[Fixture]:
    """Every pair once, or twice, each team at most once a round."""
    single = circle(teams)
    rounds = [*single, *([[(b, a) for a, b in pairs] for pairs in single] if double else [])]
    return [
        Fixture(f"{phase}-Z{zone}-R{number}-M{at}", phase, zone, number, pair)
        for number, pairs in enumerate(rounds, 1)
        for at, pair in enumerate(pairs, 1)
    ]


def circle(teams: Sequence[int]) -> list[list[Pair]]:
    """The rounds of a round robin: the first team stays, the others go round."""
    seats: list[int | None] = [*teams, *([None] if len(teams) % 2 else [])]
    half = len(seats) // 2
    rounds = []
    for number in range(len(seats) - 1):
        pairs = zip(seats[:half], reversed(seats[half:]), strict=True)
        if number % 2:
            pairs = zip(reversed(seats[half:]), seats[:half], strict=True)
        rounds.append([(a, b) for a, b in pairs if a is not None and b is not None])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds
