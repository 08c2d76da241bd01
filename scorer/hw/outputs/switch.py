"""One output pin that is on or off, the base of lamps and buzzers.

Wraps gpiozero and its errors.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Protocol

from scorer.hw import pins
from scorer.hw.ports import DeviceError
from scorer.plain_values import Found


def pin_problems(pin: int) -> Iterator[Found]:
    """Why this pin (BCM number) cannot be used."""
    if text := pins.problem(pin):
        yield "pin", text


class Switch:
    """An output pin. After ``close()`` it floats: the circuit needs a pull-down."""

    def __init__(self, what: str, pin: int, active_high: bool, pin_factory: object) -> None:
        self._what = what
        self._pin = pin
        self._active_high = active_high
        self._pin_factory = pin_factory
        self._device: _Device | None = None

    def open(self) -> None:
        """Claim the pin, off. Raises DeviceError."""
        self.close()
        try:
            from gpiozero import DigitalOutputDevice

            factory = pins.lgpio_factory() if self._pin_factory is None else self._pin_factory
            self._device = DigitalOutputDevice(
                self._pin, active_high=self._active_high, initial_value=False, pin_factory=factory
            )
        except pins.pin_exceptions() as error:
            raise pins.device_error(f"{self._what} on GPIO {self._pin}", error) from error

    def set(self, on: bool) -> None:
        """Switch it. Raises DeviceError, also when it is not open."""
        if self._device is None:
            raise DeviceError(f"{self._what} on GPIO {self._pin} is not open", "closed")
        try:
            self._device.value = int(on)
        except pins.pin_exceptions() as error:
            raise pins.device_error(f"{self._what} on GPIO {self._pin}", error) from error

    def close(self) -> None:
        """Switch it off and release the pin."""
        device, self._device = self._device, None
        if device is None:
            return
        # A lost pin cannot be switched off, and close() reports no errors.
        with contextlib.suppress(*pins.pin_exceptions()):
            device.value = 0
        with contextlib.suppress(*pins.pin_exceptions()):
            device.close()


class _Device(Protocol):
    """The used part of a gpiozero output device."""

    value: int

    def close(self) -> None: ...
