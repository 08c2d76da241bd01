"""The price of every address: what one answer to a stranger costs at most.

A table of routes has a price beside each path: the work of one answer that no cache has, its size,
whose share of the service it takes, and what it is answered from. Tests compare each price with the
dearest request that a search finds, and ``make attack`` floods each route with that request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

from starlette.routing import Match, Route
from starlette.types import Scope


class Rank(IntEnum):
    """Whose share an answer takes: those with a lower number go first."""

    TABLES = 0  # boxes of a hall, paired phones
    DESK = 1
    VISITORS = 2


class AnswerSource(StrEnum):
    """What an answer is made from."""

    FILES = "files"  # of the package, read once
    FINISHED = "finished"  # bytes by name, revision and language; the missing ones have a share
    REPORT = "report"  # the newest report of this process
    LIMITED = "limited"  # a limit of its own, beside the one of all requests
    REFUSED = "refused"  # nothing, before a token, a session or a paired phone is known


class Price(NamedTuple):
    """What one answer to a stranger costs at most.

    ``calls``: of Python functions in the thread that serves, each about half a microsecond of a PC
    with what it does besides; ``size``: bytes of the body; ``rows``: of a game, or entries of the
    log, that are read and replayed for it, elsewhere where the table of routes says nothing else.
    """

    calls: int
    size: int
    source: AnswerSource
    rows: int = 0
    rank: Rank = Rank.VISITORS


class PricedRoute(Route):
    """A route with its price."""

    def __init__(
        self, path: str, answer: Callable[..., Any], price: Price, methods: Sequence[str] = ("GET",)
    ) -> None:
        super().__init__(path, answer, methods=[*methods])
        self.price = price


def rank_in(routes: Iterable[Route]) -> Callable[[Scope], Rank]:
    """Finds the rank of a request; an unknown path has that of visitors."""
    first = [each for each in routes if rank_of(each) < Rank.VISITORS]

    def rank(scope: Scope) -> Rank:
        for route in first:
            if route.matches(scope)[0] is Match.FULL:
                return rank_of(route)
        return Rank.VISITORS

    return rank


def rank_of(route: Route) -> Rank:
    """The rank of a route."""
    return route.price.rank if isinstance(route, PricedRoute) else Rank.VISITORS
