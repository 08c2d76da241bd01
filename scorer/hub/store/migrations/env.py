"""Run by alembic: apply the migrations on the connection that ``migrate`` passes."""

from __future__ import annotations

from alembic import context

# Only alembic sets it; an import alone applies nothing.
_config = getattr(context, "config", None)
if _config is not None:
    context.configure(connection=_config.attributes["connection"])
    context.run_migrations()
