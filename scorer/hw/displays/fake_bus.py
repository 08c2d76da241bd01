"""Recording buses with injectable faults, replacing smbus2 and spidev.

A message is one transaction as the chip receives it, beginning with its I2C control byte (0x00:
commands follow, 0x40: pixels follow). On SPI the D/C line selects the same, so the recorder
prepends that byte and one chip model reads both.
"""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum

from scorer.hw.displays.buses import I2cMessage

POWER_LOST = b""
"""Recorded in place of a message when the chip loses power, and with it its memory."""

COMMANDS, PIXELS = 0x00, 0x40
_DISPLAY_OFF, _DISPLAY_ON = b"\x00\xae", b"\x00\xaf"


class Fault(Enum):
    """Faults of the wire to a panel."""

    NO_BUS = "no bus"  # the device file of the bus is missing
    ABSENT = "absent"  # unplugged: no answer, and the chip has lost its memory
    NAK = "nak"  # the chip does not acknowledge its address
    TIMEOUT = "timeout"  # the bus hangs
    EIO = "eio"  # the transfer fails
    SWALLOW = "swallow"  # transfers succeed but nothing arrives


_ERRNO = {
    Fault.NO_BUS: errno.ENOENT,
    Fault.ABSENT: errno.EREMOTEIO,
    Fault.NAK: errno.EREMOTEIO,
    Fault.TIMEOUT: errno.ETIMEDOUT,
    Fault.EIO: errno.EIO,
}


class FakeWire:
    """The wire to one chip. ``record`` receives what arrives, POWER_LOST included.

    With ``acknowledged=False`` (SPI) a chip that does not answer goes unnoticed. With
    ``has_status=False`` (some modules) reading gives ones, whatever the state of the chip.
    """

    def __init__(
        self,
        record: Callable[[bytes], object],
        *,
        acknowledged: bool = True,
        has_status: bool = True,
    ) -> None:
        self._record = record
        self._acknowledged = acknowledged
        self._has_status = has_status
        self._is_on = False
        self._fault: Fault | None = None
        self._messages_before_fault = 0
        self._failing_messages: float = 0
        self._taken = 0

    def set_fault(
        self,
        fault: Fault | None,
        *,
        after: int = 0,
        messages: float = math.inf,
        taken: int = 0,
    ) -> None:
        """Inject a fault, now or after ``after`` more messages; None repairs it.

        It ends by itself after it has affected ``messages`` messages, of each of which the chip
        has taken the first ``taken`` bytes.
        """
        if fault is Fault.ABSENT and self._fault is not fault:
            self.lose_power()
        self._fault, self._messages_before_fault = fault, after
        self._failing_messages, self._taken = messages, taken

    def lose_power(self) -> None:
        """Reset the chip, which forgets everything and goes on acknowledging."""
        self._is_on = False
        self._record(POWER_LOST)

    def open(self) -> None:
        """Raise the OSError of a missing bus."""
        if self._fault is Fault.NO_BUS:
            raise _error(Fault.NO_BUS)

    def transfer(self, message: bytes) -> None:
        """Transfer one message. Raises OSError as the bus would."""
        if self._arrives(message):
            if message in (_DISPLAY_OFF, _DISPLAY_ON):
                self._is_on = message == _DISPLAY_ON
            self._record(message)

    def read_status(self) -> int:
        """The status of the chip: bit 6 is the display-off bit. Raises OSError."""
        self._arrives()
        if not self._has_status:
            return 0xFF
        return 0x00 if self._is_on else 0x40

    def _arrives(self, message: bytes = b"") -> bool:
        """Whether a message arrives whole. Raises OSError for one that visibly does not."""
        if self._fault is None or self._messages_before_fault > 0:
            self._messages_before_fault = max(0, self._messages_before_fault - 1)
            return True
        fault = self._fault
        self._failing_messages -= 1
        if self._failing_messages <= 0:
            self._fault = None
        if part := message[: self._taken]:
            self._record(part)
        if fault in (Fault.ABSENT, Fault.NAK):
            is_noticed = self._acknowledged
        else:
            is_noticed = fault is not Fault.SWALLOW
        if is_noticed:
            raise _error(fault)
        return False


class RecordingBus:
    """An I2C bus with a wire to each address; ``open`` replaces ``smbus2.SMBus``."""

    def __init__(self, wires: Mapping[int, FakeWire]) -> None:
        self.wires = wires
        self.open_handles = 0

    def open(self, port: int) -> BusHandle:
        """Open a handle of the bus, to be closed by the caller. Raises OSError."""
        for wire in self.wires.values():
            wire.open()
        self.open_handles += 1
        return BusHandle(self)

    def transfer(self, address: int, message: bytes) -> None:
        """Send a message to an address.

        Raises OSError if no chip has it, like the real bus.
        """
        if address not in self.wires:
            raise _error(Fault.ABSENT)
        self.wires[address].transfer(message)

    def read_status(self, address: int) -> int:
        """Read the status of the chip at an address. Raises OSError."""
        if address not in self.wires:
            raise _error(Fault.ABSENT)
        return self.wires[address].read_status()


class BusHandle:
    """One opened bus, with the methods of smbus2 that the driver uses."""

    def __init__(self, bus: RecordingBus) -> None:
        self._bus: RecordingBus | None = bus

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Write a message of at most 32 bytes after its first, as in the kernel's SMBus."""
        if len(data) > 32:
            raise ValueError(f"{len(data)} bytes in one block: 32 at most")
        self._require_open().transfer(address, bytes([register, *data]))

    def i2c_rdwr(self, *messages: I2cMessage) -> None:
        """Write messages of any length, each separately."""
        for message in messages:
            self._require_open().transfer(message.addr, bytes(message))

    def read_byte(self, address: int) -> int:
        """Read one byte, which is the status."""
        return self._require_open().read_status(address)

    def close(self) -> None:
        """Close the descriptor; idempotent."""
        if self._bus is not None:
            self._bus.open_handles -= 1
            self._bus = None

    def _require_open(self) -> RecordingBus:
        if self._bus is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._bus


class RecordingSpi:
    """An SPI bus with one chip: ``device`` replaces spidev, ``lines`` D/C and reset."""

    def __init__(self, wire: FakeWire, dc: int) -> None:
        self.wire = wire
        self.dc = dc
        self.levels: dict[int, int] = {}
        self.open_handles = 0

    def device(self) -> SpiHandle:
        """A device that is not open yet, like a new ``SpiDev``."""
        return SpiHandle(self)

    def lines(self) -> LineHandle:
        """The D/C and reset lines, released by ``cleanup``."""
        self.open_handles += 1
        return LineHandle(self)

    def transfer(self, data: bytes) -> None:
        """Transfer bytes with the present level of the D/C line."""
        self.wire.transfer(bytes([PIXELS if self.levels.get(self.dc) else COMMANDS]) + data)


class SpiHandle:
    """The part of one SPI device that luma uses."""

    def __init__(self, bus: RecordingSpi) -> None:
        self.max_speed_hz = 0
        self.mode = 0
        self._bus = bus
        self._is_open = False

    def open(self, port: int, device: int) -> None:
        """Open the device. Raises OSError."""
        self._bus.wire.open()
        self._bus.open_handles += 1
        self._is_open = True

    def writebytes(self, data: Iterable[int]) -> None:
        """Write one transfer with chip select held low."""
        if not self._is_open:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        self._bus.transfer(bytes(data))

    def close(self) -> None:
        """Close the descriptor; idempotent, and allowed before ``open``."""
        if self._is_open:
            self._bus.open_handles -= 1
            self._is_open = False


class LineHandle:
    """Output lines with the names of RPi.GPIO, as luma expects them."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, bus: RecordingSpi) -> None:
        self._bus = bus
        self._is_open = True

    def setup(self, line: int, _direction: int) -> None:
        """Claim a line, low."""
        self._bus.levels[line] = self.LOW

    def output(self, line: int, level: int) -> None:
        """Set a line low or high."""
        self._bus.levels[line] = level

    def cleanup(self) -> None:
        """Release the lines; idempotent."""
        if self._is_open:
            self._bus.open_handles -= 1
            self._is_open = False


def _error(fault: Fault) -> OSError:
    number = _ERRNO[fault]
    return OSError(number, os.strerror(number))
