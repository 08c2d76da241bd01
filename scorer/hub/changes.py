"""What an entry of the log changes.

Two directors may decide on different subjects at once.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from sqlalchemy.engine import Connection

from scorer.hub.match_place import MatchKey
from scorer.hub.scores import match_in
from scorer.hub.store import log
from scorer.hub.store.log import Entry
from scorer.hub.store.projections import Kind
from scorer.tournament import Event, parse
from scorer.tournament.events import (
    AllowRematch,
    AnnulResult,
    CorrectResult,
    EndPhase,
    Enter,
    EnterAgain,
    ExchangeTeams,
    NameTournament,
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
_NAMES = "names"  # the subject of what the tournament is called
_LISTED = (Kind.DESIRED_SET, Kind.TOURNAMENT_BEGUN, Kind.TOURNAMENT_EVENT)
BEGUN = "begun"  # the subject of every page that is older than the tournament
CLOSED = "closed"  # the subject of what every decision needs: the tournament is open


class LastChange(NamedTuple):
    """The newest decision about a subject.

    ``what``: the name of its event or setting; of a table ``assign`` or ``release``; ``begun``,
    ``closed`` or ``reopened``.
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
    if isinstance(event, NameTournament):
        return _NAMES
    team = getattr(event, "team", None)
    return _ALL if team is None else f"team {team}"


def subject_of_table(device: int) -> str:
    """What an assignment to a box changes, beside its match."""
    return f"table {device}"


def subject_of_setting(name: str) -> str:
    return f"setting {name}"


def subject_of_match(key: MatchKey) -> str:
    """A match, in the log of all tournaments."""
    return f"match {key.tournament} {key.match}"


def tournament_of(entry: Entry, newest: int) -> int:
    """The tournament of an entry.

    ``newest``: the one that was begun last before it. A program with one tournament at a time did
    not name it.
    """
    return int(entry.body.get("tournament", newest))


def find_change(
    connection: Connection, since: int, subjects: AbstractSet[str]
) -> LastChange | None:
    """The newest entry after ``since`` about a match or a table of ``subjects``."""
    found, newest = None, log.last_seq(connection, [Kind.TOURNAMENT_BEGUN], since)
    for entry in log.entries(connection, since, _LISTED):
        if entry.kind == Kind.TOURNAMENT_BEGUN.value:
            newest = entry.seq
            continue
        what, changed = _change_of(entry, tournament_of(entry, newest))
        if changed & subjects:
            found = LastChange(entry.seq, entry.who, entry.at, what)
    return found


def _change_of(entry: Entry, tournament: int) -> tuple[str, set[str]]:
    """What an entry does, and its subjects."""
    if entry.kind == Kind.DESIRED_SET.value:
        document = entry.body["document"]
        match = match_in(document.get("header") or "")
        found = {subject_of_table(entry.body["device"])}
        if match is not None:
            found.add(subject_of_match(MatchKey(tournament, match.id)))
        return document["do"], found
    event = parse(entry.body["event"])
    if isinstance(event, _MATCH_EVENTS):
        key = MatchKey(tournament, event.match)
        return type(event).__name__, {subject_of_match(key)}
    return type(event).__name__, set()
