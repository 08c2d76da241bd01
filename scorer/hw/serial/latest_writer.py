"""Write only the newest message to a slow port, whole messages only.

Never waits. One thread calls ``send`` when the port is writable; any thread may call ``put``.
"""

from __future__ import annotations

from collections import deque

from scorer.hw.serial.port import Port


class LatestWriter:
    """One message being written, and the newest one waiting."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._next: deque[bytes] = deque(maxlen=1)
        self._going = b""

    def put(self, message: bytes) -> None:
        """Queue a message, replacing one that was not started."""
        self._next.append(message)

    def send(self) -> bool:
        """Write as much as fits; True when everything is written. Raises DeviceError."""
        while True:
            if not self._going:
                try:
                    self._going = self._next.pop()
                except IndexError:
                    return True
            written = self._port.write(self._going)
            self._going = self._going[written:]
            if self._going:
                return False

    def reset(self) -> None:
        """Drop the partly written message, after the port was reopened."""
        self._going = b""
