"""A match that a hub assigns to a table, as both read it (socket.md#assign)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, NamedTuple

from scorer.plain_values import Count, Like, Range, Text, WrongValues, read
from scorer.rules.deal import new_game
from scorer.rules.model import Game, Start
from scorer.rules.notation import SheetError
from scorer.rules.sheet import read_header

MAX_HEADER_CHARS: Final = 8000
MIN_TIME_S: Final = 60
MIN_CAP_S: Final = 1  # of a match that has used its time at another table
MAX_TIME_S: Final = 86400
TIMES: Final = ("cap", "tolerance")
LIMITS: Final = (*TIMES, "cap_start")
_Cap = Annotated[int, Range(MIN_CAP_S, MAX_TIME_S)]
_Time = Annotated[int, Range(MIN_TIME_S, MAX_TIME_S)]


_Page = Annotated[str, Like(r"https?://[!-~]{1,190}", "is no address of a page")]


class AssignedGame(NamedTuple):
    """The game to open, and how."""

    game: Game  # its start, with the tags of the match
    names: tuple[str, ...]
    is_locked: bool
    cap_s: int | None  # seconds that it may take
    tolerance_s: int | None  # seconds that it waits for a missing team
    cap_start: int | None  # points of both sides at which games begin after ``cap_s``
    pages: tuple[str, ...]  # of the team of each side, or ()


class _Written(NamedTuple):
    """The keys of the message."""

    header: Annotated[str, Text(MAX_HEADER_CHARS)]
    lock: bool = True
    cap: _Cap | None = None
    tolerance: _Time | None = None
    cap_start: int | None = None
    pages: Annotated[tuple[_Page, ...], Count(0, 3)] = ()


def parse_assigned(message: Mapping[str, Any]) -> AssignedGame | str:
    """The assigned game, or a sentence that says what is wrong with the message."""
    try:
        header, lock, cap, tolerance, cap_start, pages = read(_Written, message, skips_unknown=True)
    except WrongValues as error:
        return str(error.problems[0])
    try:
        tags = read_header(header)
        game = tags.game()
    except ValueError as error:
        return str(error) if isinstance(error, SheetError) else "header opens no game"
    if game.match is None:
        return "header has no tag Match"
    sides = game.rules.scoring_sides
    try:
        if cap_start is not None:
            new_game(Start(game.rules, (cap_start,) * len(sides)))
    except ValueError:
        return "cap_start is a score at which every side may begin, or null"
    names = tuple(tags.names.get(side, "") for side in sides)
    return AssignedGame(game, names, lock, cap, tolerance, cap_start, pages)
