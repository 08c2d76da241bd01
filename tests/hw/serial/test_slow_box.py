"""A board that is reset by the opening of its port and answers late.

Runs in simulated time, on a model of the port.
"""

from __future__ import annotations

import threading

import pytest

from scorer.hw.inputs import box
from scorer.hw.inputs.box import BoxInput
from scorer.hw.ports import DeviceError, Edge
from scorer.hw.serial.box_lines import QUERY
from scorer.hw.serial.port import Port
from tests.hw.serial.button_box_model import FakeBox

OPTIONS = box.Options("/dev/ttyACM0", ("left",))


class SlowBoard(Port):
    """A port whose board is deaf until ``boot`` seconds after its construction."""

    def __init__(self, boot: float) -> None:
        super().__init__(OPTIONS.port)
        self.now, self._ready = 100.0, 100.0 + boot
        self._pending = b""
        self._is_open = False
        self._box = FakeBox(self._send, at=self._ready)
        self._woken = threading.Event()

    def open(self) -> None:
        self._is_open, self._pending = True, b""
        self._woken.clear()

    def write(self, data: bytes) -> int:
        if data == QUERY and self.now >= self._ready:
            self._box.now = self.now
            self._box.send_line()
        return len(data)

    def read(self, timeout: float) -> bytes:
        if not self._is_open:
            raise DeviceError("closed", "absent")
        data, self._pending = self._pending, b""
        if not data and threading.current_thread() is not threading.main_thread():
            # The reader of the opened box waits without end: time stands still.
            self._woken.wait()
        elif not data:
            self.now += timeout
        return data

    def wake(self) -> None:
        self._woken.set()

    def close(self) -> None:
        self._is_open = False

    def _send(self, line: bytes) -> None:
        self._pending += line


def box_on(board: SlowBoard) -> BoxInput:
    return box.create(OPTIONS, now=lambda: board.now, port=lambda path, baud: board)


def ignore(edge: Edge) -> None:
    del edge


def test_a_board_that_swallows_the_first_query_is_asked_again() -> None:
    board = SlowBoard(boot=3.0)
    source = box_on(board)
    source.open(ignore)
    assert source.levels() == {"left": False}
    assert board.now < 100.0 + 2 * box.QUERY_INTERVAL + box.STALE_WINDOW + 0.1
    source.close()


def test_a_board_slower_than_the_wait_is_found_by_the_next_opening() -> None:
    board = SlowBoard(boot=15.0)
    source = box_on(board)
    with pytest.raises(DeviceError, match="no button box is heard"):
        source.open(ignore)
    assert board.now == 100.0 + box.FIRST_LINE_WAIT
    source.open(ignore)
    assert source.levels() == {"left": False}
    source.close()
