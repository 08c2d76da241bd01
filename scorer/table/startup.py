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
    outside: Outside | None = None
    applied: Applied | None = None  # what was chosen on the box, where anything may be
    choose: Choose | None = None
    anew: bool = False
    asks_first: bool = False
    salvaged: Salvaged | None = None  # what is left of a damaged store
    exchanged: bool = False
    again: Callable[[], bool] = lambda: False  # can what was wrong with the store be got over?


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


class Keeping:
    """The journal that a table goes on with, or what is wrong with it; closed with ``stack``.

    A damaged store is salvaged, by itself: whoever stands at the table cannot do it.
    """

    def __init__(self, directory: Path, stack: ExitStack) -> None:
        self._directory, self._stack = directory, stack
        self._said = ""
        self.salvaged: Salvaged | None = None
        self.exchanged = False  # somebody put another store there while a table was running
        self.journal = self._opened()

    def again(self) -> bool:
        """Whether a table can be had now where there was none. What is damaged stays as it is."""
        if isinstance(self.journal, Journal):
            try:
                self.journal.try_writing()
            except StoreError:
                return False
            return True
        if self.journal.kind != "damaged":
            self.journal = self._opened()
        return isinstance(self.journal, Journal)

    def pull_the_plug(self) -> None:
        """Ends this process without closing the store, for another one lies in its place.

        There is no other way to let go of a file without writing into it. Whoever started this
        process starts the next one, which goes on with what lies there.
        """
        if isinstance(self.journal, Journal):
            self.journal.step_aside()
        os.kill(os.getpid(), signal.SIGKILL)

    def _opened(self) -> Journal | StoreError:
        try:
            journal, self.salvaged = open_sound(self._directory, replay.running, replay.playable)
        except StoreError as error:
            self._say(str(error))
            return error
        if self.salvaged is not None:
            self._say(f"{self._directory}: the store was damaged; {_told(self.salvaged)}")
        self._stack.callback(journal.close)
        with suppress(OSError):
            self.exchanged = was_exchanged(self._directory)
        return journal

    def _say(self, sentence: str) -> None:
        """To the log, once as long as it stays the same."""
        if sentence != self._said:
            sys.stderr.write(f"scorer run: {sentence}\n")
            self._said = sentence


def _told(salvaged: Salvaged) -> str:
    games, kept, lost, aside = salvaged
    return f"{kept} rows of {games} games are kept, {lost} are lost, the old file is {aside}"


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
    if beginning.exchanged:
        table.tell("exchanged", beginning.now)
    if beginning.salvaged is not None:
        kept, lost = beginning.salvaged.kept, beginning.salvaged.lost
        table.marks.add("salvaged")
        table.tell("salvaged", beginning.now, f"{kept}/{kept + lost}")
    return table


def _trouble(error: StoreError, devices: Devices, beginning: Beginning) -> TroubleTable:
    return TroubleTable(
        error.kind,
        devices,
        language=beginning.language,
        now=beginning.now,
        outside=beginning.outside,
        again=beginning.again,
    )
