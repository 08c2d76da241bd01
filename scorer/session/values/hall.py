"""The match that a hall assigns to the table, and the players' wishes of the link."""

from enum import StrEnum
from typing import NamedTuple

from scorer.rules import Game
from scorer.rules.model import Match


class WishKind(StrEnum):
    """What players want of the link."""

    FIND = "find"
    JOIN = "join"
    SAME = "same"  # the desk shows the digits of the panel
    CANCEL = "cancel"  # join none
    LEAVE = "leave"
    CALL = "call"  # the director


class CallReason(StrEnum):
    """Why the director is called."""

    DIRECTOR = "director"  # asked for at the panel
    TABLE = "table"  # the teams sit at another table
    CONTEST = "contest"  # a team contests the result


class Wish(NamedTuple):
    """One wish; ``hall``: id of the hall to join, ``digits``: those that agree."""

    kind: WishKind
    hall: str = ""
    why: CallReason = CallReason.DIRECTOR
    digits: str = ""


class MatchTime(NamedTuple):
    """When the match in play began, and when its time is over.

    ``began_at``, ``over_at``: in seconds of the session's clock; None: no cap. ``span``: both in
    local time, "" if the clock is not known to be right.
    """

    began_at: float
    over_at: float | None = None
    span: str = ""


Arrival = tuple[str, int, str, bool]  # boot, milliseconds in it, UTC time, is that trusted


class Decision(NamedTuple):
    """The newest decision of a hub on the matches of the table; ``rev`` 0: none yet.

    ``digest``: of its content. ``hall``: names the hub; "": unknown.
    """

    rev: int = 0
    digest: str = ""
    hall: str = ""


class Assignment(NamedTuple):
    """A match that the hub has assigned: the game to open, and how."""

    rev: int
    game: Game  # its start, with the tags of the match
    names: tuple[str, ...]
    is_locked: bool = True
    cap_s: int | None = None  # seconds that it may take
    tolerance_s: int | None = None  # seconds from its arrival that it waits for a team
    cap_start: int | None = None  # points of both at which games begin after ``cap_s``
    pages: tuple[str, ...] = ()  # of the team of each side, on the site of the hall
    arrived: Arrival | None = None  # None if another version stored it

    @property
    def match(self) -> Match:
        assert self.game.match is not None
        return self.game.match
