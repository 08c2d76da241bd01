"""Decides which phrase is spoken when. No I/O and no clock: times are passed in.

One phrase waits at most: a newer one replaces it. It is spoken at once or not at all: a phrase that
would start more than a second late is dropped, and so is one whose step was undone. A question of
the box waits as long as it is asked.
"""

from collections.abc import Container
from typing import Final, NamedTuple

MAX_DELAY: Final = 1.0  # seconds between a step and the start of its phrase
QUESTION_ROW: Final = -1  # of the question on the panel


class Phrase(NamedTuple):
    """The text to speak for one row, 0 at the start of a game; ``at``: its time.

    ``max_delay``: seconds after it within which the phrase may start.
    """

    text: str
    row: int
    at: float
    max_delay: float = MAX_DELAY


class Schedule:
    """The phrase that waits and the one that is spoken; never two at once."""

    def __init__(self) -> None:
        self.waiting: Phrase | None = None
        self.spoken: Phrase | None = None

    def offer(self, phrase: Phrase) -> None:
        """Replace the phrase that waits."""
        self.waiting = phrase

    def withdraw(self, undone_rows: Container[int]) -> bool:
        """Drop the phrases of undone rows.

        Returns True if the current phrase, spoken or in preparation, must stop.
        """
        current = self.spoken or self.waiting
        if self.waiting is not None and self.waiting.row in undone_rows:
            self.waiting = None
        return current is not None and current.row in undone_rows

    def drop(self, phrase: Phrase) -> None:
        """Give up a phrase that could not be prepared."""
        if self.waiting is phrase:
            self.waiting = None

    def next(self, now: float, *, is_silent: bool) -> Phrase | None:
        """The phrase to prepare; None if none may start now."""
        waiting = self.waiting
        if waiting is not None and (is_silent or now - waiting.at > waiting.max_delay):
            self.waiting = None
        return None if self.spoken is not None else self.waiting

    def start(self, phrase: Phrase, now: float, *, is_silent: bool) -> bool:
        """Begin to speak a prepared phrase; False if it has been replaced or is too late."""
        if phrase is not self.next(now, is_silent=is_silent):
            return False
        self.waiting, self.spoken = None, phrase
        return True

    def end(self) -> None:
        """The spoken phrase has ended."""
        self.spoken = None
