"""A button box on a serial port: its messages become edges.

A lost message is recovered from the next one. A lost box is not reopened here: ``gone`` is called
once, and the caller reopens it. The tracker survives that, so that the box can report presses made
meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import NamedTuple, Protocol

from scorer.hw.ports import DeviceError, Edge, ignore_loss
from scorer.hw.serial.box_lines import (
    BEAT,
    BUTTONS,
    HELD_TIMEOUT,
    IDLE_TIMEOUT,
    QUERY,
    VERSION,
    BoxMessage,
    BoxTracker,
    InitialLevels,
    Move,
    UnknownVersion,
    decode_line,
)
from scorer.hw.serial.lines import LineBuffer
from scorer.hw.serial.port import Port, port_problems
from scorer.plain_values import Found

# Seconds for the first message: a box that ignores the query sends one every ten.
FIRST_LINE_WAIT = BEAT + 2.0
QUERY_INTERVAL = 2.0  # seconds between queries: the boot loader of a board swallows the first
LOW_BATTERY, CHARGED_BATTERY = 20, 25  # percent: low from the one on down, until the other
STALE_WINDOW = 0.3  # seconds in which a message may be stale, from a buffer filled before opening


class Options(NamedTuple):
    """The stable path of the port, its speed, and the button names in the box's order.

    An empty name is a position without a button.
    """

    port: str
    lines: tuple[str, ...]
    baud: int = 115200

    def find_problems(self) -> Iterator[Found]:
        yield from port_problems(self.port, self.baud)
        yield from line_problems(self.lines)

    @property
    def resource_id(self) -> str:
        """The port, which no other box can share."""
        return self.port

    @property
    def repeats_held_buttons(self) -> bool:
        """A held button is reported repeatedly, because its level cannot be read."""
        return True


class LinePort(Protocol):
    """Where the lines of a box arrive; ``Port`` describes the members."""

    path: str

    def open(self) -> None: ...
    def read(self, timeout: float) -> bytes: ...
    def write(self, data: bytes) -> int: ...
    def wake(self) -> None: ...
    def close(self) -> None: ...


class Silence(NamedTuple):
    """After how many seconds without a message a box is lost, and what is reported.

    ``idle``: with all buttons up; ``held``: while one is down. ``kind``: of the DeviceError;
    ``at_first`` and ``later``: its sentences at the opening and after messages.
    """

    idle: float = IDLE_TIMEOUT
    held: float = HELD_TIMEOUT
    kind: str = "silent"
    at_first: str = "no button box is heard there; is it one, and is its speed right?"
    later: str = "the box has fallen silent"


ON_A_CABLE = Silence()


def line_problems(lines: Sequence[str]) -> Iterator[Found]:
    """Problems of the buttons of a box."""
    names = [name for name in lines if name]
    if len(lines) > BUTTONS:
        yield "lines", f"a box has {BUTTONS} buttons at most"
    if len(set(names)) < len(names):
        yield "lines", "a button is there twice"


def create(
    options: Options,
    *,
    now: Callable[[], float] = monotonic,
    gone: Callable[[DeviceError], None] = ignore_loss,
    port: Callable[[str, int], LinePort] = Port,
) -> BoxInput:
    """Create a closed driver.

    ``now`` dates messages; ``gone`` is called when the box is lost.
    """
    return BoxInput(options.lines, now, gone, port(options.port, options.baud))


class BoxInput:
    """An InputSource that reads a box."""

    def __init__(
        self,
        lines: Sequence[str],
        now: Callable[[], float],
        on_lost: Callable[[DeviceError], None],
        port: LinePort,
        silence: Silence = ON_A_CABLE,
    ) -> None:
        """``lines``: the names of the buttons in the order of the box."""
        self._lines, self._port = lines, port
        self._now, self._on_lost, self._silence = now, on_lost, silence
        self._tracker, self._framing = BoxTracker(silence.idle, silence.held), LineBuffer()
        self._levels = 0  # as reported so far; never ahead of the edges
        self._unreported: list[Move] = []  # decoded but not reported yet
        self._thread: threading.Thread | None = None
        self._closing = self._alive = False
        self._is_battery_low = False
        self._report_battery: Callable[[int | None], None] = _ignore_battery

    def open(self, emit: Callable[[Edge], None]) -> None:
        """Open the port and wait for the first message, with all levels; 12 s at most.

        Raises DeviceError: besides the errors of the port, no box answers (``silent``) or it has
        another protocol version (``version``).
        """
        self.close()
        self._closing = False
        try:
            self._port.open()
            self._framing.reset()
            self._read_first_line()
        except DeviceError:
            self._port.close()
            raise
        self._alive = True
        self._thread = threading.Thread(target=self._listen, args=(emit,), name="box", daemon=True)
        self._thread.start()

    def levels(self) -> Mapping[str, bool]:
        if not self._alive:
            raise DeviceError(f"{self._port.path} is not open", "absent")
        return {name: bool(self._levels >> at & 1) for at, name in enumerate(self._lines) if name}

    def is_alive(self) -> bool:
        return self._alive

    def watch_battery(self, report: Callable[[int | None], None]) -> None:
        self._report_battery = report

    def close(self) -> None:
        thread, self._thread = self._thread, None
        self._closing, self._alive = True, False
        self._port.wake()
        # On its own thread, when a receiver of an edge calls close(), the thread itself ends.
        if thread is not None and thread is not threading.current_thread():
            thread.join()
            self._port.close()

    def _read_first_line(self) -> None:
        began = self._now()
        while (left := began + FIRST_LINE_WAIT - self._now()) > 0 and not self._closing:
            self._port.write(QUERY)
            if messages := self._read_until(self._now() + min(left, QUERY_INTERVAL)):
                # Date the answer and messages that waited in the buffer together, by one clock.
                while self._now() < began + STALE_WINDOW and (more := self._port.read(0.05)):
                    messages += self._parse(more)
                is_fresh = self._now() > began + STALE_WINDOW
                self._update(messages, began if is_fresh else float("inf"))
                return
        raise DeviceError(f"{self._port.path}: {self._silence.at_first}", self._silence.kind)

    def _listen(self, emit: Callable[[Edge], None]) -> None:
        try:
            self._report(emit)
            while not self._closing:
                self._read_lines(emit)
        except DeviceError as error:
            self._fail(error)
        except Exception as error:
            # A receiver of an edge failed: which edges it handled is unknown.
            self._fail(DeviceError(f"{self._port.path}: {error!r}"))

    def _read_lines(self, emit: Callable[[Edge], None]) -> None:
        messages = self._read_messages(self._tracker.time_left(self._now()))
        if self._closing:
            return
        if messages and self._update(messages):
            raise DeviceError(f"{self._port.path}: the box started anew", "absent")
        self._report(emit)
        if messages:
            self._repeat_held(emit)
        elif not self._tracker.time_left(self._now()):
            raise DeviceError(f"{self._port.path}: {self._silence.later}", self._silence.kind)

    def _read_until(self, until: float) -> list[BoxMessage]:
        """The valid messages that arrive first, none if there are none by then."""
        while (left := until - self._now()) > 0 and not self._closing:
            if messages := self._read_messages(left):
                return messages
        return []

    def _read_messages(self, patience: float) -> list[BoxMessage]:
        """The valid messages that arrive now."""
        return self._parse(self._port.read(patience))

    def _parse(self, data: bytes) -> list[BoxMessage]:
        decoded = [decode_line(line) for line in self._framing.feed(data)]
        for other in decoded:
            if isinstance(other, UnknownVersion):
                raise DeviceError(
                    f"{self._port.path}: the box speaks version {other.version}, this table "
                    f"version {VERSION}; bring both up to date",
                    "version",
                )
        return [line for line in decoded if isinstance(line, BoxMessage)]

    def _update(self, messages: Sequence[BoxMessage], since: float = float("inf")) -> bool:
        """Queue the changes in these messages; return True if the box restarted."""
        for message in messages:
            self._check_battery(message.battery)
        restarted = False
        for change in self._tracker.update(messages, self._now(), since):
            if isinstance(change, InitialLevels):
                # Unreported changes from before the restart are void.
                restarted, self._levels = True, change.levels
                self._unreported.clear()
            else:
                self._unreported.append(change)
        return restarted

    def _report(self, emit: Callable[[Edge], None]) -> None:
        while self._unreported:
            move = self._unreported[0]
            if name := self._name(move.button):
                emit(Edge(move.time, name, move.down))
            self._levels = self._levels & ~(1 << move.button) | move.down << move.button
            self._unreported.pop(0)

    def _repeat_held(self, emit: Callable[[Edge], None]) -> None:
        """Repeat held buttons as the box does: hold detection needs that."""
        if (time := self._tracker.held_repeated_at) is None:
            return
        for button in range(BUTTONS):
            if self._levels >> button & 1 and (name := self._name(button)):
                emit(Edge(time, name, True))

    def _check_battery(self, percent: int | None) -> None:
        if percent is None:
            return
        if not self._is_battery_low and percent <= LOW_BATTERY:
            self._is_battery_low = True
            self._report_battery(percent)
        elif self._is_battery_low and percent >= CHARGED_BATTERY:
            self._is_battery_low = False
            self._report_battery(None)

    def _name(self, button: int) -> str:
        return self._lines[button] if button < len(self._lines) else ""

    def _fail(self, error: DeviceError) -> None:
        self._alive = False
        self._port.close()
        if not self._closing:
            self._on_lost(error)


def _ignore_battery(percent: int | None) -> None:
    """Discard the report: no caller watches the battery."""
