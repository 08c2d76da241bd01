"""The sessions of the desk: who is logged in.

They are kept in the database, and are valid in every process of a hub.
A cookie has a random token, the database its SHA-256. A session ends after SESSION_SECONDS, when it
is ended, or when password or role change. Its seconds are those of a clock that is never set: a
machine without a battery begins with a wrong hour, which jumps as soon as the network gives it. How
long a session lasted before a restart is known only if the hour was right then and is right now.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.engine import Connection

from scorer.hub.passwords import Person
from scorer.hub.store.tables import LOGIN, PERSON
from scorer.hub.times import Clock, seconds_of

SESSION_SECONDS = 16 * 3600.0  # one day of a tournament
MAX_SESSIONS = 20  # of a person; the oldest makes room
_ID_DIGITS = 12  # that name a session on the page


class Login(NamedTuple):
    """Who has a session."""

    name: str
    role: str
    id: str


class ListedSession(NamedTuple):
    """A session as the desk lists it. ``at``: since when, ISO."""

    id: str
    name: str
    role: str
    address: str
    at: str


class Logins:
    """The sessions; the methods run in a transaction of the database."""

    def __init__(self, clock: Clock, monotonic: Callable[[], float]) -> None:
        """``monotonic``: seconds that no clock changes."""
        self._clock, self._monotonic = clock, monotonic
        self._ends: dict[str, float] = {}  # by key, in seconds of the monotonic clock

    def open(self, connection: Connection, person: Person, address: str, token: str) -> None:
        """Begin a session of ``token``, 32 random hexadecimal digits."""
        # Delete the sessions that are over, and the oldest of a person that has too many.
        rows = connection.execute(_ALL.order_by(LOGIN.c.at.desc())).all()
        live = [row for row in rows if self._is_live(row)]
        own = [row.key for row in live if row.name == person.name]
        kept = {row.key for row in live} - {*own[MAX_SESSIONS - 1 :]}
        for key in connection.execute(select(LOGIN.c.key)).scalars().all():
            if key not in kept:
                self._end(connection, key)
        values = {
            "key": _key_of(token),
            "name": person.name,
            "stamp": _stamp(person.role, person.password),
            "address": address,
            "at": self._clock.utc(),
            "trusted": self._clock.is_trusted,
        }
        connection.execute(LOGIN.insert().values(values))
        self._ends[_key_of(token)] = self._monotonic() + SESSION_SECONDS

    def find(self, connection: Connection, token: str) -> Login | None:
        """Who has this token, or None."""
        row = connection.execute(_ALL.where(LOGIN.c.key == _key_of(token))).first()
        if row is None or not self._is_live(row):
            return None
        return Login(row.name, row.role, row.key[:_ID_DIGITS])

    def end(self, connection: Connection, id: str) -> None:
        """End the session that ``id`` names."""
        found = connection.execute(select(LOGIN.c.key)).scalars()
        for key in [key for key in found if key[:_ID_DIGITS] == id]:
            self._end(connection, key)

    def listed(self, connection: Connection) -> list[ListedSession]:
        """The sessions, oldest first."""
        rows = connection.execute(_ALL.order_by(LOGIN.c.at, LOGIN.c.key)).all()
        return [
            ListedSession(row.key[:_ID_DIGITS], row.name, row.role, row.address, row.at)
            for row in rows
            if self._is_live(row)
        ]

    def _is_live(self, row: Any) -> bool:  # noqa: ANN401
        """Whether the password is the same and the time is not over."""
        if row.stamp != _stamp(row.role, row.password):
            return False
        if row.key not in self._ends:
            age = 0.0
            if row.trusted and self._clock.is_trusted:
                age = max(0.0, self._clock.time() - seconds_of(row.at))
            self._ends[row.key] = self._monotonic() + SESSION_SECONDS - age
        return self._monotonic() < self._ends[row.key]

    def _end(self, connection: Connection, key: str) -> None:
        connection.execute(delete(LOGIN).where(LOGIN.c.key == key))
        self._ends.pop(key, None)


_ALL = select(LOGIN, PERSON.c.role, PERSON.c.password).join(PERSON, PERSON.c.name == LOGIN.c.name)


def _key_of(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _stamp(role: str, password: str) -> str:
    """Changes with role and password."""
    return hashlib.sha256(f"{role}\n{password}".encode()).hexdigest()
