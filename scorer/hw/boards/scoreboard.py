"""A big scoreboard on a serial port: it is told the newest lines, whole, again and again.

A thread of its own finds the port, writes, and finds it again; whoever has news only puts them.
What a line says is never known here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scorer.hw.options import OptionsError
from scorer.hw.ports import DeviceError
from scorer.hw.serial.latest_writer import LatestWriter
from scorer.hw.serial.lines import seal
from scorer.hw.serial.port import Port, port_problems

RETRY_PAUSES = (
    0.5,
    1.0,
    2.0,
    4.0,
    5.0,
)  # seconds between attempts to find the port; the last one stays
RESEND_INTERVAL = (
    10.0  # seconds after which everything is said again: a scoreboard may have been off
)
_WRITE_WAIT = 1.0  # seconds for which a slow port is waited for before something else is looked at


@dataclass(frozen=True, slots=True)
class Options:
    """The port by its stable name, and its speed in bits a second."""

    port: str
    baud: int = 9600

    def __post_init__(self) -> None:
        if problems := port_problems(self.port, self.baud):
            raise OptionsError(problems)

    @property
    def resource_id(self) -> str:
        """Where it hangs: nothing else can be on that port."""
        return self.port


FaultListener = Callable[[str], None]
"""Hears what is wrong with a scoreboard, in a sentence, once; "" when all is well again."""


def _ignore(why: str) -> None:
    """Nobody looks after this scoreboard."""


def create(
    options: Options,
    *,
    on_fault: FaultListener = _ignore,
    pauses: Sequence[float] = RETRY_PAUSES,
    resend_interval: float = RESEND_INTERVAL,
    now: Callable[[], float] = time.monotonic,
    port: Callable[[str, int], Port] = Port,
) -> Scoreboard:
    """A closed driver. ``tell`` is called by its thread, so it only puts."""
    return Scoreboard(port(options.port, options.baud), on_fault, pauses, resend_interval, now)


class Scoreboard:
    """Says the newest lines to whatever listens on a port."""

    def __init__(
        self,
        port: Port,
        on_fault: FaultListener,
        pauses: Sequence[float],
        resend_interval: float,
        now: Callable[[], float],
    ) -> None:
        self._port, self._on_fault, self._now = port, on_fault, now
        self._pauses, self._resend_interval = pauses, resend_interval
        self._latest = LatestWriter(port)
        self._newest, self._lock = b"", threading.Lock()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Start to look for the port. Never raises."""
        self.close()
        self._closing.clear()
        self._thread = threading.Thread(target=self._run, name="scoreboard", daemon=True)
        self._thread.start()

    def send(self, lines: Sequence[str]) -> None:
        """From now on these lines; those before that were not begun yet are never said.

        Never waits. Raises ValueError for what is no line (``serial.lines.sealed``).
        """
        message = b"".join(seal(line) for line in lines)
        with self._lock:
            self._newest = message
            self._latest.put(message)
        self._port.wake()

    def close(self) -> None:
        """Be quiet, and give the port back. Allowed twice."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._closing.set()
            while thread.is_alive():
                self._port.wake()
                thread.join(0.1)

    def _run(self) -> None:
        failures, told = 0, ""
        while not self._closing.is_set():
            try:
                self._port.open()
                told = self._report_fault("", told)
                self._latest.reset()
                # The empty line ends what a connection that broke had begun.
                self._resend(b"\n")
                failures = 0
                self._write_until_closed()
            except DeviceError as error:
                told = self._report_fault(str(error), told)
                self._closing.wait(self._pauses[min(failures, len(self._pauses) - 1)])
                failures += 1
            finally:
                self._port.close()

    def _report_fault(self, why: str, before: str) -> str:
        """Once, as long as it stays the same."""
        if why != before:
            self._on_fault(why)
        return why

    def _resend(self, before: bytes = b"") -> None:
        """The newest once more; what came meanwhile is never overwritten by it."""
        with self._lock:
            if self._newest:
                self._latest.put(before + self._newest)

    def _write_until_closed(self) -> None:
        """Until somebody ends it. Raises DeviceError when the port is lost."""
        due = self._now() + self._resend_interval
        while not self._closing.is_set():
            if not self._latest.send():
                self._port.wait_writable(_WRITE_WAIT)
                continue
            # It has nothing to say to us; but who listens is told at once that it is gone.
            self._port.read(max(0.0, due - self._now()))
            if self._now() >= due:
                self._resend()
                due = self._now() + self._resend_interval
