"""A match that a hub assigns to a table, as both read it (socket.md#assign)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scorer.rules.deal import new_game
from scorer.rules.model import Game
from scorer.rules.notation import SheetError
from scorer.rules.sheet import read_header

MAX_HEADER_CHARS: Final = 8000
MIN_TIME_S: Final = 60
MAX_TIME_S: Final = 86400
TIMES: Final = ("cap", "tolerance")
LIMITS: Final = (*TIMES, "cap_start")
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")  # NUL, half of a surrogate pair


class AssignedGame(NamedTuple):
    """The game to open, and how."""

    game: Game  # its start, with the tags of the match
    names: tuple[str, ...]
    is_locked: bool
    cap_s: int | None  # seconds that it may take
    tolerance_s: int | None  # seconds that it waits for a missing team
    cap_start: int | None  # points of both sides at which games begin after ``cap_s``


def parse_assigned(message: Mapping[str, Any]) -> AssignedGame | str:
    """The assigned game, or a sentence that says what is wrong with the message."""
    header, lock = message.get("header"), message.get("lock", True)
    if not isinstance(header, str) or len(header) > MAX_HEADER_CHARS:
        return f"header is a text of tags, {MAX_HEADER_CHARS} characters at most"
    if _UNSTORABLE.search(header):
        return "header has characters that cannot be stored"
    if not isinstance(lock, bool):
        return "lock is true or false"
    for key in TIMES:
        if not _is_time(message.get(key)):
            return f"{key} is a number of seconds, from {MIN_TIME_S} to {MAX_TIME_S}, or null"
    try:
        tags = read_header(header)
        game = tags.game()
    except ValueError as error:
        return str(error) if isinstance(error, SheetError) else "header opens no game"
    if game.match is None:
        return "header has no tag Match"
    if not _is_start(message.get("cap_start"), game):
        return "cap_start is a score at which every side may begin, or null"
    names = tuple(tags.names.get(side, "") for side in game.rules.scoring_sides)
    return AssignedGame(game, names, lock, *map(message.get, LIMITS))


def _is_start(value: object, game: Game) -> bool:
    # Check the type too: true would be 1.
    if type(value) is not int:
        return value is None
    try:
        new_game(game.rules, dict.fromkeys(game.rules.scoring_sides, value))
    except ValueError:
        return False
    return True


def _is_time(value: object) -> bool:
    # Check the type too: true would be 1.
    return value is None or (type(value) is int and MIN_TIME_S <= value <= MAX_TIME_S)
