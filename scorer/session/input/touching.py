"""Buttons whose wires touch: two contacts that move together, press after press.

Two hands do not do both within ``TOGETHER``, and twice in a row. A button that is pressed alone
afterwards touches no other any more.
"""

from collections import deque
from itertools import combinations
from typing import Final, NamedTuple, Self

TOGETHER: Final = 0.002  # seconds, as of interference
_PRESSES: Final = 2  # newest presses of each button that are compared


class _Press(NamedTuple):
    down: float
    up: float

    def is_with(self, other: Self) -> bool:
        return abs(self.down - other.down) <= TOGETHER and abs(self.up - other.up) <= TOGETHER


class TouchingButtons:
    """Compares the newest presses of all buttons."""

    def __init__(self) -> None:
        self._down: dict[str, float] = {}
        self._presses: dict[str, deque[_Press]] = {}

    def hear(self, line: str, down: bool, time: float) -> None:
        """Take an edge; one that repeats a level is no change."""
        if down:
            self._down.setdefault(line, time)
        elif (since := self._down.pop(line, None)) is not None:
            presses = self._presses.setdefault(line, deque(maxlen=_PRESSES))
            presses.append(_Press(since, time))

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of buttons that touch, each in order of their names."""
        found = []
        for one, other in combinations(sorted(self._presses), 2):
            presses = tuple(zip(self._presses[one], self._presses[other], strict=False))
            if len(presses) == _PRESSES and all(first.is_with(each) for first, each in presses):
                found.append((one, other))
        return tuple(found)
