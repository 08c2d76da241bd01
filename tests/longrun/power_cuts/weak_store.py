"""A table with a weakened store: the control that the checks detect losses.

``python -m tests.longrun.power_cuts.weak_store HOW run ...`` runs ``scorer run ...`` with it. It
patches one function of the store in this process only.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from scorer import cli
from scorer.store import file

# The log is synced before a checkpoint and not at every commit.
WAYS = {"normal": "NORMAL"}


def weaken(how: str) -> None:
    """Weaken every store of this process. Raises KeyError for an unknown way."""
    synchronous = WAYS[how]

    def make_lasting(database: sqlite3.Connection, path: Path) -> None:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(f"PRAGMA synchronous = {synchronous}")
        database.execute(f"PRAGMA wal_autocheckpoint = {file.CHECKPOINT}")
        database.execute("PRAGMA foreign_keys = ON")

    file._make_durable = make_lasting


if __name__ == "__main__":
    weaken(sys.argv[1])
    sys.argv[1:2] = []
    sys.exit(cli.main())
