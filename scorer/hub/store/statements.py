"""Statements that run with every row of a table, by the cursor of the driver.

SQLAlchemy compiles them, once for each kind of database. Its own execution of a statement costs ten
times as much as SQLite's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy.engine import Connection
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ClauseElement

from scorer.hub.store.database import Record


class _Compiled(NamedTuple):
    """``names``: of the parameters by position, or None if they go by name."""

    text: str
    names: tuple[str, ...] | None


class Statement:
    """A statement of SQLAlchemy whose parameters have no types to convert."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, _Compiled] = {}  # by the name of the dialect

    def run(self, connection: Connection, values: Sequence[Record]) -> list[tuple[Any, ...]]:
        """Run it once for each of ``values``; what it finds, for a single one.

        The errors of the driver become DatabaseError outside the transaction.
        """
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            found = self._statement.compile(dialect=dialect)
            assert isinstance(found, SQLCompiler)
            by_place = tuple(found.positiontup or ()) if found.positional else None
            self._compiled[dialect.name] = _Compiled(str(found), by_place)
        text, names = self._compiled[dialect.name]
        rows = values if names is None else [tuple(each[name] for name in names) for each in values]
        cursor = connection.connection.cursor()
        try:
            if len(rows) == 1:
                cursor.execute(text, rows[0])
            else:
                cursor.executemany(text, rows)
            return [*cursor.fetchall()] if cursor.description else []
        finally:
            cursor.close()
