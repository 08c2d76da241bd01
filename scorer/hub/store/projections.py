"""What follows from the log: boxes, alarms, holds, cards, people, assignments.

Each kind of entry has one function here. ``rebuild`` runs them over the whole log and gives the
same rows as were there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.engine import Connection

from scorer.hall.fields import canonical
from scorer.hub.store.tables import (
    ALARM,
    CARD,
    DESIRED,
    DEVICE,
    HOLD,
    LOG_HEAD,
    PERSON,
    PROJECTIONS,
    RESULT,
)

VERSION = 1  # a change of the functions below changes it, and the projections are rebuilt

Body = dict[str, Any]


class Kind(StrEnum):
    """The kinds of log entries."""

    DEVICE_ACCEPTED = "device.accepted"
    DEVICE_NAMED = "device.named"
    DEVICE_REVOKED = "device.revoked"
    DEVICE_REINSTATED = "device.reinstated"  # a box that was replaced has a table again
    DEVICE_TOKEN = "device.token"  # it was given another token
    DEVICE_TOKEN_USED = "device.token_used"  # the old one is no longer valid
    ALARM_RAISED = "alarm.raised"
    ALARM_RESOLVED = "alarm.resolved"
    CARDS_MADE = "cards.made"
    PERSON_SET = "person.set"
    DESIRED_SET = "desired.set"
    RESULT_SCANNED = "result.scanned"
    # Each process folds them, ``tournaments``: they have no projection.
    TOURNAMENT_BEGUN = "tournament.begun"
    TOURNAMENT_EVENT = "tournament.event"
    TOURNAMENT_SETTINGS = "tournament.settings"
    TOURNAMENT_CLOSED = "tournament.closed"
    TOURNAMENT_REOPENED = "tournament.reopened"
    PEOPLE_COMPARED = "people.compared"  # whether equal names in two tournaments are one person
    SCREEN_SET = "screen.set"
    NAMES_FORGOTTEN = "names.forgotten"
    GAMES_LEFT = "games.left"  # those of matches that no log knows are of no tournament


FOLDED = (
    Kind.TOURNAMENT_BEGUN,
    Kind.TOURNAMENT_EVENT,
    Kind.TOURNAMENT_SETTINGS,
    Kind.TOURNAMENT_CLOSED,
    Kind.TOURNAMENT_REOPENED,
    Kind.PEOPLE_COMPARED,
    Kind.SCREEN_SET,
    Kind.NAMES_FORGOTTEN,
    Kind.GAMES_LEFT,
)


class DeviceState(StrEnum):
    """Whether the rows of a box are wanted."""

    ACTIVE = "active"
    REPLACED = "replaced"  # another box has its table; its late rows are held
    REVOKED = "revoked"


class Resolution(StrEnum):
    """The buttons of an alarm."""

    TRUE_ONE = "true"  # this box is right: a new epoch and token for it
    IGNORE = "ignore"
    REPLACE = "replace"  # the box gives up its table


class AlarmKind(StrEnum):
    """What the desk is shown. The first three hold a stream."""

    BEHIND = "behind"
    CLONE = "clone"
    FORK = "fork"
    UNREADABLE = "unreadable"  # a box sends what cannot be read
    RULES = "rules"  # the table shows another score than the hub computes
    CALL = "call"  # the director is wanted
    CALL_TABLE = "call.table"  # the teams sit at another table
    CALL_CONTEST = "call.contest"  # a team contests the result
    RESULT = "result"  # rows say another result than a code that the desk accepted
    RESULT_UNDECIDED = "result.undecided"  # it ended as no match of its phase does


HOLDING = (AlarmKind.BEHIND, AlarmKind.CLONE, AlarmKind.FORK)


class _Entry(NamedTuple):
    connection: Connection
    seq: int
    at: str
    body: Body


def project(connection: Connection, seq: int, at: str, kind: Kind, body: Body) -> None:
    """Change the projections by one entry."""
    _PROJECT[kind](_Entry(connection, seq, at, body))


def rebuild(connection: Connection, entries: Iterable[tuple[int, str, str, Body]]) -> None:
    """Compute the projections anew from (seq, at, kind, body), oldest first."""
    for table in PROJECTIONS:
        connection.execute(delete(table))
    for seq, at, kind, body in entries:
        project(connection, seq, at, Kind(kind), body)
    connection.execute(update(LOG_HEAD).values(projections=VERSION))


def dump(connection: Connection) -> bytes:
    """All projections as bytes: equal if every row is."""
    tables = {
        table.name: [
            list(row)
            for row in connection.execute(select(table).order_by(*table.primary_key.columns))
        ]
        for table in PROJECTIONS
    }
    return canonical(tables)


def fingerprint(connection: Connection) -> str:
    return sha256(dump(connection)).hexdigest()


def _device_accepted(entry: _Entry) -> None:
    body, connection = entry.body, entry.connection
    _free_table(entry)
    connection.execute(
        DEVICE.insert().values(
            id=entry.seq,
            key=body["key"],
            next_key="",
            renew_epoch="",
            renew_machine="",
            table_number=body["table"],
            name=body["name"],
            state=DeviceState.ACTIVE.value,
            machine=body["machine"],
        )
    )
    if body["card"]:
        connection.execute(update(CARD).where(CARD.c.key == body["card"]).values(device=entry.seq))


def _free_table(entry: _Entry) -> None:
    """The number of a table belongs to one box: another one gives it up."""
    has_it = DEVICE.c.table_number == entry.body["table"]
    entry.connection.execute(
        update(DEVICE)
        .where(has_it, DEVICE.c.state == DeviceState.ACTIVE.value)
        .values(state=DeviceState.REPLACED.value)
    )


def _device_reinstated(entry: _Entry) -> None:
    _free_table(entry)
    _update_device(entry, state=DeviceState.ACTIVE.value, table_number=entry.body["table"])


def _device_named(entry: _Entry) -> None:
    _update_device(entry, table_number=entry.body["table"], name=entry.body["name"])


def _device_revoked(entry: _Entry) -> None:
    _update_device(entry, state=DeviceState.REVOKED.value)


def _device_token(entry: _Entry) -> None:
    _update_device(entry, next_key=entry.body["key"])


def _device_token_used(entry: _Entry) -> None:
    device = DEVICE.c.id == entry.body["device"]
    entry.connection.execute(
        update(DEVICE).where(device).values(key=DEVICE.c.next_key, next_key="", renew_machine="")
    )


def _alarm_raised(entry: _Entry) -> None:
    body = entry.body
    entry.connection.execute(
        ALARM.insert().values(
            id=entry.seq,
            device=body["device"],
            epoch=body["epoch"],
            kind=body["kind"],
            subject=body["subject"],
            machines=canonical(body["machines"]).decode("ascii"),
            text=body["text"],
            at=entry.at,
            resolved="",
        )
    )
    if body["kind"] in HOLDING:
        # Two machines have the same token: no stream of it can be trusted.
        epoch = "" if body["kind"] == AlarmKind.CLONE else body["epoch"]
        entry.connection.execute(
            HOLD.insert().values(
                device=body["device"], epoch=epoch, reason=body["kind"], alarm=entry.seq
            )
        )


def _alarm_resolved(entry: _Entry) -> None:
    """``kind`` of the alarm decides what its button does."""
    body, connection = entry.body, entry.connection
    connection.execute(
        update(ALARM).where(ALARM.c.id == body["alarm"]).values(resolved=body["how"])
    )
    match Resolution(body["how"]):
        case Resolution.TRUE_ONE:
            _update_device(
                entry, renew_epoch=body["epoch"], renew_machine=body["machine"], next_key=""
            )
            if body["kind"] == AlarmKind.CLONE:
                # The old epoch stays held, whatever is found out about its rows.
                # Narrow the hold of a whole device to the streams of one epoch.
                epoch = body["epoch"]
                alarm = entry.body["alarm"]
                entry.connection.execute(delete(HOLD).where(HOLD.c.alarm == alarm))
                device = entry.body["device"]
                known = select(HOLD.c.alarm).where(HOLD.c.device == device, HOLD.c.epoch == epoch)
                if entry.connection.execute(known).first() is None:
                    entry.connection.execute(
                        HOLD.insert().values(
                            device=device, epoch=epoch, reason=AlarmKind.CLONE.value, alarm=alarm
                        )
                    )
        case Resolution.REPLACE:
            _update_device(entry, state=DeviceState.REPLACED.value)
        case Resolution.IGNORE if body["kind"] == AlarmKind.CLONE:
            connection.execute(delete(HOLD).where(HOLD.c.alarm == body["alarm"]))
        case Resolution.IGNORE:
            # The rows differ: the stream stays held, without an alarm.
            pass


def _cards_made(entry: _Entry) -> None:
    for card in entry.body["cards"]:
        entry.connection.execute(
            CARD.insert().values(key=card["key"], table_number=card["table"], device=0)
        )


def _person_set(entry: _Entry) -> None:
    body = entry.body
    entry.connection.execute(delete(PERSON).where(PERSON.c.name == body["name"]))
    entry.connection.execute(
        PERSON.insert().values(name=body["name"], role=body["role"], password=body["password"])
    )


def _desired_set(entry: _Entry) -> None:
    body = entry.body
    entry.connection.execute(delete(DESIRED).where(DESIRED.c.device == body["device"]))
    document = canonical(body["document"]).decode("ascii")
    entry.connection.execute(
        DESIRED.insert().values(device=body["device"], rev=entry.seq, document=document)
    )


def _result_scanned(entry: _Entry) -> None:
    """The newest code of an assignment counts."""
    body = entry.body
    entry.connection.execute(delete(RESULT).where(RESULT.c.rev == body["rev"]))
    values = {name: body[name] for name in ("rev", "device", "seq", "phase", "who")}
    lists = {name: canonical(body[name]).decode("ascii") for name in ("names", "games", "points")}
    found = {**values, **lists, "match_id": body["match"], "at": entry.at}
    entry.connection.execute(RESULT.insert().values(found))


def _nothing(entry: _Entry) -> None:
    pass


def _update_device(entry: _Entry, **values: object) -> None:
    device = DEVICE.c.id == entry.body["device"]
    entry.connection.execute(update(DEVICE).where(device).values(**values))


_PROJECT: dict[Kind, Callable[[_Entry], None]] = {
    Kind.DEVICE_ACCEPTED: _device_accepted,
    Kind.DEVICE_NAMED: _device_named,
    Kind.DEVICE_REVOKED: _device_revoked,
    Kind.DEVICE_REINSTATED: _device_reinstated,
    Kind.DEVICE_TOKEN: _device_token,
    Kind.DEVICE_TOKEN_USED: _device_token_used,
    Kind.ALARM_RAISED: _alarm_raised,
    Kind.ALARM_RESOLVED: _alarm_resolved,
    Kind.CARDS_MADE: _cards_made,
    Kind.PERSON_SET: _person_set,
    Kind.DESIRED_SET: _desired_set,
    Kind.RESULT_SCANNED: _result_scanned,
    **dict.fromkeys(FOLDED, _nothing),
}
