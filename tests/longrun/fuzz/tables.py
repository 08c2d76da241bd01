"""An in-process table on the real journal, with fake devices and simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from scorer.hw.ports import Edge
from scorer.store.journal import Journal, StoreError
from scorer.table.observers import StateObserver
from scorer.table.table import Table
from tests.support.in_process_table import table_in_process


class Started(NamedTuple):
    """A table, with its journal or the reason why there is none."""

    table: Table
    journal: Journal | StoreError


@contextmanager
def started(folder: Path, outside: StateObserver | None = None) -> Iterator[Started]:
    """An argentine table on the store in ``folder``, for the duration of the block."""
    with table_in_process(folder, observer=outside) as night:
        yield Started(night.table, night.store.journal)


def press(table: Table, button: str, at: float) -> None:
    """A short tap on a button, and the time until it is processed."""
    table.handle_edge(Edge(at, button, down=True))
    table.handle_edge(Edge(at + 0.1, button, down=False))
    table.tick(at + 0.5)
