"""Bring the schema of a database up to date with alembic."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from sqlalchemy.engine import Engine

_LOCK = 0x54525543  # of PostgreSQL: one hub process migrates, others wait


def upgrade(engine: Engine) -> None:
    """Run the missing migrations in one transaction. Raises the errors of SQLAlchemy."""
    config = Config()
    config.set_main_option("script_location", "scorer.hub.store:migrations")
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
