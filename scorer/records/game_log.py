"""The games of one table in its journal: which one goes on, what a press adds, where tonight began.

It keeps what it is given and judges nothing; how rows become games is in ``books``. It knows no
panel, no device and no loop. Whatever it does may raise what the journal raises, and has then
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

_RECENT_ROWS = 50  # rows of the journal, of whatever game, that are looked through for those of one
_EVENING_KEY = "night"  # key of the store's settings: the first game of tonight
_MAX_DIGITS = 18  # of the number of a game, at most


class GameNumbers(NamedTuple):
    """Numbers of games: the one that goes on, the first of tonight, the newest there is."""

    running: int
    first: int
    newest: int


class GameLog:
    """The journal of one table as games. Times are those of the loop; ``stamp`` dates them."""

    def __init__(self, journal: Journal, stamp: Callable[[float], Stamp]) -> None:
        self._journal, self._stamp = journal, stamp
        self._current_game = 0
        self._redo_game: int | None = None  # the game that one more redo brings back
        self.standings = EveningStandings(journal, _first_game_of_evening(journal))

    @property
    def seq(self) -> int:
        """The newest row: what a request must have seen."""
        return self._journal.last_seq()

    @property
    def current_game(self) -> int:
        """The number of the game that goes on; 0 before there is one."""
        return self._current_game

    @property
    def game_numbers(self) -> GameNumbers:
        """Which game goes on, where tonight began, and which is the newest."""
        return GameNumbers(self._current_game, self.standings.first, self._journal.newest_game())

    def resume(self) -> replay.CurrentGame | None:
        """Goes on with the game that the rows tell, and gives it; None on a first evening."""
        opened = replay.find_current_game(self._journal)
        if opened is not None:
            self._current_game, self._redo_game = opened.number, opened.redo_game
        return opened

    def append(
        self, lines: Sequence[str], source: str, now: float, *, opens: str | None, forward: bool
    ) -> None:
        """Stores one press, in one commit.

        ``opens``: the header of a game that begins with it. ``forward``: it is the redo that brings
        a later game back, of which ``resume`` has told.
        """
        number = self._current_game if opens is None else self._journal.newest_game() + 1
        if forward:
            assert self._redo_game is not None
            number = self._redo_game
        stamp = self._stamp(now)
        self._journal.append(game=number, lines=lines, source=source, stamp=stamp, opens=opens)
        self._current_game = number

    def starts_new_day(self, now: float) -> bool:
        """Was the newest press made before the box was switched off, on another day?"""
        rows = self._journal.rows(self._current_game)
        return bool(rows) and is_new_day(rows[-1], self._stamp(now))

    def clear_evening(self, *, over: bool) -> None:
        """Only games from here on are of tonight; the one that goes on, too, if not ``over``."""
        first = self._journal.newest_game() + 1 if over else self._current_game
        self._journal.set_setting(_EVENING_KEY, json.dumps(first))
        self.standings.clear(first)

    def known_names(self) -> tuple[str, ...]:
        """Whom people played as lately."""
        return replay.known_names(self._journal)

    def rows(self, start: int, limit: int) -> tuple[Row, ...]:
        """At most ``limit`` rows of the journal from ``start`` on."""
        return self._journal.since(start, limit)

    def game(self, number: int, start: int) -> tuple[str, tuple[Row, ...]]:
        """The header of a game, its rows from ``start`` on. Raises KeyError for an unknown one."""
        if not 0 < number <= self._journal.newest_game():
            raise KeyError(number)
        header = self._journal.header(number)
        rows = (row for row in self._rows_of(number, start) if row.game == number)
        return header, tuple(row for row in rows if row.seq >= start)

    def _rows_of(self, number: int, start: int) -> tuple[Row, ...]:
        """The rows of a game from ``start`` on, at least; others may be among them."""
        # Who follows a game asks after every press: that must not read all of it each time.
        if self.seq - start < _RECENT_ROWS:
            # What is wrong with the rows of another game is no matter of this one.
            with suppress(StoreError):
                return self._journal.since(start, _RECENT_ROWS)
        return self._journal.rows(number)


def _first_game_of_evening(journal: Journal) -> int:
    """The number of the first game that counts tonight."""
    kept = journal.settings().get(_EVENING_KEY, "1")
    return int(kept) if kept.isdecimal() and len(kept) <= _MAX_DIGITS else 1
