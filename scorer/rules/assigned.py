"""A match that a hub assigns to a table, as both read it (socket.md#assign)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scorer.rules.model import Game
from scorer.rules.notation import SheetError
from scorer.rules.sheet import read_header

MAX_HEADER_CHARS: Final = 8000
MIN_CAP_S: Final = 60
MAX_CAP_S: Final = 86400
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")  # NUL, half of a surrogate pair


class AssignedGame(NamedTuple):
    """The game to open, and how."""

    game: Game  # its start, with the tags of the match
    names: tuple[str, ...]
    is_locked: bool
    cap_s: int | None  # seconds that it may take


def parse_assigned(message: Mapping[str, Any]) -> AssignedGame | str:
    """The assigned game, or a sentence that says what is wrong with the message."""
    header, lock, cap = message.get("header"), message.get("lock", True), message.get("cap")
    if not isinstance(header, str) or len(header) > MAX_HEADER_CHARS:
        return f"header is a text of tags, {MAX_HEADER_CHARS} characters at most"
    if _UNSTORABLE.search(header):
        return "header has characters that cannot be stored"
    if not isinstance(lock, bool):
        return "lock is true or false"
    if cap is not None and (type(cap) is not int or not MIN_CAP_S <= cap <= MAX_CAP_S):
        return f"cap is a number of seconds, from {MIN_CAP_S} to {MAX_CAP_S}, or null"
    try:
        tags = read_header(header)
        game = tags.game()
    except ValueError as error:
        return str(error) if isinstance(error, SheetError) else "header opens no game"
    if game.match is None:
        return "header has no tag Match"
    names = tuple(tags.names.get(side, "") for side in game.rules.scoring_sides)
    return AssignedGame(game, names, lock, cap)
