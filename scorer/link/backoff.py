"""Pauses before an attempt is repeated: doubled each time, with chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

FIRST: Final = 0.5  # seconds
LONGEST: Final = 30.0  # seconds
SPREAD: Final = 0.5  # of a pause, more or less: a hall must not come back all at once


class Backoff:
    """The pauses of one series of failures."""

    def __init__(self, chance: Callable[[], float]) -> None:
        """``chance``: from 0 to 1."""
        self._chance, self._pause = chance, FIRST

    def next_pause(self) -> float:
        """Seconds to wait now."""
        pause = self._pause
        self._pause = min(2 * pause, LONGEST)
        return pause * (1 + SPREAD * (2 * self._chance() - 1))

    def reset(self) -> None:
        """The attempt has succeeded."""
        self._pause = FIRST
