"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "log",
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("prev", sa.String(64), nullable=False),
    )
    head = op.create_table(
        "log_head",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("projections", sa.Integer, nullable=False),
    )
    op.execute(head.insert().values(id=1, seq=0, digest="", projections=1))
    op.create_table(
        "stream",
        *_stream_key(),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("tip", sa.String(16), nullable=False),
    )
    op.create_table(
        "opening",
        *_stream_key(),
        sa.Column("game", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.Column("header", sa.Text, nullable=False),
    )
    op.create_table(
        "row",
        *_stream_key(),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("game", sa.BigInteger, nullable=False),
        sa.Column("press", sa.BigInteger, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("boot", sa.Text, nullable=False),
        sa.Column("monotonic_ms", sa.BigInteger, nullable=False),
        sa.Column("wall", sa.Text, nullable=False),
        sa.Column("trusted", sa.Boolean, nullable=False),
        sa.Column("digest", sa.String(16), nullable=False),
    )
    op.create_table(
        "secret",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "presence",
        sa.Column("device", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("epoch", sa.String(16), nullable=False),
        sa.Column("machine", sa.Text, nullable=False),
        sa.Column("program", sa.Text, nullable=False),
        sa.Column("greeted_ms", sa.BigInteger, nullable=False),
        sa.Column("newest", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.String(16), nullable=False),
        sa.Column("echo", sa.String(16), nullable=False),
    )
    _create_projections()


def _create_projections() -> None:
    op.create_table(
        "device",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("next_key", sa.String(64), nullable=False),
        sa.Column("renew_epoch", sa.String(16), nullable=False),
        sa.Column("renew_machine", sa.Text, nullable=False),
        sa.Column("table_number", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("machine", sa.Text, nullable=False),
        sa.UniqueConstraint("key", name="device_key"),
    )
    # Every request looks for its token in both columns.
    op.create_index("device_next_key", "device", ["next_key"])
    op.create_table(
        "hold",
        *_stream_key(),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("alarm", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "alarm",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("device", sa.BigInteger, nullable=False),
        sa.Column("epoch", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("machines", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("resolved", sa.String(20), nullable=False),
    )
    op.create_table(
        "card",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("table_number", sa.Integer, nullable=False),
        sa.Column("device", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "person",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("password", sa.Text, nullable=False),
    )
    op.create_table(
        "desired",
        sa.Column("device", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("rev", sa.BigInteger, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
    )


def _stream_key() -> tuple[sa.Column[int], sa.Column[str]]:
    return (
        sa.Column("device", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("epoch", sa.String(16), primary_key=True),
    )
