"""Start a table at power-on from its journal, or a failure screen without one."""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from scorer.api.backup_protocol import RESTORED, BackupReport, BackupResult
from scorer.api.marks import Mark
from scorer.config import time_zone
from scorer.config.page_file import NO_PAGE, PageSettings
from scorer.config.sources import ResolvedConfig, SettingsStore, is_chosen, is_for_the_box
from scorer.config.sources import save_choices as choose
from scorer.config.toml_reader import ConfigError
from scorer.i18n import languages, nearest_language
from scorer.records import replay
from scorer.records.game_log import GAME_KEYS
from scorer.rules import Header
from scorer.session.values.box_settings import BoxSettings, Choice
from scorer.session.values.keys import NoticeKey
from scorer.session.values.settings import Settings
from scorer.store import epoch
from scorer.store.file import FILE_NAME, wal_path
from scorer.store.health import volatile_file_system
from scorer.store.journal import Journal, Stamp, StoreError
from scorer.store.open_or_salvage import BESIDE, open_or_salvage
from scorer.store.replaced_detector import forget_replacement, was_replaced
from scorer.store.salvage import SalvageResult
from scorer.table.hooks import AppliedSettings, SaveChoices, TableHooks
from scorer.table.observers import StateObserver
from scorer.table.outputs import Devices
from scorer.table.table import Table

_OTHER_STORE = "other_store"  # setting: size and time of the other store when it was last seen


class StartupOptions(NamedTuple):
    """The options of a starting table, besides its devices."""

    header: Header  # of the first game of a new store
    applied: AppliedSettings
    now: float
    stamp: Callable[[float], Stamp]
    observer: StateObserver | None = None
    hooks: TableHooks = TableHooks()
    mark: Mark | None = None  # special state: CONFIG, CARD or SAFE
    config_line: int = 0  # the first line of the configuration that has a problem, if it is known
    is_fallback: bool = False  # two starts with the newest configuration were not finished
    is_restart: bool = False
    needs_first_run: bool = False
    salvaged: SalvageResult | None = None  # message about a damaged store that was salvaged
    store_replaced: bool = False
    store_is_volatile: bool = False
    can_recover: Callable[[], bool] = lambda: False  # whether the store can be opened now


class TolerantSettings:
    """Settings store that ignores read and write errors."""

    def __init__(self, journal: Journal | StoreError) -> None:
        self._journal = journal

    def settings(self) -> dict[str, str]:
        """The stored settings; empty if unreadable, which the panel shows later."""
        if isinstance(self._journal, Journal):
            with suppress(StoreError):
                return self._journal.settings()
        return {}

    def set_setting(self, key: str, value: str) -> None:
        """A full card must not prevent the start; the panel shows it later."""
        if isinstance(self._journal, Journal):
            with suppress(StoreError):
                self._journal.set_setting(key, value)


def applied_settings(resolved: ResolvedConfig, *, has_machine: bool = True) -> AppliedSettings:
    """The settings of a configuration that a running table applies.

    ``has_machine``: as in ``BoxSettings``.
    """
    config = resolved.config
    has_house = is_chosen(resolved, "table", "variant") or is_chosen(resolved, "table", "house")
    time_zone.apply(config.table.time_zone)
    table = config.table._replace(language=nearest_language(config.table.language))
    has_printer = config.printer is not None and config.printer.is_enabled
    sections = table, config.consoles, config.guards, config.light, config.sound
    box = BoxSettings(
        languages=languages(),
        asks_time_zone=not time_zone.is_known(),
        rules=config.header.rules if has_house else None,
        has_machine=has_machine,
        has_owner_code=bool(config.owner_code),
        radio_boxes=tuple(
            str(box.options.get("name", "")) for box in config.boxes if box.driver == "radio"
        ),
    )
    names = config.table.names if is_chosen(resolved, "table", "names") else None
    return AppliedSettings(Settings(*sections, has_printer), box, names)


def settings_saver(
    owner_text: str,
    store: SettingsStore,
    page: PageSettings = NO_PAGE,
    *,
    has_machine: bool = True,
    is_fallback: bool = False,
) -> SaveChoices:
    """A function that saves choices over the owner's text; raises StoreError."""

    def keep(choices: Sequence[Choice]) -> AppliedSettings | None:
        try:
            chosen = choose(owner_text, store, choices, is_fallback=is_fallback, page=page)
            return applied_settings(chosen, has_machine=has_machine)
        except ConfigError:
            return None

    return keep


def needs_first_run(resolved: ResolvedConfig) -> bool:
    """Return whether no file sets anything of ``[table]``, so that the box asks."""
    return is_for_the_box(resolved, "table")


class StoreHolder:
    """The open store, or why there is none; closed with ``stack``.

    A damaged store is salvaged automatically: the players cannot do it. One that a newer program
    has written is left as it is, and the games are stored in a folder beside it until that program
    is back; it never takes them into its own.
    """

    def __init__(self, directory: Path, stack: ExitStack) -> None:
        self.directory, self._stack = directory, stack
        self._last_message = ""
        self.salvaged: SalvageResult | None = None
        self.store_replaced = False  # the store was replaced while a table was running
        self.journal = self._open()
        self.is_volatile = bool(volatile_file_system(directory))

    def retry_open(self) -> bool:
        """Return whether the store can be opened now. Does not salvage a damaged store."""
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
        """End this process without closing the store, because it was replaced.

        Closing would write into the file. The service manager starts a new process, which opens the
        new store.
        """
        if isinstance(self.journal, Journal):
            self.journal.abandon()
        os.kill(os.getpid(), signal.SIGKILL)

    def _open(self) -> Journal | StoreError:
        beside = self.directory / BESIDE
        opened = self._open_in(self.directory)
        if not isinstance(opened, StoreError):
            _begin_epoch_after(beside, opened)
            return opened
        if opened.kind != "future":
            return opened
        playing = self._open_in(beside)
        if isinstance(playing, StoreError):
            return opened
        # A new store beside another takes the choices of the box.
        with suppress(StoreError):
            if not playing.settings():
                with Journal.open(self.directory) as journal:
                    settings = journal.settings()
                for key in settings.keys() - {epoch.KEY, *GAME_KEYS}:
                    playing.set_setting(key, settings[key])
        _begin_epoch_after(self.directory, playing)
        return playing

    def _open_in(self, directory: Path) -> Journal | StoreError:
        try:
            journal, self.salvaged = open_or_salvage(
                directory, replay.require_known_words, replay.count_valid_rows
            )
        except StoreError as error:
            self._log_once(str(error))
            return error
        if self.salvaged is not None:
            games, kept, lost, aside = self.salvaged
            told = (
                f"{kept} rows of {games} games are kept, {lost} are lost, the old file is {aside}"
            )
            self._log_once(f"{directory}: the store was damaged; {told}")
        self._stack.callback(journal.close)
        with suppress(OSError, StoreError):
            if was_replaced(directory):
                self.store_replaced = True
                # First: a power cut in between must not leave the old epoch.
                journal.remove_setting(epoch.KEY)
                forget_replacement(directory)
        return journal

    def _log_once(self, message: str) -> None:
        """Log a message once until it changes."""
        if message != self._last_message:
            sys.stderr.write(f"scorer run: {message}\n")
            self._last_message = message


def _begin_epoch_after(other: Path, journal: Journal) -> None:
    """Begin a new epoch if another program has played in the store ``other`` since.

    A hub holds a box that returns to an older epoch: it has an older copy of its store. Neither
    has this box, so it goes on in another stream.
    """
    stats = []
    for path in (other / FILE_NAME, wal_path(other / FILE_NAME)):
        with suppress(OSError):
            found = path.stat()
            if found.st_size:
                stats.append(f"{found.st_size} {found.st_mtime_ns}")
    state = " ".join(stats)
    with suppress(StoreError):
        if state and journal.settings().get(_OTHER_STORE) != state:
            # First: a power cut in between must not leave the old epoch.
            journal.remove_setting(epoch.KEY)
            journal.set_setting(_OTHER_STORE, state)


def _tell_restored(journal: Journal, table: Table, now: float) -> None:
    """Show once how many games a copy has that was put back."""
    with suppress(StoreError):
        if (games := journal.settings().get(RESTORED, "")).isdecimal():
            key = NoticeKey.BACKUP_RESTORED_ONE if games == "1" else BackupResult.RESTORED
            table.show_notice(key, now, number=int(games))
            table.copies.page_report = BackupReport(BackupResult.RESTORED, int(games))
            journal.remove_setting(RESTORED)


def start_table(journal: Journal | StoreError, devices: Devices, options: StartupOptions) -> Table:
    """Start the table on its journal, or without one to show why there is none."""
    try:
        table = _table_on(journal, devices, options)
    except StoreError as error:
        sys.stderr.write(f"scorer run: {error}\n")
        table = _table_on(error, devices, options)
    if not table.has_failed:
        if options.is_fallback and not options.is_restart:
            table.show_notice(NoticeKey.UNFINISHED_STARTS, options.now)
        if isinstance(journal, Journal) and journal.directory.name == BESIDE:
            table.marks.set(Mark.NEWER)
            table.show_notice(NoticeKey.NEWER, options.now)
        table.marks.set(Mark.FORGETS, is_set=options.store_is_volatile)
        if options.store_replaced:
            table.show_notice(NoticeKey.EXCHANGED, options.now)
        if isinstance(journal, Journal):
            _tell_restored(journal, table, options.now)
        if options.salvaged is not None:
            kept, lost = options.salvaged.kept_rows, options.salvaged.lost_rows
            table.marks.set(Mark.SALVAGED)
            table.show_notice(NoticeKey.SALVAGED, options.now, f"{kept}/{kept + lost}")
    if options.mark is not None:
        table.marks.set(options.mark)
        table.marks.set_config_line(options.config_line)
    if options.mark is Mark.SAFE:
        table.show_notice(NoticeKey.SAFE, options.now)
    return table


def _table_on(journal: Journal | StoreError, devices: Devices, options: StartupOptions) -> Table:
    header = options.header
    names = tuple(header.names.get(side, "") for side in header.rules.scoring_sides)
    return Table(
        journal,
        devices,
        lambda: (header.game(), names),
        stamp=options.stamp,
        applied=options.applied,
        now=options.now,
        observer=options.observer,
        hooks=options.hooks,
        is_restart=options.is_restart,
        needs_first_run=options.needs_first_run,
        can_recover=options.can_recover,
    )
