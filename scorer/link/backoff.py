"""Pauses before an attempt is repeated: doubled each time, with chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

FIRST: Final = 0.5  # seconds
LONGEST: Final = 30.0  # seconds
SPREAD: Final = 0.5  # of a pause, more or less: a hall must not come back all at once


class Backoff:
    """The pauses of one series of failures."""

    def __init__(self, chance: Callable[[], float], longest: float = LONGEST) -> None:
        """``chance``: from 0 to 1; ``longest``: seconds."""
        self._chance, self._longest, self._pause = chance, longest, FIRST

    def next_pause(self) -> float:
        """Seconds to wait now."""
        pause = self._pause
        self._pause = min(2 * pause, self._longest)
        return pause * (1 + SPREAD * (2 * self._chance() - 1))

    def reset(self) -> None:
        """The attempt has succeeded."""
        self._pause = FIRST


class Pace:
    """Pauses between what a hub asks again and again, doubled until it is quiet."""

    def __init__(self, chance: Callable[[], float], longest: float) -> None:
        """``longest``: seconds of a pause; after twice that, the pauses begin anew."""
        self._backoff, self._quiet = Backoff(chance, longest), 2 * longest
        self.due_at = 0.0  # the earliest time of the next one, in seconds

    def spend(self, now: float) -> None:
        """Do it at ``now``."""
        if now - self.due_at >= self._quiet:
            self._backoff.reset()
        self.due_at = now + self._backoff.next_pause()
