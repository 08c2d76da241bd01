"""What follows from the log up to an entry, and the log by kind."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "kept",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("program", sa.String(80), nullable=False),
        sa.Column("document", sa.Text, nullable=False),
    )
    op.create_index("log_kind", "log", ["kind", "seq"])
