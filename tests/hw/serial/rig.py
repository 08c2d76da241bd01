"""A button box model, its real driver and a pseudo-terminal, in simulated time.

Every change waits until the driver has read all bytes that the box sent.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

from scorer.hw.inputs import box
from scorer.hw.ports import DeviceError, InputSource
from scorer.hw.serial.box_lines import QUERY
from scorer.hw.serial.port import Port
from tests.hw.serial.button_box_model import FakeBox
from tests.hw.serial.ptys import Cable

PATIENCE = 30.0  # seconds; allows for a slow machine with both cores busy


class WatchedPort(Port):
    """A port that tracks processed bytes, and passes queries to the box model."""

    def __init__(self, path: str, baud: int, on_query: Callable[[], object]) -> None:
        super().__init__(path, baud)
        self._on_query = on_query
        self._changed = threading.Condition()
        self._read = self._handled = 0

    def read(self, timeout: float) -> bytes:
        # Reading again means that earlier bytes were processed.
        with self._changed:
            self._handled = self._read
            self._changed.notify_all()
        data = super().read(timeout)
        self._read += len(data)
        return data

    def write(self, data: bytes) -> int:
        if data == QUERY:
            self._on_query()
        return super().write(data)

    def open(self) -> None:
        self._read = self._handled = 0
        super().open()

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
        self.cable = Cable(Path(folder) / "port")
        self.cable.plug()
        self.box = FakeBox(self._send)
        self.died = threading.Event()
        self._queried = threading.Event()
        self.lost: list[DeviceError] = []
        self._sent_bytes = 0
        self._port: WatchedPort
        options = box.Options(str(self.cable.path), ("", "", "left", "", "right"))
        self.source: InputSource = box.create(
            options, now=lambda: self.now, gone=self._on_lost, port=self.port
        )

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

    def port(self, path: str, baud: int) -> Port:
        """A port that passes queries to the box model."""
        self._port = WatchedPort(path, baud, self._on_query)
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


_PLACES = {"left": 2, "right": 4}
