"""``scorer run --desk``: the simulated table, controlled by another program.

Reads one JSON object per line and answers each with one: pin changes and the time to advance to,
panels to unplug, and the results. Time is simulated.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from scorer.api.request import Request
from scorer.api.server import TableServer, listen_for_all
from scorer.config.pin_map import pins_for
from scorer.hw.displays import luma_oled
from scorer.hw.outputs.memory import MemoryLight
from scorer.hw.simulated import SimulatedHardware
from scorer.records.clock import boot_id
from scorer.session.values import seating
from scorer.session.values.settings import Layout
from scorer.store.journal import Stamp
from scorer.table.hooks import TableHooks
from scorer.table.inbox import OrderedInbox
from scorer.table.loop_commands import LoopCommand
from scorer.table.observers import StateObserver
from scorer.table.simulated_table import SimulatedError, SimulatedTable, TableChoices
from scorer.table.startup import StoreHolder

Message = dict[str, Any]
UNPLUGGED = "gone"  # the value of an unplugged panel
PANELS = {
    "A": luma_oled.Options(controller="ssd1306", address=0x3C),
    "B": luma_oled.Options(controller="ssd1306", address=0x3D),
}


class SimulatorOptions(NamedTuple):
    """Options of the simulator's command line."""

    choices: TableChoices
    store: Path
    panels: int = 2
    power_on_at: float = 0.0  # simulated time of power-on, seconds
    held_buttons: tuple[str, ...] = ()  # buttons that are down at power-on
    socket: Path | None = None
    light: int = 0  # pixels of a team light
    wall_at_0: float | None = None  # Unix time at the simulated second 0; None: it is now


def _kill_process() -> None:
    """Simulate a power failure now."""
    os.kill(os.getpid(), signal.SIGKILL)


class DeskTable:
    """A simulated table that requests control; ``close`` it after use."""

    def __init__(
        self,
        options: SimulatorOptions,
        observer: StateObserver | None = None,
        cut_power: Callable[[], object] = _kill_process,
    ) -> None:
        """Power on.

        ``cut_power`` is called between a commit and its picture, if a request says so.
        """
        panels = dict(list(PANELS.items())[: options.panels])
        choices = options.choices
        # The layout can be changed at the table: simulate the pins of all buttons.
        hardware = SimulatedHardware(
            pins_for(Layout.FULL, choices.consoles),
            panels,
            lamps=seating.consoles_in_use(choices.header.rules, choices.consoles),
            start=options.power_on_at,
        )
        for line in options.held_buttons:
            hardware.set_pin(line, 0, options.power_on_at)
        self._cut_power, self._cuts_after_commit = cut_power, False
        self._stack = ExitStack()
        self.store = StoreHolder(options.store, self._stack)
        self._light = MemoryLight(options.light) if options.light else None
        self.table = SimulatedTable(
            choices,
            hardware,
            self.store,
            _simulated_stamps(options),
            observer=observer,
            hooks=TableHooks(on_stored=self._on_stored),
            light=self._light,
        )
        self._stack.callback(self.table.close)
        layout = self.table.resolved().config.table.layout
        self._ready = {
            "ready": 1,
            "pid": os.getpid(),
            "lines": pins_for(layout, choices.consoles),
            "panels": {
                name: {"controller": panel.controller, "size": list(panel.glass_size)}
                for name, panel in panels.items()
            },
        }

    def ready(self) -> Message:
        """The first message: buttons and panels, and the first report."""
        return {**self._ready, **self.report()}

    def handle(self, request: Message) -> Message:
        """Execute ``request`` and return the result. Raises SimulatedError."""
        if "panel" in request:
            kind = request.get("fault")
            self.table.set_fault(str(request["panel"]), "absent" if kind == UNPLUGGED else kind)
        elif "until" in request:
            self._cuts_after_commit = request.get("cut") == "after_commit"
            self.table.advance(request.get("edges", []), float(request["until"]))
        else:
            raise SimulatedError("a request holds 'until' or 'panel'")
        if LoopCommand.STORE_REPLACED in self.table.commands:
            self.store.kill_process()
        self.table.commands.clear()  # there is no machine to switch off
        return self.report(brief=bool(request.get("brief")))

    def report(self, *, brief: bool = False) -> Message:
        """Everything that happened since the last report."""
        light = {} if self._light is None else {"light": self._light.frame}
        return {**self.table.report(brief=brief), **light}

    def close(self) -> None:
        """Close devices and store."""
        self._stack.close()

    def _on_stored(self) -> None:
        if self._cuts_after_commit:
            self._cut_power()


def run(
    options: SimulatorOptions, lines: Iterable[str], write_text: Callable[[str], object]
) -> None:
    """Run a table on simulated hardware: answer ``lines`` and requests of its socket."""
    inbox: OrderedInbox = OrderedInbox()
    with ExitStack() as stack:
        desk = DeskTable(options, start_server(options.socket, inbox.put, stack))
        stack.callback(desk.close)
        write_text(json.dumps(desk.ready()) + "\n")
        reader = threading.Thread(target=_read_lines, args=(lines, inbox), name="desk", daemon=True)
        reader.start()
        while (item := inbox.get()) is not None:
            if isinstance(item, Request):
                desk.table.handle_request(item)
                continue
            try:
                answer = desk.handle(json.loads(item))
            except (SimulatedError, ValueError) as error:
                answer = {"error": str(error), **desk.report(brief=True)}
            write_text(json.dumps(answer) + "\n")


def _read_lines(lines: Iterable[str], inbox: OrderedInbox) -> None:
    for line in lines:
        inbox.put(line)
    inbox.put(None)


def start_server(
    path: Path | None, on_request: Callable[[Request], None], stack: ExitStack
) -> TableServer | None:
    if path is None:
        return None
    server = TableServer(listen_for_all(path), "desk", on_request)
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
