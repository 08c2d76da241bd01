"""The main loop: real time, edges and requests from an inbox, watchdog pings.

It sleeps until the table's next deadline. An idle table wakes every seven seconds for the periodic
work: ping, level re-read, dimming, retries of lost inputs. What arrives in between is preceded by a
ping too, so that a card that stalls in a commit has the whole time of the watchdog.
"""

from __future__ import annotations

import math
import queue
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from scorer.api.marks import Mark, Marks
from scorer.api.request import Request
from scorer.hw.ports import DeviceError, Edge, InputPresence, InputSource
from scorer.session.input.edge_limit import MAX_EDGES, QUIET
from scorer.session.values.keys import NoticeKey
from scorer.system.sd_notify import Notifier
from scorer.table.device_faults import ClosedOutput, DeviceKind, DeviceStatus
from scorer.table.guest import ServiceReport
from scorer.table.handlers import handle_request
from scorer.table.loop_commands import LoopCommand
from scorer.table.table import Table

TICK_S = 7.0  # seconds; systemd's watchdog waits for ten
PING_GAP_S = 1.0  # minimum seconds between two pings

# Seconds between the first attempts to open inputs; then they are opened with the periodic work.
RETRY_PAUSES_S = (0.5, 1.0, 2.0, 4.0)
CONSOLE_NOTICE_S = 4.0  # seconds for the notice of a console connected or lost

_FINAL_COMMANDS = (
    LoopCommand.STOP,
    LoopCommand.SHUTTING_DOWN,
    LoopCommand.SAFE_MODE,
    LoopCommand.RESTART,
    LoopCommand.STORE_REPLACED,
    LoopCommand.STORE_RESTORED,
)  # these end a table

InboxItem = Edge | InputPresence | Request | LoopCommand | ServiceReport | DeviceStatus


class Inbox(Protocol):
    """Where threads and signal handlers leave what the loop takes."""

    def put(self, item: InboxItem, /) -> None: ...
    def get(self, *, timeout: float | None = None) -> InboxItem: ...


class PowerPort(Protocol):
    """Power control of the machine."""

    def has_undervoltage(self, now: float) -> bool:
        """Return whether undervoltage is reported."""

    def on_table_ready(self) -> None:
        """Notify that the table is running."""

    def switch_off(self) -> None:
        """Request a shutdown; returns at once."""


class BatteryPort(Protocol):
    """The watch of the machine's battery."""

    def check(self, marks: Marks, /) -> None:
        """Read it, and mark it or switch off where that is due."""


class Watchdog:
    """Pings of the main loop, only while the inputs are alive."""

    def __init__(self, notifier: Notifier, now: Callable[[], float] = time.monotonic) -> None:
        self._notifier, self._now = notifier, now
        self._min_gap, self._pinged_at = notifier.ping_interval(PING_GAP_S), -math.inf
        self.may_ping = False  # set by the loop: the inputs are alive

    def ping(self) -> None:
        """Ping, unless the inputs are dead or it has pinged within the last second."""
        now = self._now()
        if self.may_ping and now - self._pinged_at >= self._min_gap:
            self._pinged_at = now
            self._notifier.ping_watchdog()


class Loop:
    """Runs one table until a command ends it."""

    def __init__(
        self,
        table: Table,
        *,
        inputs: InputSupervisor,
        inbox: Inbox,
        notifier: Notifier,
        power: PowerPort,
        battery: BatteryPort | None = None,
        now: Callable[[], float],
        tick: float = TICK_S,
        on_started: Callable[[], None] = lambda: None,
        watchdog: Watchdog | None = None,
    ) -> None:
        """``on_started``: called once, after the first periodic work or the final command.

        ``watchdog``: one that the table pings too, after each commit.

        READY comes earlier: the panels are opened by a thread of their own.
        """
        self._table, self._inputs, self._inbox = table, inputs, inbox
        self._notifier, self._now, self._tick_interval = notifier, now, tick
        self._power, self._on_started = power, on_started
        self._battery = battery
        self._watchdog = watchdog or Watchdog(notifier, now)
        self._status = ""
        self._logged_muted: tuple[str, ...] = ()

    def run(self) -> LoopCommand:
        """Run until a command ends the table; return that command."""
        self._report_inputs()
        for lost in self._inputs.lost_consoles():
            self._table.faults.report(lost)
        self._table.tick(self._now())
        self._status = self._table.faults.status
        self._notifier.ready(self._status)
        self._power.on_table_ready()
        next_tick = self._now() + self._pause()
        while True:
            item = self._next_item(next_tick)
            if isinstance(item, LoopCommand) and item in _FINAL_COMMANDS:
                self._report_start()
                return item
            # A commit may take as long as the card stalls.
            self._watchdog.may_ping = not self._inputs.has_died
            self._watchdog.ping()
            if isinstance(item, LoopCommand):
                self._handle_command(item)
            elif isinstance(item, Edge):
                self._table.handle_edge(item)
            elif isinstance(item, InputPresence):
                self._on_presence(item)
            elif isinstance(item, Request):
                handle_request(self._table, item, self._now())
            elif isinstance(item, ServiceReport):
                self._table.on_report(item, self._now())
            elif isinstance(item, DeviceStatus):
                self._table.faults.report(item)
                self._table.tick(self._now())
            else:
                self._table.tick(self._now())
            self._log_muted()
            self._report_status()
            if self._now() >= next_tick:
                self._periodic()
                self._report_start()
                next_tick = self._now() + self._pause()

    def _report_start(self) -> None:
        """Report that the start is finished, once."""
        report, self._on_started = self._on_started, lambda: None
        report()

    def _pause(self) -> float:
        """Seconds until the next periodic work."""
        return min(self._tick_interval, self._inputs.retry_pause)

    def _report_inputs(self) -> None:
        """Tell whether the buttons can be read, and lamps and buzzer be switched."""
        faults = self._table.faults
        fault = self._inputs.error
        was_lost = faults.report(DeviceStatus(DeviceKind.BUTTONS, fault=fault))
        # Shown missing until they are back or a phone is used.
        if fault and not was_lost:
            self._table.show_notice(NoticeKey.BUTTONS_LOST, self._now(), duration_s=math.inf)
        elif was_lost and not fault:
            key = NoticeKey.BUTTONS_BACK
            self._table.show_notice(key, self._now(), duration_s=CONSOLE_NOTICE_S)
        for status in self._inputs.take_output_statuses():
            faults.report(status)

    def _report_status(self) -> None:
        """Tell the service manager what is lost, if that has changed."""
        status = self._table.faults.status
        if status != self._status:
            self._status = status
            self._notifier.status(status)

    def _log_muted(self) -> None:
        """Log a device that is muted, and one that is heard again."""
        muted = self._table.muted_devices
        if muted == self._logged_muted:
            return
        for name in muted:
            if name not in self._logged_muted:
                sys.stderr.write(
                    f"scorer run: {name}: more than {MAX_EDGES} changes a second; it is ignored "
                    f"until it has been quiet for {QUIET:g} s\n"
                )
        for name in self._logged_muted:
            if name not in muted:
                sys.stderr.write(f"scorer run: {name}: it is quiet, and heard again\n")
        self._logged_muted = muted

    def _handle_command(self, command: LoopCommand) -> None:
        if command is LoopCommand.SWITCH_OFF:
            self._power.switch_off()
        else:
            self._table.show_notice(NoticeKey.STAYS_ON, self._now())
            self._table.tick(self._now())

    def _on_presence(self, item: InputPresence) -> None:
        """Reset the buttons of a console that was connected or lost, and show it."""
        now = self._now()
        self._table.reset_lines(item.levels, now)
        was_lost = self._table.faults.report(_console_status(item))
        percent = item.low_battery
        fault = "" if percent is None else f"it has {percent} %, charge it"
        self._table.faults.report(
            DeviceStatus(DeviceKind.BATTERY, item.name, fault, side=item.name)
        )
        if was_lost or not item.is_present:
            key = NoticeKey.CONSOLE_BACK if item.is_present else NoticeKey.CONSOLE_LOST
            self._table.show_notice(key, now, item.name, CONSOLE_NOTICE_S)
        self._table.tick(now)

    def _next_item(self, next_tick: float) -> InboxItem | None:
        due = self._table.deadline()
        until = next_tick if due is None else min(due, next_tick)
        try:
            return self._inbox.get(timeout=max(0.0, until - self._now()))
        except queue.Empty:
            return None

    def _periodic(self) -> None:
        now = self._now()
        was_open = self._inputs.was_open
        self._watchdog.may_ping = self._inputs.ensure_open()
        if self._watchdog.may_ping:
            if self._inputs.was_open and not was_open:
                # A button that is down now is stuck, as at power-on, and not pressed.
                self._table.reset_lines(self._inputs.levels(), now)
            self._table.resync(now)
            self._watchdog.ping()
        self._report_inputs()
        self._table.marks.set(Mark.POWER, is_set=self._power.has_undervoltage(now))
        if self._battery is not None:
            self._battery.check(self._table.marks)
        self._table.tick(now)


def _console_status(item: InputPresence) -> DeviceStatus:
    fault = "" if item.is_present else item.why or item.kind
    return DeviceStatus(DeviceKind.CONSOLE, item.name, fault, item.kind, item.name)


class InputSupervisor:
    """Keeps the inputs open: waits for absent ones, reopens failed ones.

    Lamps and buzzer on pins that are absent with the buttons are opened as soon as they can be.
    """

    def __init__(
        self,
        inputs: InputSource,
        inbox: Inbox,
        outputs: Sequence[ClosedOutput] = (),
        consoles: Callable[[], Sequence[InputPresence]] = tuple,
    ) -> None:
        """``consoles``: the presence of those on a cable."""
        self._inputs, self._inbox, self._consoles = inputs, inbox, consoles
        self._closed_outputs = list(outputs)
        self._output_statuses: list[DeviceStatus] = []
        self._failures = 0
        self.was_open = False
        self.error = ""  # why the inputs are closed

    @property
    def retry_pause(self) -> float:
        """Seconds until inputs that were never open are tried again."""
        if self.was_open or not 0 < self._failures <= len(RETRY_PAUSES_S):
            return math.inf
        return RETRY_PAUSES_S[self._failures - 1]

    @property
    def has_died(self) -> bool:
        """Whether inputs that were open are read no more."""
        return self.was_open and not self._inputs.is_alive()

    def ensure_open(self) -> bool:
        """Open closed inputs; return False if they failed and cannot be reopened.

        lgpio cannot recover a dead thread: the caller stops the pings, so that the watchdog
        restarts the process.
        """
        self._open_outputs()
        if self.was_open and self._inputs.is_alive():
            return True
        try:
            self._inputs.open(self._inbox.put)
        except DeviceError as error:
            self.error = str(error)
            self._failures += 1
            return not self.was_open
        self.was_open, self.error = True, ""
        return self._inputs.is_alive()

    def lost_consoles(self) -> Iterator[DeviceStatus]:
        """Each console on a cable that was tried and is missing."""
        return (_console_status(each) for each in self._consoles() if each.kind and each.why)

    def take_output_statuses(self) -> list[DeviceStatus]:
        """What the newest attempt to open lamps and buzzer has found; empty after that."""
        statuses, self._output_statuses = self._output_statuses, []
        return statuses

    def levels(self) -> Mapping[str, bool]:
        """The levels of the lines; empty if they cannot be read."""
        try:
            return self._inputs.levels()
        except DeviceError:
            return {}

    def _open_outputs(self) -> None:
        tried, self._closed_outputs = self._closed_outputs, []
        for output in tried:
            fault = ""
            try:
                output.open()
            except DeviceError as error:
                self._closed_outputs.append(output)
                # Without any pins the buttons are missing, or nothing is wired to pins.
                fault = "" if error.kind == "no_pins" else str(error)
            self._output_statuses.append(
                DeviceStatus(output.kind, output.side, fault, side=output.side)
            )
