"""A serial port, opened exclusively by a stable name; reads wait, writes do not.

pyserial is imported only here. One thread reads the port; others may call ``wake`` and ``write``.
All errors are ``DeviceError``, whose text tells the owner what to do.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.hw.ports import DeviceError
from scorer.hw.serial.header_port import HEADER_PORTS
from scorer.plain_values import Found

if TYPE_CHECKING:
    from serial import Serial

BAUD_RATES = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)
"""Bits per second; a USB port accepts and ignores any."""

_CGROUPS = Path("/sys/fs/cgroup")
_GETTY = "system.slice/system-serial\\x2dgetty.slice/serial-getty@{}.service"

# errno values, the kind of DeviceError, and the sentence for the owner.
_FAILURES = (
    (
        (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.ENOTDIR, errno.EIO),
        "absent",
        "it is not there; is it plugged in?",
    ),
    (
        (errno.EACCES, errno.EPERM),
        "forbidden",
        "it may not be opened; the user must be in the group dialout",
    ),
    (
        (errno.EAGAIN, errno.EBUSY),
        "taken",
        "it is in use, by another program or another section of scorer.toml",
    ),
)


def port_problems(port: str, baud: int) -> Iterator[Found]:
    """Problems of these two settings."""
    if not port.startswith("/"):
        yield "port", f"'{port}' is no path like /dev/serial/by-id/... or /dev/serial0"
    if baud not in BAUD_RATES:
        yield "baud", f"{baud} is not one of {', '.join(map(str, BAUD_RATES))}"


class Port:
    """A serial port, initially closed.

    8 bits, no parity, one stop bit, no flow control.
    """

    def __init__(self, path: str, baud: int = 115200, cgroups: Path = _CGROUPS) -> None:
        """``path``: a stable name as in /dev/serial/by-id, or the header's port."""
        self.path, self._baud, self._cgroups = path, baud, cgroups
        self._serial: Serial | None = None

    def open(self) -> None:
        """Open the port exclusively; drop what arrived before. Raises DeviceError."""
        self.close()
        if getty := getty_on(self.path, self._cgroups):
            hint = f"a login prompt is on it: systemctl disable --now {getty}"
            raise DeviceError(f"{self.path}: {hint}", "taken")
        try:
            self._serial = self._open_serial()
        except termios.error as error:
            # No OSError: the port was unplugged within the opening.
            raise self._error(OSError(*error.args)) from error
        except (OSError, ImportError) as error:
            raise self._error(error) from error

    def read(self, timeout: float) -> bytes:
        """Read what has arrived; empty after ``timeout`` seconds or ``wake``.

        Raises DeviceError when the port is lost or closed.
        """
        port = self._require_open()
        try:
            port.timeout = timeout
            first = port.read(1)
            return first + port.read(port.in_waiting) if first else b""
        except (OSError, TypeError) as error:
            # pyserial raises TypeError when the port is closed during the call.
            raise self._error(error) from error

    def write(self, data: bytes) -> int:
        """Write as much of ``data`` as fits without waiting; return the number of bytes.

        Raises DeviceError when the port is lost or closed.
        """
        port = self._require_open()
        try:
            # pyserial loops without end if there is no room and no timeout, so ask first.
            _, ready, _ = select.select([], [port.fileno()], [], 0)
            return int(port.write(data) or 0) if ready and data else 0
        except (OSError, TypeError, ValueError) as error:
            raise self._error(error) from error

    def wait_writable(self, timeout: float) -> bool:
        """Wait until something can be written; False on timeout. Raises DeviceError."""
        port = self._require_open()
        try:
            return bool(select.select([], [port.fileno()], [], timeout)[1])
        except (OSError, TypeError, ValueError) as error:
            raise self._error(error) from error

    def wake(self) -> None:
        """End a ``read`` that waits in another thread."""
        port = self._serial
        if port is not None:
            # The port may have been closed a moment ago.
            with contextlib.suppress(OSError, TypeError):
                port.cancel_read()

    def close(self) -> None:
        """Close the port. Idempotent; allowed after a failed open and on a lost port."""
        port, self._serial = self._serial, None
        if port is not None:
            with contextlib.suppress(OSError):
                fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
            with contextlib.suppress(OSError):
                port.close()

    def _open_serial(self) -> Serial:
        from serial import Serial

        port = Serial(self.path, self._baud, timeout=0, write_timeout=0, exclusive=True)
        with contextlib.suppress(OSError):
            # A lock on the file would only exclude openers that check it.
            fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
        # Closing keeps the line DTR as it is: a board that resets on its change, like an Arduino,
        # resets at the first opening only, so that a slow one is found by the next attempt.
        with contextlib.suppress(termios.error):
            modes = termios.tcgetattr(port.fileno())
            modes[2] &= ~termios.HUPCL
            termios.tcsetattr(port.fileno(), termios.TCSANOW, modes)
        return port

    def _require_open(self) -> Serial:
        if self._serial is None:
            raise DeviceError(f"{self.path} is not open", "absent")
        return self._serial

    def _error(self, error: Exception) -> DeviceError:
        if isinstance(error, ImportError):
            return DeviceError(f"{self.path}: {error} (install python3-serial)", "broken")
        if self._serial is not None:
            return DeviceError(f"{self.path}: it was unplugged, or its line broke", "absent")
        number = error.errno if isinstance(error, OSError) else None
        for numbers, kind, sentence in _FAILURES:
            if number in numbers:
                if kind == "absent" and self.path in HEADER_PORTS:
                    sentence = "it is not there; scorer doctor says which port the header has"
                return DeviceError(f"{self.path}: {sentence}", kind)
        return DeviceError(f"{self.path}: this is no serial port", "absent")


def getty_on(path: str, cgroups: Path = _CGROUPS) -> str:
    """The unit of a login prompt on this port, which would read the box's data.

    "" if none.
    """
    name = Path(os.path.realpath(path)).name
    try:
        there = (cgroups / _GETTY.format(name)).is_dir()
    except (OSError, ValueError):
        return ""
    return f"serial-getty@{name}" if there else ""
