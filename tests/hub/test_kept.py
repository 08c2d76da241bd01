"""What follows from the log is kept by its name."""

from __future__ import annotations

from scorer.hub.store import kept
from scorer.hub.store.database import Database
from scorer.hub.store.kept import Kept


def test_what_is_kept_is_replaced_and_dropped_by_its_name(database: Database) -> None:
    with database.write() as connection:
        kept.keep(connection, "one", Kept(3, {"a": 1}))
        kept.keep(connection, "two", Kept(5, {}))
        kept.keep(connection, "one", Kept(7, {"a": 2}))
        assert kept.read_kept(connection) == {"one": Kept(7, {"a": 2}), "two": Kept(5, {})}
        kept.drop(connection, "one")
        assert kept.read_kept(connection) == {"two": Kept(5, {})}
        assert [kept.kept_until(connection, name) for name in ("one", "two")] == [0, 5]
