"""The standings of the evening, and the names known from earlier games.

Neither is part of the score: if the journal cannot be read, the page stays empty and names must be
spelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from scorer.records.game_log import GameLog
from scorer.records.replay import KnownNames
from scorer.session.values.effects import ClearNight, StoredEffect
from scorer.session.values.shown import Screen
from scorer.session.values.state import Session
from scorer.store.journal import StoreError
from scorer.table.access_log import Log
from scorer.table.guest import Guest

if TYPE_CHECKING:
    from scorer.records.pair_names import RenameFault
    from scorer.session.values.night_view import NightView


class EveningRecords(Guest):
    """Loads standings and names while they are needed, if they have changed."""

    handles = frozenset((ClearNight,))

    def __init__(self, game_log: GameLog, log: Log) -> None:
        self._game_log, self._log = game_log, log
        self._night: NightView | None = None
        self._night_of: tuple[int, int, Mapping[str, str]] | None = None
        self._known = KnownNames((), ())
        self._known_in: int | None = None  # the newest game when they were looked up

    def store(self, effect: StoredEffect, source: str, now: float) -> None:
        assert isinstance(effect, ClearNight)
        self._game_log.clear_evening(over=effect.is_over)
        self._log(f"set-up: the night was cleared, by {source}")

    def refresh(self, session: Session, now: float) -> Session:
        with suppress(StoreError):
            if session.page in (Screen.NIGHT, Screen.PAIRS):
                games = self._game_log
                newest = (games.seq, games.first_of_evening, games.pair_names())
                if newest != self._night_of:
                    self._night, self._night_of = games.standings(), newest
                session = session._replace(night=self._night)
            if session.setup is not None:
                known = self.known_names()
                if session.box.known_names is not known.names:
                    box = session.box._replace(known_names=known.names, known_pairs=known.pairs)
                    session = session._replace(box=box)
        return session

    def known_names(self) -> KnownNames:
        """The names of earlier games, looked up once in a game. Raises StoreError."""
        if self._known_in != self._game_log.current_game:
            self._known_in = self._game_log.current_game
            self._known = self._game_log.known_names()
        return self._known

    def rename_pair(self, pair: str, name: str, source: str) -> RenameFault | None:
        """Rename a pair of tonight's standings. Raises StoreError."""
        fault = self._game_log.rename_pair(pair, name)
        if fault is None:
            self._log(f"standings: {pair!r} is named {name!r}, by {source}")
        return fault
