"""An in-process table on the real journal, with fake devices and simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from scorer.hw.ports import Edge
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.table.observers import StateObserver
from scorer.table.simulated_table import SimulatedTable
from scorer.table.startup import StoreHolder
from scorer.table.table import Table
from tests.support.memory_hardware import MemoryHardware

START = 100.0  # seconds
BOOT = "3b241101-e2bb-4255-8caf-4136c566a962"
WALL = "2026-05-01T21:00:00+00:00"


class Started(NamedTuple):
    """A table, with its journal or the reason why there is none."""

    table: Table
    journal: Journal | StoreError


@contextmanager
def started(folder: Path, outside: StateObserver | None = None) -> Iterator[Started]:
    """An argentine table on the store in ``folder``, for the duration of the block."""
    with ExitStack() as stack:
        store = StoreHolder(folder, stack)
        hardware = MemoryHardware(start=START)
        simulated = SimulatedTable(
            'table.variant = "argentine"', hardware, store, stamp, observer=outside
        )
        stack.callback(simulated.close)
        yield Started(simulated.table, store.journal)


def stamp(now: float) -> Stamp:
    """A stamp derived from the simulated time."""
    return Stamp(BOOT, int(now * 1000), WALL, trusted=True)


def press(table: Table, button: str, at: float) -> None:
    """A short tap on a button, and the time until it is processed."""
    table.handle_edge(Edge(at, button, down=True))
    table.handle_edge(Edge(at + 0.1, button, down=False))
    table.tick(at + 0.5)
