"""Presses in real time as pin edges, now and at their release.

A key of a terminal is a press of fixed length; a mouse, a touch or a key of a browser goes down and
up separately. Time is passed by the caller, in seconds.
"""

from __future__ import annotations

from math import inf
from random import Random

from scorer.demo.buttons import (
    BOUNCE,
    PinEdge,
    close_contact,
    open_contact,
    press_edges,
    sort_edges,
)
from scorer.demo.keys import KeyAction

SHORTEST = 0.05  # seconds; presses are at least this long, though a touchpad's click may be shorter


class FingerModel:
    """The edges that are still to come."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._edges: list[PinEdge] = []
        self._down_until: dict[str, float] = {}
        self._since: dict[str, float] = {}  # fingers that stay until they are lifted

    def press(self, action: KeyAction, now: float) -> None:
        """Press the buttons of a key; a button already down is unchanged."""
        for line in action.lines:
            if self._is_down(line, now):
                continue
            self._edges += press_edges(line, now, action.held, self._rng)
            self._down_until[line] = now + action.held + BOUNCE

    def touch(self, line: str, at: float) -> None:
        """Press and keep a button down; no effect if it is already down."""
        if not self._is_down(line, at):
            self._edges += close_contact(line, at, self._rng)
            self._down_until[line] = inf
            self._since[line] = at

    def lift(self, line: str, at: float) -> None:
        """Release a button pressed by ``touch``; otherwise no effect."""
        since = self._since.pop(line, None)
        if since is not None:
            at = max(at, since + SHORTEST)
            self._edges += open_contact(line, at, self._rng)
            self._down_until[line] = at + BOUNCE

    def held(self) -> frozenset[str]:
        """The buttons kept down."""
        return frozenset(self._since)

    def touched(self, now: float) -> frozenset[str]:
        """All buttons that are down."""
        return frozenset(line for line in self._down_until if self._is_down(line, now))

    def next_at(self) -> float | None:
        """The time of the next edge, None without one."""
        return min((edge.time for edge in self._edges), default=None)

    def due(self, now: float) -> list[PinEdge]:
        """Remove and return the edges until ``now``, in order."""
        due = sort_edges(edge for edge in self._edges if edge.time <= now)
        self._edges = [edge for edge in self._edges if edge.time > now]
        return due

    def clear(self) -> None:
        """Drop all edges: without power no pin is read. Touched buttons stay down."""
        self._edges = []
        self._down_until = dict.fromkeys(self._since, inf)

    def _is_down(self, line: str, now: float) -> bool:
        return self._down_until.get(line, now) > now
