"""A button box model, its real driver and a port, in simulated time.

The port is a pseudo-terminal, or the socket of ``scorer radio``.

Every change waits until the driver has read all bytes that the box sent.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import tempfile
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

from scorer.hw.inputs import box, radio
from scorer.hw.ports import DeviceError, InputSource
from scorer.hw.serial.box_lines import QUERY
from scorer.hw.serial.port import Port
from scorer.hw.serial.radio_port import RadioPort
from tests.hw.serial.button_box_model import FakeBox
from tests.hw.serial.ptys import Cable

PATIENCE = 30.0  # seconds; allows for a slow machine with both cores busy


class WatchedPort:
    """A port that tracks processed bytes, and passes queries to the box model."""

    def __init__(self, port: box.LinePort, on_query: Callable[[], object]) -> None:
        self.path, self._port, self._on_query = port.path, port, on_query
        self._changed = threading.Condition()
        self._read = self._handled = 0

    def read(self, timeout: float) -> bytes:
        # Reading again means that earlier bytes were processed.
        with self._changed:
            self._handled = self._read
            self._changed.notify_all()
        data = self._port.read(timeout)
        self._read += len(data)
        return data

    def write(self, data: bytes) -> int:
        if data == QUERY:
            self._on_query()
        return self._port.write(data)

    def open(self) -> None:
        self._read = self._handled = 0
        self._port.open()

    def wake(self) -> None:
        self._port.wake()

    def close(self) -> None:
        self._port.close()

    def wait_for(self, count: int) -> None:
        """Wait until ``count`` bytes since opening are processed."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._handled >= count, PATIENCE)


class BoxRig:
    """An input with the lines ``left`` and ``right``, for the input contract."""

    def __init__(self) -> None:
        self.now = 0.0
        folder = tempfile.mkdtemp()
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.cable = self.make_cable(Path(folder) / "port")
        self.cable.plug()
        self.box = FakeBox(self._send)
        self.died = threading.Event()
        self._queried = threading.Event()
        self.lost: list[DeviceError] = []
        self._sent_bytes = 0
        self._port: WatchedPort
        self.source: InputSource = self.make_source()

    def make_cable(self, path: Path) -> Cable | FakeRadio:
        return Cable(path)

    def make_source(self) -> InputSource:
        options = box.Options(str(self.cable.path), LINES)
        return box.create(options, now=lambda: self.now, gone=self._on_lost, port=self.port)

    def move(self, line: str, *, down: bool, at: float, read_at: float | None = None) -> None:
        self.now, self.box.now = at if read_at is None else read_at, at
        self.box.press(_PLACES[line], down=down)
        self.settle()

    def lose(self, line: str, *, down: bool) -> None:
        """Drop the line with the change; the next one arrives."""
        send, self.box.send = self.box.send, lambda line: None
        self.box.press(_PLACES[line], down=down)
        self.box.send = send
        self.now += 0.1
        self.box.run_until(self.now)
        self.settle()

    def settle(self) -> None:
        """Wait until the driver has processed all sent bytes."""
        if self.source.is_alive():
            # Bytes count from the answer to the query that follows each opening.
            assert self._queried.wait(PATIENCE)
            self._port.wait_for(self._sent_bytes)

    def kill(self) -> None:
        """Unplug the box, wait for the loss, and plug it in again."""
        self.died.clear()
        self._queried.clear()
        self.cable.pull()
        assert self.died.wait(PATIENCE)
        self.cable.plug()

    def take_away(self) -> None:
        self.cable.pull()

    def give_back(self) -> None:
        self.cable.plug()

    def port(self, path: str, baud: int) -> box.LinePort:
        """A port that passes queries to the box model."""
        return self._watched(Port(path, baud))

    def _watched(self, port: box.LinePort) -> box.LinePort:
        self._port = WatchedPort(port, self._on_query)
        return self._port

    def _on_query(self) -> None:
        self._sent_bytes = 0
        self.box.send_line()
        self._queried.set()

    def _send(self, line: bytes) -> None:
        self._sent_bytes += self.cable.send_to_table(line)

    def _on_lost(self, error: DeviceError) -> None:
        self.lost.append(error)
        self.died.set()


class FakeRadio:
    """The socket of ``scorer radio`` with one box, in place of a cable."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._listener: socket.socket | None = None
        self._reader: socket.socket | None = None

    def plug(self) -> None:
        """Start to answer requests for the lines of the box."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen()
        threading.Thread(target=self._serve, args=(self._listener,), daemon=True).start()

    def pull(self) -> None:
        """End, and the connections with it."""
        self.path.unlink(missing_ok=True)
        for each in (self._listener, self._reader):
            if each is not None:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()
        self._listener = self._reader = None

    def send_to_table(self, data: bytes) -> int:
        """Send bytes to the table; return how many fitted."""
        if self._reader is None:
            return 0
        try:
            return self._reader.send(data)
        except OSError:
            return 0

    def _serve(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                connection.recv(512)
                self._reader = connection
                connection.sendall(b'{"ok": true}\n')


class RadioRig(BoxRig):
    """The same box over Wi-Fi: its driver reads the socket of ``scorer radio``."""

    def make_cable(self, path: Path) -> FakeRadio:
        return FakeRadio(path)

    def make_source(self) -> InputSource:
        options = radio.Options("norte", LINES, str(self.cable.path))
        return radio.create(
            options,
            now=lambda: self.now,
            gone=self._on_lost,
            port=lambda name, path: self._watched(RadioPort(name, path)),
        )


LINES = ("", "", "left", "", "right")
_PLACES = {"left": 2, "right": 4}
