"""Lights on a chain of 74HC595 shift registers, eight channels each, on four pins.

The chips have no answer: whether they are there cannot be detected. Their output enable is a pin
too: it keeps them dark until the first bits are in, and it dims all of them together.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple, Protocol

from scorer.hw import pins
from scorer.hw.outputs.channel_lights import check_levels
from scorer.hw.outputs.switch import Switch
from scorer.hw.ports import DeviceError, Wire
from scorer.plain_values import Found, Range

CHANNELS_OF_A_CHIP = 8
_HERTZ = 200  # of the dimming


class Options(NamedTuple):
    """The number of chips, and their pins (BCM numbers).

    ``data``: SER of the first chip; ``clock``: SRCLK, ``latch``: RCLK and ``enable``: OE of all.
    """

    chips: Annotated[int, Range(1, 4)] = 2
    data: int = 10
    clock: int = 11
    latch: int = 8
    enable: int = 7

    def find_problems(self) -> Iterator[Found]:
        refused = [(key, text) for key, pin in self.pins.items() if (text := pins.problem(pin))]
        yield from refused
        if not refused and len(set(self.pins.values())) < len(self.pins):
            yield "data", "four different pins: data, clock, latch and enable"

    @property
    def pins(self) -> Mapping[str, int]:
        """Each pin by its key."""
        return {
            "data": self.data,
            "clock": self.clock,
            "latch": self.latch,
            "enable": self.enable,
        }

    @property
    def channel_count(self) -> int:
        return CHANNELS_OF_A_CHIP * self.chips

    @property
    def resource_id(self) -> str:
        return f"GPIO {self.data}"

    @property
    def wires(self) -> tuple[Wire, ...]:
        # Two chains share no wire.
        name = f"the button lights at GPIO {self.data}"
        return tuple(
            Wire(pin, f"{key} of {name}", (key,), rests_high=key == "enable")
            for key, pin in self.pins.items()
        )


def create(options: Options, *, pin_factory: object = None) -> ShiftRegisters:
    """Create a closed driver; ``pin_factory`` replaces the Pi's own pins."""
    return ShiftRegisters(options, pin_factory)


class ShiftRegisters:
    """ChannelLights of a chain. The brightest level dims all channels that are lit."""

    def __init__(self, options: Options, pin_factory: object) -> None:
        self._count, self._pin_factory = options.channel_count, pin_factory
        self._enable_pin = options.enable
        names = {"data": options.data, "clock": options.clock, "latch": options.latch}
        self._wires = {
            name: Switch(f"the {name} of the button lights", pin, True, pin_factory)
            for name, pin in names.items()
        }
        self._enable: _Pulsed | None = None

    def open(self) -> None:
        self.close()
        try:
            from gpiozero import PWMOutputDevice

            factory = pins.lgpio_factory() if self._pin_factory is None else self._pin_factory
            # A low level enables the outputs.
            self._enable = PWMOutputDevice(
                self._enable_pin, active_high=False, frequency=_HERTZ, pin_factory=factory
            )
        except pins.pin_exceptions() as error:
            raise pins.device_error(self._name, error) from error
        for wire in self._wires.values():
            wire.open()
        self._shift(())

    def show(self, levels: Sequence[int]) -> None:
        check_levels(levels, self._count)
        if self._enable is None:
            raise DeviceError(f"{self._name} is not open", "closed")
        self._shift([level > 0 for level in levels])
        try:
            self._enable.value = max(levels, default=0) / 100
        except pins.pin_exceptions() as error:
            raise pins.device_error(self._name, error) from error

    def close(self) -> None:
        enable, self._enable = self._enable, None
        if enable is not None:
            # A lost pin cannot be switched off, and close() reports no errors.
            with contextlib.suppress(*pins.pin_exceptions()):
                enable.value = 0.0
            with contextlib.suppress(*pins.pin_exceptions()):
                enable.close()
        for wire in self._wires.values():
            wire.close()

    def _shift(self, lit: Sequence[bool]) -> None:
        """Shift the bits in, the last channel first, and show them."""
        data, clock, latch = self._wires.values()
        for bit in reversed([*lit, *[False] * (self._count - len(lit))]):
            data.set(bit)
            clock.set(True)
            clock.set(False)
        latch.set(True)
        latch.set(False)

    @property
    def _name(self) -> str:
        return f"the enable of the button lights on GPIO {self._enable_pin}"


class _Pulsed(Protocol):
    """The used part of gpiozero's PWMOutputDevice."""

    value: float

    def close(self) -> None: ...
