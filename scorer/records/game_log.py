"""The games of one table in its journal: current game, presses, tonight's games.

Rows become games in ``replay``. All methods may raise what the journal raises, and have then
changed nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from scorer.records import replay
from scorer.records.clock import is_new_day
from scorer.records.standings import EveningStandings
from scorer.store.journal import Journal, Row, Stamp, StoreError

_RECENT_ROWS = 50  # rows of the journal, of any game, that are searched for those of one
_EVENING_KEY = "night"  # key of the store's settings: the first game of tonight
_MAX_DIGITS = 18  # largest number of a game


class GameNumbers(NamedTuple):
    """Numbers of the current game, the first of tonight and the newest."""

    running: int
    first: int
    newest: int


class GameLog:
    """The journal of one table as games. ``stamp`` dates times of the loop."""

    def __init__(self, journal: Journal, stamp: Callable[[float], Stamp]) -> None:
        self._journal, self._stamp = journal, stamp
        self._current_game = 0
        self._redo_game: int | None = None  # the game that one more redo restores
        self.standings = EveningStandings(journal, _first_game_of_evening(journal))

    @property
    def seq(self) -> int:
        """The newest row, which a request must have seen."""
        return self._journal.last_seq()

    @property
    def current_game(self) -> int:
        """The number of the current game; 0 before the first."""
        return self._current_game

    @property
    def game_numbers(self) -> GameNumbers:
        """Numbers of the current game, the first of tonight and the newest."""
        return GameNumbers(self._current_game, self.standings.first, self._journal.newest_game())

    def resume(self) -> replay.CurrentGame | None:
        """Resume the current game from the rows and return it; None on a first evening."""
        opened = replay.find_current_game(self._journal)
        if opened is not None:
            self._current_game, self._redo_game = opened.number, opened.redo_game
        return opened

    def append(
        self, lines: Sequence[str], source: str, now: float, *, opens: str | None, forward: bool
    ) -> None:
        """Store one press in one commit.

        ``opens``: the header of a game that begins with it. ``forward``: the redo that restores a
        later game, as returned by ``resume``.
        """
        number = self._current_game if opens is None else self._journal.newest_game() + 1
        if forward:
            assert self._redo_game is not None
            number = self._redo_game
        stamp = self._stamp(now)
        self._journal.append(game=number, lines=lines, source=source, stamp=stamp, opens=opens)
        self._current_game = number

    def starts_new_day(self, now: float) -> bool:
        """Whether the newest press was made on another day, before the last boot."""
        rows = self._journal.rows(self._current_game)
        return bool(rows) and is_new_day(rows[-1], self._stamp(now))

    def clear_evening(self, *, over: bool) -> None:
        """Start a new evening with the current game, or after it if it is ``over``."""
        first = self._journal.newest_game() + 1 if over else self._current_game
        self._journal.set_setting(_EVENING_KEY, json.dumps(first))
        self.standings.clear(first)

    def known_names(self) -> replay.KnownNames:
        """Names of recent players."""
        return replay.known_names(self._journal)

    def rows(self, start: int, limit: int) -> tuple[Row, ...]:
        """At most ``limit`` rows of the journal from ``start`` on."""
        return self._journal.since(start, limit)

    def game(self, number: int, start: int) -> tuple[str, tuple[Row, ...]]:
        """The header and rows of a game from ``start`` on. Raises KeyError if unknown."""
        if not 0 < number <= self._journal.newest_game():
            raise KeyError(number)
        header = self._journal.header(number)
        rows = (row for row in self._rows_of(number, start) if row.game == number)
        return header, tuple(row for row in rows if row.seq >= start)

    def _rows_of(self, number: int, start: int) -> tuple[Row, ...]:
        """A superset of the rows of a game from ``start`` on."""
        # Clients ask after every press: do not read the whole game each time.
        if self.seq - start < _RECENT_ROWS:
            # Ignore damaged rows of other games.
            with suppress(StoreError):
                return self._journal.since(start, _RECENT_ROWS)
        return self._journal.rows(number)


def _first_game_of_evening(journal: Journal) -> int:
    """The number of the first game of the evening."""
    kept = journal.settings().get(_EVENING_KEY, "1")
    return int(kept) if kept.isdecimal() and len(kept) <= _MAX_DIGITS else 1
