"""The tables of the hub's database.

``log`` is the truth of the desk; ``stream``, ``opening`` and ``row`` are that of the tables of the
hall; ``secret`` has the certificate. The tables in PROJECTIONS follow from the log. ``presence``
has what the boxes said last, which no decision rests on for longer than minutes; ``login`` has the
sessions of the desk, ``address`` from where boxes and desks came. ``kept`` has what a start would
compute anew from the whole log.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()


def _table(name: str, *columns: Column[Any] | UniqueConstraint | Index) -> Table:
    return Table(name, METADATA, *columns)


LOG = _table(
    "log",
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),  # ISO, UTC
    Column("who", String(80), nullable=False),
    Column("role", String(20), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("body", Text, nullable=False),  # canonical JSON
    Column("prev", String(64), nullable=False),  # digest of the entry before
    Index("log_kind", "kind", "seq"),
)
# One row, locked by who appends to the log.
LOG_HEAD = _table(
    "log_head",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("projections", Integer, nullable=False),  # version of the projections
)
STREAM = _table(
    "stream",
    Column("device", BigInteger, primary_key=True, autoincrement=False),
    Column("epoch", String(16), primary_key=True),
    Column("ordinal", Integer, nullable=False),  # of the device's streams, from 1
    Column("first", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),  # first - 1: no row yet
    Column("tip", String(16), nullable=False),  # digest or mask of the last row
)
OPENING = _table(
    "opening",
    Column("device", BigInteger, primary_key=True, autoincrement=False),
    Column("epoch", String(16), primary_key=True),
    Column("game", BigInteger, primary_key=True, autoincrement=False),
    Column("opened", BigInteger, nullable=False),
    Column("header", Text, nullable=False),
)
ROW = _table(
    "row",
    Column("device", BigInteger, primary_key=True, autoincrement=False),
    Column("epoch", String(16), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("game", BigInteger, nullable=False),
    Column("press", BigInteger, nullable=False),
    Column("line", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("boot", Text, nullable=False),
    Column("monotonic_ms", BigInteger, nullable=False),
    Column("wall", Text, nullable=False),
    Column("trusted", Boolean, nullable=False),
    Column("digest", String(16), nullable=False),  # or a mask of it: of a header that was blanked
)
SECRET = _table(
    "secret",
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
MASK_KEY = "masks"  # the name of the secret that is in no copy
PRESENCE = _table(
    "presence",
    Column("device", BigInteger, primary_key=True, autoincrement=False),
    Column("epoch", String(16), nullable=False),
    Column("machine", Text, nullable=False),
    Column("program", Text, nullable=False),
    Column("greeted_ms", BigInteger, nullable=False),  # since 1970
    Column("newest", BigInteger, nullable=False),
    Column("digest", String(16), nullable=False),
    Column("echo", String(16), nullable=False),  # expected of a confirmation
)
# Who is logged in at the desk.
LOGIN = _table(
    "login",
    Column("key", String(64), primary_key=True),  # SHA-256 of the token in the cookie
    Column("name", String(80), nullable=False),
    Column("stamp", String(64), nullable=False),  # of role and password when it began
    Column("address", String(80), nullable=False),
    Column("at", String(40), nullable=False),
    Column("trusted", Boolean, nullable=False),  # whether the hour was right then
)
# From which a token or a session of this hub came.
ADDRESS = _table(
    "address",
    Column("address", String(80), primary_key=True),  # or the network of an IPv6 one
    Column("at", String(40), nullable=False),  # when it was first seen
)
# What follows from the log up to an entry, ``store.kept``.
KEPT = _table(
    "kept",
    Column("name", String(40), primary_key=True),
    Column("until", BigInteger, nullable=False),  # seq of that entry
    Column("program", String(80), nullable=False),  # that has computed it
    Column("document", Text, nullable=False),  # canonical JSON
)

DEVICE = _table(
    "device",
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # seq of its acceptance
    Column("key", String(64), nullable=False),  # SHA-256 of its token
    Column("next_key", String(64), nullable=False),  # of the token it was given; "" as a rule
    Column("renew_epoch", String(16), nullable=False),  # the epoch it must leave; "" as a rule
    Column("renew_machine", Text, nullable=False),
    Column("table_number", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("state", String(20), nullable=False),  # DeviceState
    Column("machine", Text, nullable=False),  # when it joined
    UniqueConstraint("key", name="device_key"),
    Index("device_next_key", "next_key"),
)
HOLD = _table(
    "hold",
    Column("device", BigInteger, primary_key=True, autoincrement=False),
    Column("epoch", String(16), primary_key=True),  # "": all of the device
    Column("reason", String(20), nullable=False),
    Column("alarm", BigInteger, nullable=False),
)
ALARM = _table(
    "alarm",
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # seq of its log entry
    Column("device", BigInteger, nullable=False),
    Column("epoch", String(16), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("subject", Text, nullable=False),  # what one alarm is raised for only once
    Column("machines", Text, nullable=False),  # JSON list
    Column("text", Text, nullable=False),
    Column("at", String(40), nullable=False),
    Column("resolved", String(20), nullable=False),  # "": open
)
CARD = _table(
    "card",
    Column("key", String(64), primary_key=True),  # SHA-256 of the card's key
    Column("table_number", Integer, nullable=False),
    Column("device", BigInteger, nullable=False),  # 0: not used yet
)
PERSON = _table(
    "person",
    Column("name", String(80), primary_key=True),
    Column("role", String(20), nullable=False),
    Column("password", Text, nullable=False),  # salt and scrypt hash
)
DESIRED = _table(
    "desired",
    Column("device", BigInteger, primary_key=True, autoincrement=False),
    Column("rev", BigInteger, nullable=False),
    Column("document", Text, nullable=False),  # canonical JSON
)
# Results that the desk has read from panels.
RESULT = _table(
    "result",
    Column("rev", BigInteger, primary_key=True, autoincrement=False),  # of the assignment
    Column("device", BigInteger, nullable=False),
    Column("match_id", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),  # the row at which it stands
    Column("phase", String(20), nullable=False),  # ResultPhase
    Column("names", Text, nullable=False),  # JSON list, as are games and points
    Column("games", Text, nullable=False),
    Column("points", Text, nullable=False),
    Column("who", String(80), nullable=False),  # accepted it
    Column("at", String(40), nullable=False),
)

PROJECTIONS = (DEVICE, HOLD, ALARM, CARD, PERSON, DESIRED, RESULT)
TRUTH = (LOG, STREAM, OPENING, ROW, SECRET)
"""What a backup has, besides ``presence``, ``login`` and ``address``; not the key of the masks."""
