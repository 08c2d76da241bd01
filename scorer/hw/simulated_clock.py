"""A clock that is set by its caller, for simulated hardware."""

from __future__ import annotations


class SimulatedClock:
    """A clock that is set explicitly. Call it to read seconds."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def __call__(self) -> float:
        return self._now

    def set(self, now: float) -> None:
        """Advance to this time. Raises ValueError for an earlier one."""
        if now < self._now:
            raise ValueError(f"the clock is at {self._now}, it does not go back to {now}")
        self._now = now
