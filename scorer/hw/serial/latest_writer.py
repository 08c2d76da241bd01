"""What is written to a port that may be slow: the newest message, whole, and never half of two.

It never waits. Whoever looks after the port calls ``send`` when there is room, and puts messages
from whatever thread they come.
"""

from __future__ import annotations

from collections import deque

from scorer.hw.serial.port import Port


class LatestWriter:
    """One message on its way, and the newest of those that wait for it."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._next: deque[bytes] = deque(maxlen=1)
        self._going = b""

    def put(self, message: bytes) -> None:
        """Say this next, in place of what has not been begun."""
        self._next.append(message)

    def send(self) -> bool:
        """Write what there is room for; True when everything is out. Raises DeviceError."""
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
        """The port is opened anew: half a message must not be gone on with."""
        self._going = b""
