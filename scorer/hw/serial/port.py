"""One serial port: opened by a stable name and for us alone, read with a wait, written without.

pyserial is named here and nowhere else. What is spoken on a port is never known here. A port
belongs to the thread that reads it; ``wake`` and ``write`` may be called by others. It fails in one
way, with ``DeviceError``, whose text tells an owner what to do.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import termios
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.hw.ports import DeviceError

if TYPE_CHECKING:
    from serial import Serial

BAUD_RATES = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)
"""Bits a second; a port on USB takes any and minds none."""

_CGROUPS = Path("/sys/fs/cgroup")
_GETTY = "system.slice/system-serial\\x2dgetty.slice/serial-getty@{}.service"

# What the system says of a port, the kind of failure, and the sentence for its owner.
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


def port_problems(port: str, baud: int) -> list[str]:
    """What is wrong with these two settings of a driver, a sentence each."""
    problems = []
    if not port.startswith("/"):
        problems.append(f"port: '{port}' is no path like /dev/serial/by-id/... or /dev/ttyAMA0")
    if baud not in BAUD_RATES:
        problems.append(f"baud: {baud} is not one of {', '.join(map(str, BAUD_RATES))}")
    return problems


class Port:
    """A serial port, closed at first. 8 bits, no parity, one stop bit, no flow control."""

    def __init__(self, path: str, baud: int = 115200, cgroups: Path = _CGROUPS) -> None:
        """``path``: /dev/serial/by-id/..., which stays the same, or the header's /dev/ttyAMA0."""
        self.path, self._baud, self._cgroups = path, baud, cgroups
        self._serial: Serial | None = None

    def open(self) -> None:
        """Take the port for us alone; what had arrived before is forgotten. Raises DeviceError."""
        self.close()
        if getty := getty_on(self.path, self._cgroups):
            hint = f"a login prompt is on it: systemctl disable --now {getty}"
            raise DeviceError(f"{self.path}: {hint}", "taken")
        try:
            self._serial = self._open_serial()
        except (OSError, ImportError) as error:
            raise self._error(error) from error

    def read(self, timeout: float) -> bytes:
        """What has arrived; empty where nothing did for ``patience`` seconds, or after ``wake``.

        Raises DeviceError when the port has gone, or is closed.
        """
        port = self._require_open()
        try:
            port.timeout = timeout
            first = port.read(1)
            return first + port.read(port.in_waiting) if first else b""
        except (OSError, TypeError) as error:
            # TypeError is pyserial's word for a port that was closed in the middle of it.
            raise self._error(error) from error

    def write(self, data: bytes) -> int:
        """Hand over as much of ``data`` as there is room for, at once; how many bytes that was.

        Raises DeviceError when the port has gone, or is closed.
        """
        port = self._require_open()
        try:
            # pyserial turns for ever where there is no room and it may not wait: so ask first.
            _, ready, _ = select.select([], [port.fileno()], [], 0)
            return int(port.write(data) or 0) if ready and data else 0
        except (OSError, TypeError, ValueError) as error:
            raise self._error(error) from error

    def wait_writable(self, timeout: float) -> bool:
        """Whether something can be written, waited for so many seconds. Raises DeviceError."""
        port = self._require_open()
        try:
            return bool(select.select([], [port.fileno()], [], timeout)[1])
        except (OSError, TypeError, ValueError) as error:
            raise self._error(error) from error

    def wake(self) -> None:
        """End a ``read`` that waits in another thread."""
        port = self._serial
        if port is not None:
            # A port that was closed a moment ago has nobody to wake.
            with contextlib.suppress(OSError, TypeError):
                port.cancel_read()

    def close(self) -> None:
        """Give the port back. Allowed twice, half-open, and on a port that has gone."""
        port, self._serial = self._serial, None
        if port is not None:
            with contextlib.suppress(OSError):
                _unlock(port.fileno())
            with contextlib.suppress(OSError):
                port.close()

    def _open_serial(self) -> Serial:
        from serial import Serial

        port = Serial(self.path, self._baud, timeout=0, write_timeout=0, exclusive=True)
        with contextlib.suppress(OSError):
            _lock(port.fileno())
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
                return DeviceError(f"{self.path}: {sentence}", kind)
        return DeviceError(f"{self.path}: this is no serial port", "absent")


def getty_on(path: str, cgroups: Path = _CGROUPS) -> str:
    """The unit of a login prompt on this port, which would eat what a box says; "" without one."""
    name = Path(os.path.realpath(path)).name
    try:
        there = (cgroups / _GETTY.format(name)).is_dir()
    except (OSError, ValueError):
        return ""
    return f"serial-getty@{name}" if there else ""


def _lock(descriptor: int) -> None:
    """Nobody else may open it: a lock on a file is only for those who ask for one."""
    fcntl.ioctl(descriptor, termios.TIOCEXCL)


def _unlock(descriptor: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCNXCL)
