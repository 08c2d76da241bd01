"""Handlers of the link's requests: the hall, and the matches assigned."""

from __future__ import annotations

from collections.abc import Callable

from scorer.api import assignment, hall_report
from scorer.api.error_codes import ErrorCode
from scorer.api.replies import Message, error_reply
from scorer.api.table_api import TableApi
from scorer.session.values.hall import Assignment


def hall(table: TableApi, message: Message, now: float) -> Message:
    """Show the report of the link; it holds until the client disconnects."""
    report = hall_report.parse(message)
    if isinstance(report, str):
        return error_reply(ErrorCode.UNREADABLE, report)
    table.set_hall_report(report, now)
    return {"ok": True}


def assign(table: TableApi, message: Message, now: float) -> Message:
    """Store an assigned match, and offer it as soon as the table is free."""
    assigned = assignment.parse(message)
    return _decide(table, message, assigned, now)


def release(table: TableApi, message: Message, now: float) -> Message:
    """Forget what was assigned."""
    return _decide(table, message, None, now)


def epoch(table: TableApi, message: Message, now: float) -> Message:
    """Begin a new epoch of the store."""
    old = message.get("old")
    if old is not None and not isinstance(old, str):
        return error_reply(ErrorCode.UNREADABLE, "old is the id of an epoch")
    return {"ok": True, "epoch": table.renew_epoch(old)}


def _decide(
    table: TableApi, message: Message, assigned: Assignment | str | None, now: float
) -> Message:
    decision = assignment.parse_decision(message)
    if isinstance(decision, str):
        return error_reply(ErrorCode.UNREADABLE, decision)
    if isinstance(assigned, str):
        return error_reply(ErrorCode.UNREADABLE, assigned)
    if table.decide(decision, assigned, now):
        return {"ok": True, "rev": table.hall.decision.rev}
    stale = error_reply(ErrorCode.STALE, "a newer decision, or another one of this rev, is stored")
    return {**stale, "rev": table.hall.decision.rev}


HANDLERS: dict[str, Callable[[TableApi, Message, float], Message]] = {
    "hall": hall,
    "assign": assign,
    "release": release,
    "epoch": epoch,
}
