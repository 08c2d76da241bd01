"""Results that the desk reads from panels."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "result",
        sa.Column("rev", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("device", sa.BigInteger, nullable=False),
        sa.Column("match_id", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("phase", sa.String(20), nullable=False),
        sa.Column("names", sa.Text, nullable=False),
        sa.Column("games", sa.Text, nullable=False),
        sa.Column("points", sa.Text, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
    )
