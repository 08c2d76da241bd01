"""From a button to the published score, beside readers of an old game.

The table runs in real time with a serial button box on a pseudo-terminal. The reference is the same
press without readers, in the same run: quiet and busy presses alternate, as the machine is busier
at one time than at another.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median

from scorer.api.rights import Right, socket_path
from scorer.api.server import Client
from scorer.hw.serial.box_lines import REPEAT, BoxMessage, Change, encode_message
from tools.bench import Measurement, Result, Skipped
from tools.bench.daemon_process import PATIENCE, running_daemon
from tools.bench.web import write_long_game

READERS = 16
BUDGET = 2.0
WHAT = f"press to published score, {READERS} readers of an old game, median"
# Guards that wait for fingers would refuse presses that follow each other at once.
CONFIG = """
consoles.driver = "box"
consoles.port = {port}
guards = {{slap = 0.0, slap_call = 0.0, echo = 0.0}}
"""
APART_S = 0.15  # between two changes of a button: more than a release takes to count


class ButtonBox:
    """A box at the other end of a pseudo-terminal."""

    def __init__(self, stack: ExitStack) -> None:
        self._end, there = os.openpty()
        self._is_open, self._began = True, time.monotonic()
        self._lock, self._newest, self._levels = threading.Lock(), 0, 0
        tty.setraw(there)
        self.port = os.ttyname(there)
        repeating = threading.Thread(target=self._repeat)
        repeating.start()
        stack.callback(os.close, there)
        stack.callback(os.close, self._end)
        stack.callback(repeating.join)
        stack.callback(self._stop)

    def move(self, *, down: bool, button: int = 0) -> float:
        """Press or release a button; the time at which that was sent."""
        with self._lock:
            self._levels = self._levels & ~(1 << button) | down << button
            self._newest += 1
            now = time.perf_counter()
            self._send(Change(button, down, 0))
        return now

    def _repeat(self) -> None:
        """Repeat the levels, as a box does while there is activity."""
        while self._is_open:
            if select.select([self._end], [], [], REPEAT)[0]:
                os.read(self._end, 4096)
            with self._lock:
                self._send()

    def _stop(self) -> None:
        self._is_open = False

    def _send(self, *changes: Change) -> None:
        clock = round((time.monotonic() - self._began) * 1000)
        message = BoxMessage("0001", self._newest, self._levels, clock, changes)
        os.write(self._end, encode_message(message))


def measure(quick: bool) -> Iterator[Result]:
    """The median of the busy presses beside that of the quiet ones."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        try:
            box = ButtonBox(stack)
        except OSError as error:
            yield Skipped(WHAT, f"no pseudo-terminals here ({error})")
            return
        write_long_game(folder / "store")
        config = CONFIG.format(port=json.dumps(box.port))
        stack.enter_context(running_daemon(folder, folder / "store", config))
        quiet, busy = list[float](), list[float]()
        with closing(Client(folder / "table.sock", timeout=PATIENCE)) as table:
            for _ in range(3 if quick else 8):
                quiet += _presses(table, box, 5)
                with _reading(folder):
                    busy += _presses(table, box, 5)
    reference = "the same press without readers"
    yield Measurement(WHAT, median(busy) * 1e3, median(quiet) * 1e3, "ms", reference, BUDGET)
    yield Measurement(
        WHAT.replace("median", "longest"), max(busy) * 1e3, max(quiet) * 1e3, "ms", reference, None
    )


def _presses(table: Client, box: ButtonBox, presses: int) -> list[float]:
    """Seconds from each press to the state that has it; then it is taken back."""
    found = []
    for number in range(presses + 1):
        begin = box.move(down=True)
        state = _next_state(table, pending=True)
        if number:  # the first one waits for readers that begin or end
            found.append(time.perf_counter() - begin)
        time.sleep(APART_S)
        box.move(down=False)
        time.sleep(APART_S)
        table.send({"id": 1, "do": "undo", "number": state})
        _next_state(table, pending=False)
    return found


def _next_state(table: Client, *, pending: bool) -> int:
    """The number of the next state with a call that waits for an answer, or without."""
    for message in table.messages():
        state = message.get("state")
        if state is not None and bool(state.get("pending")) is pending:
            return int(state["number"])
    raise RuntimeError("the table has hung up")


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """Readers in a process of their own."""
    path = socket_path(folder / "table.sock", Right.READ)
    words = ["-m", "tools.bench.reader_flood", str(path), str(READERS)]
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()
