"""An in-process table on the real journal, with fake devices and simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from scorer.config.loader import default_config
from scorer.config.sources import resolve
from scorer.hw.outputs.memory import MemoryBuzzer
from scorer.hw.ports import Edge
from scorer.session.input.keymap import buttons
from scorer.session.values.settings import Layout
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.table.observers import StateObserver
from scorer.table.outputs import Devices
from scorer.table.panels import Panel, SyncRenderer
from scorer.table.startup import (
    StartupOptions,
    StoreHolder,
    TolerantSettings,
    applied_settings,
    start_table,
)
from scorer.table.store_failure import StoreFailureTable
from scorer.table.table import Table
from tests.support import memory_display
from tests.support.scripted_input import Options as Lines
from tests.support.scripted_input import ScriptedInput

START = 100.0  # seconds
BOOT = "3b241101-e2bb-4255-8caf-4136c566a962"
WALL = "2026-05-01T21:00:00+00:00"


class Started(NamedTuple):
    """A table, or the store-failure table, with its journal."""

    table: Table | StoreFailureTable
    journal: Journal | StoreError


@contextmanager
def started(folder: Path, outside: StateObserver | None = None) -> Iterator[Started]:
    """An argentine table on the store in ``folder``, for the duration of the block."""
    with ExitStack() as stack:
        store = StoreHolder(folder, stack)
        inputs = ScriptedInput(Lines(buttons(Layout.FULL, 2)))
        inputs.open(lambda edge: None)
        panels = [Panel("A", memory_display.MemoryDisplay(memory_display.Options((128, 64))))]
        drawing = SyncRenderer(panels)
        stack.callback(drawing.close)
        settled = resolve("", None, TolerantSettings(store.journal))
        beginning = StartupOptions(
            header=default_config().header,
            settings=settled.config.settings,
            language="es-AR",
            now=START,
            stamp=stamp,
            observer=outside,
            applied=applied_settings(settled),
            salvaged=store.salvaged,
        )
        devices = Devices(inputs, panels, drawing, {}, MemoryBuzzer())
        table = start_table(store.journal, devices, beginning)
        table.tick(START)
        yield Started(table, store.journal)


def stamp(now: float) -> Stamp:
    """A stamp derived from the simulated time."""
    return Stamp(BOOT, int(now * 1000), WALL, trusted=True)


def press(table: Table | StoreFailureTable, button: str, at: float) -> None:
    """A short tap on a button, and the time until it is processed."""
    table.handle_edge(Edge(at, button, down=True))
    table.handle_edge(Edge(at + 0.1, button, down=False))
    table.tick(at + 0.5)
