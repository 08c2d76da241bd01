"""Store the change of rules that is chosen for the running game."""

from __future__ import annotations

from scorer.records.game_log import GameLog
from scorer.session.values.effects import StoreChange, StoredEffect
from scorer.table.access_log import Log
from scorer.table.guest import Guest


class RuleChanges(Guest):
    """Stores a choice before the panel shows it, so that a power cut keeps it."""

    handles = frozenset((StoreChange,))

    def __init__(self, game_log: GameLog, log: Log) -> None:
        self._game_log, self._log = game_log, log

    def store(self, effect: StoredEffect, source: str, now: float) -> None:
        assert isinstance(effect, StoreChange)
        self._game_log.store_change(effect.chosen)
        done = "taken back" if effect.chosen is None else "chosen"
        self._log(f"set-up: a change of rules was {done}, by {source}")
