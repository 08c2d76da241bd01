"""Protocols of the buses of a panel: I2C, or SPI with its output lines."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Sequence
from typing import Protocol

from scorer.hw.outputs.switch import Switch

# Pins of the header by bus number. Bus 3 is the second I2C bus that wiring.md makes of free pins
# with i2c-gpio.
I2C_PINS = {1: {2: "SDA", 3: "SCL"}, 3: {10: "SDA", 11: "SCL"}}
# no_miso leaves GPIO 9 free on the first SPI bus; the second one has no such overlay.
SPI_PINS = {0: {11: "SCLK", 10: "MOSI"}, 1: {21: "SCLK", 20: "MOSI", 19: "MISO"}}
CHIP_SELECTS = {0: (8, 7), 1: (18, 17, 16)}


def config_txt_line(interface: str, number: int, device: int = 0) -> str:
    """The line of config.txt that switches a bus on."""
    if interface == "i2c":
        return "dtparam=i2c_arm=on"
    # With dtparam=spi=on the kernel would own GPIO 7, the usual D/C, and GPIO 9. Only the overlays
    # of the first bus can leave MISO away.
    return f"dtoverlay=spi{number}-{device + 1}cs{'' if number else ',no_miso'}"


_REFUSALS = (errno.EREMOTEIO, errno.EIO, errno.ENXIO)


def is_refused(error: OSError) -> bool:
    """Whether no chip acknowledged, unlike on a bus that hangs or is missing."""
    return error.errno in _REFUSALS


class I2cBus(Protocol):
    """The used part of ``smbus2.SMBus``."""

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int], /) -> None:
        """Write one message: ``register`` and at most 32 bytes."""

    def i2c_rdwr(self, *messages: I2cMessage) -> None:
        """Transfer messages of any length."""

    def read_byte(self, address: int, /) -> int:
        """Read one byte: a controller answers with its status."""

    def close(self) -> None:
        """Close the descriptor."""


class I2cMessage(Protocol):
    """The used part of ``smbus2.i2c_msg``."""

    addr: int

    def __bytes__(self) -> bytes: ...


class SpiDevice(Protocol):
    """The part of ``spidev.SpiDev`` that luma uses."""

    max_speed_hz: int

    def open(self, port: int, device: int, /) -> None:
        """Open the device."""

    def writebytes(self, data: Iterable[int], /) -> None:
        """Write one transfer."""

    def close(self) -> None:
        """Close the descriptor; allowed before ``open``."""


class OutputLines(Protocol):
    """The part of RPi.GPIO that luma uses."""

    LOW: int
    HIGH: int
    OUT: int

    def setup(self, line: int, _direction: int, /) -> None:
        """Claim a line as an output."""

    def output(self, line: int, level: int, /) -> None:
        """Set a line low or high."""

    def cleanup(self) -> None:
        """Release all lines."""


class PinLines:
    """The D/C and reset lines on the Pi's pins, with RPi.GPIO's names.

    Raises DeviceError. luma expects RPi.GPIO, which does not work on a Pi 5; the package that
    replaces it would be a second library for the same pins.
    """

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, pin_factory: object = None) -> None:
        self._pin_factory = pin_factory
        self._lines: dict[int, Switch] = {}

    def setup(self, line: int, _direction: int) -> None:
        """Claim a line as an output, low."""
        self._lines[line] = Switch("a line of the panel", line, True, self._pin_factory)
        self._lines[line].open()

    def output(self, line: int, level: int) -> None:
        """Set a line low or high."""
        self._lines[line].set(level == self.HIGH)

    def cleanup(self) -> None:
        """Release all lines; idempotent."""
        while self._lines:
            self._lines.popitem()[1].close()
