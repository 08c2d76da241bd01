"""Read the games of a store one after another, beside a table that may be writing.

It creates no file and writes no row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
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


class _ReadOnlyStore:
    """A store open for reading. Every method but ``close`` raises StoreError."""

    def __init__(self, path: Path, connector: file.Connect = file.connect_read_only) -> None:
        """``connector``: for a file that no program writes, ``file.connect_immutable``."""
        self._path = path
        self._database = file.open_read_only(path, connector)

    @classmethod
    def open(cls, directory: Path) -> Self:
        """Open the store in ``directory``, which must exist."""
        return cls(directory / file.FILE_NAME)

    def newest_game(self) -> int:
        """The highest game number, 0 if there is none."""
        with self._reading() as database:
            return rows.newest(database)[1]

    def close(self) -> None:
        """Close the file; idempotent."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._database
        except SQLITE_ERRORS as error:
            raise from_sqlite(error, self._path) from error


class Archive(_ReadOnlyStore):
    """All games of a store, one after another."""

    def games(self) -> Iterator[Entered]:
        """All games, oldest first, read lazily: at most one game is in memory."""
        game = 0
        while (found := self._after(game)) is not None:
            yield found
            game = found.game

    def _after(self, game: int) -> Entered | None:
        with self._reading() as database:
            query = "SELECT id FROM game WHERE id > ? ORDER BY id LIMIT 1"
            found = database.execute(query, (game,)).fetchone()
            if found is None:
                return None
            (number,) = found
            rows.game_before(database, number)
            header = rows.header(database, number)
            return Entered(number, header, rows.of_game(database, number))


class NumberedGames(_ReadOnlyStore):
    """The games of a store by number, as a journal reads them."""

    @property
    def directory(self) -> Path:
        """The folder of the store."""
        return self._path.parent

    def program(self) -> file.NeededProgram:
        """The program that this store needs."""
        with self._reading() as database:
            return file.read_program(database)

    def games(self) -> Iterator[int]:
        """All games, newest first, read lazily."""
        game = self.newest_game() or None
        while game is not None:
            yield game
            with self._reading() as database:
                game = rows.game_before(database, game)

    def header(self, game: int) -> str:
        """The header a game was opened with. Raises KeyError for an unknown game."""
        with self._reading() as database:
            return rows.header(database, game)

    def rows(self, game: int) -> tuple[StoredRow, ...]:
        """The rows of one game in order."""
        with self._reading() as database:
            return rows.of_game(database, game)
