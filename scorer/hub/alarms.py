"""Alarms of the desk, each raised once."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.engine import Connection

from scorer.hub.store import log
from scorer.hub.store.projections import AlarmKind, Kind
from scorer.hub.store.tables import ALARM
from scorer.hub.times import Clock


class Counted(StrEnum):
    """What strangers try: one alarm each, kept in memory, which counts the tries."""

    JOINS = "joins"  # refused, because too many were open
    LOGINS = "logins"  # wrong names or passwords at the desk


HUB = log.Author(log.HUB, log.HUB)
_MAX_TEXT_CHARS = 200
# The kind of alarm by the reason of a call.
CALLS = {
    "director": AlarmKind.CALL,
    "table": AlarmKind.CALL_TABLE,
    "contest": AlarmKind.CALL_CONTEST,
}
# About a match, whose id is the text of the alarm; a call may be about none.
OF_MATCH = (*CALLS.values(), AlarmKind.RESULT, AlarmKind.RESULT_UNDECIDED)
_RAISED_ONCE = (*OF_MATCH, AlarmKind.RULES)


class NewAlarm(NamedTuple):
    """An alarm about a box.

    ``epoch``: of the stream that is held, "" for none. ``subject``: two alarms of one kind about
    one box with the same subject are the same. ``machines``: the boards that claim to be the box.
    """

    device: int
    kind: AlarmKind
    text: str
    epoch: str = ""
    subject: str = ""
    machines: Sequence[str] = ()


def raise_alarm(connection: Connection, clock: Clock, alarm: NewAlarm) -> bool:
    """Log an alarm, unless the same one is open already; whether it was logged.

    What boxes repeat is the same one also after it was closed: a call, other rules in one epoch, an
    unreadable message with the same fault. So is a result, whose rows may go on. While a call of a
    box is open, its other calls of that kind are the same one.
    """
    text = alarm.text[:_MAX_TEXT_CHARS]
    same = select(ALARM.c.id).where(
        ALARM.c.device == alarm.device,
        ALARM.c.kind == alarm.kind.value,
        ALARM.c.subject == alarm.subject,
    )
    if alarm.kind is AlarmKind.UNREADABLE:
        same = same.where(or_(ALARM.c.resolved == "", ALARM.c.text == text))
    elif alarm.kind in CALLS.values():
        of_kind = select(ALARM.c.id).where(
            ALARM.c.device == alarm.device,
            ALARM.c.kind == alarm.kind.value,
        )
        same = of_kind.where(or_(ALARM.c.resolved == "", ALARM.c.subject == alarm.subject))
    elif alarm.kind not in _RAISED_ONCE:
        same = same.where(ALARM.c.resolved == "")
    if connection.execute(same).first() is not None:
        return False
    body = {**alarm._asdict(), "kind": alarm.kind.value, "machines": [*alarm.machines]}
    log.append(connection, clock.utc(), HUB, Kind.ALARM_RAISED, {**body, "text": text})
    return True
