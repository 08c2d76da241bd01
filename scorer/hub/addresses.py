"""Addresses of boxes and desks, which may do more than a stranger.

An address is known once a token or a session of this hub came from it. Known ones are kept in the
database: after a restart, all boxes of a hall come back at once, perhaps behind one address.
"""

from __future__ import annotations

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from scorer.hub.store.tables import ADDRESS

MAX_ADDRESSES = 4000  # the newest ones


class Addresses:
    """The known addresses of this process."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def is_known(self, address: str) -> bool:
        return address in self._known

    def load(self, connection: Connection) -> None:
        """Read those of the database."""
        self._known |= {*connection.execute(select(ADDRESS.c.address)).scalars()}

    def add(self, address: str) -> None:
        """Know an address from now on."""
        self._known.add(address)

    def store(self, connection: Connection, address: str, at: str) -> None:
        """Let the database know it, too."""
        connection.execute(delete(ADDRESS).where(ADDRESS.c.address == address))
        connection.execute(insert(ADDRESS).values(address=address, at=at))
        newest = select(ADDRESS.c.address).order_by(ADDRESS.c.at.desc(), ADDRESS.c.address)
        for old in connection.execute(newest.offset(MAX_ADDRESSES)).scalars().all():
            connection.execute(delete(ADDRESS).where(ADDRESS.c.address == old))
            self._known.discard(old)
