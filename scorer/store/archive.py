"""Read the games of a store one after another, beside a table that may be writing.

It creates no file and writes no row.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

from scorer.store import file, rows
from scorer.store.errors import SQLITE_ERRORS, from_sqlite
from scorer.store.rows import StoredRow


class Entered(NamedTuple):
    """One game as entered: its header and all rows, undone ones too."""

    game: int
    header: str
    rows: tuple[StoredRow, ...]


class Archive:
    """A store open for reading. Every method but ``close`` raises StoreError."""

    def __init__(self, path: Path, connector: file.Connect = file.connect_read_only) -> None:
        """``connector``: for a file that no program writes, ``file.connect_immutable``."""
        self._path = path
        self._database = file.open_read_only(path, connector)

    @classmethod
    def open(cls, directory: Path) -> Self:
        """Open the store in ``directory``, which must exist."""
        return cls(directory / file.FILE_NAME)

    def games(self) -> Iterator[Entered]:
        """All games, oldest first, read lazily: at most one game is in memory."""
        game = 0
        while (found := self._after(game)) is not None:
            yield found
            game = found.game

    def newest_game(self) -> int:
        """The highest game number, 0 if there is none."""
        try:
            return rows.newest(self._database)[1]
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, self._path) from error

    def close(self) -> None:
        """Close the file; idempotent."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _after(self, game: int) -> Entered | None:
        try:
            query = "SELECT id FROM game WHERE id > ? ORDER BY id LIMIT 1"
            found = self._database.execute(query, (game,)).fetchone()
            if found is None:
                return None
            (number,) = found
            rows.game_before(self._database, number)
            header = rows.header(self._database, number)
            return Entered(number, header, rows.of_game(self._database, number))
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, self._path) from error
