"""The current game as an independent reader of the store finds it."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.records import replay
from scorer.store.archive import Archive, Entered
from scorer.store.journal import StoredRow
from tests.longrun.random_play.table_rig import Box


def stored_game(box: Box) -> replay.CurrentGame:
    """The game that a table would resume, also while the disk refuses the journal."""
    with Archive.open(box.folder) as archive:
        games = {entered.game: entered for entered in archive.games()}
    found = replay.find_current_game(_Read(games))
    assert found is not None
    return found


class _Read:
    """Games that were read at once, with the interface of a journal."""

    def __init__(self, games: dict[int, Entered]) -> None:
        self._games = games

    def games(self) -> Iterator[int]:
        return iter(sorted(self._games, reverse=True))

    def header(self, game: int) -> str:
        return self._games[game].header

    def rows(self, game: int) -> tuple[StoredRow, ...]:
        return self._games[game].rows
