"""Compare every table with the hub, and check the stored rows."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ssl
import time
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.engine import Connection

from scorer.hall.rows import Opening, Row, digest
from scorer.hub.identity import Identity
from scorer.hub.scores import newest_streams, read_boxes
from scorer.hub.store import log
from scorer.hub.store.database import Database
from scorer.hub.store.tables import HOLD, OPENING, PRESENCE, ROW, STREAM

PATH = "/desk/greetings"
_POLL = 0.1  # seconds
_HTTP_TIMEOUT = 5.0  # seconds


class TableAudit(NamedTuple):
    """One table: the last row that it has and that the hub has."""

    table: int
    name: str
    at_table: int
    at_hub: int
    stored: int  # rows of the stream in the database
    is_equal: bool  # the digests of the two last rows
    is_held: bool
    is_fresh: bool  # the box has greeted for this audit


class AuditVerdict(Enum):
    """What an audit has found, in the sentence that its command prints."""

    EQUAL = "all tables are equal"
    NO_TABLES = "this hall has no tables"
    NOT_ALL_ASKED = "not all tables could be asked"
    DIFFERENT = "there is a difference"


class Report(NamedTuple):
    """The tables compared.

    ``problem``: of the log or of a stored row, in one sentence; "" if there is none.
    """

    tables: tuple[TableAudit, ...]
    problem: str

    @property
    def verdict(self) -> AuditVerdict:
        # A table that was not asked may have rows that the hub lacks.
        if self.problem or any(each.is_held or not each.is_equal for each in self.tables):
            return AuditVerdict.DIFFERENT
        if not self.tables:
            return AuditVerdict.NO_TABLES
        is_complete = all(each.is_fresh for each in self.tables)
        return AuditVerdict.EQUAL if is_complete else AuditVerdict.NOT_ALL_ASKED


def reachable(address: str) -> str:
    """An address at which this machine reaches a hub that listens at ``address``."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)


def authorization(identity: Identity) -> str:
    """What a command on the machine of the hub shows to the running hub."""
    return hmac.new(bytes.fromhex(identity.sessions), PATH.encode(), hashlib.sha256).hexdigest()


def ask_for_greetings(identity: Identity, host: str, port: int) -> bool:
    """Let the running hub have every box greet again; False if it does not answer."""
    context = ssl.create_default_context(cadata=identity.certificate)
    # The certificate is known; the address need not be in it.
    context.check_hostname = False
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    connection = http.client.HTTPSConnection(host, port, timeout=_HTTP_TIMEOUT, context=context)
    try:
        headers = {"Authorization": f"Hub {authorization(identity)}", "Content-Length": "0"}
        connection.request("POST", PATH, headers=headers)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def audit(
    database: Database,
    since: float,
    patience: float,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], None] = time.sleep,
) -> Report:
    """Compare when every box has greeted.

    That is after ``since`` (seconds since 1970), or when ``patience`` (seconds) is over.
    """
    end = clock() + patience
    while True:
        with database.read() as connection:
            tables = tuple(_audit_tables(connection, since))
        is_complete = all(each.is_fresh and each.is_equal for each in tables)
        if is_complete or clock() >= end:
            break
        sleep(_POLL)
    with database.read() as connection:
        return Report(tables, find_problem(connection) or "")


def find_problem(connection: Connection) -> str | None:
    """The first fault of the log or of a stored row, or None."""
    return log.find_break(connection) or next(_stream_problems(connection), None)


def _audit_tables(connection: Connection, since: float) -> Iterator[TableAudit]:
    held = {*connection.execute(select(HOLD.c.device)).scalars()}
    presences = {each.device: each for each in connection.execute(select(PRESENCE))}
    epochs = newest_streams(connection)
    for box in read_boxes(connection):
        presence = presences.get(box.device)
        query = select(STREAM.c.last, STREAM.c.tip, STREAM.c.first).where(
            STREAM.c.device == box.device, STREAM.c.epoch == epochs.get(box.device, "")
        )
        stream = connection.execute(query).first()
        last, tip = (stream.last, stream.tip) if stream is not None else (0, "")
        counted = select(func.count()).where(
            ROW.c.device == box.device, ROW.c.epoch == epochs.get(box.device, "")
        )
        stored = int(connection.execute(counted).scalar_one())
        is_equal = (
            presence is not None
            and presence.epoch == epochs.get(box.device)
            and (presence.newest, presence.digest) == (last, tip)
        )
        yield TableAudit(
            table=box.table,
            name=box.name,
            at_table=presence.newest if presence is not None else 0,
            at_hub=last,
            stored=stored,
            is_equal=is_equal,
            is_held=box.device in held,
            is_fresh=presence is not None and presence.greeted_ms >= since * 1000,
        )


def _stream_problems(connection: Connection) -> Iterator[str]:
    for stream in connection.execute(select(STREAM).order_by(STREAM.c.device, STREAM.c.ordinal)):
        of_stream = (ROW.c.device == stream.device, ROW.c.epoch == stream.epoch)
        headers = {
            each.game: Opening(each.game, each.opened, each.header)
            for each in connection.execute(
                select(OPENING).where(
                    OPENING.c.device == stream.device, OPENING.c.epoch == stream.epoch
                )
            )
        }
        columns = [ROW.c[name] for name in Row._fields]
        expected, tip = stream.first, ""
        query = select(*columns, ROW.c.digest).where(*of_stream).order_by(ROW.c.seq)
        for *values, kept in connection.execute(query):
            row = Row(*values)
            opening = headers.get(row.game)
            header = opening.header if opening and opening.opened == row.seq else ""
            if row.seq != expected or digest(row, header) != kept:
                yield f"row {expected} of box {stream.device} is not what was stored"
                return
            expected, tip = expected + 1, kept
        if (expected - 1, tip) != (stream.last, stream.tip):
            yield f"box {stream.device} has rows to {expected - 1}, and {stream.last} were stored"
