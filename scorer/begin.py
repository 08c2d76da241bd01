"""A table at power-on: its journal, the night that goes on in it, or why there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from scorer.rules import Header
from scorer.session.settings import Settings
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.table import Devices, Outside, Table
from scorer.trouble import TroubleTable


class Beginning(NamedTuple):
    """What a table begins with, besides its devices."""

    header: Header  # of the first game of a new store
    settings: Settings
    language: str  # one that has a catalogue
    now: float
    stamp: Callable[[float], Stamp]
    outside: Outside | None = None


def open_journal(directory: Path, stack: ExitStack) -> Journal | StoreError:
    """The journal, closed again with ``stack``; or what is wrong with it, said to the log."""
    try:
        journal = Journal.open(directory)
    except StoreError as error:
        sys.stderr.write(f"scorer run: {error}\n")
        return error
    stack.callback(journal.close)
    return journal


def begin_table(
    journal: Journal | StoreError, devices: Devices, beginning: Beginning
) -> Table | TroubleTable:
    """The table on its journal; where there is none to be had, one that says why."""
    if isinstance(journal, StoreError):
        return _trouble(journal, devices, beginning)
    header = beginning.header
    names = tuple(header.names.get(side, "") for side in header.rules.sides)
    try:
        return Table(
            journal,
            devices,
            lambda: (header.game(), names),
            stamp=beginning.stamp,
            settings=beginning.settings,
            language=beginning.language,
            now=beginning.now,
            outside=beginning.outside,
        )
    except StoreError as error:
        sys.stderr.write(f"scorer run: {error}\n")
        return _trouble(error, devices, beginning)


def _trouble(error: StoreError, devices: Devices, beginning: Beginning) -> TroubleTable:
    return TroubleTable(
        error.kind,
        devices,
        language=beginning.language,
        now=beginning.now,
        outside=beginning.outside,
    )
