"""The presses and sounds of a table, added up from its reports."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorer.hw.ports import Phrase

KEPT_PHRASES = 8


class Buzz(NamedTuple):
    """A buzzer phrase; ``number`` increases, so that a client plays it only once."""

    number: int
    phrase: Phrase


class Activity:
    """The reports of a table, added up."""

    def __init__(self) -> None:
        self.presses = 0
        self.verdict = ""  # of the newest press
        self.buzzes: deque[Buzz] = deque(maxlen=KEPT_PHRASES)
        self._buzzed = 0

    def add(self, verdicts: Sequence[str], phrases: Iterable[Phrase]) -> None:
        """Add the presses and phrases of one report."""
        self.presses += len(verdicts)
        if verdicts:
            self.verdict = verdicts[-1]
        for phrase in phrases:
            self._buzzed += 1
            self.buzzes.append(Buzz(self._buzzed, phrase))
