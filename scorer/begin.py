"""A table at power-on: its journal, the night that goes on in it, or why there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from scorer.config import ConfigError
from scorer.layers import Kept, Settled, choose, is_chosen, is_silent
from scorer.locale import LANGUAGES, known
from scorer.outside import Outside
from scorer.rules import Header
from scorer.session.box import Box, Choice
from scorer.session.settings import Settings
from scorer.showing import Devices
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.table import Applied, Table
from scorer.trouble import TroubleTable

Choose = Callable[[Sequence[Choice]], Applied | None]


class Beginning(NamedTuple):
    """What a table begins with, besides its devices."""

    header: Header  # of the first game of a new store
    settings: Settings
    language: str  # one that has a catalogue
    now: float
    stamp: Callable[[float], Stamp]
    outside: Outside | None = None
    applied: Applied | None = None  # what was chosen on the box, where anything may be
    choose: Choose | None = None
    anew: bool = False
    asks_first: bool = False


class Careful:
    """Settings that are read where there are any, and kept where that is possible."""

    def __init__(self, journal: Journal | StoreError) -> None:
        self._journal = journal

    def settings(self) -> dict[str, str]:
        return {} if isinstance(self._journal, StoreError) else self._journal.settings()

    def set_setting(self, key: str, value: str) -> None:
        """A card that is full must not keep a table from starting; the panel tells it later."""
        if isinstance(self._journal, Journal):
            with suppress(StoreError):
                self._journal.set_setting(key, value)


def applied_of(settled: Settled) -> Applied:
    """What a table takes up of a configuration."""
    config = settled.config
    has_house = is_chosen(settled, "table", "variant") or is_chosen(settled, "table", "house")
    box = Box(
        languages=LANGUAGES,
        language=known(config.table.language),
        sound=config.sound.on,
        rules=config.header.rules if has_house else None,
    )
    names = config.table.names if is_chosen(settled, "table", "names") else None
    return Applied(config.settings, box, names)


def chooser(owners: str, kept: Kept) -> Choose:
    """Keeps what is chosen at a table over the owner's text. What it returns raises StoreError."""

    def keep(choices: Sequence[Choice]) -> Applied | None:
        try:
            return applied_of(choose(owners, kept, choices))
        except ConfigError:
            return None

    return keep


def asks_first(settled: Settled) -> bool:
    """Has nobody ever said what is played here?"""
    return is_silent(settled, "table")


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
    spoken = Applied(beginning.settings, Box(languages=LANGUAGES, language=beginning.language))
    try:
        table = Table(
            journal,
            devices,
            lambda: (header.game(), names),
            stamp=beginning.stamp,
            applied=beginning.applied or spoken,
            now=beginning.now,
            outside=beginning.outside,
            anew=beginning.anew,
            asks_first=beginning.asks_first,
        )
    except StoreError as error:
        sys.stderr.write(f"scorer run: {error}\n")
        return _trouble(error, devices, beginning)
    if beginning.choose is not None:
        table.choose = beginning.choose
    return table


def _trouble(error: StoreError, devices: Devices, beginning: Beginning) -> TroubleTable:
    return TroubleTable(
        error.kind,
        devices,
        language=beginning.language,
        now=beginning.now,
        outside=beginning.outside,
    )
