"""A chip of an output on an I2C bus: its registers and its failures."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Sequence
from typing import Protocol, cast

from scorer.hw.displays.buses import I2C_PINS, config_txt_line, is_refused
from scorer.hw.ports import DeviceError, Wire


class RegisterBus(Protocol):
    """The used part of ``smbus2.SMBus``."""

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int], /) -> None:
        """Write a register, and those after it, in one message of at most 32 bytes."""

    def read_byte_data(self, address: int, register: int, /) -> int:
        """Read one register."""

    def close(self) -> None:
        """Close the descriptor."""


OpenBus = Callable[[int], RegisterBus]


class I2cChip:
    """The registers of one chip. Every method but ``close`` raises DeviceError."""

    def __init__(self, what: str, port: int, address: int, bus: OpenBus | None) -> None:
        """``what``: the device in sentences; ``bus`` replaces ``smbus2.SMBus``."""
        self._what, self._port, self._address = what, port, address
        self._open_bus = bus or _smbus
        self._bus: RegisterBus | None = None

    def open(self) -> None:
        """Open the bus; whether a chip answers is known at the first transfer."""
        self.close()
        try:
            self._bus = self._open_bus(self._port)
        except (OSError, ImportError) as error:
            raise self._error(error) from error

    def write(self, register: int, *data: int) -> None:
        """Write ``register`` and those after it."""
        bus = self._opened()
        try:
            bus.write_i2c_block_data(self._address, register, data)
        except OSError as error:
            raise self._error(error) from error

    def read(self, register: int) -> int:
        """Read one register."""
        bus = self._opened()
        try:
            return bus.read_byte_data(self._address, register)
        except OSError as error:
            raise self._error(error) from error

    def close(self) -> None:
        """Close the bus. Idempotent."""
        bus, self._bus = self._bus, None
        if bus is not None:
            with contextlib.suppress(OSError):
                bus.close()

    def _opened(self) -> RegisterBus:
        if self._bus is None:
            raise DeviceError(f"{self._what} on {bus_name(self._port)} is not open", "closed")
        return self._bus

    def _error(self, error: Exception) -> DeviceError:
        return DeviceError(advice(self._what, self._port, self._address, error))


def bus_name(port: int) -> str:
    """The name of an I2C bus in messages."""
    return f"I2C bus {port}"


def bus_wires(port: int) -> tuple[Wire, ...]:
    """The wires of an I2C bus on the header, under the names that panels give them."""
    named = I2C_PINS.get(port, {}).items()
    return tuple(Wire(pin, f"{name} of {bus_name(port)}", ("port",)) for pin, name in named)


def advice(what: str, port: int, address: int, error: Exception) -> str:
    """A sentence that tells the owner what to check."""
    where = f"{bus_name(port)} at {address:#04x}"
    if isinstance(error, ImportError):
        return f"the library of {what} is missing: {error}; install python3-smbus2"
    match getattr(error, "errno", None):
        case errno.ENOENT:
            line = config_txt_line("i2c", port)
            return f"{bus_name(port)} is not there: {line} belongs in config.txt"
        case errno.EACCES | errno.EPERM:
            return f"{bus_name(port)} is forbidden: the user must be in the group i2c"
        case errno.ETIMEDOUT:
            return f"{bus_name(port)} hangs: look for a wire that touches ground"
    if isinstance(error, OSError) and is_refused(error):
        return f"no answer from {what} on {where}: look at its plug, its wires and its address"
    return f"{what} on {where} failed: {error}"


def _smbus(port: int) -> RegisterBus:
    from smbus2 import SMBus

    return cast("RegisterBus", SMBus(port))
