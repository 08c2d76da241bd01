"""Events that are no presses, such as a paired phone: a bounded list of lines.

The score never depends on it. A store has the table from its first event on.
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from scorer.store import file
from scorer.store.checksum import sum_of
from scorer.store.errors import SQLITE_ERRORS, StoreError
from scorer.store.rows import Stamp

MAX_EVENTS = 1000  # the newest ones are kept
_QUERY = "SELECT line, source, boot, monotonic_ms, wall, trusted, sum FROM event ORDER BY id"


class Event(NamedTuple):
    """One line of the list."""

    line: str
    source: str
    stamp: Stamp


def append(database: sqlite3.Connection, events: Sequence[Event]) -> None:
    """Add events within a transaction; drop the oldest beyond ``MAX_EVENTS``."""
    file.ensure_event_table(database)
    query = "INSERT INTO event VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)"
    database.executemany(query, map(_values, events))
    query = "DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - ?"
    database.execute(query, (MAX_EVENTS,))


def read(database: sqlite3.Connection) -> tuple[Event, ...]:
    """All events, oldest first. Raises sqlite3.Error, or StoreError if one is damaged."""
    if not file.has_event_table(database):
        return ()
    found = database.execute(_QUERY).fetchall()
    events = tuple(_parse(found))
    if len(events) < len(found):
        raise StoreError("damaged", file.database_path(database), "an event is not what was stored")
    return events


def salvage(database: sqlite3.Connection) -> Iterator[Event]:
    """The events of a damaged store that are what was stored."""
    with contextlib.suppress(*SQLITE_ERRORS):
        yield from _parse(database.execute(_QUERY))


def _parse(found: Iterable[tuple[Any, ...]]) -> Iterator[Event]:
    """The events whose check value is right."""
    for line, source, boot, monotonic_ms, wall, trusted, kept in found:
        event = Event(line, source, Stamp(boot, monotonic_ms, wall, bool(trusted)))
        if _values(event)[-1] == kept:
            yield event


def _values(event: Event) -> tuple[Any, ...]:
    """The event as the columns of its row."""
    boot, monotonic_ms, wall, trusted = event.stamp
    columns = (event.line, event.source, boot, monotonic_ms, wall, int(trusted))
    return (*columns, sum_of(*columns))
