"""Button names of scripts, and the pin levels of a press with contact bounce."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

CONSOLES = ("A", "B", "C")
CONSOLE_BUTTONS = ("truco", "envido", "flor", "quiero", "no_quiero", "tantos")
SHARED_BUTTONS = ("undo", "menu")

# Functions without a button in the compact layout, and how to reach them there.
COMPACT_HINTS = {
    "flor": "hold ENVIDO ('A envido hold')",
    "no_quiero": "hold QUIERO ('A quiero hold')",
    "menu": "hold UNDO ('undo hold')",
}

TAP = 0.15  # seconds a script's tap lasts
HOLD = 0.9  # seconds of a hold: longer than the 0.7 s that count as one
BOUNCE = 0.006  # seconds a contact bounces at most
BETWEEN_PRESSES = 0.09  # seconds at least from a release to the next press of the same button
_LOW, _HIGH = 0, 1  # a pressed button pulls its pin low


class PinEdge(NamedTuple):
    """A pin's level from a time on: 0 pressed, 1 released."""

    time: float
    line: str
    level: int


def close_contact(line: str, at: float, rng: Random) -> list[PinEdge]:
    """A contact that closes at ``at`` (seconds), bouncing for up to BOUNCE."""
    return _chatter(line, at, _LOW, rng)


def open_contact(line: str, at: float, rng: Random) -> list[PinEdge]:
    """A contact that opens at ``at`` (seconds), bouncing for up to BOUNCE."""
    return _chatter(line, at, _HIGH, rng)


def press_edges(line: str, at: float, held: float, rng: Random) -> list[PinEdge]:
    """A press of ``line`` at ``at`` for ``held`` seconds."""
    return close_contact(line, at, rng) + open_contact(line, at + held, rng)


def sort_edges(edges: Iterable[PinEdge]) -> list[PinEdge]:
    """The edges of several presses in order of time."""
    return sorted(edges, key=lambda edge: edge.time)


def _chatter(line: str, at: float, level: int, rng: Random) -> list[PinEdge]:
    # An odd number of changes ends at the final level.
    moments = sorted(rng.uniform(0.0, BOUNCE) for _ in range(2 * rng.randrange(4)))
    levels = [level if each % 2 == 0 else 1 - level for each in range(len(moments) + 1)]
    times = [at, *(at + moment for moment in moments)]
    return [PinEdge(round(time, 6), line, each) for time, each in zip(times, levels, strict=True)]
