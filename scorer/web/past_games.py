"""Past games that viewers ask for: read once, one at a time, and not too many."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from scorer.api.table_source import TableSource, TableUnavailable
from scorer.system.rate_limit import RateLimit
from scorer.web.journal_reader import JournalReader
from scorer.web.timeline import Timeline

MAX_PAST_ROWS: Final = 20_000  # rows of past games that are kept
# Past games that may be read from the table, per second and at once.
PAST_READ_RATE: Final = 0.5
PAST_READ_BURST: Final = 5


class TooManyReads(Exception):
    """Past games are requested faster than the table may be asked for them."""

    def __init__(self, wait: float) -> None:
        """``wait``: seconds until another one may be read."""
        super().__init__("too many games are being read")
        self.wait = wait


class PastGames:
    """The games besides the running one, which ``journal`` reads."""

    def __init__(self, link: TableSource, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: seconds."""
        self._clock = clock
        self.journal = JournalReader(link, self._forget)
        self._games: dict[int, Timeline] = {}  # the most recently requested one is the last
        self._changes = 0  # of the table
        self._reading = asyncio.Lock()
        self._reads = RateLimit(PAST_READ_RATE, PAST_READ_BURST)

    async def read(self, number: int | None) -> Timeline:
        """The timeline of any game; None is the running one.

        Raises KeyError for an unknown number, TooManyReads, TableUnavailable.
        """
        running, games = self.journal.timeline, self.journal.games()
        if number is None or (running is not None and number == running.number):
            if running is None:
                raise TableUnavailable("no game is known yet")
            return running
        if not 1 <= number <= games.newest:
            raise KeyError(number)
        if number not in self._games:
            await self._read(number)
        story = self._games[number] = self._games.pop(number)
        return story

    async def _read(self, number: int) -> None:
        """Read a game that is not running, one at a time and not too many.

        Each costs the table, which has one thread, some time. Its rows change only while it runs.
        """
        async with self._reading:
            if number in self._games:
                return
            if wait := self._reads.acquire("games", self._clock()):
                raise TooManyReads(wait)
            changes = self._changes
            story = await self.journal.read_timeline(number)
            if changes != self._changes or number == self.journal.games().running:
                raise TableUnavailable("the table has changed meanwhile")
            self._games[number] = story
            while sum(len(each.rows) for each in self._games.values()) > MAX_PAST_ROWS:
                oldest = next(iter(self._games))
                if oldest == number:
                    break
                del self._games[oldest]

    def _forget(self, number: int | None) -> None:
        """Forget a game that continues, or all games of another table."""
        if number is None:
            self._changes += 1
            self._games.clear()
        else:
            self._games.pop(number, None)
