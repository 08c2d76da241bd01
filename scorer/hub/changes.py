"""What an entry of the log changes.

Two directors may decide on different subjects at once.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from sqlalchemy.engine import Connection

from scorer.hub.scores import match_in
from scorer.hub.store import log
from scorer.hub.store.log import Entry
from scorer.hub.store.projections import Kind
from scorer.tournament import Event, NoEvent, parse
from scorer.tournament.events import (
    AllowRematch,
    AnnulResult,
    CorrectResult,
    EndPhase,
    Enter,
    EnterAgain,
    ExchangeTeams,
    PairByHand,
    PairRound,
    RecordResult,
    StartPhase,
    TakeBack,
)

_MATCH_EVENTS = (RecordResult, CorrectResult, AnnulResult)
_PHASE_EVENTS = (
    StartPhase,
    PairRound,
    PairByHand,
    ExchangeTeams,
    AllowRematch,
    EndPhase,
    TakeBack,
    EnterAgain,
)
_ALL = "all"  # the subject of what concerns the whole tournament
_LISTED = (Kind.DESIRED_SET, Kind.TOURNAMENT_BEGUN, Kind.TOURNAMENT_EVENT)
BEGUN = "begun"  # the subject of every page that shows the tournament before


class LastChange(NamedTuple):
    """The newest decision about a subject.

    ``what``: the name of its event or setting; of a table ``assign`` or ``release``; ``begun``.
    ``reason``: "" if it has none.
    """

    seq: int
    who: str
    at: str
    what: str
    reason: str = ""


def subject_of(event: Event) -> str:
    """What an event changes: a match, a phase, a team, or the whole tournament."""
    if isinstance(event, _MATCH_EVENTS):
        return event.match
    if isinstance(event, _PHASE_EVENTS):
        return event.phase
    if isinstance(event, Enter):
        return f"entry {event.name}"
    team = getattr(event, "team", None)
    return _ALL if team is None else f"team {team}"


def subject_of_table(device: int) -> str:
    """What an assignment to a box changes, beside its match."""
    return f"table {device}"


def subject_of_setting(name: str) -> str:
    return f"setting {name}"


def find_change(
    connection: Connection, since: int, subjects: AbstractSet[str]
) -> LastChange | None:
    """The newest entry after ``since`` about a match or a table of ``subjects``."""
    found = None
    for entry in log.entries(connection, since, _LISTED):
        what, changed = _change_of(entry)
        if changed & {BEGUN, *subjects}:
            found = LastChange(entry.seq, entry.who, entry.at, what)
    return found


def _change_of(entry: Entry) -> tuple[str, set[str]]:
    """What an entry does, and its subjects."""
    if entry.kind == Kind.DESIRED_SET.value:
        document = entry.body["document"]
        match = match_in(document.get("header") or "")
        table = subject_of_table(entry.body["device"])
        return document["do"], {table} if match is None else {table, match.id}
    if entry.kind == Kind.TOURNAMENT_BEGUN.value:
        return BEGUN, {BEGUN}
    event = parse(entry.body["event"])
    return type(event).__name__, set() if isinstance(event, NoEvent) else {subject_of(event)}
