"""Plays a phrase on a switch, with time as an argument; no thread and no clock."""

from __future__ import annotations

from collections.abc import Callable

from scorer.hw.ports import Phrase


class PhrasePlayer:
    """The rest of a phrase, and when its next step is due."""

    def __init__(self, switch: Callable[[bool], None]) -> None:
        self._switch = switch
        self._rest: list[tuple[bool, float]] = []
        self._due: float | None = None

    def play(self, phrase: Phrase, now: float) -> float | None:
        """Begin at once, replacing the current phrase.

        Returns the next due time in seconds.
        """
        self.stop()
        steps = [step for on, off in phrase for step in ((True, on), (False, off))]
        self._rest = [(on, seconds) for on, seconds in steps if seconds > 0]
        return self._step(now) if self._rest else None

    def tick(self, now: float) -> float | None:
        """Play what is due. Returns the next due time, None when the phrase is over."""
        if self._due is None or now < self._due:
            return self._due
        if self._rest:
            return self._step(now)
        self.stop()
        return None

    def stop(self) -> None:
        """Drop the rest and switch off."""
        self._rest, self._due = [], None
        self._switch(False)

    def _step(self, now: float) -> float:
        # Timed from the actual switching: a loop that wakes late lengthens a beep or a pause and
        # omits none.
        on, seconds = self._rest.pop(0)
        self._switch(on)
        self._due = now + seconds
        return self._due
