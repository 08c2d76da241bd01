"""A store written before the options of rules.md#begun-before existed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from scorer.rules import Game, state_document
from scorer.store import file

_SQL = Path(__file__).with_name("store_before.sql")
EPOCH = "0123456789abcdef"
LAST, TIP = 36, "46a17e3a9b8fb0fa"  # the newest row, and its digest at the hub of that version
BEFORE = "flor_announced=compares contraflor_pays=six falta_cap=false"
# What that version said of each game.
PLAYED: dict[int, dict[str, Any]] = {
    1: {"score": (38, 42), "games": (0, 1), "phase": "match_over", "winner": "B"},
    2: {"score": (1, 10), "games": (1, 0), "phase": "hand_over", "winner": None},
    3: {"score": (27, 25), "games": (0, 0), "phase": "hand_over", "winner": None},
    4: {"score": (2, 0), "games": (0, 0), "phase": "hand_over", "winner": None},
    5: {"score": (6, 11), "games": (0, 0), "phase": "pending_flor", "winner": None},
}


def make_store(folder: Path) -> Path:
    folder.mkdir()
    with closing(sqlite3.connect(folder / file.FILE_NAME, isolation_level=None)) as database:
        database.executescript(_SQL.read_text(encoding="utf-8"))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


def said_of(game: Game) -> dict[str, Any]:
    """What the state document says of a game, as in ``PLAYED``."""
    document = state_document(game)
    lists = {key: tuple(document[key].values()) for key in ("score", "games")}
    return {**lists, "phase": document["phase"], "winner": document["winner"]}
