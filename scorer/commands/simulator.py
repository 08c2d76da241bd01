"""The real table over simulated pins and buses, controlled by another program.

Reads one JSON object per line and answers each with one: pin changes and the time to advance to,
panels to unplug, and the results. Time is simulated.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from scorer.api.marks import Mark
from scorer.api.server import Request, TableServer, listen_for_all
from scorer.config.loader import default_config
from scorer.config.pin_map import pins_for
from scorer.config.sources import ResolvedConfig, resolve
from scorer.display import screen_text
from scorer.hw.displays import luma_oled
from scorer.hw.outputs.memory import MemoryLight
from scorer.hw.ports import Edge
from scorer.hw.simulated import SimulatedHardware
from scorer.i18n import nearest_language
from scorer.records.clock import boot_id
from scorer.rules import Header
from scorer.session.values import seating
from scorer.session.values.settings import Layout
from scorer.session.view.view import View
from scorer.store.journal import Journal, Stamp
from scorer.table.hooks import SaveChoices, TableHooks
from scorer.table.loop_commands import LoopCommand
from scorer.table.outputs import Devices
from scorer.table.panels import Panel, SyncRenderer
from scorer.table.runnable import RunnableTable
from scorer.table.startup import (
    StartupOptions,
    StoreHolder,
    TolerantSettings,
    applied_settings,
    settings_saver,
    start_table,
)

Message = dict[str, Any]
UNPLUGGED = "gone"  # the value of an unplugged panel
PANELS = {
    "A": luma_oled.Options(controller="ssd1306", address=0x3C),
    "B": luma_oled.Options(controller="ssd1306", address=0x3D),
}


class SimulatorError(ValueError):
    """An invalid request; the text says why."""


class SimulatedTable:
    """A table and its hardware, driven by requests."""

    def __init__(
        self,
        start_table: Callable[[LoopCommand | None, float, TableHooks], RunnableTable],
        hardware: SimulatedHardware,
        edges: list[Edge],
        kill_process: Callable[[], object] = lambda: None,
        light: MemoryLight | None = None,
    ) -> None:
        """``start_table`` starts a table at a time: safe mode, restart or power-on.

        ``edges``: the list that the simulated input driver fills, emptied at every turn;
        ``kill_process`` is called when the store was replaced.
        """
        self._start_table, self._hardware, self._kill_process = start_table, hardware, kill_process
        self._edges, self._light = edges, light
        self._reported: tuple[View, str, int] | None = None
        self._commands: list[LoopCommand] = []
        self._cuts_after_commit = False  # simulate a power failure at the next commit
        self._hooks = TableHooks(on_command=self._commands.append, on_stored=self._on_stored)
        self._table = self._start(None)

    def handle(self, request: Message) -> Message:
        """Execute ``request`` and return the result. Raises SimulatorError."""
        if "panel" in request:
            kind = request.get("fault")
            self._hardware.set_fault(str(request["panel"]), "absent" if kind == UNPLUGGED else kind)
            self._run_until(self._hardware.clock())
        elif "until" in request:
            self._cuts_after_commit = request.get("cut") == "after_commit"
            self._apply_edges(request.get("edges", []), float(request["until"]))
        else:
            raise SimulatorError("a request holds 'until' or 'panel'")
        return self.report(brief=bool(request.get("brief")))

    def report(self, *, brief: bool = False) -> Message:
        """Everything that happened since the last report."""
        table = self._table
        view, document = table.view, table.document()
        seq = 0 if document is None else document["seq"]
        seen = list(table.press_log)
        table.press_log.clear()
        told: Message = {
            "now": self._hardware.clock(),
            "bus": [[name, message.hex()] for name, message in self._hardware.take_messages()],
            "lamps": {name: "on" if on else "off" for name, on in self._hardware.lamps().items()},
            **({} if self._light is None else {"light": self._light.frame}),
            "sounds": [each.sound for each in seen if each.sound],
            "buzz": [phrase for _, phrase in self._hardware.take_sounds()],
            "press": [each.verdict for each in seen if each.verdict != "-"],
            "screen": view.screen,
            "seq": seq,
        }
        newest = (view, table.language, seq)
        if not brief or newest != self._reported:
            self._reported = newest
            told |= {"text": self._panel_words(view), "state": document}
        return told

    def _panel_words(self, view: View) -> list[str]:
        """The texts of the first panel."""
        return screen_text(view, self._table.language, is_neutral=len(self._hardware.displays) < 2)

    def handle_request(self, request: Request) -> None:
        """Answer one request of the socket."""
        self._table.handle_request(request, self._hardware.clock())

    def _on_stored(self) -> None:
        if self._cuts_after_commit:
            _kill_process()

    def _start(self, command: LoopCommand | None) -> RunnableTable:
        now = self._hardware.clock()
        table = self._start_table(command, now, self._hooks)
        table.tick(now)
        return table

    def _run_commands(self) -> None:
        """Restart the table on command; there is no machine to switch off."""
        orders, self._commands[:] = list(self._commands), []
        if LoopCommand.STORE_REPLACED in orders:
            self._kill_process()
        begins = next(
            (each for each in orders if each in (LoopCommand.SAFE_MODE, LoopCommand.RESTART)), None
        )
        if begins is not None:
            seen = self._table.press_log
            self._table = self._start(begins)
            # The result of the press that caused the restart is still to be reported.
            self._table.press_log.extendleft(reversed(seen))

    def _apply_edges(self, edges: list[list[Any]], until: float) -> None:
        for when, line, level in edges:
            self._run_until(float(when))
            try:
                # A timer may have fired a rounding error later than the edge.
                self._hardware.set_pin(
                    str(line), int(level), max(float(when), self._hardware.clock())
                )
            except KeyError:
                raise SimulatorError(f"there is no button '{line}' here") from None
            self._forward_edges()
        self._run_until(until)

    def _run_until(self, until: float) -> None:
        """Let every timer of the table fire at its own time up to ``until``."""
        while (due := self._table.deadline()) is not None and due <= until:
            self._hardware.clock.set(max(due, self._hardware.clock()))
            self._table.tick(self._hardware.clock())
            self._run_commands()
        self._hardware.clock.set(max(until, self._hardware.clock()))
        self._table.tick(self._hardware.clock())
        self._run_commands()
        self._table.check_devices(self._hardware.clock())
        self._run_commands()

    def _forward_edges(self) -> None:
        edges, self._edges[:] = list(self._edges), []
        for edge in edges:
            self._table.handle_edge(edge)


def _kill_process() -> None:
    """Simulate a power failure now."""
    os.kill(os.getpid(), signal.SIGKILL)


class SimulatorOptions(NamedTuple):
    """Options of the simulator's command line."""

    header: Header
    language: str
    layout: Layout
    store: Path
    panels: int = 2
    power_on_at: float = 0.0  # simulated time of power-on, seconds
    held_buttons: tuple[str, ...] = ()  # buttons that are down at power-on
    socket: Path | None = None
    consoles: int = 2
    rematch: bool = False
    light: int = 0  # pixels of a team light
    wall_at_0: float | None = None  # Unix time at the simulated second 0; None: it is now


def run(
    options: SimulatorOptions, lines: Iterable[str], write_text: Callable[[str], object]
) -> None:
    """Run a table on simulated hardware until ``lines`` end."""
    panels = dict(list(PANELS.items())[: options.panels])
    lamps = seating.consoles_in_use(options.header.rules, options.consoles)
    # The layout can be changed at the table: simulate the pins of all buttons.
    hardware = SimulatedHardware(
        pins_for(Layout.FULL, options.consoles), panels, lamps=lamps, start=options.power_on_at
    )
    for line in options.held_buttons:
        hardware.set_pin(line, 0, options.power_on_at)
    edges: list[Edge] = []
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    with ExitStack() as stack:
        hardware.inputs.open(edges.append)
        stack.callback(hardware.inputs.close)
        outside = _start_server(options.socket, inbox, stack)
        keeping, devices = StoreHolder(options.store, stack), _open_devices(hardware, stack)
        light = MemoryLight(options.light) if options.light else None
        devices = devices._replace(team_light=light)
        begins = _SimulatorStartup(options, keeping, _simulated_stamps(options), outside)
        layout = begins.resolved().config.settings.layout
        pins = pins_for(layout, options.consoles)

        def begin(order: LoopCommand | None, now: float, hooks: TableHooks) -> RunnableTable:
            choice = begins.startup_options(order, now, hooks)
            return start_table(keeping.journal, devices, choice)

        told = {
            name: {"controller": each.controller, "size": list(each.size)}
            for name, each in panels.items()
        }
        desk = SimulatedTable(begin, hardware, edges, keeping.kill_process, light)
        serve(desk, {"lines": pins, "panels": told}, lines, inbox, write_text)


class _SimulatorStartup:
    """Starts the tables of a simulator from command line and stored choices."""

    def __init__(
        self,
        options: SimulatorOptions,
        store_holder: StoreHolder,
        stamp: Callable[[float], Stamp],
        observer: TableServer | None,
    ) -> None:
        self._options, self._stamp, self._observer = options, stamp, observer
        self._store_holder, self._owner_text = store_holder, owner_text(options)

    def resolved(self) -> ResolvedConfig:
        """The command line as an owner's file, with the choices made at the table."""
        return resolve(self._owner_text, None, TolerantSettings(self._store_holder.journal))

    def startup_options(
        self, command: LoopCommand | None, now: float, hooks: TableHooks
    ) -> StartupOptions:
        choice = self._options
        settled = (
            ResolvedConfig(default_config(), (), ())
            if command is LoopCommand.SAFE_MODE
            else self.resolved()
        )
        config, applied = settled.config, applied_settings(settled)
        # A header has more than a configuration: who plays alone, the first hand.
        header = choice.header if applied.box.rules is None else config.header
        saver = self._settings_saver()
        return StartupOptions(
            header=header,
            settings=config.settings,
            language=nearest_language(config.table.language),
            now=now,
            stamp=self._stamp,
            observer=self._observer,
            applied=applied,
            hooks=hooks if saver is None else hooks._replace(save_choices=saver),
            mark=Mark.SAFE if command is LoopCommand.SAFE_MODE else None,
            is_restart=command is LoopCommand.RESTART,
            salvaged=self._store_holder.salvaged,
            store_replaced=self._store_holder.store_replaced,
            can_recover=self._store_holder.retry_open,
        )

    def _settings_saver(self) -> SaveChoices | None:
        journal = self._store_holder.journal
        return settings_saver(self._owner_text, journal) if isinstance(journal, Journal) else None


def owner_text(options: SimulatorOptions) -> str:
    """The command line as an owner's file."""
    rules, names = options.header.rules, options.header.names
    table = {
        "variant": rules.variant.id,
        "language": options.language,
        "layout": str(options.layout),
        "rematch": options.rematch,
        "names": [names.get(side, "") for side in rules.scoring_sides] if names else [],
    }
    sections = (
        ("table", table),
        ("table.house", dict(rules.chosen)),
        ("consoles", {"count": options.consoles}),
    )
    return "".join(f"[{name}]\n{_toml_lines(values)}" for name, values in sections)


def _toml_lines(values: Mapping[str, Any]) -> str:
    # Strings, lists of strings, numbers and booleans are the same in JSON and TOML.
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())


def _open_devices(hardware: SimulatedHardware, stack: ExitStack) -> Devices:
    panels = [Panel(name, display, name) for name, display in hardware.displays.items()]
    for lamp in hardware.lamp_drivers.values():
        lamp.open()
    hardware.buzzer.open()
    drawing = SyncRenderer(panels)
    stack.callback(drawing.close)
    return Devices(hardware.inputs, panels, drawing, hardware.lamp_drivers, hardware.buzzer)


def _start_server(
    path: Path | None, inbox: queue.SimpleQueue[Any], stack: ExitStack
) -> TableServer | None:
    if path is None:
        return None
    server = TableServer(listen_for_all(path), "desk", inbox.put)
    server.start()
    stack.callback(server.close)
    return server


def _simulated_stamps(options: SimulatorOptions) -> Callable[[float], Stamp]:
    """Simulated stamps: the wall clock follows the simulated time."""
    at_0, boot = options.wall_at_0, boot_id()
    began = time.time() - options.power_on_at if at_0 is None else at_0

    def stamp(now: float) -> Stamp:
        wall = datetime.fromtimestamp(began + now, UTC).isoformat(timespec="seconds")
        return Stamp(boot, int(now * 1000), wall, trusted=True)

    return stamp


def serve(
    table: SimulatedTable,
    ready: Mapping[str, Any],
    lines: Iterable[str],
    inbox: queue.SimpleQueue[Any],
    write_text: Callable[[str], object],
) -> None:
    """Answer ``lines`` until they end, and requests of the socket in between."""
    write_text(json.dumps({"ready": 1, "pid": os.getpid(), **ready, **table.report()}) + "\n")
    reader = threading.Thread(target=_read_lines, args=(lines, inbox), name="desk", daemon=True)
    reader.start()
    while (item := inbox.get()) is not None:
        if isinstance(item, Request):
            table.handle_request(item)
            continue
        try:
            answer = table.handle(json.loads(item))
        except (SimulatorError, ValueError) as error:
            answer = {"error": str(error), **table.report(brief=True)}
        write_text(json.dumps(answer) + "\n")


def _read_lines(lines: Iterable[str], inbox: queue.SimpleQueue[Any]) -> None:
    for line in lines:
        inbox.put(line)
    inbox.put(None)
