"""Bring the schema of a database up to date with alembic."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import inspect
from sqlalchemy.engine import Engine

from scorer.hub.store import log
from scorer.hub.store.tables import METADATA

NEWER = "another Truco Scorer has written it: update this one; nothing in it is changed"
_LOCK = 0x54525543  # of PostgreSQL: one hub process migrates, others wait
_VERSION_TABLE = "alembic_version"


class SchemaError(Exception):
    """The database is not one that this program can use; the text says why."""


def upgrade(engine: Engine, *, may_be_empty: bool) -> None:
    """Run the missing migrations in one transaction.

    Raises SchemaError, which leaves the database as it was, and the errors of the driver.
    """
    config = Config()
    config.set_main_option("script_location", "scorer.hub.store:migrations")
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        names = inspect(connection).get_table_names()
        if _VERSION_TABLE not in names and (names or not may_be_empty):
            raise SchemaError("it is not that of a hub")
        if _VERSION_TABLE in names and {*names} - {*METADATA.tables, _VERSION_TABLE}:
            # A copy would lack the table, and a restored one would be without it.
            raise SchemaError(NEWER)
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError:
            raise SchemaError(NEWER) from None
        # A decision that is left out would change what follows from the log.
        if log.has_unknown_words(connection) and log.find_break(connection) is None:
            raise SchemaError(NEWER)
