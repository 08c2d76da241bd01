"""The main loop: real time, edges and requests from an inbox, watchdog pings.

It sleeps until the table's next deadline. An idle table wakes every seven seconds for the periodic
work: ping, level re-read, dimming, retries of lost devices.
"""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable
from typing import Protocol

from scorer.api.marks import Mark
from scorer.api.print_protocol import PrintResult
from scorer.api.server import Request
from scorer.hw.ports import DeviceError, Edge, InputSource, Presence
from scorer.system.sd_notify import Notifier
from scorer.table.loop_commands import LoopCommand
from scorer.table.observers import ScoreboardStatus
from scorer.table.runnable import RunnableTable

TICK_S = 7.0  # seconds; systemd's watchdog waits for ten


CONSOLE_NOTICE_S = 4.0  # seconds for the notice of a console connected or lost

_FINAL_COMMANDS = (
    LoopCommand.STOP,
    LoopCommand.SHUTTING_DOWN,
    LoopCommand.SAFE_MODE,
    LoopCommand.RESTART,
    LoopCommand.STORE_REPLACED,
)  # these end a table

InboxItem = Edge | Presence | Request | LoopCommand | PrintResult | ScoreboardStatus
Inbox = queue.SimpleQueue[InboxItem]


class PowerPort(Protocol):
    """Power control of the machine."""

    def has_undervoltage(self, now: float) -> bool:
        """Return whether undervoltage is reported."""

    def on_table_ready(self) -> None:
        """Notify that the table is running."""

    def switch_off(self) -> None:
        """Request a shutdown; returns at once."""


class Loop:
    """Runs one table until a command ends it."""

    def __init__(
        self,
        table: RunnableTable,
        *,
        inputs: InputSupervisor,
        inbox: Inbox,
        notifier: Notifier,
        power: PowerPort,
        now: Callable[[], float],
        tick: float = TICK_S,
    ) -> None:
        self._table, self._inputs, self._inbox = table, inputs, inbox
        self._notifier, self._now, self._tick_interval = notifier, now, tick
        self._power = power
        self._lost_scoreboards: set[str] = set()

    def run(self) -> LoopCommand:
        """Run until a command ends the table; return that command."""
        self._table.tick(self._now())
        self._notifier.ready("keeping the score")
        self._power.on_table_ready()
        next_tick = self._now() + self._tick_interval
        while True:
            item = self._next_item(next_tick)
            if isinstance(item, LoopCommand) and item in _FINAL_COMMANDS:
                return item
            if isinstance(item, LoopCommand):
                self._handle_command(item)
            elif isinstance(item, Edge):
                self._table.handle_edge(item)
            elif isinstance(item, Presence):
                self._on_presence(item)
            elif isinstance(item, Request):
                self._table.handle_request(item, self._now())
            elif isinstance(item, PrintResult):
                self._table.on_printed(item, self._now())
            elif isinstance(item, ScoreboardStatus):
                self._on_scoreboard_status(item)
            else:
                self._table.tick(self._now())
            if self._now() >= next_tick:
                next_tick = self._now() + self._tick_interval
                self._periodic()

    def _handle_command(self, command: LoopCommand) -> None:
        if command is LoopCommand.SWITCH_OFF:
            self._power.switch_off()
        else:
            self._table.show_notice("stays_on", self._now())
            self._table.tick(self._now())

    def _on_presence(self, item: Presence) -> None:
        """Reset the buttons of a console that was connected or disconnected, and show it."""
        now = self._now()
        self._table.reset_lines(item.levels, now)
        fault = "" if item.is_present else item.kind or "absent"
        was_lost = self._table.marks.set_console_fault(item.name, fault)
        if was_lost or not item.is_present:
            key = "console_back" if item.is_present else "console_lost"
            self._table.show_notice(key, now, item.name, CONSOLE_NOTICE_S)
        why = item.why or "it is there"
        sys.stderr.write(f"scorer run: console {item.name}: {why}\n")
        self._table.tick(now)

    def _on_scoreboard_status(self, status: ScoreboardStatus) -> None:
        """Log a scoreboard that was connected or lost; its own display shows the rest."""
        (self._lost_scoreboards.add if status.fault else self._lost_scoreboards.discard)(
            status.name
        )
        self._table.marks.set(Mark.BOARD, is_set=bool(self._lost_scoreboards))
        sys.stderr.write(
            f"scorer run: {status.fault or f'scoreboard {status.name}: it is there'}\n"
        )
        self._table.tick(self._now())

    def _next_item(self, next_tick: float) -> InboxItem | None:
        due = self._table.deadline()
        until = next_tick if due is None else min(due, next_tick)
        try:
            return self._inbox.get(timeout=max(0.0, until - self._now()))
        except queue.Empty:
            return None

    def _periodic(self) -> None:
        now = self._now()
        if self._inputs.ensure_open():
            self._table.resync(now)
            self._notifier.ping_watchdog()
        self._table.marks.set(Mark.BUTTONS, is_set=bool(self._inputs.error))
        self._table.marks.set(Mark.POWER, is_set=self._power.has_undervoltage(now))
        self._table.tick(now)
        self._table.check_devices(now)


class InputSupervisor:
    """Keeps the inputs open: waits for absent boxes, reopens failed ones."""

    def __init__(self, inputs: InputSource, inbox: Inbox) -> None:
        self._inputs, self._inbox = inputs, inbox
        self._was_open = False
        self.error = ""  # the last error message

    def ensure_open(self) -> bool:
        """Open closed inputs; return False if they failed and cannot be reopened.

        lgpio cannot recover a dead thread: the caller stops the pings, so that the watchdog
        restarts the process.
        """
        if self._was_open and self._inputs.is_alive():
            return True
        try:
            self._inputs.open(self._inbox.put)
        except DeviceError as error:
            self.error = str(error)
            return not self._was_open
        self._was_open, self.error = True, ""
        return self._inputs.is_alive()
