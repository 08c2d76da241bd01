"""Sessions of the desk."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "login",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("stamp", sa.String(64), nullable=False),
        sa.Column("address", sa.String(80), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("trusted", sa.Boolean, nullable=False),
    )
