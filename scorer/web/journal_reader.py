"""Read the table's journal: timeline of the running game, games of the evening.

Results that cannot change are cached. Nothing here waits but for the answers of the table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from scorer.api.error_codes import ErrorCode
from scorer.api.table_source import Message, TableSource, TableUnavailable
from scorer.config import time_zone
from scorer.web.standings_cache import EveningGames, StandingsCache
from scorer.web.timeline import Timeline, parse_row


class JournalReader:
    """The games read so far. Methods that send requests raise TableUnavailable."""

    def __init__(
        self, link: TableSource, on_change: Callable[[int | None], object] = lambda number: None
    ) -> None:
        """``on_change`` gets the number of a game that continues, None for another table."""
        self._link, self._on_change = link, on_change
        self._greeting = 0  # the connection that all this was read from
        self.timeline: Timeline | None = None
        self.seq = -1  # the row of the journal up to which the timeline is complete
        self.language = ""
        self._games = EveningGames(0, 0, 0)
        self._standings = StandingsCache()
        self._ranking: dict[str, Any] | None = None

    async def catch_up(self) -> None:
        """Read until the timeline has reached the newest state."""
        if self._greeting != self._link.greetings:
            # Another table, or the same one with another store.
            self._greeting = self._link.greetings
            self.timeline, self.seq = None, -1
            self._standings, self._ranking = StandingsCache(), None
            self._on_change(None)
        while self.seq < self._link.seq:
            await self.read_on()
        state, game = self._link.state, self.timeline and self.timeline.game
        if game and game.winner is not None and state and state.get("winner", "") is None:
            await self.read_on()  # a new game writes no row before its first press

    async def read_on(self) -> None:
        """Request the next rows of the running game."""
        story = self.timeline
        answer = await self._request(**{"from": story.last_seq + 1 if story else 1})
        # A table of an older version renames no pairs.
        renamed = answer.get("pair_names", {})
        games = EveningGames(answer["running"], answer["first"], answer["newest"], renamed)
        if story is not None and story.number != games.running:
            answer = await self._request(**{"from": 1})
            story = None
        self._update(story, answer, games)

    async def read_next_result(self) -> bool:
        """Read one more game of the evening; False when all are known."""
        number = self._standings.next_missing(self._games)
        if number is None:
            return False
        try:
            self._standings.add(number, await self.read_timeline(number))
        except (KeyError, ValueError):
            self._standings.add(number, None)
        return True

    def is_complete(self) -> bool:
        """Whether everything up to the newest state has been read."""
        return self.seq == self._link.seq and self._standings.next_missing(self._games) is None

    def ranking(self) -> dict[str, Any] | None:
        """The latest complete ranking of the evening; None before the first."""
        if self._games.newest and self._standings.next_missing(self._games) is None:
            self._ranking = self._standings.ranking(self._games)
        return self._ranking

    def curves(self) -> list[dict[str, Any]]:
        """The score of each finished game of the evening, hand by hand."""
        return list(self._standings.curves(self._games))

    def games(self) -> EveningGames:
        return self._games

    def _update(self, timeline: Timeline | None, answer: Message, games: EveningGames) -> None:
        rows = [parse_row(row) for row in answer["rows"]]
        before, self._games, self.language = self._games, games, answer["language"]
        time_zone.apply(answer.get("time_zone", ""))
        try:
            self.timeline = timeline or Timeline(games.running, answer["header"])
            self.timeline.add_rows(rows)
        except ValueError as error:
            # A newer table may use unknown words: only the state is shown then.
            sys.stderr.write(f"scorer web: game {games.running} cannot be told: {error}\n")
            self.timeline = None
            self.seq = answer["seq"]
            return
        if before.running != games.running:
            # It may have continued since it was read.
            self._standings.forget(before.running)
            self._on_change(games.running)
        self._standings.add(games.running, self.timeline)
        if not rows or rows[-1].seq >= answer["seq"]:
            self.seq = answer["seq"]

    async def read_timeline(self, number: int) -> Timeline:
        """The timeline of any game, read anew. Raises KeyError for an unknown number."""
        story: Timeline | None = None
        while True:
            start = story.last_seq + 1 if story else 1
            answer = await self._request(number=number, **{"from": start})
            story = story or Timeline(number, answer["header"])
            if not answer["rows"]:
                return story
            story.add_rows([parse_row(row) for row in answer["rows"]])

    async def _request(self, **fields: object) -> Message:
        answer = await self._link.request(do="game", **fields)
        if answer.get("ok") is True:
            return answer
        if answer.get("error") == ErrorCode.NO_SUCH_GAME:
            raise KeyError(fields.get("number"))
        raise TableUnavailable(str(answer.get("text", "the table said no")))
