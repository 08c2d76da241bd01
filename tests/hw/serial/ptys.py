"""A pseudo-terminal for a serial port, under a name that stays when it is plugged out and in.

The driver's end is the real thing: a tty of the kernel, with its modes, its buffer and its errors.
"""

from __future__ import annotations

import contextlib
import os
import select
import tty
from pathlib import Path

PATIENCE = 60.0  # seconds: a slow machine with both cores busy


class Cable:
    """A port at ``path``; nothing is plugged in at first."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._master = self._slave = -1

    @property
    def is_plugged(self) -> bool:
        return self._master >= 0

    @property
    def descriptor(self) -> int:
        """Of the box's end."""
        return self._master

    def plug(self) -> None:
        """Something is there; what is said before anybody listens is kept by the kernel."""
        self.pull()
        self._master, self._slave = os.openpty()
        # A tty that nobody has opened yet would answer what it is told.
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path.symlink_to(os.ttyname(self._slave))

    def pull(self) -> None:
        """Nothing is there any more, as when a plug is pulled: whoever reads is told so."""
        if self.is_plugged:
            self.path.unlink()
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1

    def send_to_table(self, data: bytes) -> int:
        """Bytes towards the table; how many there was room for."""
        if not self.is_plugged:
            return 0
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            return 0

    def read_from_table(self) -> bytes:
        """What the table has said."""
        try:
            return os.read(self._master, 65536)
        except BlockingIOError:
            return b""

    def read_from_box(self, lines: int = 0) -> bytes:
        """What a box that runs by itself has said, so many lines at least; nobody else listens.

        The kernel hands on what was written when it comes to it, which is not at once.
        """
        os.set_blocking(self._slave, False)
        heard = b""
        while True:
            with contextlib.suppress(BlockingIOError):
                heard += os.read(self._slave, 65536)
            if heard.count(b"\n") >= lines:
                return heard
            assert select.select([self._slave], [], [], PATIENCE)[0], f"only {heard!r}"

    def send_to_box(self, data: bytes) -> None:
        """Bytes towards a box that runs by itself."""
        os.write(self._slave, data)
