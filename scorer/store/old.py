"""Stores of older versions, seen as if they were of this one; nothing of them is changed.

Version 1 had no check values: they are computed from what is there, so that nothing is found
wrong. It must never write into a store.
"""

from __future__ import annotations

import sqlite3

from scorer.store.sums import sum_of

# Temporary views stand before tables of the same name.
_VIEWS = """
CREATE TEMP VIEW journal AS
  SELECT seq, game, press, line, source, boot, monotonic_ms, wall, trusted, late,
  sum_of(seq, game, press, line, source, boot, monotonic_ms, wall, trusted) AS sum
  FROM main.journal;
CREATE TEMP VIEW linked AS SELECT id, header, opened,
  coalesce((SELECT max(id) FROM main.game AS other WHERE other.id < one.id), 0) AS before
  FROM main.game AS one;
CREATE TEMP VIEW game AS SELECT *, sum_of(id, header, opened, before) AS sum, -1 AS tip
  FROM linked;
CREATE TEMP VIEW newest AS SELECT coalesce(max(id), 0) AS game, -1 AS settings FROM main.game;
CREATE TEMP VIEW setting AS SELECT key, value, sum_of(key, value) AS sum FROM main.setting;
"""


def is_old(database: sqlite3.Connection) -> bool:
    """Is this what version 1 wrote, whatever number it bears? It kept no account of the newest."""
    query = "SELECT count(*) FROM main.sqlite_master WHERE name = 'newest'"
    (found,) = database.execute(query).fetchone()
    return not found


def seen_as_new(database: sqlite3.Connection) -> None:
    """What is read through ``database`` from now on looks like a store of this version."""
    database.create_function("sum_of", -1, sum_of, deterministic=True)
    database.executescript(_VIEWS)
