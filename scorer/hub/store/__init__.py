"""The hub's database: SQLite as installed, PostgreSQL by configuration."""
