"""Decides which phrase is spoken when. No I/O and no clock: times are passed in.

One phrase waits at most: a newer one replaces it. It is spoken at once or not at all: a phrase that
would start more than a second late is dropped, and so is one whose step was undone. A question of
the box waits as long as it is asked. A phrase of a finished game is not replaced and never too
late: it waits for its turn, so that the winner is heard however fast the last presses were.
"""

from collections.abc import Container
from typing import Final, NamedTuple

MAX_DELAY: Final = 1.0  # seconds between a step and the start of its phrase
QUESTION_ROW: Final = -1  # of the question on the panel


class Phrase(NamedTuple):
    """The text to speak for one row, 0 at the start of a game; ``at``: its time.

    ``max_delay``: seconds after it within which the phrase may start. ``is_kept``: no newer phrase
    replaces it.
    """

    text: str
    row: int
    at: float
    max_delay: float = MAX_DELAY
    is_kept: bool = False


class Schedule:
    """The phrases that wait and the one that is spoken; never two at once."""

    def __init__(self) -> None:
        self._waiting: list[Phrase] = []  # kept ones, then the newest of the others
        self.spoken: Phrase | None = None

    def offer(self, phrase: Phrase) -> None:
        """Replace the phrase that waits, behind those that are kept."""
        self._waiting = [*(each for each in self._waiting if each.is_kept), phrase]

    def withdraw(self, undone_rows: Container[int]) -> bool:
        """Drop the phrases of undone rows.

        Returns True if the current phrase, spoken or in preparation, must stop.
        """
        current = self.spoken or next(iter(self._waiting), None)
        self._waiting = [each for each in self._waiting if each.row not in undone_rows]
        return current is not None and current.row in undone_rows

    def drop(self, phrase: Phrase) -> None:
        """Give up a phrase that could not be prepared."""
        self._waiting = [each for each in self._waiting if each is not phrase]

    def next(self, now: float, *, is_silent: bool) -> Phrase | None:
        """The phrase to prepare; None if none may start now."""
        self._waiting = [
            each for each in self._waiting if not is_silent and now - each.at <= each.max_delay
        ]
        return None if self.spoken is not None else next(iter(self._waiting), None)

    def start(self, phrase: Phrase, now: float, *, is_silent: bool) -> bool:
        """Begin to speak a prepared phrase; False if it has been replaced or is too late."""
        if phrase is not self.next(now, is_silent=is_silent):
            return False
        self.drop(phrase)
        self.spoken = phrase
        return True

    def end(self) -> None:
        """The spoken phrase has ended."""
        self.spoken = None
