"""Fingers in real time: a key press becomes pin edges now and, a moment later, its release.

Pure; the caller says what time it is, in seconds.
"""

from __future__ import annotations

from random import Random

from scorer.demo.buttons import BOUNCE, PinEdge, in_order, press
from scorer.demo.keys import Fingers


class Hands:
    """The edges that are still to come."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._edges: list[PinEdge] = []
        self._down_until: dict[str, float] = {}

    def press(self, fingers: Fingers, now: float) -> None:
        """Puts fingers on their buttons; one that is down already stays as it is."""
        for line in fingers.lines:
            if self._down_until.get(line, now) > now:
                continue
            self._edges += press(line, now, fingers.held, self._chance)
            self._down_until[line] = now + fingers.held + BOUNCE

    def due(self, now: float) -> list[PinEdge]:
        """The edges until ``now``, in their order; they are given out once."""
        due = in_order(edge for edge in self._edges if edge.time <= now)
        self._edges = [edge for edge in self._edges if edge.time > now]
        return due

    def let_go(self) -> None:
        """Forgets everything: without power no pin is read."""
        self._edges = []
        self._down_until = {}
