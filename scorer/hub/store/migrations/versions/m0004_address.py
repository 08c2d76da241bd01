"""Addresses of boxes and desks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "address",
        sa.Column("address", sa.String(80), primary_key=True),
        sa.Column("at", sa.String(40), nullable=False),
    )
