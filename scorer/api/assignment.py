"""A match that the hub assigns to the table (socket.md#assign)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from scorer.hall.events import digest_of
from scorer.rules import Game, header_text, tags_of
from scorer.rules.assigned import TIMES, parse_assigned
from scorer.session.values.hall import Assignment, Decision

MAX_REV: Final = 2**53 - 1
_HALL: Final = r"[!-~]{0,64}"


def parse(message: Mapping[str, Any]) -> Assignment | str:
    """The assignment, or a sentence that says what is wrong with the message."""
    rev, assigned = parse_rev(message), parse_assigned(message)
    if isinstance(rev, str):
        return rev
    return assigned if isinstance(assigned, str) else Assignment(rev, *assigned)


def parse_kept(document: Mapping[str, Any]) -> Assignment | str:
    """The assignment that the table has stored, with its arrival."""
    found = parse(document)
    match document.get("arrived"):
        case [str(boot), int(monotonic_ms), str(wall), bool(trusted)] if isinstance(
            found, Assignment
        ):
            return found._replace(arrived=(boot, monotonic_ms, wall, trusted))
    return found


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
        content |= {key: message.get(key) for key in TIMES}
    return Decision(rev, digest_of(content), hall)


def parse_rev(message: Mapping[str, Any]) -> int | str:
    """The number of the decision, or a sentence that says what is wrong with it."""
    rev = message.get("rev")
    # Check the type too: true would be 1.
    return rev if type(rev) is int and 0 < rev <= MAX_REV else "rev is a number, from 1"


def assignment_document(assignment: Assignment) -> dict[str, Any]:
    """The assignment as ``parse_kept`` reads it."""
    return {
        "rev": assignment.rev,
        "header": _header(assignment.game, assignment.names),
        "lock": assignment.is_locked,
        "cap": assignment.cap_s,
        "tolerance": assignment.tolerance_s,
        "cap_start": assignment.cap_start,
        "arrived": assignment.arrived,
    }


def _header(game: Game, names: tuple[str, ...]) -> str:
    return header_text(tags_of(game, dict(zip(game.rules.scoring_sides, names, strict=True))))
