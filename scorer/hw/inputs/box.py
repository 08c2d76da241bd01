"""Buttons of a box on a serial port: what it says, line by line, becomes edges.

It translates and decides nothing. A line that is lost is told again by the next one; a box that is
lost is not looked for from here: ``gone`` is called once, and who opened it opens it again. What is
known of the box outlives that, so that a press of the meantime is told by the box itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from scorer.hw.options import OptionsError
from scorer.hw.ports import DeviceError, Edge, ignore_loss
from scorer.hw.serial.box_lines import (
    BEAT,
    BUTTONS,
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

FIRST_LINE_WAIT = (
    BEAT + 2.0
)  # seconds for the first line: a box that does not listen speaks every ten
STALE_WINDOW = 0.3  # seconds in which a line may come out of a buffer that nobody had emptied


@dataclass(frozen=True, slots=True)
class Options:
    """The port by its stable name, its speed, and the names of the buttons in the box's order.

    An empty name is a place without a button.
    """

    port: str
    lines: tuple[str, ...]
    baud: int = 115200

    def __post_init__(self) -> None:
        problems = port_problems(self.port, self.baud)
        names = [name for name in self.lines if name]
        if len(self.lines) > BUTTONS:
            problems.append(f"lines: a box has {BUTTONS} buttons at most")
        if len(set(names)) < len(names):
            problems.append("lines: a button is there twice")
        if problems:
            raise OptionsError(problems)

    @property
    def resource_id(self) -> str:
        """Where it hangs: no two boxes on one port."""
        return self.port

    @property
    def repeats_held_buttons(self) -> bool:
        """A button that is held is told again and again; it cannot be looked at in between."""
        return True


def create(
    options: Options,
    *,
    now: Callable[[], float] = monotonic,
    gone: Callable[[DeviceError], None] = ignore_loss,
    port: Callable[[str, int], Port] = Port,
) -> BoxInput:
    """A closed driver. ``now`` dates what arrives; ``gone`` is called when the box is lost."""
    return BoxInput(options, now, gone, port(options.port, options.baud))


class BoxInput:
    """An InputSource that listens to a box."""

    def __init__(
        self,
        options: Options,
        now: Callable[[], float],
        on_lost: Callable[[DeviceError], None],
        port: Port,
    ) -> None:
        self._lines, self._port = options.lines, port
        self._now, self._on_lost = now, on_lost
        self._tracker, self._framing = BoxTracker(), LineBuffer()
        self._levels = 0  # as far as they were reported: never ahead of the edges
        self._unreported: list[Move] = []  # known, and not reported yet
        self._thread: threading.Thread | None = None
        self._closing = self._alive = False

    def open(self, emit: Callable[[Edge], None]) -> None:
        """Take the port and wait for the first line, which tells all levels; 12 s at most.

        Raises DeviceError: besides what the port has against it, no box is heard there (``silent``)
        or it speaks another version (``version``).
        """
        self.close()
        self._closing = False
        try:
            self._port.open()
            self._framing.reset()
            self._port.write(QUERY)
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

    def close(self) -> None:
        thread, self._thread = self._thread, None
        self._closing, self._alive = True, False
        self._port.wake()
        # Its own thread closes it when somebody who is told of an edge wants no more of them.
        if thread is not None and thread is not threading.current_thread():
            thread.join()
            self._port.close()

    def _read_first_line(self) -> None:
        began = self._now()
        while (left := began + FIRST_LINE_WAIT - self._now()) > 0 and not self._closing:
            if said := self._read_messages(left):
                # What is said at once and what had waited are judged together, by one clock.
                while self._now() < began + STALE_WINDOW and (more := self._port.read(0.05)):
                    said += self._parse(more)
                is_fresh = self._now() > began + STALE_WINDOW
                self._update(said, began if is_fresh else float("inf"))
                return
        sentence = "no button box is heard there; is it one, and is its speed right?"
        raise DeviceError(f"{self._port.path}: {sentence}", "silent")

    def _listen(self, emit: Callable[[Edge], None]) -> None:
        try:
            self._report(emit)
            while not self._closing:
                self._read_lines(emit)
        except DeviceError as error:
            self._fail(error)
        except Exception as error:
            # What an edge led to has failed: it is not known any more what arrived.
            self._fail(DeviceError(f"{self._port.path}: {error!r}"))

    def _read_lines(self, emit: Callable[[Edge], None]) -> None:
        said = self._read_messages(self._tracker.time_left(self._now()))
        if self._closing:
            return
        if said and self._update(said):
            raise DeviceError(f"{self._port.path}: the box started anew", "absent")
        self._report(emit)
        if said:
            self._repeat_held(emit)
        elif not self._tracker.time_left(self._now()):
            raise DeviceError(f"{self._port.path}: the box has fallen silent", "silent")

    def _read_messages(self, patience: float) -> list[BoxMessage]:
        """The sound lines among what arrives now."""
        return self._parse(self._port.read(patience))

    def _parse(self, data: bytes) -> list[BoxMessage]:
        told = [decode_line(line) for line in self._framing.feed(data)]
        for other in told:
            if isinstance(other, UnknownVersion):
                raise DeviceError(
                    f"{self._port.path}: the box speaks version {other.version}, this table "
                    f"version {VERSION}; bring both up to date",
                    "version",
                )
        return [line for line in told if isinstance(line, BoxMessage)]

    def _update(self, messages: Sequence[BoxMessage], since: float = float("inf")) -> bool:
        """What these lines tell waits to be reported; True where the box began anew."""
        begun = False
        for told in self._tracker.update(messages, self._now(), since):
            if isinstance(told, InitialLevels):
                # What the box had told before it was switched off is over.
                begun, self._levels = True, told.levels
                self._unreported.clear()
            else:
                self._unreported.append(told)
        return begun

    def _report(self, emit: Callable[[Edge], None]) -> None:
        while self._unreported:
            move = self._unreported[0]
            if name := self._name(move.button):
                emit(Edge(move.time, name, move.down))
            self._levels = self._levels & ~(1 << move.button) | move.down << move.button
            self._unreported.pop(0)

    def _repeat_held(self, emit: Callable[[Edge], None]) -> None:
        """Buttons that are held are told again, as the box does: a hold waits for that."""
        if (time := self._tracker.held_repeated_at) is None:
            return
        for button in range(BUTTONS):
            if self._levels >> button & 1 and (name := self._name(button)):
                emit(Edge(time, name, True))

    def _name(self, button: int) -> str:
        return self._lines[button] if button < len(self._lines) else ""

    def _fail(self, error: DeviceError) -> None:
        self._alive = False
        self._port.close()
        if not self._closing:
            self._on_lost(error)
