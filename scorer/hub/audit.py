"""Compare every table with the hub, and check the stored rows."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.engine import Connection

from scorer.hall.rows import Opening, Row, digest
from scorer.hub.identity import Identity
from scorer.hub.scores import newest_streams, read_boxes
from scorer.hub.store import log
from scorer.hub.store.database import Database
from scorer.hub.store.masks import is_mask
from scorer.hub.store.tables import HOLD, OPENING, PRESENCE, ROW, STREAM

PATH = "/desk/greetings"
_POLL = 0.1  # seconds
_HTTP_TIMEOUT = 5.0  # seconds


class Comparison(Enum):
    """The rows of a table beside those of the hub, in the words of the command."""

    EQUAL = "digest equal"
    LACKING = "THE HUB LACKS ROWS"  # those after its last one are still in the box
    DIFFERENT = "DIGEST DIFFERS"
    UNKNOWN = "it has never greeted"


class TableAudit(NamedTuple):
    """One table: the last row that it has and that the hub has.

    ``finding``: of the row ``at_table``. The hub has more rows than that of a box that has not
    greeted since it sent them.
    """

    table: int
    name: str
    at_table: int
    at_hub: int
    stored: int  # rows of the stream in the database
    finding: Comparison
    is_held: bool
    is_fresh: bool  # the box has greeted for this audit

    @property
    def is_different(self) -> bool:
        return self.is_held or self.finding is Comparison.DIFFERENT


class AuditVerdict(Enum):
    """What an audit has found, in the sentence that its command prints."""

    EQUAL = "all tables are equal"
    NO_TABLES = "this hall has no tables"
    NOT_ALL_ASKED = "no difference was found, but not all tables could be asked"
    LACKING = "no difference was found, but rows are still in their boxes"
    DIFFERENT = "there is a difference"


class Report(NamedTuple):
    """The tables compared.

    ``problem``: of the log or of a stored row, in one sentence; "" if there is none.
    """

    tables: tuple[TableAudit, ...]
    problem: str

    @property
    def verdict(self) -> AuditVerdict:
        if self.problem or any(each.is_different for each in self.tables):
            return AuditVerdict.DIFFERENT
        if not self.tables:
            return AuditVerdict.NO_TABLES
        if any(each.finding is Comparison.LACKING for each in self.tables):
            return AuditVerdict.LACKING
        # A table that was not asked may have rows that the hub lacks.
        is_complete = all(each.is_fresh for each in self.tables)
        return AuditVerdict.EQUAL if is_complete else AuditVerdict.NOT_ALL_ASKED

    @property
    def concerned(self) -> tuple[TableAudit, ...]:
        """The tables for which the verdict is not "equal"."""
        match self.verdict:
            case AuditVerdict.DIFFERENT:
                found = [each for each in self.tables if each.is_different]
            case AuditVerdict.LACKING:
                found = [each for each in self.tables if each.finding is Comparison.LACKING]
            case _:
                found = [each for each in self.tables if not each.is_fresh]
        return tuple(found)


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
    before: Mapping[int, int],
    patience: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Report:
    """Compare when every box has greeted.

    ``before``: the greetings before the boxes were asked, as ``newest_greetings`` reads them; the
    clock may have been set since. ``patience``: seconds; those that have not greeted then are not
    asked.
    """
    end = clock() + patience
    while True:
        with database.read() as connection:
            tables = tuple(_audit_tables(connection, before))
        is_complete = all(each.is_fresh and each.finding is Comparison.EQUAL for each in tables)
        if is_complete or clock() >= end:
            break
        sleep(_POLL)
    with database.read() as connection:
        return Report(tables, find_problem(connection) or "")


def find_problem(connection: Connection) -> str | None:
    """The first fault of the log or of a stored row, or None."""
    return log.find_break(connection) or next(_stream_problems(connection), None)


def _audit_tables(connection: Connection, before: Mapping[int, int]) -> Iterator[TableAudit]:
    held = {*connection.execute(select(HOLD.c.device)).scalars()}
    presences = {each.device: each for each in connection.execute(select(PRESENCE))}
    epochs = newest_streams(connection)
    for box in read_boxes(connection):
        presence = presences.get(box.device)
        of_stream = (STREAM.c.device == box.device, STREAM.c.epoch == epochs.get(box.device, ""))
        stream = connection.execute(select(STREAM).where(*of_stream)).first()
        counted = select(func.count()).where(
            ROW.c.device == box.device, ROW.c.epoch == epochs.get(box.device, "")
        )
        yield TableAudit(
            table=box.table,
            name=box.name,
            at_table=presence.newest if presence is not None else 0,
            at_hub=stream.last if stream is not None else 0,
            stored=int(connection.execute(counted).scalar_one()),
            finding=_finding(connection, presence, stream),
            is_held=box.device in held,
            is_fresh=presence is not None and presence.greeted_ms != before.get(box.device),
        )


def _finding(connection: Connection, presence: Any, stream: Any) -> Comparison:  # noqa: ANN401
    """Compare the newest row that a box named with that row of its newest stream."""
    if presence is None:
        return Comparison.UNKNOWN
    if stream is None:
        return Comparison.LACKING if presence.newest else Comparison.EQUAL
    if presence.epoch != stream.epoch:
        query = select(STREAM.c.ordinal).where(
            STREAM.c.device == stream.device, STREAM.c.epoch == presence.epoch
        )
        is_new = connection.execute(query).first() is None
        return Comparison.LACKING if is_new else Comparison.DIFFERENT
    if presence.newest > stream.last:
        return Comparison.LACKING
    at = ROW.c.seq == presence.newest
    query = select(ROW.c.digest).where(
        ROW.c.device == stream.device, ROW.c.epoch == stream.epoch, at
    )
    # Without a row in its epoch a box names none.
    digest_there = connection.execute(query).scalar() or ""
    return Comparison.EQUAL if digest_there == presence.digest else Comparison.DIFFERENT


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
            # A mask fits what is not here any more.
            is_right = is_mask(kept) or digest(row, header) == kept
            if row.seq != expected or not is_right:
                yield f"row {expected} of box {stream.device} is not what was stored"
                return
            expected, tip = expected + 1, kept
        if (expected - 1, tip) != (stream.last, stream.tip):
            yield f"box {stream.device} has rows to {expected - 1}, and {stream.last} were stored"
