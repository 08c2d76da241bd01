"""Buttons on the header: active-low lines with pull-ups, reported edge by edge.

No debouncing and no gestures. gpiozero's input devices are used only here.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Protocol

from scorer.hw import pins
from scorer.hw.event_clock import EventClock
from scorer.hw.ports import DeviceError, Edge, ignore_loss
from scorer.plain_values import Found


class Options(NamedTuple):
    """BCM pins by line name, 4 to 27, each used once, which the configuration checks."""

    lines: Mapping[str, int]

    def find_problems(self) -> Iterator[Found]:
        for name, pin in self.lines.items():
            if text := pins.problem(pin):
                yield ("lines", name), text

    @property
    def resource_id(self) -> str:
        """One input at a time: two would both take UNDO and MENU."""
        return "the pins of the header"

    @property
    def repeats_held_buttons(self) -> bool:
        return False


def create(
    options: Options,
    *,
    now: Callable[[], float] = time.monotonic,
    gone: Callable[[DeviceError], None] = ignore_loss,
    pin_factory: object = None,
) -> GpioInput:
    """Create a closed driver.

    An edge is dated by ``now`` and its age on the clock of the pins. ``pin_factory`` replaces the
    Pi's pins. ``gone`` is called when an edge could not be reported; the end of lgpio's thread is
    silent.
    """
    return GpioInput(options, now, gone, pin_factory)


class GpioInput:
    """An InputSource of gpiozero devices."""

    def __init__(
        self,
        options: Options,
        now: Callable[[], float],
        on_lost: Callable[[DeviceError], None],
        pin_factory: object,
    ) -> None:
        self._lines = dict(options.lines)
        self._now, self._on_lost = now, on_lost
        self._pin_factory = pin_factory
        self._clock = EventClock()
        self._callbacks: list[_PinCallback] = []  # pins refer to them weakly
        self._devices: dict[str, _Device] = {}
        self._deaf = False
        self._on_lgpio = False
        self._why_closed = "the buttons are not open"

    def open(self, emit: Callable[[Edge], None]) -> None:
        """Claim all lines, or none."""
        self.close()
        self._deaf, self._clock = False, EventClock()
        try:
            from gpiozero import InputDevice

            factory = pins.lgpio_factory() if self._pin_factory is None else self._pin_factory
            self._on_lgpio = type(factory).__module__ == "gpiozero.pins.lgpio"
            for name, pin in self._lines.items():
                self._devices[name] = InputDevice(pin, pull_up=True, pin_factory=factory)
                self._listen(name, self._devices[name], emit)
        except pins.pin_exceptions() as error:
            self.close()
            fault = pins.device_error("the buttons", error)
            self._why_closed = str(fault)
            raise fault from error

    def levels(self) -> Mapping[str, bool]:
        if not self._devices:
            raise DeviceError(self._why_closed)
        try:
            return {name: bool(device.value) for name, device in self._devices.items()}
        except pins.pin_exceptions() as error:
            raise pins.device_error("the buttons", error) from error

    def is_alive(self) -> bool:
        return bool(self._devices) and not self._deaf and not (self._on_lgpio and _lgpio_died())

    def close(self) -> None:
        devices, self._devices = self._devices, {}
        self._callbacks.clear()
        for device in devices.values():
            # A failure to close one must not keep the others open.
            with contextlib.suppress(*pins.pin_exceptions()):
                device.close()

    def _listen(self, name: str, device: _Device, emit: Callable[[Edge], None]) -> None:
        factory = device.pin_factory

        def report(ticks: float, level: int) -> None:
            # An exception in a callback ends lgpio's only thread, and with it all buttons.
            try:
                age = factory.ticks_diff(factory.ticks(), ticks)
                emit(Edge(self._clock.date(age, self._now()), name, not level))
            except Exception as error:
                if not self._deaf:
                    self._deaf = True
                    self._on_lost(DeviceError(f"an edge of {name} was lost: {error!r}"))

        self._callbacks.append(report)
        # The events of gpiozero's devices do not pass the time on, those of its pins do. No bounce:
        # its meaning differs between libraries, and taps shorter than it are lost.
        device.pin.edges = "both"
        device.pin.when_changed = report


_PinCallback = Callable[[float, int], None]
"""Receives the factory's ticks of an edge and the level after it."""


class _Pin(Protocol):
    """The used part of a gpiozero pin."""

    edges: str
    when_changed: _PinCallback


class _Factory(Protocol):
    """The used part of a gpiozero pin factory."""

    def ticks(self) -> float: ...
    def ticks_diff(self, later: float, earlier: float, /) -> float: ...


class _Device(Protocol):
    """The used part of a gpiozero input device."""

    @property
    def pin(self) -> _Pin: ...
    @property
    def pin_factory(self) -> _Factory: ...
    @property
    def value(self) -> int: ...

    def close(self) -> None: ...


def _lgpio_died() -> bool:
    """Whether lgpio's notification thread has ended; nothing restarts it."""
    thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return thread is not None and not thread.is_alive()
