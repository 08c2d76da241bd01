"""The games of tonight, reckoned here so that the table need not: each is asked for once.

What counts and how it is ranked is ``scorer.records.standings``, the same as on the panel's page.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from scorer.records.standings import MAX_GAMES, GameResult, game_result, rank
from scorer.web.timeline import TimelineRow


class EveningGames(NamedTuple):
    """Numbers of games: the one that goes on, the first of tonight, the newest there is."""

    running: int
    first: int
    newest: int

    def evening_range(self) -> range:
        """Those that count, but not more than one evening can hold."""
        return range(max(self.first, self.newest - MAX_GAMES + 1), self.newest + 1)


class StandingsCache:
    """The results so far. What is not known yet is ``missing``."""

    def __init__(self) -> None:
        self._results: dict[int, GameResult | None] = {}

    def next_missing(self, games: EveningGames) -> int | None:
        """A game to ask for, or None where every one is known."""
        return next(
            (number for number in games.evening_range() if number not in self._results), None
        )

    def add(self, number: int, header: str, rows: list[TimelineRow]) -> None:
        """One game from its first row to its last. One that cannot be read counts for nobody."""
        try:
            self._results[number] = game_result(header, rows) if rows else None
        except ValueError:
            self._results[number] = None

    def forget(self, number: int) -> None:
        """A game that went on is no longer what it was."""
        self._results.pop(number, None)

    def ranking(self, games: EveningGames) -> dict[str, Any]:
        """The ranking, best first, as JSON-ready values."""
        known = (self._results.get(number) for number in games.evening_range())
        view = rank([result for result in known if result is not None])
        rows = [row._asdict() for row in view.rows]
        return {"games": view.games, "longest": view.longest, "rows": rows}
