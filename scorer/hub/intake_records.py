"""Records and SQL statements of the intake."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from sqlalchemy import BigInteger, String, and_, bindparam, insert, or_, select, update

from scorer.hub.store.statements import Statement
from scorer.hub.store.tables import DESIRED, DEVICE, HOLD, OPENING, PRESENCE, ROW, STREAM


class LastGreeting(NamedTuple):
    """What a box said in its last greeting; ``tables.PRESENCE`` explains the fields."""

    device: int
    epoch: str
    machine: str
    program: str
    greeted_ms: int
    newest: int
    digest: str
    echo: str


class Device(NamedTuple):
    """A box as stored; ``tables.DEVICE`` explains the fields."""

    id: int
    key: str
    next_key: str
    renew_epoch: str
    renew_machine: str
    table_number: int
    name: str
    state: str
    machine: str


class DesiredMatch(NamedTuple):
    """What the table of a box should play, as stored."""

    device: int
    rev: int
    document: str  # JSON


class Stream(NamedTuple):
    """A stream as stored. ``ordinal``: among those of its device, from 1."""

    device: int
    epoch: str
    ordinal: int
    first: int
    last: int
    tip: str


# Built once: building a statement costs more than running it. The locks are taken in one order, so
# that two processes cannot wait for each other.
@cache
def find_devices(count: int) -> Statement:
    """Find and lock boxes by the keys ``key0`` to ``key`` ``count`` - 1."""
    keys = [bindparam(f"key{each}", type_=String) for each in range(count)]
    return Statement(
        select(DEVICE)
        .where(or_(DEVICE.c.key.in_(keys), DEVICE.c.next_key.in_(keys)))
        .order_by(DEVICE.c.id)
        .with_for_update()
    )


@cache
def find_streams_and_holds(count: int) -> Statement:
    """Find streams and holds of the devices ``id0`` to ``id`` ``count`` - 1.

    Run after the locks, it sees what another process has committed before them.
    """
    ids = [bindparam(f"id{each}", type_=BigInteger) for each in range(count)]
    joined = DEVICE.outerjoin(STREAM, STREAM.c.device == DEVICE.c.id)
    return Statement(
        select(DEVICE.c.id, HOLD.c.epoch, HOLD.c.reason, *STREAM.c)
        .select_from(joined.outerjoin(HOLD, HOLD.c.device == DEVICE.c.id))
        .where(DEVICE.c.id.in_(ids))
    )


FIND_GREETING = Statement(select(PRESENCE).where(PRESENCE.c.device == bindparam("id")))
FIND_DESIRED = Statement(select(DESIRED).where(DESIRED.c.device == bindparam("id")))
ADD_GREETING = Statement(insert(PRESENCE))
SET_GREETING = Statement(
    update(PRESENCE)
    .where(PRESENCE.c.device == bindparam("id"))
    .values({name: bindparam(f"to_{name}") for name in LastGreeting._fields[1:]})
)
ADD_OPENINGS, ADD_ROWS = Statement(insert(OPENING)), Statement(insert(ROW))
MOVE_STREAM = Statement(
    update(STREAM)
    .where(and_(STREAM.c.device == bindparam("of_device"), STREAM.c.epoch == bindparam("of_epoch")))
    .values(last=bindparam("to_last"), tip=bindparam("to_tip"))
)
