"""Buses that write down what reaches a chip, and that can fail: stand-ins for smbus2 and spidev.

A message is one transaction as the chip gets it, beginning with its I2C control byte (0x00:
commands follow, 0x40: pixels follow). On SPI the D/C line says the same, so the recording puts that
byte in front: one model of a chip reads both. What messages mean is not known here.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum

from scorer.hw.displays.buses import I2cMessage

POWER_LOST = b""
"""Recorded in place of a message when the chip loses its supply, and with it its memory."""

COMMANDS, PIXELS = 0x00, 0x40


class Fault(Enum):
    """What may be wrong with the wire to a panel."""

    NO_BUS = "no bus"  # the bus's own device file is missing
    ABSENT = "absent"  # unplugged: nothing answers, and the chip has lost its memory
    NAK = "nak"  # the chip does not answer to its address
    TIMEOUT = "timeout"  # the bus hangs
    EIO = "eio"  # the transfer breaks
    SWALLOW = "swallow"  # all seems well and nothing arrives


_ERRNO = {
    Fault.NO_BUS: errno.ENOENT,
    Fault.ABSENT: errno.EREMOTEIO,
    Fault.NAK: errno.EREMOTEIO,
    Fault.TIMEOUT: errno.ETIMEDOUT,
    Fault.EIO: errno.EIO,
}


class FakeWire:
    """The wire to one chip. ``record`` gets what arrives, POWER_LOST included.

    With ``acknowledged=False`` (SPI) nobody on the bus notices a chip that does not answer.
    """

    def __init__(self, record: Callable[[bytes], object], *, acknowledged: bool = True) -> None:
        self._record = record
        self._acknowledged = acknowledged
        self._fault: Fault | None = None
        self._messages_before_fault = 0

    def set_fault(self, fault: Fault | None, *, after: int = 0) -> None:
        """Have this fault now, or once ``after`` more messages have passed; None mends it."""
        if fault is Fault.ABSENT and self._fault is not fault:
            self._record(POWER_LOST)
        self._fault, self._messages_before_fault = fault, after

    def open(self) -> None:
        """Raise what the operating system does when the bus is not there."""
        if self._fault is Fault.NO_BUS:
            raise _error(Fault.NO_BUS)

    def transfer(self, message: bytes) -> None:
        """One transaction. Raises OSError as the bus would."""
        if self._fault is None or self._messages_before_fault > 0:
            self._messages_before_fault = max(0, self._messages_before_fault - 1)
            self._record(message)
        elif not self._is_unnoticed(self._fault):
            raise _error(self._fault)

    def _is_unnoticed(self, fault: Fault) -> bool:
        if fault in (Fault.ABSENT, Fault.NAK):
            return not self._acknowledged
        return fault is Fault.SWALLOW


class RecordingBus:
    """An I2C bus with a wire to each address; ``open`` stands in for ``smbus2.SMBus``."""

    def __init__(self, wires: Mapping[int, FakeWire]) -> None:
        self.wires = wires
        self.open_handles = 0

    def open(self, port: int) -> BusHandle:
        """The bus as a process opens it, to be closed by it. Raises OSError."""
        for wire in self.wires.values():
            wire.open()
        self.open_handles += 1
        return BusHandle(self)

    def transfer(self, address: int, message: bytes) -> None:
        """Bring a message to this address; nobody there is an error, as on the real bus."""
        if address not in self.wires:
            raise _error(Fault.ABSENT)
        self.wires[address].transfer(message)


class BusHandle:
    """One opened bus, with the two ways of writing that luma has."""

    def __init__(self, bus: RecordingBus) -> None:
        self._bus: RecordingBus | None = bus

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """A message of at most 32 bytes after its first one, as the kernel's SMBus has it."""
        if len(data) > 32:
            raise ValueError(f"{len(data)} bytes in one block: 32 at most")
        self._require_open().transfer(address, bytes([register, *data]))

    def i2c_rdwr(self, *messages: I2cMessage) -> None:
        """Messages of any length, each on its own."""
        for message in messages:
            self._require_open().transfer(message.addr, bytes(message))

    def close(self) -> None:
        """Give the descriptor back, once."""
        if self._bus is not None:
            self._bus.open_handles -= 1
            self._bus = None

    def _require_open(self) -> RecordingBus:
        if self._bus is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._bus


class RecordingSpi:
    """An SPI bus with one chip: ``device`` stands in for spidev, ``lines`` for D/C and reset."""

    def __init__(self, wire: FakeWire, dc: int) -> None:
        self.wire = wire
        self.dc = dc
        self.levels: dict[int, int] = {}
        self.open_handles = 0

    def device(self) -> SpiHandle:
        """A device that is not open yet, as spidev makes them."""
        return SpiHandle(self)

    def lines(self) -> LineHandle:
        """The D/C and reset lines, to be given back by ``cleanup``."""
        self.open_handles += 1
        return LineHandle(self)

    def transfer(self, data: bytes) -> None:
        """Bytes with the D/C line as it is now."""
        self.wire.transfer(bytes([PIXELS if self.levels.get(self.dc) else COMMANDS]) + data)


class SpiHandle:
    """One SPI device, with what luma uses of it."""

    def __init__(self, bus: RecordingSpi) -> None:
        self.max_speed_hz = 0
        self.mode = 0
        self._bus = bus
        self._is_open = False

    def open(self, port: int, device: int) -> None:
        """Take the device. Raises OSError."""
        self._bus.wire.open()
        self._bus.open_handles += 1
        self._is_open = True

    def writebytes(self, data: Iterable[int]) -> None:
        """One transfer, with chip select held down."""
        if not self._is_open:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        self._bus.transfer(bytes(data))

    def close(self) -> None:
        """Give the descriptor back, once; allowed before ``open``."""
        if self._is_open:
            self._bus.open_handles -= 1
            self._is_open = False


class LineHandle:
    """Output lines with the names of RPi.GPIO, which luma speaks."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, bus: RecordingSpi) -> None:
        self._bus = bus
        self._is_open = True

    def setup(self, line: int, _direction: int) -> None:
        """Take a line; it is low."""
        self._bus.levels[line] = self.LOW

    def output(self, line: int, level: int) -> None:
        """Put a line low or high."""
        self._bus.levels[line] = level

    def cleanup(self) -> None:
        """Give the lines back, once."""
        if self._is_open:
            self._bus.open_handles -= 1
            self._is_open = False


def _error(fault: Fault) -> OSError:
    number = _ERRNO[fault]
    return OSError(number, os.strerror(number))
