"""Whether the games of a store can be replayed through the rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scorer.records.replay import replay_sheet
from scorer.store.archive import Entered


class StoreContent(NamedTuple):
    """The content of a store; ``unplayable``: games that the rules refuse."""

    games: int
    rows: int
    unplayable: tuple[int, ...]


def read_content(entered: Iterable[Entered], *, replay_from: int = 1) -> StoreContent:
    """Count games and rows, and replay the games from the number ``replay_from`` on."""
    games = rows = 0
    unplayable = []
    for each in entered:
        games, rows = games + 1, rows + len(each.rows)
        if each.game >= replay_from and not is_playable(each):
            unplayable.append(each.game)
    return StoreContent(games, rows, tuple(unplayable))


def is_playable(entered: Entered) -> bool:
    """Whether the rules accept the header and every row of a game."""
    try:
        replay_sheet(entered.header, entered.rows)
    except ValueError:
        return False
    return True
