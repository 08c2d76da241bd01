"""The lines of one box over Wi-Fi, as a port.

They are read from the socket of ``scorer radio``. One request in JSON selects the box; after its
answer the lines of the box follow, as on a serial port. docs/reference/radio-protocol.md documents
the socket.
"""

from __future__ import annotations

import errno
import json
import os
import re
import select
import socket
import threading
from collections.abc import Iterator
from typing import Final

from scorer.hw.ports import DeviceError
from scorer.plain_values import Found, json_object

SOCKET: Final = "/run/scorer/radio.sock"
MAX_REQUEST: Final = 512  # bytes of a request or answer with its end
_ANSWER_WAIT = 10.0  # seconds; systemd may have to start the process first
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,6}[a-z0-9])?")


def name_problem(name: str) -> str:
    """What is wrong with the name of a box; "" if it is one."""
    if _NAME.fullmatch(name):
        return ""
    return 'wants 1 to 8 of the letters a to z, digits and hyphens between them, like "norte"'


def radio_problems(name: str, path: str) -> Iterator[Found]:
    """Problems of these two settings."""
    if problem := name_problem(name):
        yield "name", f"'{name}' is no name of a box: it {problem}"
    if not path.startswith("/"):
        yield "socket", f"'{path}' is no path like {SOCKET}"


class RadioPort:
    """The lines of a box, initially closed; used as ``scorer.hw.serial.port.Port`` is."""

    def __init__(self, name: str, socket_path: str = SOCKET) -> None:
        self.path = f"the box {name}"
        self._name, self._socket_path = name, socket_path
        self._connection: socket.socket | None = None
        self._early = b""  # lines that came together with the answer
        self._lock = threading.Lock()  # no descriptor is closed within wake()
        self._waker, self._woken = -1, -1

    def open(self) -> None:
        """Ask for the lines of the box. Raises DeviceError."""
        self.close()
        self._woken, self._waker = os.pipe()
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._connection = connection
        try:
            connection.connect(self._socket_path)
            connection.sendall(json.dumps({"do": "lines", "box": self._name}).encode() + b"\n")
            answer = json_object(self._read_answer())
        except OSError as error:
            raise self._connect_error(error) from error
        if answer is None or answer.get("ok") is not True:
            why = "scorer-radio gave no answer" if answer is None else str(answer.get("text"))
            raise DeviceError(f"{self.path}: {why}", "absent")

    def read(self, timeout: float) -> bytes:
        """Read what has arrived; empty after ``timeout`` seconds or ``wake``.

        Raises DeviceError when the process of the radio has ended, or the port is closed.
        """
        if self._early:
            data, self._early = self._early, b""
            return data
        connection = self._require_open()
        try:
            ready, _, _ = select.select([connection.fileno(), self._woken], [], [], timeout)
            if self._woken in ready:
                os.read(self._woken, 1)
            if connection.fileno() not in ready:
                return b""
            data = connection.recv(65536)
        except (OSError, ValueError) as error:
            raise self._lost() from error
        if not data:
            raise self._lost()
        return data

    def write(self, data: bytes) -> int:
        """Write nothing: a box over Wi-Fi sends its state four times a second, unasked."""
        self._require_open()
        return len(data)

    def wake(self) -> None:
        """End a ``read`` that waits in another thread."""
        with self._lock:
            if self._waker >= 0:
                os.write(self._waker, b".")

    def close(self) -> None:
        """Close it. Idempotent; allowed after a failed open and on a lost port."""
        connection, self._connection, self._early = self._connection, None, b""
        if connection is not None:
            connection.close()
        with self._lock:
            for descriptor in (self._waker, self._woken):
                if descriptor >= 0:
                    os.close(descriptor)
            self._waker = self._woken = -1

    def _read_answer(self) -> bytes:
        """The first line from the process; empty if there is none in time."""
        received = b""
        while b"\n" not in received and len(received) < MAX_REQUEST:
            data = self._receive(_ANSWER_WAIT)
            if not data:
                return b""
            received += data
        answer, _, self._early = received.partition(b"\n")
        return answer

    def _receive(self, timeout: float) -> bytes:
        connection = self._require_open()
        ready, _, _ = select.select([connection.fileno(), self._woken], [], [], timeout)
        return connection.recv(MAX_REQUEST) if connection.fileno() in ready else b""

    def _require_open(self) -> socket.socket:
        if self._connection is None:
            raise DeviceError(f"{self.path} is not open", "absent")
        return self._connection

    def _lost(self) -> DeviceError:
        return DeviceError(f"{self.path}: scorer-radio has ended", "absent")

    def _connect_error(self, error: OSError) -> DeviceError:
        if error.errno in (errno.EACCES, errno.EPERM):
            return DeviceError(f"{self.path}: {self._socket_path} may not be opened", "forbidden")
        sentence = "scorer-radio does not run: systemctl enable --now scorer-radio"
        return DeviceError(f"{self.path}: {sentence}", "absent")
