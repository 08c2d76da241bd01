"""A table's hardware without hardware: real drivers on simulated pins and buses.

Buttons are gpiozero's mock pins under the real input driver, panels are recording buses under the
real display driver. The caller sets pins, breaks wires and reads what arrived.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

from scorer.hw.displays import luma_oled
from scorer.hw.displays.fake_bus import FakeWire, Fault, RecordingBus, RecordingSpi
from scorer.hw.inputs import gpio
from scorer.hw.outputs.memory import MemoryOutputs
from scorer.hw.ports import Display, Edge, InputSource
from scorer.hw.simulated_clock import SimulatedClock

ONE_PANEL = {"A": luma_oled.Options()}
FORGETS = "forgets"
TWO_PANELS = {"A": luma_oled.Options(), "B": luma_oled.Options(address=0x3D)}


class SimulatedHardware(MemoryOutputs):
    """The devices of one table, closed.

    ``lines``: BCM pins by name; ``panels`` by name. A table opens ``inputs``, ``displays``,
    ``lamp_drivers`` and ``buzzer``.
    """

    def __init__(
        self,
        lines: Mapping[str, int],
        panels: Mapping[str, luma_oled.Options] = TWO_PANELS,
        *,
        lamps: Sequence[str] = (),
        start: float = 0.0,
    ) -> None:
        self.clock = SimulatedClock(start)
        self._messages: deque[tuple[str, bytes]] = deque()
        self._wires = {
            name: FakeWire(partial(self._record, name), acknowledged=panel.interface == "i2c")
            for name, panel in panels.items()
        }
        self.inputs: InputSource = _MockPinInput(lines, self.clock)
        self.displays: dict[str, Display] = self._displays(panels)
        super().__init__(lamps)

    def set_pin(self, line: str | int, level: int, at: float) -> None:
        """Set a line (name or BCM number) to 0, pressed, or 1 at a time in seconds.

        A line that is 0 when the inputs are opened is down from the start, without an edge.
        """
        self.clock.set(at)
        assert isinstance(self.inputs, _MockPinInput)
        self.inputs.set_pin(line, level)

    def set_fault(self, panel: str, kind: Fault | str | None, *, after: int = 0) -> None:
        """Break the wire of a panel after ``after`` more messages; None repairs it.

        ``kind`` is a Fault or its value, such as "absent": an unplugged panel loses its memory.
        FORGETS, at once: its supply dips, and it refuses no message.
        """
        if kind == FORGETS:
            self._wires[panel].lose_power()
            return
        self._wires[panel].set_fault(None if kind is None else Fault(kind), after=after)

    def take_messages(self) -> list[tuple[str, bytes]]:
        """Messages to the panels since the last call, in order: panel name and bytes.

        An empty message means that the panel lost power. Thread-safe against senders.
        """
        return [self._messages.popleft() for _ in range(len(self._messages))]

    def _record(self, name: str, message: bytes) -> None:
        self._messages.append((name, message))

    def _displays(self, panels: Mapping[str, luma_oled.Options]) -> dict[str, Display]:
        """Panels of one I2C port share its bus, as on a real table."""
        made: dict[str, Display] = {}
        for name, panel in panels.items():
            if panel.interface == "spi":
                bus = RecordingSpi(self._wires[name], panel.gpio_dc)
                made[name] = luma_oled.create(panel, spi=bus.device, gpio=bus.lines)
            else:
                on_bus = {
                    other.address: self._wires[each]
                    for each, other in panels.items()
                    if other.interface == "i2c" and other.bus_number == panel.bus_number
                }
                made[name] = luma_oled.create(panel, bus=RecordingBus(on_bus).open)
        return made


class _MockPinInput:
    """The real driver on mock pins, with buttons that may be held while it is opened.

    A mock pin goes high when a driver pulls it up, even if it is pressed, so held pins are driven
    low again before edges are reported.
    """

    def __init__(self, lines: Mapping[str, int], clock: SimulatedClock) -> None:
        from gpiozero.pins.mock import MockFactory, MockPin

        self._lines = dict(lines)
        self._held: set[int] = set()
        self._is_open = False
        self._pins: _MockFactory = MockFactory(pin_class=MockPin)
        self._pins.ticks = clock
        self._driver = gpio.create(gpio.Options(lines), now=clock, pin_factory=self._pins)

    def set_pin(self, line: str | int, level: int) -> None:
        pin = self._lines[line] if isinstance(line, str) else line
        (self._held.discard if level else self._held.add)(pin)
        if self._is_open:
            self._drive(pin)

    def open(self, emit: Callable[[Edge], None]) -> None:
        self.close()
        self._driver.open(lambda edge: emit(edge) if self._is_open else None)
        for pin in self._held:
            self._drive(pin)
        self._is_open = True

    def levels(self) -> Mapping[str, bool]:
        return self._driver.levels()

    def is_alive(self) -> bool:
        return self._driver.is_alive()

    def close(self) -> None:
        self._is_open = False
        self._driver.close()

    def _drive(self, pin: int) -> None:
        mock = self._pins.pin(pin)
        (mock.drive_low if pin in self._held else mock.drive_high)()
        # A mock pin keeps every level it ever had, which would grow all night.
        mock.clear_states()


class _MockFactory(Protocol):
    """The used part of gpiozero's mock factory."""

    ticks: Callable[[], float]

    def pin(self, name: int, /) -> _MockPin: ...


class _MockPin(Protocol):
    """The used part of a mock pin."""

    def drive_low(self) -> None: ...
    def drive_high(self) -> None: ...
    def clear_states(self) -> None: ...
