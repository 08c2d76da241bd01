"""A table at power-on: its journal, the night that goes on in it, or why there is none."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from scorer.config.sources import Kept, Settled, choose, is_chosen, is_silent
from scorer.config.toml_reader import ConfigError
from scorer.i18n import LANGUAGES, known
from scorer.records import replay
from scorer.rules import Header
from scorer.session.settings import Settings
from scorer.session.setup.box_settings import Box, Choice
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.store.open_or_salvage import open_sound
from scorer.store.replaced_detector import was_exchanged
from scorer.store.salvage import Salvaged
from scorer.table.observers import Outside
from scorer.table.outputs import Devices
from scorer.table.store_failure import TroubleTable
from scorer.table.table import Applied, Table

Choose = Callable[[Sequence[Choice]], Applied | None]


class Beginning(NamedTuple):
    """What a table begins with, besides its devices."""

    header: Header  # of the first game of a new store
    settings: Settings
    language: str  # one that has a catalogue
    now: float
    stamp: Callable[[float], Stamp]
    observer: Outside | None = None
    applied: Applied | None = None  # what was chosen on the box, where anything may be
    save_choices: Choose | None = None
    is_restart: bool = False
    needs_first_run: bool = False
    salvaged: Salvaged | None = None  # what is left of a damaged store
    store_replaced: bool = False
    can_recover: Callable[[], bool] = lambda: (
        False
    )  # can what was wrong with the store be got over?


class Careful:
    """Settings that are read where there are any, and kept where that is possible."""

    def __init__(self, journal: Journal | StoreError) -> None:
        self._journal = journal

    def settings(self) -> dict[str, str]:
        """What is kept; nothing where it cannot be read now, which the panel tells soon enough."""
        if isinstance(self._journal, Journal):
            with suppress(StoreError):
                return self._journal.settings()
        return {}

    def set_setting(self, key: str, value: str) -> None:
        """A card that is full must not keep a table from starting; the panel tells it later."""
        if isinstance(self._journal, Journal):
            with suppress(StoreError):
                self._journal.set_setting(key, value)


def applied_of(resolved: Settled) -> Applied:
    """What a table takes up of a configuration."""
    config = resolved.config
    has_house = is_chosen(resolved, "table", "variant") or is_chosen(resolved, "table", "house")
    box = Box(
        languages=LANGUAGES,
        language=known(config.table.language),
        sound=config.sound.on,
        rules=config.header.rules if has_house else None,
    )
    names = config.table.names if is_chosen(resolved, "table", "names") else None
    return Applied(config.settings, box, names)


def chooser(owner_text: str, store: Kept) -> Choose:
    """Keeps what is chosen at a table over the owner's text. What it returns raises StoreError."""

    def keep(choices: Sequence[Choice]) -> Applied | None:
        try:
            return applied_of(choose(owner_text, store, choices))
        except ConfigError:
            return None

    return keep


def asks_first(resolved: Settled) -> bool:
    """Has nobody ever said what is played here?"""
    return is_silent(resolved, "table")


class Keeping:
    """The journal that a table goes on with, or what is wrong with it; closed with ``stack``.

    A damaged store is salvaged, by itself: whoever stands at the table cannot do it.
    """

    def __init__(self, directory: Path, stack: ExitStack) -> None:
        self._directory, self._stack = directory, stack
        self._last_message = ""
        self.salvaged: Salvaged | None = None
        self.store_replaced = False  # somebody put another store there while a table was running
        self.journal = self._open()

    def retry_open(self) -> bool:
        """Whether a table can be had now where there was none. What is damaged stays as it is."""
        if isinstance(self.journal, Journal):
            try:
                self.journal.check_writable()
            except StoreError:
                return False
            return True
        if self.journal.kind != "damaged":
            self.journal = self._open()
        return isinstance(self.journal, Journal)

    def kill_process(self) -> None:
        """Ends this process without closing the store, for another one lies in its place.

        There is no other way to let go of a file without writing into it. Whoever started this
        process starts the next one, which goes on with what lies there.
        """
        if isinstance(self.journal, Journal):
            self.journal.abandon()
        os.kill(os.getpid(), signal.SIGKILL)

    def _open(self) -> Journal | StoreError:
        try:
            journal, self.salvaged = open_sound(self._directory, replay.running, replay.playable)
        except StoreError as error:
            self._log_once(str(error))
            return error
        if self.salvaged is not None:
            self._log_once(f"{self._directory}: the store was damaged; {_told(self.salvaged)}")
        self._stack.callback(journal.close)
        with suppress(OSError):
            self.store_replaced = was_exchanged(self._directory)
        return journal

    def _log_once(self, message: str) -> None:
        """To the log, once as long as it stays the same."""
        if message != self._last_message:
            sys.stderr.write(f"scorer run: {message}\n")
            self._last_message = message


def _told(salvaged: Salvaged) -> str:
    games, kept, lost, aside = salvaged
    return f"{kept} rows of {games} games are kept, {lost} are lost, the old file is {aside}"


def begin_table(
    journal: Journal | StoreError, devices: Devices, options: Beginning
) -> Table | TroubleTable:
    """The table on its journal; where there is none to be had, one that says why."""
    if isinstance(journal, StoreError):
        return _trouble(journal, devices, options)
    header = options.header
    names = tuple(header.names.get(side, "") for side in header.rules.scoring_sides)
    spoken = Applied(options.settings, Box(languages=LANGUAGES, language=options.language))
    try:
        table = Table(
            journal,
            devices,
            lambda: (header.game(), names),
            stamp=options.stamp,
            applied=options.applied or spoken,
            now=options.now,
            observer=options.observer,
            is_restart=options.is_restart,
            needs_first_run=options.needs_first_run,
        )
    except StoreError as error:
        sys.stderr.write(f"scorer run: {error}\n")
        return _trouble(error, devices, options)
    if options.save_choices is not None:
        table.save_choices = options.save_choices
    if options.store_replaced:
        table.show_notice("exchanged", options.now)
    if options.salvaged is not None:
        kept, lost = options.salvaged.kept_rows, options.salvaged.lost_rows
        table.marks.add("salvaged")
        table.show_notice("salvaged", options.now, f"{kept}/{kept + lost}")
    return table


def _trouble(error: StoreError, devices: Devices, options: Beginning) -> TroubleTable:
    return TroubleTable(
        error.kind,
        devices,
        language=options.language,
        now=options.now,
        observer=options.observer,
        can_recover=options.can_recover,
    )
