"""Set-up as values: a stack of levels, each a list, a number, the scores, or a thing to agree on.

Which entries there are and what a button does to them is not known here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorer.rules import Side, Step


class Doing(StrEnum):
    """What an entry does in the end."""

    LEAVE = "leave"
    BOOK = "book"
    REDO = "redo"
    REDEAL = "redeal"
    BACK = "back"
    OPEN = "open"
    LOCK = "lock"
    SWITCH_OFF = "switch_off"


class Act(NamedTuple):
    """One thing that set-up can do to the table."""

    doing: Doing
    steps: tuple[Step, ...] = ()
    keep: int = 0  # how many steps of the game stand after going back
    reason: str = ""  # goes with the step to the score sheet


class Line(NamedTuple):
    """One line of a list: what it says, and the act or the level behind it."""

    key: str
    leads: Act | Level
    side: int | None = None
    number: int = 0
    word: str = ""  # calls, in the variant's words


class Choosing(NamedTuple):
    """A list; there is always a line in it."""

    title: str
    lines: tuple[Line, ...]
    at: int = 0


class Counting(NamedTuple):
    """How many points for ``side`` (one that speaks or scores): from 1 to ``most``."""

    title: str
    side: Side
    most: int
    value: int = 1
    reason: str = ""


class Correcting(NamedTuple):
    """The scores as they should be, one side after the other; ``at`` is the one being set."""

    title: str
    scores: tuple[int, ...]
    most: int
    least: int = 0
    at: int = 0


class Agreeing(NamedTuple):
    """What was chosen and counts only when every console that is used has said yes."""

    title: str
    line: Line
    confirmed: tuple[Side, ...] = ()


Level = Choosing | Counting | Correcting | Agreeing


class Setup(NamedTuple):
    """Set-up while it is open: the levels that were entered, until when (seconds) it stays."""

    levels: tuple[Level, ...]
    until: float

    @property
    def level(self) -> Level:
        """The one that is shown."""
        return self.levels[-1]

    @property
    def confirmed(self) -> tuple[Side, ...] | None:
        """Who has said yes, of those who speak; None where nobody is asked to."""
        return self.level.confirmed if isinstance(self.level, Agreeing) else None
