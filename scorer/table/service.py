"""The table as a service: real devices and real time, until a signal stops it.

A wrong configuration, a missing panel or a missing button box never prevents the start.
"""

from __future__ import annotations

import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorer.api.backup_protocol import BackupReport, BackupRequest, backup_socket_path
from scorer.api.marks import Mark
from scorer.api.print_protocol import print_socket_path
from scorer.api.radio_protocol import RadioReport
from scorer.api.reset_request import TOLD_DONE, TOLD_REFUSED, told_folder
from scorer.api.rights import Right
from scorer.api.server import TableServer, listen_for_all
from scorer.api.settings_protocol import SettingsChange, settings_socket_path
from scorer.config.config import NO_PINS, Config, takes_pins
from scorer.config.loader import default_config
from scorer.config.owner_variants import VARIANTS_FOLDER
from scorer.config.page_file import FOLDER as PAGE_FOLDER
from scorer.config.page_file import PageSettings
from scorer.config.schema import ChosenDriver
from scorer.config.sources import ResolvedConfig, resolve, store_directory
from scorer.config.toml_reader import Problem, read_optional
from scorer.hall.desk_protocol import DeskReport
from scorer.hw import load
from scorer.hw.ports import InputPresence, InputSource
from scorer.records.clock import SystemClock
from scorer.session.values.effects import BoxKeyEffect
from scorer.session.values.keys import NoticeKey
from scorer.session.values.settings import Layout
from scorer.store.journal import Journal
from scorer.system.card_image import is_damaged
from scorer.system.logind import Logind, PowerCallbacks
from scorer.system.power import PowerControl as Pi
from scorer.system.power import SupplyMonitor
from scorer.system.sd_notify import Notifier, passed_sockets
from scorer.system.start_attempts import StartAttempts
from scorer.table.access_log import open_access_log
from scorer.table.desk_passwords import hub_folder
from scorer.table.device_faults import ClosedOutput, DeviceKind, DeviceStatus
from scorer.table.hooks import SaveChoices, TableHooks
from scorer.table.inbox import OrderedInbox
from scorer.table.loop_commands import LoopCommand
from scorer.table.main_loop import (
    TICK_S,
    Inbox,
    InputSupervisor,
    Loop,
    PowerPort,
    Watchdog,
)
from scorer.table.observers import NullObserver, StateObserver
from scorer.table.outputs import Devices
from scorer.table.owner_settings import SettingsFiles
from scorer.table.panels import Panel, PanelWorker
from scorer.table.shutdown_screen import show_safe_to_unplug
from scorer.table.startup import (
    StartupOptions,
    StoreHolder,
    TolerantSettings,
    applied_settings,
    needs_first_run,
    settings_saver,
    start_table,
)
from scorer.table.wiring_trial import TrialLedger

if TYPE_CHECKING:
    from scorer.config.schema import PanelConfig
    from scorer.hw.outputs.colour_light import ColourLight
    from scorer.system.wifi.watch_request import WatchRequest
    from scorer.table.backup_client import BackupClient
    from scorer.table.battery_watch import BatteryWatch
    from scorer.table.button_lights import LightChip
    from scorer.table.desk_client import DeskClient
    from scorer.table.network_client import NetworkClient
    from scorer.table.print_client import PrintClient
    from scorer.table.radio_client import RadioClient
    from scorer.table.settings_client import SettingsClient
    from scorer.table.table import Table
    from scorer.table.words import WordDevice


Consoles = Callable[[], Sequence[InputPresence]]
Seams = Callable[[ChosenDriver], Mapping[str, object]]


def build_power(inbox: Inbox, stack: ExitStack) -> PowerPort:
    """The power of a Pi: its supply and logind, closed with ``stack``."""
    callbacks = PowerCallbacks(
        lambda: inbox.put(LoopCommand.SHUTTING_DOWN), lambda: inbox.put(LoopCommand.POWEROFF_DENIED)
    )
    logind = Logind(callbacks)
    stack.callback(logind.close)
    supply = SupplyMonitor()
    stack.callback(supply.close)
    return Pi(supply, logind)


class Platform(NamedTuple):
    """What the service runs on: ``BOX``, or the simulated pins of a launcher.

    ``seams``: replacements of the buses of a panel or of a light, by keyword of its driver.
    """

    seams: Seams = lambda device: {}
    build_power: Callable[[Inbox, ExitStack], PowerPort] = build_power


BOX = Platform()
FIRST_PICTURE_S = 2.0  # seconds for which the buttons wait for the first picture at most


class ProcessContext(NamedTuple):
    """State that survives a restart of the table within the process."""

    store_holder: StoreHolder
    server: TableServer | None
    platform: Platform
    power: PowerPort
    notifier: Notifier
    inbox: Inbox
    owner_text: str  # the text of the owner's file
    page: PageSettings  # what the settings page has saved
    files: SettingsFiles
    trials: TrialLedger


def run(
    owner_file: Path,
    card_file: Path | None,
    *,
    platform: Platform = BOX,
    variants_folder: Path = VARIANTS_FOLDER,
    page_folder: Path = PAGE_FOLDER,
) -> int:
    """Run the table until SIGTERM, SIGINT or shutdown.

    Returns 0, and 1 if another process has to open the store that was put back: systemd starts it.
    """
    inbox = OrderedInbox()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: inbox.put(LoopCommand.STOP))
    command = serve(
        owner_file,
        card_file,
        inbox,
        platform=platform,
        variants_folder=variants_folder,
        page_folder=page_folder,
    )
    return 1 if command is LoopCommand.STORE_RESTORED else 0


def serve(
    owner_file: Path,
    card_file: Path | None,
    inbox: Inbox,
    *,
    platform: Platform = BOX,
    variants_folder: Path = VARIANTS_FOLDER,
    page_folder: Path = PAGE_FOLDER,
) -> LoopCommand:
    """Run tables until a command in ``inbox`` ends the service; return it.

    Safe mode and new settings start another table after the current one.
    """
    with ExitStack() as stack:
        text = read_optional(owner_file) or ""
        folder = store_directory(text).absolute()
        store_holder = StoreHolder(folder, stack)
        cards = read_optional(card_file) if card_file is not None else None
        settings = TolerantSettings(store_holder.journal)
        trials = TrialLedger(page_folder)
        page = trials.read_first()
        attempts = StartAttempts(folder, text, cards, page.digest_text)
        attempts.begin(settings)
        newest = resolve(text, cards, settings, variants_folder, page)
        resolved = attempts.choose(newest, settings)
        _log_problems(resolved.problems)
        power = platform.build_power(inbox, stack)
        server = _start_server(resolved.config, inbox, stack)
        context = ProcessContext(
            store_holder=store_holder,
            server=server,
            platform=platform,
            power=power,
            notifier=Notifier(),
            inbox=inbox,
            owner_text=text,
            page=page,
            files=SettingsFiles(text, cards, page_folder),
            trials=trials,
        )
        mark = Mark.CONFIG if resolved.problems else Mark.CARD if is_damaged() else None
        finish = partial(attempts.finish, resolved, settings)
        command = _run_until_restart(context, resolved, mark, finish)
        while command in (LoopCommand.SAFE_MODE, LoopCommand.RESTART):
            if command is LoopCommand.SAFE_MODE:
                sys.stderr.write("scorer run: safe mode, with the settings of a new box\n")
                # Its buttons are on the usual pins: a press there confirms nothing.
                trials.end()
                safe = ResolvedConfig(default_config(), (), ())
                command = _run_until_restart(context, safe, Mark.SAFE, lambda: None)
            else:
                settings = TolerantSettings(store_holder.journal)
                context = context._replace(page=trials.read_again())
                newest = resolve(text, None, settings, variants_folder, context.page)
                resolved = attempts.choose(newest, settings)
                finish = partial(attempts.finish, resolved, settings)
                # Wiring on trial is not what a wrong file falls back to.
                started = finish if trials.running is None else lambda: None
                command = _run_until_restart(context, resolved, mark, started, is_restart=True)
        return command


def _run_until_restart(
    context: ProcessContext,
    resolved: ResolvedConfig,
    mark: Mark | None,
    on_started: Callable[[], None],
    *,
    is_restart: bool = False,
) -> LoopCommand:
    """Run one table on devices of its own; return the command that ended it.

    ``mark`` is a special state to show, such as safe mode. ``on_started`` is called when the start
    is finished.
    """
    store_holder, server, platform, power, notifier, inbox, owner_text, page, _, _ = context
    journal = store_holder.journal
    config, is_fallback = resolved.config, resolved.is_fallback
    if server is not None:
        server.set_device(config.table.device)
    choose = None
    if isinstance(journal, Journal):
        choose = settings_saver(owner_text, journal, page, is_fallback=is_fallback)
    with ExitStack() as stack:
        now, applied = time.monotonic(), applied_settings(resolved)
        watchdog = Watchdog(notifier)
        options = StartupOptions(
            header=config.header,
            applied=applied,
            now=now,
            stamp=SystemClock().stamp,
            observer=_build_observer(server, config, inbox, stack),
            hooks=_build_hooks(config, inbox, store_holder.directory, choose)._replace(
                on_stored=watchdog.ping, settings_files=context.files, trials=context.trials
            ),
            mark=mark,
            config_line=next((problem.line for problem in resolved.problems if problem.line), 0),
            is_fallback=is_fallback,
            is_restart=is_restart,
            needs_first_run=not is_restart and mark is None and needs_first_run(resolved),
            salvaged=store_holder.salvaged,
            store_replaced=store_holder.store_replaced,
            store_is_volatile=store_holder.is_volatile,
            can_recover=store_holder.retry_open,
        )
        devices, buttons = _build_devices(config, inbox, stack, platform.seams)
        table = start_table(journal, devices, options)
        if not is_restart:
            _tell_reset(table, told_folder(config.socket_path), now)
        table.tick(time.monotonic())
        # The library of the buttons is a third of a start: the first picture does not wait for it.
        devices.renderer.wait_until_drawn(FIRST_PICTURE_S)
        buttons.ensure_open()
        table.read_power_on_levels(time.monotonic())
        tick = notifier.ping_interval(TICK_S)
        loop = Loop(
            table,
            inputs=buttons,
            inbox=inbox,
            notifier=notifier,
            power=power,
            battery=_build_battery(config, power),
            now=time.monotonic,
            tick=tick,
            on_started=on_started,
            watchdog=watchdog,
        )
        command = loop.run()
        if command is LoopCommand.STORE_REPLACED:
            store_holder.kill_process()
        if command not in (LoopCommand.SAFE_MODE, LoopCommand.RESTART):
            notifier.stopping()
        if command is LoopCommand.SHUTTING_DOWN:
            if isinstance(journal, Journal):
                journal.close()
            show_safe_to_unplug(devices, applied.settings.table.language, time.monotonic())
    return command


def _tell_reset(table: Table, folder: Path, now: float) -> None:
    """Show what became of a factory reset at this start of the machine."""
    for name, key in (
        (TOLD_DONE, NoticeKey.RESET_DONE),
        (TOLD_REFUSED, NoticeKey.RESET_REFUSED),
    ):
        if (folder / name).exists():
            table.show_notice(key, now)


def _build_observer(
    server: TableServer | None, config: Config, inbox: Inbox, stack: ExitStack
) -> StateObserver | None:
    """Build the observer: the socket, and the scoreboards if there are any."""
    if not config.scoreboards:
        return server
    # Imported lazily: most tables have no scoreboard.
    from scorer.hw.boards.scoreboard import create
    from scorer.table.scoreboard_publisher import ScoreboardPublisher

    boards = []
    for chosen in config.scoreboards:
        board = create(chosen, on_fault=partial(_on_scoreboard_status, inbox, chosen.port))
        board.open()
        stack.callback(board.close)
        boards.append(board)
    return ScoreboardPublisher(server or NullObserver(), boards)


def _on_scoreboard_status(inbox: Inbox, port: str, fault: str) -> None:
    inbox.put(DeviceStatus(DeviceKind.SCOREBOARD, port, fault.removeprefix(f"{port}: ")))


def _on_panel_fault(inbox: Inbox, panel: PanelConfig, fault: str) -> None:
    name = f"{panel.side} ({panel.place})"
    inbox.put(DeviceStatus(DeviceKind.PANEL, name, fault, side=panel.side))


def _build_hooks(
    config: Config, inbox: Inbox, directory: Path, save_choices: SaveChoices | None
) -> TableHooks:
    hooks = TableHooks(
        on_command=inbox.put,
        log=open_access_log(),
        print_client=_build_print_client(config, inbox),
        request_backup=_build_backup_request(config, inbox, directory),
        request_password=_build_password_request(config, inbox),
        request_box_key=_build_key_request(config, inbox),
        tell_network=_build_network_request(config),
        owner_code=config.owner_code,
        has_hub=hub_folder(config.socket_path).is_dir,
        request_settings=_build_settings_request(config, inbox),
    )
    return hooks if save_choices is None else hooks._replace(save_choices=save_choices)


def _build_print_client(config: Config, inbox: Inbox) -> PrintClient | None:
    if config.printer is None or not config.printer.is_enabled:
        return None
    # Imported lazily: most tables have no printer.
    from scorer.table.print_client import PrintClient

    return PrintClient(
        print_socket_path(config.socket_path), inbox.put, auto_print=config.printer.when == "game"
    )


def _build_backup_request(
    config: Config, inbox: Inbox, directory: Path
) -> Callable[[BackupRequest], BackupReport]:
    @cache
    def client() -> BackupClient:
        # Imported lazily: most evenings end without a backup.
        from scorer.table.backup_client import BackupClient

        return BackupClient(backup_socket_path(config.socket_path), directory, inbox.put)

    return lambda asked: client().request(asked)


def _build_password_request(config: Config, inbox: Inbox) -> Callable[[], DeskReport]:
    @cache
    def client() -> DeskClient:
        # Imported lazily: most boxes have no hub.
        from scorer.table.desk_client import DeskClient, desk_socket_path

        return DeskClient(desk_socket_path(config.socket_path), inbox.put)

    return lambda: client().request()


def _build_settings_request(config: Config, inbox: Inbox) -> Callable[[SettingsChange], bool]:
    @cache
    def client() -> SettingsClient:
        # Imported lazily: few boxes have an owner who saves settings in a browser.
        from scorer.table.settings_client import SettingsClient

        return SettingsClient(settings_socket_path(config.socket_path), inbox.put)

    return lambda change: client().request(change)


def _build_key_request(config: Config, inbox: Inbox) -> Callable[[BoxKeyEffect], RadioReport]:
    @cache
    def client() -> RadioClient:
        # Imported lazily: most tables have no box over Wi-Fi.
        from scorer.hw.serial.radio_port import SOCKET
        from scorer.table.radio_client import RadioClient

        named = (box.options.get("socket") for box in config.boxes if box.driver == "radio")
        path = next((str(each) for each in named if each), SOCKET)
        return RadioClient(inbox.put, tuple(config.serial_ports.values()), Path(path))

    return lambda asked: client().request(asked)


def _build_network_request(config: Config) -> Callable[[WatchRequest], object]:
    @cache
    def client() -> NetworkClient:
        # Imported lazily: most boxes do not open a network.
        from scorer.table.network_client import NetworkClient, network_socket_path

        return NetworkClient(network_socket_path(config.socket_path))

    return lambda request: client().tell(request)


def _log_problems(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        where = f"line {problem.line}: " if problem.line else ""
        sys.stderr.write(f"scorer run: configuration, {where}{problem.sentence}\n")


def _start_server(config: Config, inbox: Inbox, stack: ExitStack) -> TableServer | None:
    try:
        listening = _passed_listeners() or listen_for_all(config.socket_path)
    except OSError as error:
        # The table works without a socket; only its clients see no score.
        why = error.strerror or error
        sys.stderr.write(f"scorer run: no socket at {config.socket_path}: {why}\n")
        return None
    server = TableServer(listening, config.table.device, inbox.put)
    server.start()
    stack.callback(server.close)
    return server


def _passed_listeners() -> dict[Right, socket.socket]:
    """The sockets of systemd by right, which is their name; unnamed, the table's."""
    rights = {"": Right.TABLE, **{right.name.lower(): right for right in Right}}
    listening: dict[Right, socket.socket] = {}
    for name, passed in passed_sockets():
        right = rights.get(name, Right.READ)
        if right in listening:
            passed.close()
        else:
            listening[right] = passed
    return listening


def _build_devices(
    config: Config, inbox: Inbox, stack: ExitStack, seams: Seams
) -> tuple[Devices, InputSupervisor]:
    """The devices; all but the panels are opened by the supervisor."""
    inputs, lines_without_levels, consoles = _build_inputs(config, inbox)
    stack.callback(inputs.close)
    panels = [
        Panel(
            str(at),
            load.display(panel.driver, panel.options, **seams(panel)),
            panel.side,
            partial(_on_panel_fault, inbox, panel),
        )
        for at, panel in enumerate(config.panels)
    ]
    # A muted buzzer is opened too: it can be turned on at the table.
    buzzer = load.buzzer("buzzer", {"pin": config.sound.pin})
    lamps = {side: load.lamp("lamp", {"pin": pin}) for side, pin in config.lamps.pins.items()}
    outputs = [ClosedOutput(DeviceKind.BUZZER, "", buzzer.open)]
    outputs += [ClosedOutput(DeviceKind.LAMP, side, lamp.open) for side, lamp in lamps.items()]
    stack.callback(buzzer.close)
    for lamp in lamps.values():
        stack.callback(lamp.close)
    buttons = InputSupervisor(inputs, inbox, outputs, consoles)
    light = _build_team_light(config, stack, seams)
    worker = PanelWorker(panels, time.monotonic)
    worker.start()
    stack.callback(worker.close)
    devices = Devices(
        inputs=inputs,
        panels=panels,
        renderer=worker,
        lamps=lamps,
        buzzer=buzzer,
        lines_without_levels=lines_without_levels,
        consoles=consoles,
        device_of_line=_devices_of_lines(config),
        team_light=light,
        button_lights=_build_button_lights(config, inbox, stack, seams),
        words=_build_words(config, inbox, stack, seams),
    )
    return devices, buttons


def _build_team_light(config: Config, stack: ExitStack, seams: Seams) -> ColourLight | None:
    """The closed driver of the team light; the table opens it."""
    if config.team_light is None:
        return None
    driver, options = config.team_light
    light = load.colour_light(driver, options, **seams(config.team_light))
    stack.callback(light.close)
    return light


def _build_button_lights(
    config: Config, inbox: Inbox, stack: ExitStack, seams: Seams
) -> tuple[LightChip, ...]:
    """The chips of lit buttons, each in a thread that opens it."""
    chips = []
    for chosen in config.button_lights:
        # Imported lazily: most tables have no lit buttons.
        from scorer.hw.outputs.newest_value import NewestValue
        from scorer.table.button_lights import LightChip

        lights = load.channel_lights(chosen.driver, chosen.options, **seams(chosen))
        name = chosen.consoles
        levels = NewestValue(
            lights, f"lights {name}", partial(_on_button_lights_fault, inbox, name)
        )
        levels.start()
        stack.callback(levels.close)
        buttons = chosen.buttons(Layout(config.table.layout), config.consoles.count)
        chips.append(LightChip(name, buttons, chosen.lit, chosen.dimmed, levels))
    return tuple(chips)


def _build_battery(config: Config, power: PowerPort) -> BatteryWatch | None:
    """The watch of the battery, if the box has one."""
    if config.battery is None:
        return None
    # Imported lazily: most tables have no battery.
    from scorer.system.battery import BatteryMonitor
    from scorer.table.battery_watch import BatteryWatch

    return BatteryWatch(BatteryMonitor(config.battery.cells), config.battery, power.switch_off)


def _build_words(config: Config, inbox: Inbox, stack: ExitStack, seams: Seams) -> WordDevice | None:
    """The display of words, in a thread that opens it."""
    chosen = config.word_display
    if chosen is None:
        return None
    # Imported lazily: most tables have no display of words.
    from scorer.hw.outputs.newest_value import NewestValue
    from scorer.table.words import WordDevice

    display = load.word_display(chosen.driver, chosen.options, **seams(chosen))
    lines = NewestValue[tuple[str, ...]](
        display, "words", lambda fault: inbox.put(DeviceStatus(DeviceKind.WORDS, fault=fault))
    )
    lines.start()
    stack.callback(lines.close)
    return WordDevice(chosen.built.columns, lines)


def _on_button_lights_fault(inbox: Inbox, name: str, fault: str) -> None:
    inbox.put(DeviceStatus(DeviceKind.BUTTON_LIGHTS, name, fault))


def _build_inputs(config: Config, inbox: Inbox) -> tuple[InputSource, frozenset[str], Consoles]:
    """The closed buttons, their lines without levels, and removable consoles."""
    own, own_buttons, without_levels = None, frozenset[str](), frozenset[str]()
    if (driver := config.consoles.driver) != NO_PINS:
        values = config.console_values
        own = load.input_source(driver, values)
        options = load.input_options(driver, values)
        own_buttons = frozenset(filter(None, options.lines))
        without_levels = own_buttons if options.repeats_held_buttons else without_levels
    if own is not None and not config.boxes:
        return own, without_levels, tuple
    # Imported lazily: most tables have no plugged boxes.
    from scorer.config.input_boxes import build_inputs, buttons_without_levels

    layout, count = Layout(config.table.layout), config.consoles.count
    inputs = build_inputs(config.boxes, own, layout, count, inbox.put)
    boxed = buttons_without_levels(config.boxes, layout, count) - own_buttons
    return inputs, boxed | without_levels, inputs.presences


def _devices_of_lines(config: Config) -> dict[str, str]:
    """The device of each line that shares one; a line of the header is its own."""
    found: dict[str, str] = {}
    layout, count = Layout(config.table.layout), config.consoles.count
    for box in config.boxes:
        # Imported lazily: most tables have no plugged boxes.
        from scorer.config.input_boxes import button_lines

        if not takes_pins(box.driver):
            found = {**dict.fromkeys(button_lines(box, layout, count), box.consoles), **found}
    driver = config.consoles.driver
    if driver != NO_PINS and not takes_pins(driver):
        lines = load.input_options(driver, config.console_values).lines
        found = {**dict.fromkeys(lines, "consoles"), **found}
    found.pop("", None)  # positions without a button
    return found
