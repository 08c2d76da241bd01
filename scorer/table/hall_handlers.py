"""Handlers of the link's requests: the hall, and the matches assigned."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scorer.api import assignment, hall_report
from scorer.api.error_codes import ErrorCode
from scorer.api.replies import Message, error_reply
from scorer.api.request import Request
from scorer.plain_values import read
from scorer.session.play.external_steps import leave_match
from scorer.session.values.hall import Assignment
from scorer.session.values.shown import HallState
from scorer.table.table import Table


class _Epoch(NamedTuple):
    """The keys of ``epoch``: the id of the one that ends."""

    old: str | None = None


def hall(table: Table, request: Request, now: float) -> Message:
    """Show the report of the link; it holds until the client disconnects."""
    report = hall_report.parse(request.message)
    table.hall.put_report(request.client, report)
    if report.view.state is HallState.ALONE and table.hall.decision.rev:
        # The next hall counts its decisions anew.
        table.hall.forget_decisions()
        _leave_match(table, now)
    return {"ok": True}


def assign(table: Table, request: Request, now: float) -> Message:
    """Store an assigned match, and offer it as soon as the table is free."""
    return _decide(table, request, assignment.parse(request.message), now)


def release(table: Table, request: Request, now: float) -> Message:
    """Forget what was assigned."""
    return _decide(table, request, None, now)


def epoch(table: Table, request: Request, now: float) -> Message:
    """Begin a new epoch of the store."""
    table.hall.renew_epoch(read(_Epoch, request.message, skips_unknown=True).old)
    return {"ok": True, "epoch": table.hall.epoch_document()}


def _decide(
    table: Table, request: Request, assigned: Assignment | str | None, now: float
) -> Message:
    decision = assignment.parse_decision(request.message)
    if isinstance(assigned, str):
        return error_reply(ErrorCode.UNREADABLE, assigned)
    if assigned is not None:
        assigned = assigned._replace(arrived=table.stamp(now))
    if table.hall.decide(decision, assigned, table.session.game.match):
        if assigned is None:
            _leave_match(table, now)
        return {"ok": True, "rev": table.hall.decision.rev}
    stale = error_reply(ErrorCode.STALE, "a newer decision, or another one of this rev, is stored")
    return {**stale, "rev": table.hall.decision.rev}


def _leave_match(table: Table, now: float) -> None:
    """A match without a step makes room for a game of the house."""
    table.refresh(now)
    if table.session.game.match is not None and not table.session.record.past:
        table.commit(leave_match(table.session, now), "menu", now)


HANDLERS: dict[str, Callable[[Table, Request, float], Message]] = {
    "hall": hall,
    "assign": assign,
    "release": release,
    "epoch": epoch,
}
