"""What follows from the log up to an entry: a start reads newer entries alone.

Nothing is lost with it: it is computed again by a program of another version, and after a restore
or a rebuild.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from scorer import __version__
from scorer.hall.fields import canonical
from scorer.hub.store.tables import KEPT

VERSION = 1  # a change of what is computed changes it
_PROGRAM = f"{__version__} {VERSION}"


class Kept(NamedTuple):
    """What follows from the entries up to ``until``."""

    until: int
    document: dict[str, Any]


def read_kept(connection: Connection) -> dict[str, Kept]:
    """Everything that this program has kept, by its name."""
    query = select(KEPT.c.name, KEPT.c.until, KEPT.c.document).where(KEPT.c.program == _PROGRAM)
    return {name: Kept(until, json.loads(text)) for name, until, text in connection.execute(query)}


def kept_until(connection: Connection, name: str) -> int:
    """The entry up to which something is kept; 0: it is not."""
    own = KEPT.c.name == name, KEPT.c.program == _PROGRAM
    return int(connection.execute(select(KEPT.c.until).where(*own)).scalar() or 0)


def keep(connection: Connection, name: str, kept: Kept) -> None:
    drop(connection, name)
    document = canonical(kept.document).decode("ascii")
    values = {"name": name, "until": kept.until, "program": _PROGRAM, "document": document}
    connection.execute(insert(KEPT).values(values))


def drop(connection: Connection, name: str) -> None:
    connection.execute(delete(KEPT).where(KEPT.c.name == name))


def drop_all(connection: Connection) -> None:
    connection.execute(delete(KEPT))
