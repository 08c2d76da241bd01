"""A match that the hub assigns to the table (socket.md#assign)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, NamedTuple

from scorer.hall.events import digest_of
from scorer.plain_values import Like, Range, WrongValues, read
from scorer.rules import header_text, tags_of
from scorer.rules.assigned import TIMES, parse_assigned
from scorer.session.values.hall import Assignment, Decision

MAX_REV: Final = 2**53 - 1


class _Head(NamedTuple):
    """The number of a decision, and the hall that made it."""

    rev: Annotated[int, Range(1, MAX_REV)]
    hall: Annotated[str, Like(r"[!-~]{0,64}", "is not of up to 64 printable characters")] = ""


def parse(message: Mapping[str, Any]) -> Assignment | str:
    """The assignment, or a sentence that says what is wrong with the message."""
    try:
        head = read(_Head, message, skips_unknown=True)
    except WrongValues as error:
        return str(error.problems[0])
    assigned = parse_assigned(message)
    return assigned if isinstance(assigned, str) else Assignment(head.rev, *assigned)


def parse_kept(document: Mapping[str, Any]) -> Assignment | str:
    """The assignment that the table has stored, with its arrival."""
    found = parse(document)
    match document.get("arrived"):
        case [str(boot), int(monotonic_ms), str(wall), bool(trusted)] if isinstance(
            found, Assignment
        ):
            return found._replace(arrived=(boot, monotonic_ms, wall, trusted))
    return found


def parse_decision(message: Mapping[str, Any]) -> Decision:
    """The decision in a message. Raises WrongValues."""
    head = read(_Head, message, skips_unknown=True)
    content = {"do": message.get("do")}
    if message.get("do") == "assign":
        content |= {"header": message.get("header"), "lock": message.get("lock", True)}
        content |= {key: message.get(key) for key in TIMES}
    return Decision(head.rev, digest_of(content), head.hall)


def assignment_document(assignment: Assignment) -> dict[str, Any]:
    """The assignment as ``parse_kept`` reads it."""
    names = dict(zip(assignment.game.rules.scoring_sides, assignment.names, strict=True))
    return {
        "rev": assignment.rev,
        "header": header_text(tags_of(assignment.game, names)),
        "lock": assignment.is_locked,
        "cap": assignment.cap_s,
        "tolerance": assignment.tolerance_s,
        "cap_start": assignment.cap_start,
        "pages": [*assignment.pages],
        "arrived": assignment.arrived,
    }
