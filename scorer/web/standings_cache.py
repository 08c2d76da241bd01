"""Cache of the evening's results and curves; each game is requested once.

Counting and ranking are those of ``scorer.records.standings``, as on the panel.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scorer.records.standings import MAX_GAMES, GameResult, game_result, rank, shown_names
from scorer.rules import state_document
from scorer.web.timeline import Timeline


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
    """The results and curves so far."""

    def __init__(self) -> None:
        self._results: dict[int, GameResult | None] = {}
        self._curves: dict[int, dict[str, Any]] = {}  # of the games with a result

    def next_missing(self, games: EveningGames) -> int | None:
        """A game to request, or None if every one is known."""
        return next(
            (number for number in games.evening_range() if number not in self._results), None
        )

    def add(self, number: int, timeline: Timeline | None) -> None:
        """Add one game; without a winner, or if it cannot be replayed, it does not count."""
        self.forget(number)
        self._results[number] = None
        if timeline is None or timeline.game.winner is None:
            return
        with contextlib.suppress(ValueError):
            self._results[number] = game_result(timeline.header, timeline.rows)
            document = state_document(timeline.game)
            self._curves[number] = {
                "game": timeline.number,
                "hands": timeline.hand_scores(),
                **{key: document[key] for key in ("sides", "target", "half", "winner")},
            }

    def forget(self, number: int) -> None:
        """Remove a game that has continued."""
        self._results.pop(number, None)
        self._curves.pop(number, None)

    def ranking(self, games: EveningGames) -> dict[str, Any]:
        """The ranking, best first, as JSON-ready values."""
        known = (self._results.get(number) for number in games.evening_range())
        view = rank([result for result in known if result is not None], games.renamed)
        rows = [row._asdict() for row in view.rows]
        return {"games": view.games, "longest": view.longest, "rows": rows}

    def curves(self, games: EveningGames) -> Iterator[dict[str, Any]]:
        """The score of each game that counts after each of its hands, the oldest first."""
        for number in games.evening_range():
            result = self._results.get(number)
            if result is not None:
                curve = self._curves[number]
                names = shown_names(result, games.renamed)
                yield {**curve, "names": dict(zip(curve["sides"], names, strict=True))}
