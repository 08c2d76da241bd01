"""A pseudo-terminal as a serial port, under a path that survives reconnection.

The driver's end is a real tty of the kernel, with its modes, buffer and errors.
"""

from __future__ import annotations

import contextlib
import os
import select
import tty
from pathlib import Path

PATIENCE = 60.0  # seconds; allows for a slow machine with both cores busy


class Cable:
    """A port at ``path``, initially unplugged."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._master = self._slave = -1

    @property
    def is_plugged(self) -> bool:
        return self._master >= 0

    @property
    def descriptor(self) -> int:
        """The descriptor of the box's end."""
        return self._master

    def plug(self) -> None:
        """Connect a device; the kernel buffers what it sends before the port is opened."""
        self.pull()
        self._master, self._slave = os.openpty()
        # Raw mode: a tty that was never opened would echo what it receives.
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path.symlink_to(os.ttyname(self._slave))

    def pull(self) -> None:
        """Disconnect: the path disappears and readers get an error."""
        if self.is_plugged:
            self.path.unlink()
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1

    def send_to_table(self, data: bytes) -> int:
        """Send bytes to the table; return how many fitted."""
        if not self.is_plugged:
            return 0
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            return 0

    def read_from_table(self) -> bytes:
        try:
            return os.read(self._master, 65536)
        except BlockingIOError:
            return b""

    def read_from_box(self, lines: int = 0) -> bytes:
        """Read at least this many lines from a box process, while no table is connected.

        The kernel delivers written bytes with a delay.
        """
        os.set_blocking(self._slave, False)
        received = b""
        while True:
            with contextlib.suppress(BlockingIOError):
                received += os.read(self._slave, 65536)
            if received.count(b"\n") >= lines:
                return received
            assert select.select([self._slave], [], [], PATIENCE)[0], f"only {received!r}"

    def send_to_box(self, data: bytes) -> None:
        os.write(self._slave, data)
