"""Cache of the evening's results; each game is requested from the table once.

Counting and ranking are those of ``scorer.records.standings``, as on the panel.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scorer.records.standings import MAX_GAMES, GameResult, game_result, rank
from scorer.web.timeline import TimelineRow


class EveningGames(NamedTuple):
    """Numbers of the current game, the first of the evening and the newest."""

    running: int
    first: int
    newest: int
    renamed: Mapping[str, str] = MappingProxyType({})  # names given to pairs afterwards

    def evening_range(self) -> range:
        """The games that count, up to the maximum of one evening."""
        return range(max(self.first, self.newest - MAX_GAMES + 1), self.newest + 1)


class StandingsCache:
    """The results so far."""

    def __init__(self) -> None:
        self._results: dict[int, GameResult | None] = {}

    def next_missing(self, games: EveningGames) -> int | None:
        """A game to request, or None if every one is known."""
        return next(
            (number for number in games.evening_range() if number not in self._results), None
        )

    def add(self, number: int, header: str, rows: list[TimelineRow]) -> None:
        """Add one complete game; one that cannot be replayed does not count."""
        try:
            self._results[number] = game_result(header, rows) if rows else None
        except ValueError:
            self._results[number] = None

    def forget(self, number: int) -> None:
        """Remove a game that has continued."""
        self._results.pop(number, None)

    def ranking(self, games: EveningGames) -> dict[str, Any]:
        """The ranking, best first, as JSON-ready values."""
        known = (self._results.get(number) for number in games.evening_range())
        view = rank([result for result in known if result is not None], games.renamed)
        rows = [row._asdict() for row in view.rows]
        return {"games": view.games, "longest": view.longest, "rows": rows}
