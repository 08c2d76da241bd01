"""What a panel hangs on: an I2C bus, or an SPI device and its lines.

The real ones and their stand-ins fulfil the same protocols. What goes over the wires is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from scorer.hw.outputs.switch import Switch


class I2cBus(Protocol):
    """What is used of ``smbus2.SMBus``."""

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int], /) -> None:
        """One message of at most 32 bytes after its first."""

    def i2c_rdwr(self, *messages: I2cMessage) -> None:
        """Messages of any length."""

    def close(self) -> None:
        """Give the descriptor back."""


class I2cMessage(Protocol):
    """What is used of ``smbus2.i2c_msg``."""

    addr: int

    def __bytes__(self) -> bytes: ...


class SpiDevice(Protocol):
    """What luma uses of ``spidev.SpiDev``."""

    max_speed_hz: int

    def open(self, port: int, device: int, /) -> None:
        """Take the device."""

    def writebytes(self, data: Iterable[int], /) -> None:
        """One transfer."""

    def close(self) -> None:
        """Give the descriptor back; allowed before ``open``."""


class OutputLines(Protocol):
    """What luma uses of RPi.GPIO."""

    LOW: int
    HIGH: int
    OUT: int

    def setup(self, line: int, _direction: int, /) -> None:
        """Take a line as an output."""

    def output(self, line: int, level: int, /) -> None:
        """Put a line low or high."""

    def cleanup(self) -> None:
        """Give every line back."""


class PinLines:
    """The D/C and reset lines on the Pi's own pins, in the words luma speaks. Raises DeviceError.

    luma asks for RPi.GPIO, which a Pi 5 does not have; its stand-in of the same name would be a
    second library for the same pins.
    """

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, pin_factory: object = None) -> None:
        self._pin_factory = pin_factory
        self._lines: dict[int, Switch] = {}

    def setup(self, line: int, _direction: int) -> None:
        """Take a line as an output, low."""
        self._lines[line] = Switch("a line of the panel", line, True, self._pin_factory)
        self._lines[line].open()

    def output(self, line: int, level: int) -> None:
        """Put a line low or high."""
        self._lines[line].set(level == self.HIGH)

    def cleanup(self) -> None:
        """Give every line back; allowed twice."""
        while self._lines:
            self._lines.popitem()[1].close()
