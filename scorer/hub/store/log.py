"""The log of the desk: append-only entries, chained by digests.

An entry changes the projections in the same transaction. A decision is reversed by another one;
entries change only where they lose the name of a person that is forgotten: ``replace_bodies``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.engine import Connection

from scorer.hall.fields import canonical
from scorer.hub.store import projections
from scorer.hub.store.kept import Kept, drop_all, keep, kept_until
from scorer.hub.store.tables import LOG, LOG_HEAD
from scorer.tournament import NoEvent, parse

ABOVE = "above"  # key of a body: the number that the seq of its entry must exceed
FIRST = "first"  # key of a body that was blanked: the mask of its first content
_WORDS = "words"  # name of what is kept of the entries whose words are known
HUB = "hub"  # the role and name of entries that no person made


class Author(NamedTuple):
    """Who decided, and in which role."""

    who: str
    role: str


class Entry(NamedTuple):
    """One entry of the log."""

    seq: int
    at: str
    who: str
    role: str
    kind: str
    body: dict[str, Any]
    prev: str


def digest_of(entry: Entry) -> str:
    return sha256(canonical(list(entry))).hexdigest()


def content_of(entry: Entry) -> str:
    """Digest of what an entry says, wherever it stands in a chain."""
    return sha256(canonical(list(entry[:-1]))).hexdigest()


def replace_bodies(connection: Connection, bodies: Mapping[int, dict[str, Any]]) -> None:
    """Give entries other bodies, and chain those after them anew.

    No digest of an old body stays, as a name in it could be guessed, and nothing that was kept.
    """
    if not bodies:
        return
    drop_all(connection)
    head = connection.execute(select(LOG_HEAD).with_for_update()).one()
    first, before, changed = min(bodies), "", list[dict[str, Any]]()
    for entry in [*entries(connection, first - 1)]:
        prev = before or entry.prev
        kept = entry._replace(prev=prev, body=bodies.get(entry.seq, entry.body))
        if kept != entry:
            body = canonical(kept.body).decode("ascii")
            changed.append({"at_seq": entry.seq, "to_body": body, "to_prev": prev})
        before = digest_of(kept)
    replaced = update(LOG).where(LOG.c.seq == bindparam("at_seq"))
    connection.execute(
        replaced.values(body=bindparam("to_body"), prev=bindparam("to_prev")), changed
    )
    connection.execute(update(LOG_HEAD).values(seq=head.seq, digest=before))


def append(
    connection: Connection, at: str, author: Author, kind: projections.Kind, body: dict[str, Any]
) -> int:
    """Append an entry and project it; returns its seq.

    It is greater than ``above`` of the body: a hub that has gone back to an old copy skips the
    numbers that it has used since then.
    """
    head = connection.execute(select(LOG_HEAD).with_for_update()).one()
    seq = max(head.seq, body.get(ABOVE, 0)) + 1
    entry = Entry(seq, at, author.who, author.role, kind.value, body, head.digest)
    connection.execute(
        LOG.insert().values({**entry._asdict(), "body": canonical(body).decode("ascii")})
    )
    connection.execute(update(LOG_HEAD).values(seq=entry.seq, digest=digest_of(entry)))
    projections.project(connection, entry.seq, entry.at, kind, body)
    return entry.seq


def entries(
    connection: Connection,
    since: int = 0,
    kinds: Iterable[projections.Kind] = (),
    until: int | None = None,
) -> Iterator[Entry]:
    """The entries after ``since``, oldest first.

    With ``kinds`` those alone; ``until``: the newest one.
    """
    query = select(LOG).where(LOG.c.seq > since).order_by(LOG.c.seq)
    if until is not None:
        query = query.where(LOG.c.seq <= until)
    if wanted := [each.value for each in kinds]:
        query = query.where(LOG.c.kind.in_(wanted))
    for found in connection.execute(query):
        yield Entry(*found)._replace(body=json.loads(found.body))


def seqs_of(connection: Connection, kind: projections.Kind) -> list[int]:
    """The seqs of the entries of a kind."""
    return [*connection.execute(select(LOG.c.seq).where(LOG.c.kind == kind.value)).scalars()]


def last_seq(connection: Connection, kinds: Iterable[projections.Kind], until: int) -> int:
    """The seq of the newest entry of these kinds up to ``until``; 0 without one."""
    wanted = LOG.c.kind.in_([each.value for each in kinds]), LOG.c.seq <= until
    return int(connection.execute(select(func.max(LOG.c.seq)).where(*wanted)).scalar() or 0)


def lock(connection: Connection) -> None:
    """Let no other process append until this transaction ends."""
    connection.execute(select(LOG_HEAD.c.id).with_for_update())


def head_seq(connection: Connection) -> int:
    """The seq of the newest entry."""
    return int(connection.execute(select(LOG_HEAD.c.seq)).scalar_one())


def has_unknown_words(connection: Connection) -> bool:
    """Whether an entry has a kind, an alarm, a resolution or an event not known here.

    A changed entry can have one too: see ``find_break``. Entries that ``keep_checked`` has noted
    are not read again.
    """
    since = kept_until(connection, _WORDS)
    newer = select(LOG.c.kind).where(LOG.c.seq > since).distinct()
    kinds = {*connection.execute(newer).scalars()}
    return not kinds <= {*projections.Kind} or any(
        not _is_known(entry) for entry in entries(connection, since, _KINDS_WITH_WORDS)
    )


def keep_checked(connection: Connection) -> None:
    """Note that this program knows the words of every entry so far."""
    if not has_unknown_words(connection):
        keep(connection, _WORDS, Kept(head_seq(connection), {}))


def _is_known(entry: Entry) -> bool:
    match projections.Kind(entry.kind):
        case projections.Kind.ALARM_RAISED:
            return entry.body.get("kind") in {*projections.AlarmKind}
        case projections.Kind.ALARM_RESOLVED:
            return entry.body.get("how") in {*projections.Resolution}
        case _:
            return not isinstance(parse(entry.body.get("event", {})), NoEvent)


_KINDS_WITH_WORDS = (
    projections.Kind.ALARM_RAISED,
    projections.Kind.ALARM_RESOLVED,
    projections.Kind.TOURNAMENT_EVENT,
)


def find_break(connection: Connection) -> str | None:
    """The first fault of the chain in one sentence, or None."""
    before, seq = "", 0
    for entry in entries(connection):
        expected = max(seq, entry.body.get(ABOVE, 0)) + 1
        if entry.seq != expected:
            return f"log entry {expected} is missing"
        if entry.prev != before:
            return f"log entry {seq} is not what was written"
        before, seq = digest_of(entry), entry.seq
    head = connection.execute(select(LOG_HEAD)).one()
    if (head.seq, head.digest) != (seq, before):
        return f"the log ends at {seq}, and {head.seq} was written"
    return None
