"""Dates events by the clock of their source.

A process that reads them late must not shorten a press.
"""

from __future__ import annotations

from math import inf

MAX_AGE = 10.0  # seconds; an event that seems older was dated by another clock


class EventClock:
    """Converts the ages of one source's events to times, which never go back."""

    def __init__(self) -> None:
        self._newest = -inf

    def date(self, age: float, now: float) -> float:
        """The time of an event that happened ``age`` seconds before ``now``.

        An age that is negative or above ``MAX_AGE`` comes from a clock that was set, a counter that
        wrapped or a machine that slept: such an event happens now.
        """
        self._newest = max(self._newest, now - age if 0.0 <= age <= MAX_AGE else now)
        return self._newest
