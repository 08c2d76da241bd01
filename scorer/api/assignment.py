"""A match that the hub assigns to the table (socket.md#assign)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from scorer.hall.events import digest_of
from scorer.rules import Game, SheetError, header_text, read_header, tags_of
from scorer.session.hall import Assignment, Decision

MAX_REV: Final = 2**53 - 1
MAX_HEADER_CHARS: Final = 8000
MIN_CAP_S: Final = 60
MAX_CAP_S: Final = 86400
_HALL: Final = r"[!-~]{0,64}"


def parse(message: Mapping[str, Any]) -> Assignment | str:
    """The assignment, or a sentence that says what is wrong with the message."""
    rev, header = parse_rev(message), message.get("header")
    lock, cap = message.get("lock", True), message.get("cap")
    if isinstance(rev, str):
        return rev
    if not isinstance(header, str) or len(header) > MAX_HEADER_CHARS:
        return f"header is a text of tags, {MAX_HEADER_CHARS} characters at most"
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
    return Assignment(rev, game, names, lock, cap)


def parse_decision(message: Mapping[str, Any]) -> Decision | str:
    """The decision in a message, or a sentence that says what is wrong with it."""
    rev, hall = parse_rev(message), message.get("hall", "")
    if isinstance(rev, str):
        return rev
    if not isinstance(hall, str) or re.fullmatch(_HALL, hall) is None:
        return "hall is up to 64 printable characters"
    content = {"do": message.get("do")}
    if message.get("do") == "assign":
        content |= {"header": message.get("header"), "lock": message.get("lock", True)}
        content |= {"cap": message.get("cap")}
    return Decision(rev, digest_of(content), hall)


def parse_rev(message: Mapping[str, Any]) -> int | str:
    """The number of the decision, or a sentence that says what is wrong with it."""
    rev = message.get("rev")
    # Check the type too: true would be 1.
    return rev if type(rev) is int and 0 < rev <= MAX_REV else "rev is a number, from 1"


def assignment_document(assignment: Assignment) -> dict[str, Any]:
    """The assignment as ``parse`` reads it."""
    return {
        "rev": assignment.rev,
        "header": _header(assignment.game, assignment.names),
        "lock": assignment.is_locked,
        "cap": assignment.cap_s,
    }


def _header(game: Game, names: tuple[str, ...]) -> str:
    return header_text(tags_of(game, dict(zip(game.rules.scoring_sides, names, strict=True))))
