"""The callbacks of a table: loop, configuration, printer.

``TableHooks()`` is the value of a table that runs alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scorer.api.backup_protocol import BackupReport, BackupRequest, BackupResult
from scorer.api.radio_protocol import RadioReport, RadioResult
from scorer.api.settings_protocol import SettingsChange
from scorer.hall.desk_protocol import DeskReport, DeskResult
from scorer.session.values.box_settings import BoxSettings, Choice
from scorer.session.values.effects import BoxKeyEffect
from scorer.session.values.settings import Settings
from scorer.table.access_log import Log
from scorer.table.loop_commands import LoopCommand
from scorer.table.owner_settings import SettingsFiles
from scorer.table.wiring_trial import TrialLedger

if TYPE_CHECKING:
    from scorer.system.wifi.watch_request import WatchRequest
    from scorer.table.print_client import PrintClient


class AppliedSettings(NamedTuple):
    """The part of a configuration that a running table can change."""

    settings: Settings
    box: BoxSettings = BoxSettings()
    names: tuple[str, ...] | None = None  # None: no names were chosen on the box


# Save choices of the set-up; None if the configuration would be invalid. Raises StoreError.
SaveChoices = Callable[[Sequence[Choice]], AppliedSettings | None]


class TableHooks(NamedTuple):
    """The callbacks of one table; all are called in the table's thread."""

    on_command: Callable[[LoopCommand], object] = lambda command: None
    on_stored: Callable[[], object] = lambda: None  # after each commit, before its picture
    save_choices: SaveChoices = lambda choices: None
    log: Log = lambda line: None  # one line about access or set-up
    print_client: PrintClient | None = None
    # At once.
    request_backup: Callable[[BackupRequest], BackupReport] = lambda _: BackupReport(
        BackupResult.OFF
    )
    request_password: Callable[[], DeskReport] = lambda: DeskReport(DeskResult.OFF)  # at once
    # At once.
    request_box_key: Callable[[BoxKeyEffect], RadioReport] = lambda _: RadioReport(RadioResult.OFF)
    tell_network: Callable[[WatchRequest], object] = lambda request: None  # at once
    owner_code: str = ""  # for a factory reset, and the right to the settings
    settings_files: SettingsFiles = SettingsFiles()
    # At once; False while another change is being kept.
    request_settings: Callable[[SettingsChange], bool] = lambda _: False
    trials: TrialLedger | None = None  # of pins and drivers; None: there are none
    has_hub: Callable[[], bool] = lambda: False  # whether a hub runs on this machine
