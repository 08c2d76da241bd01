"""The migrations of the hub's database, run by alembic."""
